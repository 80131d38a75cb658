"""Where a step of the program begins: at its optimizer's step, at a marker, at a line, or at a call of its model.

A marker or a line that the user names decides. Else the optimizer does, and of several the one that steps least often;
only where no optimizer was ever made, each call of the outermost module is a step. Where that one steps no more, as after
the first part of a training in two, the one that does takes its place.
"""

from __future__ import annotations

import functools
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

import torch

from torchperf_lint.trace import marker
from torchperf_lint.trace.recorder.patches import Patches
from torchperf_lint.trace.recorder.uncompiled import leave_alone, uncompiled

Tell = Callable[[], None]

MARKER: Final = "torchperf_lint.step()"
OURS: Final = tuple(f"{Path(file).parent}{os.sep}" for file in (__file__, torch.__file__))
"""The beginnings of the names of files that call modules for the program."""
GONE: Final = 100
"""After so many steps of others, and more than twice as many as were ever between two of its own, an optimizer is taken to be done."""


class Steps:
    """Calls `tell` when a step begins."""

    def __init__(self, tell: Tell, correct: Tell, anew: Tell, patches: Patches) -> None:
        self.found_by = ""
        """What told of the last step, in words."""
        self._tell = tell
        self._correct = correct
        """Says that the step of which was told begins only now."""
        self._anew = anew
        """Says that steps are others from now on."""
        self._patches = patches
        self._counts: Counter[int] = Counter()
        self._anchor: int | None = None
        self._others = 0
        """Steps of others since the last one of the anchor."""
        self._most = 0
        """The most of them between two of its steps."""
        self.optimizers = 0
        self._depth = 0
        self._marked = False
        self._module_call: Any = None

    def watch(self) -> None:
        """Look for steps of all kinds."""
        register = getattr(sys.modules["torch.optim.optimizer"], "register_optimizer_step_post_hook", None)
        if register is not None:
            self._patches.later(register(self._stepped).remove)
        self._watch_optimizers()
        self._watch_modules()
        marker.listeners.append(self._mark)
        self._patches.later(lambda: marker.listeners.remove(self._mark))

    def settle(self) -> None:
        """Decide what a step is, after the first steps have been seen."""
        self._anchor = min(self._counts, key=lambda each: self._counts[each], default=None)

    def _mark(self) -> None:
        if not self._marked:
            self._marked, self.found_by = True, MARKER
        self._tell()

    @leave_alone
    def _stepped(self, optimizer: Any, *_: Any) -> None:
        if not torch.compiler.is_compiling() and not self._marked:
            self._has_stepped(optimizer)

    @uncompiled
    def _has_stepped(self, optimizer: Any) -> None:
        was_told = self._module_call is not None and bool(self._counts)
        if was_told:
            self._forget()  # the optimizer is older than all this: a call of its model has told of this step
        self._unwatch_modules()
        if self._is_anchor(optimizer):
            self.found_by = f"{type(optimizer).__name__}.step"
            (self._correct if was_told else self._tell)()

    def _forget(self) -> None:
        """What has been seen so far were no steps, even where that was settled: the first can be the last before profiling."""
        self._counts.clear()
        self._anchor = None
        self._others = self._most = 0

    def _is_anchor(self, what: Any) -> bool:
        """Whether an optimizer or a module is the one whose calls are steps: the first, until it is settled."""
        self._counts[id(what)] += 1
        if id(what) == (self._anchor or next(iter(self._counts))):
            self._others, self._most = 0, max(self._others, self._most)
            return True
        self._others += 1
        if self._others > GONE + 2 * self._most:
            self._forget()
            self._counts[id(what)] += 1
            self._anew()
        return False

    def _watch_optimizers(self) -> None:
        made = torch.optim.Optimizer.__init__

        @functools.wraps(made)
        def noted(optimizer: Any, *args: Any, **kwargs: Any) -> None:
            made(optimizer, *args, **kwargs)
            if not self.optimizers:
                self._forget()  # what was called before it is no step
            self.optimizers += 1

        self._patches.put(torch.optim.Optimizer, "__init__", noted)

    def _watch_modules(self) -> None:
        call: Any = torch.nn.Module.__call__

        @leave_alone
        def called(module: Any, *args: Any, **kwargs: Any) -> Any:
            if torch.compiler.is_compiling() or self._depth:
                return call(module, *args, **kwargs)
            self._depth = 1
            try:
                self._outermost(module)
                return call(module, *args, **kwargs)
            finally:
                self._depth = 0

        functools.update_wrapper(called, call)
        self._module_call = (called, call)
        self._patches.put(torch.nn.Module, "__call__", called)

    def _unwatch_modules(self) -> None:
        if self._module_call is not None and torch.nn.Module.__call__ is self._module_call[0]:
            setattr(torch.nn.Module, "__call__", self._module_call[1])  # noqa: B010 - as data, for type checkers
        self._module_call = None

    @uncompiled
    def _outermost(self, module: Any) -> None:
        if self._marked or self.optimizers or self._module_call is None or not self._is_anchor(module):
            return
        self.found_by = f"{type(module).__name__} at {_caller(sys._getframe(1))}"
        self._tell()


def _caller(frame: FrameType | None) -> str:
    """The line that calls a module, which is neither ours nor torch's: a compiled one is called by itself."""
    while frame is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}" if frame is not None else "no line known"
