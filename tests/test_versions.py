"""What makes the host wait depends on the version of torch that a project supports."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchperf_lint.config.config import Config
from torchperf_lint.engine import lint_text
from torchperf_lint.syntax.source import Source

ELEMENT = """
import torch

class Corner(torch.nn.Module):
    def forward(self, x):
        mask = torch.zeros(4, 4, device="cuda")
        mask[0, 0] = 1.0
        return mask * x
"""
MASKED = ELEMENT.replace("mask[0, 0] = 1.0", "mask = mask.masked_fill(mask > 0, mask.min())")
ATTENTION = """
import torch


class Attention(torch.nn.Module):
    def forward(self, q, k, v):
        return torch.softmax(q @ k.transpose(-2, -1) / 8, dim=-1) @ v


Attention().cuda()
"""
IN_PLACE = "from torch import nn\nnet = nn.Linear(8, 8)\nnet.compile()\n"


@pytest.mark.parametrize(("target", "count"), [("2.13", 1), ("2.14", 0)])
def test_a_rule_speaks_for_the_versions_that_compile_nothing(target: str, count: int) -> None:
    config = Config(root=Path.cwd(), rules=frozenset({"TPL706"}), target_torch=target)
    assert len(lint_text.lint(Source(IN_PLACE, "model.py"), config)) == count


@pytest.mark.parametrize(
    ("text", "target", "count"), [(ELEMENT, "2.11", 1), (ELEMENT, "2.13", 0), (MASKED, "2.11", 1), (MASKED, "2.13", 1)]
)
def test_a_rule_speaks_for_the_versions_that_wait(text: str, target: str, count: int) -> None:
    config = Config(root=Path.cwd(), rules=frozenset({"TPL113"}), target_torch=target)
    assert len(lint_text.lint(Source(text, "model.py"), config)) == count


@pytest.mark.parametrize(("target", "count"), [("1.13", 0), ("2.0", 1)])
def test_a_rule_speaks_for_the_versions_that_have_what_it_names(target: str, count: int) -> None:
    config = Config(root=Path.cwd(), rules=frozenset({"TPL602"}), target_torch=target)
    assert len(lint_text.lint(Source(ATTENTION, "model.py"), config)) == count
