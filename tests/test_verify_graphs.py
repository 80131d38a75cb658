"""What `--verify` counts of compiled programs: graphs of a first call, and what later calls compile anew."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from torchperf_lint.verify import figures, graphs
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

    assert graphs.counted(ready)[:2] == expected


def test_what_compiling_takes_is_not_what_running_takes() -> None:
    """A backend that is slow to compile shows; a program that is slow at each call does not."""

    def slow(graph: Any, _inputs: Any) -> Any:
        time.sleep(0.3)
        return graph

    def ready(backend: Any, work: float) -> Callable[[], object]:
        compiled = torch.compile(lambda x: x * 2, backend=backend)
        compiled(torch.ones(2))  # what Dynamo does once in a process
        torch._dynamo.reset()
        return lambda: (time.sleep(work), compiled(torch.ones(3)))

    compiling = graphs.counted(lambda: ready(slow, 0.0)).compile_s
    running = graphs.counted(lambda: ready("eager", 0.3)).compile_s
    assert compiling >= 0.3 > running


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("compile-in-hot-path", (1, 0), (1, 0)),
        ("graph-break-in-compiled-code", (4, 0), (1, 0)),
        ("recompile-hazard", (5, 3), (1, 0)),
        ("compile-misuse", (0, 0), (1, 0)),
    ],
)
def test_benches_about_compiling_show_what_their_rules_say(
    name: str, before: tuple[int, int], after: tuple[int, int]
) -> None:
    found = next(each for each in all_benches() if each.name == name)
    bench = bench_of(found.module)
    fixed = bench.by_hand or fix(bench.before, found.code)
    for text, expected in ((bench.before, before), (fixed, after)):
        eager = text.replace("@torch.compile\n", '@torch.compile(backend="eager")\n')
        eager = eager.replace("torch.compile(model)", 'torch.compile(model, backend="eager")')
        eager = eager.replace(".compile()", '.compile(backend="eager")')
        subject = Subject("program", eager, bench, SIZES, CPU)
        assert graphs.counted(subject.ready)[:2] == expected, text


def test_what_compiling_lacks_here_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the program with the cure would be called different: only it raises an error."""
    from torch._inductor import config  # takes as long to import as all else of torch

    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    with config.patch({"cpp.cxx": (None, "no-such-compiler")}):
        said = graphs.obstacle(CPU)
    assert said is not None
    assert said.startswith("torch.compile fails here, which needs a C++ compiler, as g++ (")
    torch._dynamo.reset()
    monkeypatch.setattr(torch, "compile", lambda function: function)
    assert graphs.obstacle(CPU) is None


def fix(text: str, code: str | None) -> str:
    from fixture import Section
    from linted import fixed

    assert code is not None
    return fixed(Section("case", "a bench", 1, text, ()), frozenset({code})).text


def test_what_was_counted_is_shown() -> None:
    counted = {"graphs": (3, 1), "recompiles": (0, 0), "compile_s": (20.04, 8.0)}
    result = {f"{what}_{when}": pair[i] for what, pair in counted.items() for i, when in enumerate(("before", "after"))}
    said = "graphs that the first call makes: 3 → 1; that four more make: 0; compiling took 20.0 s → 8.0 s"
    assert figures.of_graphs(result) == [said]
    assert figures.of_graphs({}) == []
