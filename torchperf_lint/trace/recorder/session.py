"""One process of a traced program, from the import of torch to its end: which phase it is in, and what is written when.

warm-up -> base (timed, untouched) -> setting up -> profiled -> settling -> base again -> done. All happens at the
beginnings of steps; what is known is written at each change, so that a program that is killed has lost little.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any, Final

import torch

from torchperf_lint.disk.write import put
from torchperf_lint.trace.recorder import about, profiler, step_line
from torchperf_lint.trace.recorder.last_words import LastWords, save_before_exit
from torchperf_lint.trace.recorder.lines import Lines
from torchperf_lint.trace.recorder.loaders import Loaders
from torchperf_lint.trace.recorder.pace import Pace
from torchperf_lint.trace.recorder.patches import Patches
from torchperf_lint.trace.recorder.ranks import rank_here
from torchperf_lint.trace.recorder.results import Results
from torchperf_lint.trace.recorder.save_lines import plain_lines
from torchperf_lint.trace.recorder.steps import Steps
from torchperf_lint.trace.recorder.uncompiled import uncompiled
from torchperf_lint.trace.settings import LINES, MARKS, PROFILE, STATE, Settings

PHASES: Final = ("warm-up", "base", "setting up", "profiled", "settling", "base again", "done")


class Session:
    """The recording of this process."""

    def __init__(self, settings: Settings, folder: str) -> None:
        self.settings = settings
        self._rank = rank_here()
        self.pace = Pace(
            settings.first, settings.last, profile=settings.profile, warm=settings.warm, ranks=self._rank[2]
        )
        self.phase = PHASES[0]
        self.error = ""
        self._patches = Patches()
        self.steps = Steps(self.boundary, self._begins_now, self._begins_anew, self._patches)
        self.lines = Lines()
        self._loaders = Loaders()
        self._leave_line: Callable[[], None] = lambda: None
        """Ends the watching of the line at which steps begin, where one is named."""
        self.profiler = profiler.Profiler(self._end_of_window, self._patches)
        self.results = Results(settings.results, nudged=settings.nudged) if settings.results else None
        self._last_words = LastWords(self.finish)
        self.process = os.getpid()
        self._folder = folder
        self._count = 0
        self._warm = 0
        """Steps of the warm-up."""
        self._in_phase = 0
        self._begun = perf_counter_ns()
        self._times: dict[str, list[int]] = {"base": [], "base again": []}
        if not settings.profile:
            self._times["warm-up"] = []  # asked where a program is over before the base
        self._window: dict[str, Any] = {}
        self.more: Callable[[], dict[str, Any]] = dict
        """What else is known of the process, if it is asked for."""
        self._clocks: list[int] = []
        """When each marker of a step was set, by our clock."""

    def watch(self) -> None:
        """Hook into what says where steps begin and where the process ends."""
        if self.settings.step is not None:
            self._leave_line = step_line.watch(self.settings.step, self.boundary, self._folder)
            self.steps.found_by = self.settings.step
        else:
            self.steps.watch()
        self._loaders.watch(self._patches)
        if self.results is not None:
            self.results.watch()
        atexit.register(self.finish)
        self._patches.later(lambda: atexit.unregister(self.finish))
        if hasattr(os, "register_at_fork"):
            words = self._last_words
            os.register_at_fork(before=words.hold, after_in_parent=words.release, after_in_child=self.leave)
        save_before_exit(self.finish, self._patches)
        self._write()

    @uncompiled
    def boundary(self) -> None:
        """A step begins."""
        if self.phase == "done":
            return
        try:
            self._count += 1
            self._in_phase += 1
            if self.results is None or self.results.is_over:
                self._advance()
            elif self.results.step() and self.settings.loaded:
                self._enter("done")
            elif self.results.is_over:
                self._time_from_now()
        except Exception:
            self._fail()
        if self.phase == "done" and self.settings.stop:
            raise SystemExit(0)

    @uncompiled
    def _begins_now(self) -> None:
        """The step that was told of last begins only here."""
        if times := self._times.get(self.phase):
            synchronize()
            times[-1] = perf_counter_ns()

    @uncompiled
    def _begins_anew(self) -> None:
        """Steps are others from now on, and those that were timed in this phase do not count."""
        if times := self._times.get(self.phase):
            synchronize()
            times[:] = [perf_counter_ns()]
            self._in_phase, self._begun = 1, times[0]

    def _time_from_now(self) -> None:
        """The results are known: steps are timed as if the program began."""
        self._in_phase, self._begun = 0, perf_counter_ns()
        about.forget_peak()

    def _advance(self) -> None:
        now = perf_counter_ns()
        if self.phase in self._times:
            self._times[self.phase].append(now)
        if self.phase == "profiled":
            self._mark()
        times = self._times.get(self.phase, ())
        if not self.pace.is_over(self.phase, self._in_phase - 1, (now - self._begun) / 1e9, times):
            return
        if self.phase == "setting up" and not self._is_set_up():
            return
        following = PHASES[PHASES.index(self.phase) + 1]
        self._leave_phase()
        self._enter(following)

    def _is_set_up(self) -> bool:
        """Whether our profiler can start; where the program's own runs, or has just run, it takes another step."""
        if self.profiler.theirs:
            return False
        if not self.profiler.is_prepared:
            self.profiler.prepare()
            self.lines.start()
            return False
        return True

    def _leave_phase(self) -> None:
        match self.phase:
            case "warm-up":
                self._warm = self._in_phase - 1
                self.steps.settle()
            case "base" | "base again":
                synchronize()
                self._times[self.phase].append(perf_counter_ns())
                self._loaders.end(self.phase)
            case "profiled":
                self._end_of_window()

    def _enter(self, phase: str) -> None:
        if phase == "setting up" and not self.settings.profile:
            phase = "done"
        self.phase, self._in_phase = phase, 1
        match phase:
            case "base" | "base again":
                synchronize()
                self._loaders.begin()
                self._times[phase].append(perf_counter_ns())
            case "setting up":
                self._is_set_up()
            case "profiled":
                self._window = {"before": about.counters()}
                self._last_words.begin(self._file(MARKS))
                self.lines.note_stack()
                self.profiler.start()
                self._mark()
            case "done":
                self._unwatch_line()
                if not self.settings.profile:
                    self._window = {"after": about.counters()}
        self._begun = perf_counter_ns()
        self._write()

    def _mark(self) -> None:
        self._clocks.append(profiler.mark_step(len(self._clocks)))
        self._last_words.step()

    def _end_of_window(self) -> None:
        """Stop recording and write what was recorded."""
        self.lines.stop()
        if self.phase != "profiled":
            self.profiler.drop()
            return
        self.phase = "settling"
        self._last_words.begin_to_save()
        synchronize()
        recorded = self.profiler.stop()
        self._window["after"] = about.counters()
        put(self._file(LINES), json.dumps(plain_lines(self.lines, self._folder) | {"clocks": self._clocks}).encode())
        profiler.save(recorded, self._file(PROFILE))
        self._write()
        self._last_words.end()

    def finish(self) -> None:
        """The process ends: write what there is."""
        if os.getpid() != self.process or self.phase == "done":
            return
        try:
            if self.phase in ("setting up", "profiled"):
                self._end_of_window()
        except Exception:
            self._fail()
        self._unwatch_line()
        if self.phase == "warm-up" and (begun := self._times.get("warm-up")) is not None:
            self._warm = self.pace.warm_at_the_end(len(begun))
            self.phase, self._times["base"] = "base", begun[self._warm :]
        if times := self._times.get(self.phase):
            times.append(times[-1])  # the last step that was begun is not over: it ends with the one before
        self._write(ended=True)

    def release(self) -> None:
        """The process goes on unobserved, and nothing of ours is left in it."""
        self.phase = "done"
        self._last_words.end()
        self._patches.take_away()
        self.lines.samples.clear()

    def leave(self) -> None:
        """This is a forked child of the program: a worker, which is not observed."""
        self.phase = "done"
        with contextlib.suppress(Exception):
            self._last_words.end()
        self._last_words.release()
        self._unwatch()

    def _fail(self) -> None:
        self.error = traceback.format_exc(limit=-3)
        self.phase = "done"
        with contextlib.suppress(Exception):
            self._last_words.end()
        self._unwatch()
        with contextlib.suppress(Exception):
            self.profiler.drop()
        for each in (LINES, PROFILE):
            with contextlib.suppress(OSError):  # on a full disk they take the room of the word that it is
                self._file(each).unlink()
        with contextlib.suppress(Exception):
            self._write()

    def _unwatch(self) -> None:
        """Python tells us of nothing more."""
        with contextlib.suppress(Exception):
            self.lines.stop()
        self._unwatch_line()

    def _unwatch_line(self) -> None:
        with contextlib.suppress(Exception):
            self._leave_line()
        self._leave_line = lambda: None

    def _file(self, ending: str) -> Path:
        return Path(self.settings.folder) / f"{self.process}{ending}"

    def _write(self, *, ended: bool = False) -> None:
        rank, local, size = self._rank
        state = {
            "phase": self.phase, "steps": self._count, "warm": self._warm, "found_by": self.steps.found_by, "error": self.error,
            "ended": ended, "optimizers": self.steps.optimizers, "theirs": self.profiler.theirs,
            "rank": rank, "local_rank": local, "size": size, "script": Path(sys.argv[0]).name if sys.argv else "",
            "times": self._times, "loads": self._loaders.took, "window": self._window, "lines": self.lines.error, "about": about.machine(),
            "strays": about.strays(self.settings.moved),
            "results": {"losses": self.results.losses, "parameters": self.results.parameters} if self.results else None,
        }  # fmt: skip
        more = self.more() if self.settings.loaded and (ended or self.phase == "done") else {}
        put(self._file(STATE), json.dumps(state | more).encode())


def synchronize() -> None:
    """Let the GPU finish, where there is one and the program has begun to use it."""
    if torch.cuda.is_available() and torch.cuda.is_initialized() and not torch.cuda.is_current_stream_capturing():
        torch.cuda.synchronize()


def arm(settings: Settings, folder: str) -> Session:
    """Observe this process from now on."""
    if settings.deterministic:
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.backends.cudnn.benchmark = False
    session = Session(settings, folder)
    session.watch()
    return session
