"""Which line ran when, in the code of the program and the libraries it uses (torch, numpy and Python's own left out).

From Python 3.12 on `sys.monitoring` tells it, for about a fifth of a microsecond a line; before, `sys.settrace` does.
A sample is a time, a line and its code: START where a function begins, END where it is left. The stack of lines follows
from them, so that whatever the profiler saw at a time has the line that did it. A sample knows the number of the next
node of a gradient, too: so a node that a backward pass computes has the line that made it.
"""

from __future__ import annotations

import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter_ns
from types import CodeType, FrameType
from typing import Any, Final

from torchperf_lint.trace.recorder.step_line import Tracer
from torchperf_lint.trace.recorder.uncompiled import leave_alone, uncompiled

START: Final = 0
END: Final = -1
MOST: Final = 1_000_000
"""Samples of a thread: 20 steps with ten times as many lines as any program of ours had."""
TOOLS: Final = (4, 3, 5, 2)
"""Numbers of `sys.monitoring`, those first that nobody has a name for."""

Sample = tuple[int, int, CodeType, int]
Stack = list[tuple[CodeType, int]]


def _left_out() -> tuple[str, ...]:
    """The beginnings of the names of files whose lines are not recorded."""
    import torch

    python = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    ours = str(Path(__file__).parents[2])
    libraries = [str(Path(torch.__file__).parent)]
    for name in ("numpy", "triton", "sympy", "torch._inductor"):
        file = getattr(sys.modules.get(name), "__file__", None)
        libraries += [str(Path(file).parent)] if file else []
    return tuple(f"{each}/" for each in (*libraries, ours)) + tuple(f"{each}/" for each in python if each)


