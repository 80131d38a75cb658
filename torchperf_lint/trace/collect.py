"""What a run left behind, made into traces: one for each process that was profiled, and words for what is missing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import mean, stdev, variance
from typing import Any, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report.summary import counted
from torchperf_lint.trace import chrome, rounds
from torchperf_lint.trace.condense import condense, step_marks
from torchperf_lint.trace.launch import LARGEST, Ended
from torchperf_lint.trace.recording import File, Timing, Trace
from torchperf_lint.trace.settings import EARLIEST, LINES, PROFILE

BASES: Final = ("base", "base again")
"""The phases in which steps are timed, and nothing else."""
STEADY: Final = 0.1
"""Steps before and after the profiled ones that differ by more than this are worth a word."""
SLOWER_THAN_PROFILED: Final = 1.03
STRETCHES: Final = 5
"""Parts of the steps that are timed one after the other, which are held against each other."""
SITES: Final = ("site-packages/", "dist-packages/")

SIGKILL: Final = 9
ROOM: Final = 100_000
"""Bytes: a disk with less left is full."""

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Collected:
    """The traces of a run, by rank, and what went wrong."""

    traces: Mapping[int, Trace]
    problems: Sequence[str]


def collect(ended: Ended, folder: Path, root: Path, why: Callable[[Ended], list[str]] | None = None) -> Collected:
    """The traces of a run that has ended; `root` is what paths are relative to, `why` says why there are none."""
    traces: dict[int, Trace] = {}
    problems: list[str] = []
    for process, state in ended.states.items():
        if (folder / f"{process}{PROFILE}").is_file() and "about" in state:
            try:
                traces[state["rank"]] = _trace(process, state, folder, root)
            except ConfigError as error:
                problems.append(str(error))
    if not traces:
        problems += _no_room(folder) or (why or why_nothing)(ended)
    return Collected(dict(sorted(traces.items())), problems)


def _no_room(folder: Path) -> list[str]:
    """Whether it was the disk: the recorder cannot even say so then."""
    if shutil.disk_usage(folder).free > ROOM:
        return []
    return [f"no trace: the disk is full on which it is recorded, at {folder.parent}; TMPDIR names another place"]


def _trace(process: int, state: Plain, folder: Path, root: Path) -> Trace:
    events = chrome.read(folder / f"{process}{PROFILE}")
    lines = _lines(folder / f"{process}{LINES}")
    files = tuple(File(shown(each["path"], root), tuple(each["digests"])) for each in lines["files"]) if lines else ()
    if len(step_marks(events)) < 2:
        raise ConfigError("the program ended, or started a profiler of its own, within the first profiled step")
    window = state["window"]
    before, after = window.get("before", {}), window.get("after", {})
    counters = {name: after[name] - before.get(name, 0) if name != "peak_memory" else after[name] for name in after}
    about = {
        **state["about"],
        **{name: state[name] for name in ("rank", "local_rank", "size", "script", "found_by", "steps")},
    }
    untold = tuple(_untold(state, events))
    trace = condense(events, lines, about, files, round_of(state), timing=None, counters=counters, untold=untold)
    return replace(trace, timing=timing(state, trace.profiled_ms))


def _lines(file: Path) -> Plain | None:
    try:
        plain = json.loads(read_file(file, LARGEST))
    except (OSError, ValueError):
        return None
    return plain if isinstance(plain, dict) and plain.get("threads") else None


def shown(path: str, root: Path) -> str:
    """A path as a trace keeps it: nothing of whose machine it was, where that can be left out."""
    text = Path(path).as_posix()
    for site in SITES:
        if site in text:
            return f"site-packages/{text.rpartition(site)[2]}"
    try:
        return Path(path).relative_to(root).as_posix()
    except ValueError:
        return text


def timing(state: Plain, profiled_ms: float) -> Timing | None:
    """How long a step takes without the profiler, from the times at which steps began.

    The profiler makes no step quicker: where steps before it took longer than those under it, they were of another kind
    (a loader that was still filling up), and those after it count.
    """
    repeats = round_of(state)
    chunks = [chunk for name in BASES if (chunk := _chunk(state["times"][name], repeats))]
    if not chunks:
        return None
    alike = [chunk for chunk in chunks if chunk.ms <= SLOWER_THAN_PROFILED * profiled_ms] or chunks
    most = max(alike, key=lambda chunk: len(chunk.each))
    several = [each for each in alike if abs(each.ms - most.ms) <= STEADY * most.ms]
    steps = sum(len(each.each) for each in several)
    ms = sum(each.ms * len(each.each) for each in several) / steps
    low, high = (find(each.ms for each in several) for find in (min, max))
    error = min(each.error for each in several)
    return Timing(steps * repeats, ms, max(low - error, 0.0), high + error, repeats, _wander(alike), loading_ms(state))


def loading_ms(state: Plain) -> float:
    """What the workers of a loader need of the processor for a step, in the stretch in which that was least: at first they also
    work for steps to come."""
    found = [
        1e3 * max(took) / (len(times) - 2)
        for name, took in state.get("loads", {}).items()
        if took and len(times := state["times"][name]) > 2
    ]
    return min(found, default=0.0)


def round_of(state: Plain) -> int:
    """After how many steps they repeat, as far as the timed ones tell; 1 where nothing does."""
    return next((found for name in BASES if (found := rounds.length(state["times"][name][:-1])) > 1), 1)


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Steps that were timed one after the other."""

    ms: float
    error: float
    each: list[float]
    """What each took, a round of those that are not alike."""


