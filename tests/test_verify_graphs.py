"""What `--verify` counts of compiled programs: graphs of a first call, and what later calls compile anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from torchperf_lint.verify import graphs, table
from torchperf_lint.verify.bench import all_benches, bench_of
from torchperf_lint.verify.worker import Subject

pytestmark = pytest.mark.slow
SIZES = {"batch": 4, "width": 8, "depth": 2}
CPU = torch.device("cpu")


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.steps += 1
        return x * 2


def broken(x: torch.Tensor) -> torch.Tensor:
    return x * x.sum().item()


@pytest.mark.parametrize(("made", "expected"), [(Counter, (1, 4)), (lambda: broken, (2, 0))], ids=["anew", "a break"])
def test_graphs_and_recompiles_are_told_apart(made: Callable[[], Any], expected: tuple[int, int]) -> None:
    def ready() -> Callable[[], object]:
        compiled = torch.compile(made(), backend="eager")
        return lambda: compiled(torch.ones(3))

    assert graphs.counted(ready) == expected


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("graph-break-in-compiled-code", (4, 0), (1, 0)), ("recompile-hazard", (5, 3), (1, 0))],
)
def test_benches_about_compiling_show_what_their_rules_say(
    name: str, before: tuple[int, int], after: tuple[int, int]
) -> None:
    found = next(each for each in all_benches() if each.name == name)
    bench = bench_of(found.module)
    fixed = bench.by_hand or fix(bench.before, found.code)
    for text, expected in ((bench.before, before), (fixed, after)):
        eager = text.replace("@torch.compile\n", '@torch.compile(backend="eager")\n')
        subject = Subject("program", eager, bench, SIZES, CPU)
        assert graphs.counted(subject.ready) == expected, text


def fix(text: str, code: str | None) -> str:
    from fixture import Section
    from linted import fixed

    assert code is not None
    return fixed(Section("case", "a bench", 1, text, ()), frozenset({code})).text


def test_what_was_counted_is_shown() -> None:
    result = {"graphs_before": 3, "graphs_after": 1, "recompiles_before": 0, "recompiles_after": 0}
    assert table.of_graphs(result) == ["graphs that the first call makes: 3 → 1; that four more make: 0"]
    assert table.of_graphs({}) == []
