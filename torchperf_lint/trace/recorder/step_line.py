"""`--step FILE:LINE`: a step begins whenever that line of the program runs."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

Tell = Callable[[], None]
TOOLS: Final = (2, 4, 3, 5)


def watch(place: str, tell: Tell, folder: str) -> None:
    """Call `tell` at each run of a line from now on."""
    name, _, number = place.rpartition(":")
    ending = os.sep + os.path.normpath(name)
    is_wanted = _Wanted(ending, folder)
    if sys.version_info >= (3, 12):
        _monitor(int(number), tell, is_wanted)
    else:
        _trace(int(number), tell, is_wanted)


class _Wanted:
    """Whether a code stands in the named file."""

    def __init__(self, ending: str, folder: str) -> None:
        self._ending = ending
        self._folder = folder

    def __call__(self, code: CodeType) -> bool:
        return str(Path(self._folder, code.co_filename)).endswith(self._ending)


def _monitor(number: int, tell: Tell, is_wanted: _Wanted) -> None:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool = next((each for each in TOOLS if monitoring.get_tool(each) is None), None)
    if tool is None:
        raise RuntimeError("--step: all numbers of sys.monitoring are taken")
    events, disable = monitoring.events, monitoring.DISABLE

    def started(code: CodeType, _: int) -> Any:
        if is_wanted(code):
            monitoring.set_local_events(tool, code, events.LINE)
        return disable

    def line(_: CodeType, at: int) -> Any:
        if at != number:
            return disable
        tell()
        return None

    monitoring.use_tool_id(tool, "torchperf-lint step")
    monitoring.register_callback(tool, events.PY_START, started)
    monitoring.register_callback(tool, events.LINE, line)
    monitoring.set_events(tool, events.PY_START)


def _trace(number: int, tell: Tell, is_wanted: _Wanted) -> None:
    def inside(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line" and frame.f_lineno == number:
            tell()
        return inside

    def entered(frame: FrameType, event: str, _: Any) -> Any:
        return inside if event == "call" and is_wanted(frame.f_code) else None

    threading.settrace(entered)
    sys.settrace(entered)
