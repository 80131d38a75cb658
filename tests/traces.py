"""Traces to test with: some that were recorded on a GPU, and some that are made up call by call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from torchperf_lint.trace import file
from torchperf_lint.trace.recording import NOWHERE, Call, Kind, Span, Timing, Trace, Work

HERE = Path(__file__).parent / "trace"


@cache
def recorded(name: str) -> Trace:
    """A trace of `tests/trace/NAME.py`, recorded on an H200."""
    return file.read(HERE / f"{name}.tpltrace")


class Making:
    """A trace in the making: steps of launches and waits at given times, in microseconds."""

    def __init__(self) -> None:
        self.starts: list[float] = []
        self.calls: list[Call] = []
        self.works: list[Work] = []
        self.spans: list[Span] = []
        self.names = ["cudaLaunchKernel", "cudaStreamSynchronize", "kernel", "enumerate(DataLoader)#X.__next__"]

    def step(self, at: float) -> None:
        self.starts.append(at)

    def launch(self, at: float, start: float, time: float, stream: int = 7, events: int = 0) -> None:
        self.works.append(Work(len(self.calls), start, time, stream, 2, 0, 4))
        self.calls.append(Call(at, 2.0, Kind.LAUNCH, 0, NOWHERE, NOWHERE, events, 0))

    def wait(self, at: float, time: float) -> None:
        self.calls.append(Call(at, time, Kind.WAIT, 1, NOWHERE, NOWHERE, 0, 0))

    def load(self, at: float, time: float) -> None:
        self.spans.append(Span(at, time, 3, NOWHERE))

    def trace(self, ms: float | None = None, about: dict[str, object] | None = None) -> Trace:
        timing = None if ms is None else Timing(20, ms, ms, ms)
        return Trace(
            about=about or {"script": "a.py", "gpu": "GPU"}, timing=timing, starts=tuple(self.starts),
            names=tuple(self.names), calls=tuple(self.calls), works=tuple(self.works), spans=tuple(self.spans),
        )  # fmt: skip


def serial(steps: int = 8, waits: Sequence[bool] | None = None) -> Making:
    """The worked example of the replay: 1 ms of GPU work, launched in 0.2 ms; a wait for it; 0.5 ms of the host's own."""
    made = Making()
    at = 0.0
    for each in range(steps):
        made.step(at)
        for launch in range(10):
            made.launch(at + 20 * launch, at + 5 + 100 * launch, 100)
        if waits is None or waits[each]:
            made.wait(at + 200, 805)
        at += 1505
    made.step(at)
    return made
