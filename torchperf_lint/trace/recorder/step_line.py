"""`--step FILE:LINE`: a step begins whenever that line of the program runs."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, Final

from torchperf_lint.trace.recorder.uncompiled import leave_alone, uncompiled

Tell = Callable[[], None]
Stop = Callable[[], None]
TOOLS: Final = (2, 4, 3, 5)


def watch(place: str, tell: Tell, folder: str) -> Stop:
    """Call `tell` at each run of a line from now on, until the function that is returned is called."""
    name, _, number = place.rpartition(":")
    is_wanted = _Wanted(name, folder)
    if sys.version_info >= (3, 12):
        return _monitor(int(number), tell, is_wanted)
    return _trace(Tracer(int(number), tell, is_wanted))


class _Wanted:
    """Whether a code stands in the named file."""

    def __init__(self, name: str, folder: str) -> None:
        self._folder = folder
        self._path = self._absolute(name)
        self._ending = os.sep + os.path.normpath(name)
        self._known: dict[str, bool] = {}

    @uncompiled
    def __call__(self, code: CodeType) -> bool:
        name = code.co_filename
        found = self._known.get(name)
        if found is None:
            path = self._absolute(name)
            found = self._known[name] = path == self._path or path.endswith(self._ending)
        return found

    def _absolute(self, name: str) -> str:
        return os.path.normpath(os.path.join(self._folder, name))  # noqa: PTH118 - `..` is to be taken out

    def running(self, frame: FrameType | None) -> Iterator[FrameType]:
        """The frames of such codes that run already: the script itself, which has just imported torch."""
        while frame is not None:
            if self(frame.f_code):
                yield frame
            frame = frame.f_back


def _monitor(number: int, tell: Tell, is_wanted: _Wanted) -> Stop:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool = next((each for each in TOOLS if monitoring.get_tool(each) is None), None)
    if tool is None:
        raise RuntimeError("--step: all numbers of sys.monitoring are taken")
    events, disable = monitoring.events, monitoring.DISABLE
    known: list[CodeType] = []

    @leave_alone
    def follow(code: CodeType) -> None:
        known.append(code)
        monitoring.set_local_events(tool, code, events.LINE)

    def started(code: CodeType, _: int) -> Any:
        if is_wanted(code):
            follow(code)
        return disable

    def line(_: CodeType, at: int) -> Any:
        if at != number:
            return disable
        tell()
        return None

    monitoring.use_tool_id(tool, "torchperf-lint step")
    monitoring.register_callback(tool, events.PY_START, leave_alone(started))
    monitoring.register_callback(tool, events.LINE, leave_alone(line))
    for frame in is_wanted.running(sys._getframe(1)):
        follow(frame.f_code)
    monitoring.set_events(tool, events.PY_START)

    def stop() -> None:
        monitoring.set_events(tool, 0)
        for code in known:
            monitoring.set_local_events(tool, code, 0)
        for event in (events.PY_START, events.LINE):
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)

    return stop


class Tracer:
    """Before Python 3.12: the trace function of all that is called, and of the frames in the named file."""

    def __init__(self, number: int, tell: Tell, is_wanted: _Wanted) -> None:
        self._number = number
        self._tell = tell
        self.is_wanted = is_wanted

    @leave_alone
    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "call":
            return self if self.is_wanted(frame.f_code) else None
        if event == "line":
            self.line(frame)
        return frame.f_trace  # who was told may have put another one there

    @leave_alone
    def line(self, frame: FrameType) -> None:
        if frame.f_lineno == self._number and self.is_wanted(frame.f_code):
            self._tell()


def _trace(tracer: Tracer) -> Stop:
    if sys.gettrace() is not None:
        raise RuntimeError("--step: another tool traces this program (sys.settrace), and Python 3.12 could do both")
    running = list(tracer.is_wanted.running(sys._getframe(1)))
    for frame in running:
        frame.f_trace = tracer
    threading.settrace(tracer)
    sys.settrace(tracer)

    def stop() -> None:
        if sys.gettrace() is tracer:
            sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type,unused-ignore]
        for frame in running:
            frame.f_trace = None

    return stop
