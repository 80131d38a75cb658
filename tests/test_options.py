"""Branches that an option switches off: what is found there is a hint, and says which option."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchperf_lint.config.config import Config
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.model.finding import Finding, Severity
from torchperf_lint.run.lint_file import lint_bytes

CONFIG = Config(root=Path("/nowhere"), rules=chosen([Layer(select=("TPL102",))]), cache=False)
LAYER = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, scale: float{option}):
        super().__init__()
        self.scale = scale
        self.option = {held}

    def forward(self, x: torch.Tensor{given}):
        {test}
            return x * x.sum().item()
        return x * self.scale


def make():
    return Layer({made})
"""


def found(**parts: str) -> Finding:
    filled = {"option": "", "held": "option", "given": "", "made": "2.0", **parts}
    (finding,) = lint_bytes(LAYER.format(**filled).encode(), "layer.py", CONFIG)
    return finding


@pytest.mark.parametrize(
    "parts",
    [
        {"option": ", option=None", "test": "if self.option is not None:"},
        {"option": ", option=False", "test": "if self.option:"},
        {"option": ", option=False", "test": "if self.option and x.ndim == 2:"},
        {"option": ", option=True", "test": "if not self.option:"},
        {"option": ', option="none"', "test": 'if self.option == "sum":'},
        {"option": ", option=False", "test": "if self.option:", "made": "2.0, option=False"},
        {"option": ", option=True", "test": "if self.option:", "made": "2.0, False"},
        {"option": ", option=None", "test": "if self.option is None:", "made": "2.0, option=make_option()"},
        {"given": ", exact: bool = False", "held": "0", "test": "if exact:"},
        {"given": ", most: int | None = None", "held": "0", "test": "if most is not None:"},
    ],
    ids=str,
)
def test_an_option_that_is_off_makes_a_hint(parts: dict[str, str]) -> None:
    finding = found(**parts)
    assert finding.severity is Severity.INFO
    assert any("nothing in sight sets" in note.message for note in finding.because)


@pytest.mark.parametrize(
    "parts",
    [
        {"option": ", option=None", "test": "if self.option is None:"},
        {"option": ", option=True", "test": "if self.option:"},
        {"option": ", option=True", "test": "if not self.option or x.ndim == 2:"},
        {"option": ", option=False", "test": "if self.option:", "made": "2.0, option=True"},
        {"option": ", option=False", "test": "if self.option:", "made": "2.0, choose()"},
        {"option": ", option=False", "test": "if self.option:", "made": "2.0, **settings"},
        {"option": ", option", "test": "if self.option:", "made": "2.0, 1"},
        {"option": ", option=None", "held": "option or 3", "test": "if self.option is not None:"},
        {"given": ", labels: torch.Tensor | None = None", "held": "0", "test": "if labels is not None:"},
        {"given": ", mask=None", "held": "0", "test": "if mask is not None:"},
        {"held": "0", "test": "if x.ndim == 2:"},
    ],
    ids=str,
)
def test_what_may_be_on_is_none(parts: dict[str, str]) -> None:
    assert found(**parts).severity is Severity.WARNING