class Lines:
    """The samples of the profiled steps, by thread."""

    def __init__(self) -> None:
        self.samples: dict[int, list[Sample]] = {}
        self.native: dict[int, int] = {}
        self.stack: Stack = []
        self.error = ""
        self._left_out = _left_out()
        self._site = tuple(
            f"{path}/" for path in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")} if path
        )
        self._wanted: dict[str, bool] = {}
        self._stop: Callable[[], None] | None = None

    @leave_alone
    def wanted(self, code: CodeType) -> bool:
        found = self._wanted.get(code.co_filename)
        return self._is_wanted(code.co_filename) if found is None else found

    @uncompiled
    def _is_wanted(self, name: str) -> bool:
        made = name.startswith("<") or "torchinductor" in name  # no file, or one that torch.compile wrote
        found = not (made or self._is_left_out(name)) or name.startswith("<ipython-input")
        self._wanted[name] = found
        return found

    def _is_left_out(self, name: str) -> bool:
        """Libraries may lie below Python's own folder, and are wanted."""
        in_site = name.startswith(self._site)
        return any(name.startswith(each) and not (in_site and self._site_in(each)) for each in self._left_out)

    def _site_in(self, folder: str) -> bool:
        return any(each.startswith(folder) for each in self._site)

    def start(self) -> None:
        """Record from now on; the frames that are running are the stack to begin with."""
        self.samples.clear()
        self.note_stack()
        if sys.version_info >= (3, 12):
            self._stop = self._monitor()
        elif sys.gettrace() is None or isinstance(sys.gettrace(), Tracer):
            self._stop = self._trace()
        else:
            self.error = "no lines: another tool traces this program (sys.settrace), and Python 3.12 could do both"

    def note_stack(self) -> None:
        """Everything recorded so far is dropped; what is running now is where the samples begin."""
        for each in self.samples.values():
            each.clear()
        frames = list(self._frames(sys._getframe(1)))
        self.stack = [(frame.f_code, frame.f_lineno) for frame in reversed(frames)]

    def _frames(self, frame: FrameType | None) -> Iterator[FrameType]:
        while frame is not None:
            if self.wanted(frame.f_code):
                yield frame
            frame = frame.f_back

    def stop(self) -> None:
        if self._stop is not None:
            self._stop()
            self._stop = None

    def _add(self) -> Callable[[int, CodeType], None]:
        """What takes a sample, as quickly as Python can."""
        ident, clock, samples, native = threading.get_ident, perf_counter_ns, self.samples, self.native
        node = _next_node()

        @leave_alone
        def add(number: int, code: CodeType) -> None:
            thread = ident()
            mine = samples.get(thread)
            if mine is None:
                mine = samples[thread] = []
                native[thread] = threading.get_native_id()
            if len(mine) < MOST:
                mine.append((clock(), number, code, node()))

        return add

    def _monitor(self) -> Callable[[], None]:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        tool = next((each for each in TOOLS if monitoring.get_tool(each) is None), None)
        if tool is None:
            self.error = "no lines: all numbers of sys.monitoring are taken"
            return lambda: None
        events = monitoring.events
        inside = events.LINE | events.PY_START | events.PY_RESUME | events.PY_RETURN | events.PY_YIELD
        known: dict[int, CodeType] = {}  # by identity: the hash of a code goes through all that it holds

        @leave_alone
        def follow(code: CodeType) -> None:
            known[id(code)] = code
            monitoring.set_local_events(tool, code, inside)

        monitoring.use_tool_id(tool, "torchperf-lint")
        callbacks = self._callbacks(monitoring, known, follow)
        for event, callback in callbacks.items():
            monitoring.register_callback(tool, event, callback)
        for code, _ in self.stack:
            follow(code)
        monitoring.set_events(tool, events.PY_START)

        def stop() -> None:
            monitoring.set_events(tool, 0)
            for code in known.values():
                monitoring.set_local_events(tool, code, 0)
            for event in callbacks:
                monitoring.register_callback(tool, event, None)
            monitoring.free_tool_id(tool)

        return stop

    def _callbacks(
        self, monitoring: Any, known: dict[int, CodeType], follow: Callable[[CodeType], None]
    ) -> dict[int, Callable[..., Any]]:
        """What Python calls: where a function begins, at its lines, and where it is left."""
        events, disable = monitoring.events, monitoring.DISABLE
        add, wanted = self._add(), self.wanted

        @leave_alone
        def started(code: CodeType, _: int) -> Any:
            if id(code) not in known:
                if not wanted(code):
                    return disable
                follow(code)
            add(START, code)
            return None

        @leave_alone
        def line(code: CodeType, number: int) -> None:
            add(number, code)

        @leave_alone
        def left(code: CodeType, _: int, __: object) -> None:
            add(END, code)

        return {
            events.PY_START: started, events.PY_RESUME: started, events.LINE: line, events.PY_RETURN: left,
            events.PY_YIELD: left,
        }  # fmt: skip

    def _trace(self) -> Callable[[], None]:
        add, wanted = self._add(), self.wanted
        before = sys.gettrace()
        step = before if isinstance(before, Tracer) else None  # there is one trace function: ours does its work
        records = True

        @leave_alone
        def inside(frame: FrameType, event: str, _: Any) -> Any:
            if not records:
                return step and step(frame, event, None)
            if event == "line":
                add(frame.f_lineno, frame.f_code)
                if step is not None:
                    step.line(frame)
            elif event == "return":
                add(END, frame.f_code)
            return frame.f_trace

        @leave_alone
        def entered(frame: FrameType, event: str, _: Any) -> Any:
            if event != "call" or not wanted(frame.f_code):
                return step and step(frame, event, None)
            add(START, frame.f_code)
            return inside

        running = {frame: frame.f_trace for frame in self._frames(sys._getframe(1))}
        for frame in running:
            frame.f_trace = inside
        threading.settrace(entered)
        sys.settrace(entered)

        def stop() -> None:
            nonlocal records
            records = False
            sys.settrace(step)
            threading.settrace(step)
            for frame, their in running.items():
                frame.f_trace = their

        return stop


def _next_node() -> Callable[[], int]:
    """What tells the number that the next node of a gradient gets on this thread; torch 2.0 does not."""
    import torch

    return getattr(torch.autograd, "_get_sequence_nr", lambda: sys.maxsize)
