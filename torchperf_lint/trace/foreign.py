"""A trace of torch's own profiler, asked for what it can tell: how a step is spent, and the operators that wait.

It cannot tell the lines of calls: with `with_stack=True` too, the exported JSON names frames by the line where their
function is defined. And no step of it ran without the profiler, so that nothing can be predicted.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

from torchperf_lint.model.failure import ConfigError
from torchperf_lint.trace import chrome, file
from torchperf_lint.trace.condense import from_events
from torchperf_lint.trace.recording import Trace

STEP: Final = "ProfilerStep#"
UNTOLD: Final = (
    "This trace was exported by torch's profiler, which knows no lines of calls: findings cannot be joined with it.",
    "No step of it ran without the profiler: gains cannot be predicted. `torchperf-lint trace -- python ...` tells both.",
)
NO_STEPS: Final = "It has no steps (`prof.step()` marks them): all of it is taken for one."


def read(path: Path) -> Trace:
    """The trace in a file, of ours or of torch's profiler; raises `ConfigError`."""
    plain = chrome.loaded(path)
    return file.unpack(plain, str(path)) if file.is_ours(plain) else _of_profiler(plain, str(path))


def _of_profiler(plain: Any, what: str) -> Trace:
    events = chrome.events(plain, what)
    marks = [each for each in events.host if each.name.startswith(STEP)]
    everything = [*events.host, *events.runtime, *events.gpu]
    if not everything:
        raise ConfigError(f"{what}: a trace without anything that torch's profiler records")
    untold = UNTOLD if marks else (*UNTOLD, NO_STEPS)
    if marks:
        starts = [*sorted(each.start for each in marks), max(each.end for each in marks)]
        main = marks[0].thread
    else:
        starts = [min(each.start for each in everything), max(each.end for each in everything)]
        main = Counter(each.thread for each in (events.runtime or events.host or events.gpu)).most_common(1)[0][0]
    about = {"script": what, "gpu": events.device.get("name"), "found_by": f"{STEP}n" if marks else ""}
    return from_events(events, starts, main, about=about, timing=None, untold=untold)
