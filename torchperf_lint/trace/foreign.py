"""A trace of torch's own profiler, asked for what it can tell: how a step is spent, and the operators that wait.

It cannot tell the lines of calls: with `with_stack=True` too, the exported JSON names frames by the line where their
function is defined. And no step of it ran without the profiler, so that nothing can be predicted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

from torchperf_lint.model.failure import ConfigError
from torchperf_lint.trace import chrome, file
from torchperf_lint.trace.chrome import Event, Events
from torchperf_lint.trace.condense import from_events
from torchperf_lint.trace.recording import Trace

STEP: Final = "ProfilerStep#"
UNTOLD: Final = (
    "This trace was exported by torch's profiler, which knows no lines of calls: findings cannot be joined with it.",
    "No step of it ran without the profiler: gains cannot be predicted. `torchperf-lint trace -- python ...` tells both.",
)
OPTIMIZER: Final = "Optimizer.step#"
BACKWARD: Final = "autograd::engine::evaluate_function"
BY_OPTIMIZER: Final = (
    "It has no steps (`prof.step()` of a profiler with a schedule marks them): one is taken to begin wherever an "
    "optimizer of that name does its step. Where several of one name take turns, a step is more than that."
)
NO_STEPS: Final = (
    "It has no steps (`prof.step()` of a profiler with a schedule marks them): all of it is taken for one."
)


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
    optimizer = [] if marks else _optimizer(events)
    untold: tuple[str, ...]
    if marks:
        starts = [*sorted(each.start for each in marks), max(each.end for each in marks)]
        untold = UNTOLD
        main, found_by = marks[0].thread, f"{STEP}n"
    elif optimizer:
        starts, untold = [each.start for each in optimizer], (*UNTOLD, BY_OPTIMIZER)
        main, found_by = optimizer[0].thread, optimizer[0].name
    else:
        starts, untold = (
            [min(each.start for each in everything), max(each.end for each in everything)],
            (*UNTOLD, NO_STEPS),
        )
        main, found_by = _main(events), ""
    about = {"script": what, "gpu": events.device.get("name"), "found_by": found_by}
    return from_events(events, starts, main, about=about, timing=None, untold=untold)


def _optimizer(events: Events) -> list[Event]:
    """The steps of the optimizer that steps least often, where there are some."""
    found = defaultdict(list)
    for each in events.host:
        if each.name.startswith(OPTIMIZER):
            found[each.name, each.thread].append(each)
    return min((several for several in found.values() if len(several) > 1), key=len, default=[])


def _main(events: Events) -> int:
    """The thread of the program: the one with most calls that does not only compute gradients."""
    backward = {each.thread for each in events.host if each.name.startswith(BACKWARD)}
    threads = Counter(each.thread for each in (events.runtime or events.host or events.gpu))
    return next((thread for thread, _ in threads.most_common() if thread not in backward), threads.most_common(1)[0][0])
