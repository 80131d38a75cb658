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
NORM = """
import torch


class Norm(torch.nn.Module):
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = (x - mean).pow(2).mean(-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + 1e-6)


Norm().cuda()
"""
LARGEST = (
    NORM[: NORM.index("        mean")]
    + "        return x.view(8, 64, 56, 56).max(1)[0]\n\n\nlayers = [Norm().cuda() for _ in range(12)]\n"
)
SWISH = NORM[: NORM.index("        mean")] + "        return x * torch.sigmoid(x)\n\n\nNorm().cuda()\n"
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


@pytest.mark.parametrize(
    ("code", "text", "since"),
    [("TPL602", ATTENTION, "2.0"), ("TPL601", SWISH, "1.7"), ("TPL601", NORM, "1.2"), ("TPL612", LARGEST, "1.7")],
)
def test_a_rule_speaks_for_the_versions_that_have_what_it_names(code: str, text: str, since: str) -> None:
    for target in ("1.1", "1.6", "1.13", "2.11"):
        config = Config(root=Path.cwd(), rules=frozenset({code}), target_torch=target)
        is_there = parts(target) >= parts(since)
        assert len(lint_text.lint(Source(text, "model.py"), config)) == is_there


def parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
