"""One run of the user's program in a copy of the tree: what a step took, or what the first steps computed."""

from __future__ import annotations

import itertools
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.report.summary import counted
from torchperf_lint.trace.collect import timing, why_nothing
from torchperf_lint.trace.launch import TOO_LONG, Ended, run_apart
from torchperf_lint.trace.recording import Timing
from torchperf_lint.trace.settings import Settings
from torchperf_lint.verify.program.aside import Aside
from torchperf_lint.verify.program.compare import Results
from torchperf_lint.verify.program.ready import Ready

RESULTS: Final = 8
"""Steps whose results are compared."""
LONGEST: Final = 1800.0
"""Seconds after which a run is given up, however much time there is."""
TAIL: Final = 12
"""Lines of the program's own words that are shown where it fails."""

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Options:
    """What is run, and how."""

    command: tuple[str, ...]
    steps: int | None = None
    """Steps that are timed in a run; None: as many as make them countable."""
    deterministic: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one run."""

    seconds: float
    ms: float | None = None
    """The mean step, in milliseconds."""
    peak: int | None = None
    """The most memory that torch held on the GPU, in bytes."""
    results: Results = field(default_factory=Results)
    found_by: str = ""
    """What told steps apart."""
    about: Plain | None = None
    problem: str | None = None
    """Why there is no figure."""


class Runner:
    """Runs the command, one run at a time: two would share the GPU and its memory."""

    def __init__(self, options: Options, here: Path, folder: Path) -> None:
        self.options = options
        self.here = here
        """The folder of the original in which the command is to run."""
        self._folder = folder
        self._numbers = itertools.count()
        self._length: tuple[int, int] | None = None
        """The steps before those that are timed, and those: once known, all runs time the same steps of the program."""
        self._ready = Ready(options.command, here, folder, deterministic=options.deterministic)

    def timed(self, copy: Aside) -> Run:
        """A run whose steps are timed and nothing else."""
        return self._sure(lambda: self._timed(copy))

    def results(self, copy: Aside, *, nudged: bool = False) -> Run:
        """A run whose first steps are asked what they computed; those after them are timed.

        `nudged` moves the parameters by their last digit after each of them.
        """
        return self._sure(lambda: self._results(copy, nudged=nudged))

    def end(self) -> None:
        self._ready.end()

    def _sure(self, attempt: Callable[[], Run]) -> Run:
        """What fails in a process that was ready must fail in one of its own as well."""
        used = self._ready.runs
        run = attempt()
        if run.problem is None or self._ready.runs == used:
            return run
        with self._ready.left_alone():
            again = attempt()
        if again.problem is None:
            self._ready.give_up()
        return again

    def _timed(self, copy: Aside) -> Run:
        ended, seconds, log = self._run(copy, self._steps(0))
        state = _of_most_steps(ended)
        found = _timing(state)
        if found is None:
            return Run(seconds, problem=_why(ended, state, log))
        return Run(
            seconds, found.ms, _peak(state), found_by=state["found_by"], about=state["about"], problem=_stray(state)
        )

    def _results(self, copy: Aside, *, nudged: bool) -> Run:
        self._ready.begin()
        how = {"results": RESULTS, "nudged": nudged, "loaded": self._ready.is_new}
        ended, seconds, log = self._run(copy, {**self._steps(RESULTS), **how})
        state = _of_most_steps(ended)
        found = state.get("results")
        if not found or (state["phase"] != "done" and (ended.code or not state["steps"])):
            return Run(seconds, problem=_why(ended, state, log))
        self._ready.learn(ended, seconds)
        losses = tuple((int(step), float(value)) for step, value in found["losses"])
        results = Results(losses, tuple((total, scale) for total, scale in found["parameters"]))
        timed = _timing(state)
        if timed is not None and self._length is None:
            self._length = (RESULTS + state["warm"], timed.steps)
        return Run(
            seconds, timed.ms if timed is not None else None, _peak(state), results, found_by=state["found_by"],
            about=state["about"], problem=_stray(state),
        )  # fmt: skip

    def _steps(self, before: int) -> Plain:
        """Which steps are timed, where so many have passed before any count: those of the first run that was timed."""
        if self._length is None:
            return {"last": self.options.steps}
        return {"warm": self._length[0] - before, "last": self._length[1]}

    def _run(self, copy: Aside, how: Plain) -> tuple[Ended, float, Path]:
        copy.become(copy.changed)
        folder = self._folder / f"run{next(self._numbers)}"
        folder.mkdir()
        moved = (str(copy.original), str(copy.folder))
        settings = Settings(
            str(folder), profile=False, stop=True, moved=moved,
            deterministic=self.options.deterministic, **how,
        )  # fmt: skip
        log = folder / "output.txt"
        command = list(_moved(self.options.command, copy))
        here = copy.moved(self.here)
        ready = self._ready.process()
        start = time.monotonic()
        ended = self._ready.run(ready, command, settings, here, log) if ready is not None else None
        ended = ended or run_apart(command, settings, here, log, LONGEST)
        return ended, time.monotonic() - start, log


def _moved(command: Iterable[str], copy: Aside) -> Iterable[str]:
    """The command with paths of the tree as those of the copy: `/repo/train.py`, `--config=/repo/a.yaml`."""
    for word in command:
        option, equals, value = word.rpartition("=")
        path = Path(os.path.normpath(value))  # `/repo/../data` lies beside it
        inside = path.is_absolute() and path.is_relative_to(copy.original)
        yield f"{option}{equals}{copy.moved(path)}" if inside else word


def outside(command: Sequence[str], here: Path, root: Path) -> list[str]:
    """The places outside of a tree that a command names, but for programs: what is written there is written for real."""
    values = [word.rpartition("=")[2] for word in command[1:]]
    named = [value for value in values if value.startswith((os.sep, "~")) or os.pardir in Path(value).parts]
    places = [(value, Path(os.path.normpath(here / Path(value).expanduser()))) for value in named]
    return [
        value for value, place in places
        if not place.is_relative_to(root) and not (place.is_file() and os.access(place, os.X_OK))
    ]  # fmt: skip


def _of_most_steps(ended: Ended) -> Plain:
    """The process that counts: rank 0, and of several the one with most steps."""
    states = [state for state in ended.states.values() if state.get("rank", 0) == 0 and "steps" in state]
    return max(states, key=lambda state: int(state["steps"]), default={})


def _timing(state: Plain) -> Timing | None:
    return timing(state, math.inf) if state and state.get("times") else None


def _peak(state: Plain) -> int | None:
    found = state.get("window", {}).get("after", {}).get("peak_memory")
    return int(found) if found else None


def _stray(state: Plain) -> str | None:
    strays: Sequence[str] = state.get("strays", ())
    if not strays:
        return None
    return f"the program imports {strays[0]}, which is not in the copy: run it in a way that imports from the working folder"


def _why(ended: Ended, state: Plain, log: Path) -> str:
    """Why a run gave nothing, with the program's last words."""
    if ended.code == TOO_LONG:
        return f"a run took more than {LONGEST / 60:.0f} minutes"
    if ended.code == 0 and not (state and state.get("error")):
        if steps := state.get("steps", 0):
            return f"the program ended after {counted(steps, 'step')}, before any were timed: let it run longer"
        return why_nothing(ended)[0].replace("no trace: ", "")
    try:
        words = read_file(log).decode("utf-8", "replace").strip().splitlines()[-TAIL:]
    except OSError:
        words = []
    return "\n".join([f"the program ended with exit code {ended.code}:", *words])
