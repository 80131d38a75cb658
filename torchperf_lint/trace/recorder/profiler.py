"""torch's profiler around the profiled steps, and peace with a profiler of the program's own.

Only one profiler can run in a process. The program's own comes first: ours ends when it begins, and waits while it runs.
Ours records what is called of the GPU's driver, and of torch what is named (loaders, optimizers, steps) and the nodes of
backward passes: each operator besides would make a step that is bound by launches half as long again, and tell no line.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any, Final

import torch

from torchperf_lint.trace.recorder.patches import Patches

STEP: Final = "tpl:step:"
"""The marker of a step's beginning among the events; when it was by our clock is saved with the lines: so both are known."""


_SILENT: Final[dict[str, Any]] = (
    {"acc_events": True} if "acc_events" in inspect.signature(torch.profiler.profile.__init__).parameters else {}
)
"""Without it, newer versions of torch warn that events of an earlier cycle are lost, of which there is none."""


_ENVIRONMENT: Final = {"TEARDOWN_CUPTI": "1"}
"""Else the steps after the profiled ones stay slower: the driver goes on telling of each launch."""


class Profiler:
    """Records what the profiler sees, between `start` and `save`."""

    def __init__(self, ends: Callable[[], None], patches: Patches) -> None:
        self.theirs = False
        """Whether the program's own profiler runs."""
        self._ends = ends
        self._mine: Any = None
        self._is_ours = False
        self._records = False
        self._lent: list[str] = []
        self._watch(patches)

    @property
    def is_prepared(self) -> bool:
        return self._mine is not None

    def drop(self) -> None:
        """What was set up is not used; one that records must not when the process ends, which would crash."""
        if self._records:
            self.stop()
        self._mine = None

    def prepare(self) -> None:
        """Let the profiler set itself up, which takes long; nothing is recorded yet."""
        activities = [torch.profiler.ProfilerActivity.CPU]
        if torch.cuda.is_available():
            activities.append(torch.profiler.ProfilerActivity.CUDA)
        self._is_ours = True
        try:
            self._mine = torch.profiler.profile(activities=activities, **_SILENT)
            self._mine.prepare_trace()
            self._lent = [each for each in _ENVIRONMENT if each not in os.environ]
            os.environ.update({each: _ENVIRONMENT[each] for each in self._lent})
        finally:
            self._is_ours = False

    def start(self) -> None:
        self._is_ours = True
        try:
            self._records = True
            self._mine.start_trace()
        finally:
            self._is_ours = False

    def stop(self) -> Any:
        """Stop recording; what was recorded can be saved."""
        self._is_ours = True
        try:
            mine, self._mine, self._records = self._mine, None, False
            mine.stop_trace()
            return mine
        finally:
            self._is_ours = False
            for each in self._lent:
                os.environ.pop(each, None)

    def _watch(self, patches: Patches) -> None:
        """Be told when the program uses a profiler itself."""
        home = torch.autograd.profiler
        for name in ("_prepare_profiler", "_enable_profiler", "_disable_profiler"):
            if hasattr(home, name):
                patches.put(home, name, self._told(getattr(home, name), name))

    def _told(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        begins = name != "_disable_profiler"
        scope = torch._C._profiler.RecordScope
        wanted = {"scopes": {scope.USER_SCOPE, scope.BACKWARD_FUNCTION}} if name == "_enable_profiler" else {}

        def told(*args: Any, **kwargs: Any) -> Any:
            if not self._is_ours:
                if begins and self._mine is not None:
                    self._ends()
                self.theirs = begins
            elif wanted:
                kwargs |= wanted
            return call(*args, **kwargs)

        return told


def mark_step(number: int) -> int:
    """Put a marker among the recorded events; the answer is when it was, by our clock."""
    marker = torch.profiler.record_function(f"{STEP}{number}")
    before = perf_counter_ns()
    marker.__enter__()
    after = perf_counter_ns()
    marker.__exit__(None, None, None)
    return (before + after) // 2


def save(recorded: Any, file: Path) -> None:
    recorded.export_chrome_trace(str(file))