def _chunk(times: Sequence[int], repeats: int = 1) -> _Chunk | None:
    """The mean step of some times, and its error; the first and last time wait for the GPU.

    Of steps that repeat after some, whole rounds count, the last ones.
    """
    steps = (len(times) - 2) // repeats * repeats
    if steps < 1:
        return None
    times = times[len(times) - 2 - steps :]
    left_out = rounds.stalls(times[:-1]) if repeats == 1 else frozenset()
    each = [
        (after - before) / 1e6 / repeats
        for number, (before, after) in enumerate(pairwise(times[:-1:repeats]))
        if number not in left_out
    ]
    ms = (sum(each) + (times[-1] - times[-2]) / 1e6 / repeats) / len(each)
    error = 2 * stdev(each) / len(each) ** 0.5 if len(each) > 1 else 0.1 * ms
    return _Chunk(ms, min(error, 0.2 * ms), each)


def _wander(chunks: Sequence[_Chunk]) -> float:
    """By which part of a step one stretch of steps differs from another: two of them, as they are measured one after the other."""
    means = [mean(part) for chunk in chunks for part in _stretches(chunk.each)]
    return (2 * variance(means)) ** 0.5 / mean(means) if len(means) > 1 else 0.0


def _stretches(each: list[float]) -> Iterator[list[float]]:
    count = min(STRETCHES, len(each))
    for number in range(count):
        yield each[number * len(each) // count : (number + 1) * len(each) // count]


def _untold(state: Plain, events: chrome.Events) -> list[str]:
    said = []
    if not events.gpu:
        said.append(
            "There is no GPU here: the host's time, loaders and optimizers are shown, waits and gains are not."
            if not state["about"]["cuda"] else "The program did not use the GPU in the profiled steps."
        )  # fmt: skip
    if state["lines"]:
        said.append(f"Lines are not known: {state['lines']}.")
    repeats = round_of(state)
    said += _stalled(state) if repeats == 1 else []
    first, again = (_chunk(state["times"][name], repeats) for name in BASES)
    if first and again and abs(first.ms - again.ms) > STEADY * first.ms:
        said.append(
            f"Steps took {first.ms:.2f} ms before the profiled ones and {again.ms:.2f} ms after them: they are not steady, "
            "and neither are the figures."
        )
    return said


def _stalled(state: Plain) -> list[str]:
    """That some of the timed steps do not count."""
    times = [state["times"][name][:-1] for name in BASES if len(state["times"][name]) > 1]
    long = [(each[number + 1] - each[number]) / 1e6 for each in times for number in rounds.stalls(each)]
    if not long:
        return []
    return [
        f"{counted(len(long), 'step')} of {sum(len(each) - 1 for each in times)} that were timed took more than twice as long as the "
        f"others, up to {max(long):.0f} ms: figures are those of the others."
    ]


def why_nothing(ended: Ended) -> list[str]:
    """Why there is no trace, in the words of what one can do about it."""
    if not ended.hooked:
        return [
            "no trace: no Python of the program loaded the hook. Was it started with -I, -E or -S, in a container, or "
            "with an environment of its own?"
        ]
    if not ended.states:
        return [f"no trace: no process of the program imported torch{_until(ended.code)}"]
    errors = [state["error"] for state in ended.states.values() if state.get("error")]
    if errors:
        return [f"no trace: the recorder gave up, the program did not notice: {errors[0].strip().splitlines()[-1]}"]
    furthest = max(ended.states.values(), key=lambda state: state.get("steps", 0))
    return [_why(furthest, ended.code)]


def _why(state: Plain, code: int) -> str:
    steps, phase = state.get("steps", 0), state.get("phase", "")
    how = f"was killed by signal {-code}" if code < 0 else "ended"
    if not steps and state.get("found_by"):
        return f"no trace: no step found. The line of --step, {state['found_by']}, has not run since the program imported torch."
    if not steps:
        looked = "steps of its optimizers" if state.get("optimizers") else "steps of an optimizer and calls of a module"
        return (
            f"no trace: no step found{_until(code)}. It looked for {looked}. Name a line at which each step begins, --step train.py:41, "
            "or write `with torchperf_lint.step():` around a step."
        )
    if state.get("theirs"):
        return "no trace: the program's own profiler ran all the time, and only one can"
    if phase == "profiled":
        return _killed(state, how, code)
    if phase == "settling":
        return f"no trace: the program {how} while what was seen of its steps was written: let it run longer."
    timed = _timed(state)
    known = f" All that is known is the time of a step:{timed}" if timed else ""
    return (
        f"no trace: the program {how} after {counted(steps, 'step')}, before any were profiled.{known} {earlier(steps)}"
    )


def earlier(steps: int) -> str:
    """What to do about a program of so few steps."""
    first = max(EARLIEST, steps // 3)
    if steps < first + 2:  # a step ends where another one begins
        return f"Let it run longer: {EARLIEST} steps come before the first that can be profiled, and one after it."
    last = min(max(first + 2, 2 * steps // 3), steps - 1)
    return f"Profile earlier ones, --steps {first}:{last}, or let it run longer."


def _until(code: int) -> str:
    """What is said of a program that may just not have come so far."""
    return f" before it ended, with code {code}" if code else ""


def _killed(state: Plain, how: str, code: int) -> str:
    """What is said of a program that could not write what was seen of it."""
    of = f"of {state['marks']} profiled steps that had begun " if state.get("marks") else "of the profiled steps "
    why = "what the profiler had seen went with its memory"
    if code == -SIGKILL:
        why += ", which may be what ran out: the system sends this signal then"
    return f"no trace: the program {how}, and nothing {of}could be written: {why}.{_timed(state)} Fewer steps need less: --steps 6:8."


def _timed(state: Plain) -> str:
    """What is known all the same of a program of which nothing was profiled."""
    chunk = _chunk(state.get("times", {}).get("base", ()))
    return f" {counted(len(chunk.each), 'step')} took {chunk.ms:.2f} ms each." if chunk else ""
