"""Whether runs of a program can begin in processes that have torch already, and one of these processes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from torchperf_lint.trace.launch import Ended
from torchperf_lint.trace.prepared import Prepared, Seen, form, started
from torchperf_lint.trace.settings import Settings

RUNS: Final = 16
"""Runs that are split off from one process: they lie alike in memory, and what that does to times must not count."""
TIMES: Final = 10
"""So many times as long as the first run another one may take."""
SHORTEST: Final = 60.0


class Ready:
    """What is known of a program, from a run that Python has started, and a process that is ready to be it."""

    def __init__(self, command: Sequence[str], here: Path, folder: Path, *, deterministic: bool) -> None:
        self._form = form(command)
        self._here = here
        self._folder = folder
        self._deterministic = deterministic
        self._seen: Seen | None = None
        """What may be imported beforehand, once a run has told."""
        self._limit = SHORTEST
        self._process: Prepared | None = None
        self._left = 0
        self._stack = ExitStack()
        self._is_left_alone = False
        self.is_new = self._form is not None
        """Whether nothing is known of the program that one could use."""
        self.runs = 0
        """Runs that were split off."""

    def begin(self) -> None:
        """While the first run shows what the program imports, torch can be imported here: that run is not timed."""
        if self.is_new and self._process is None:
            self._start().begin()

    def learn(self, ended: Ended, seconds: float) -> None:
        """Know what the program imports, where it is the process that was started; the first run tells."""
        state = ended.states.get(ended.process)
        if not self.is_new:
            return
        self.is_new = False
        if state is None or "loaded" not in state:
            self.give_up()
            return
        self._seen = Seen.of(state)
        self._limit = max(SHORTEST, TIMES * seconds)
        if not self._seen.is_torch_first:
            self.end()
        elif self._process is not None:
            self._process.prepare(self._seen)

    def process(self) -> Prepared | None:
        """A process that is ready; None where there can be none."""
        if self._is_left_alone or self._seen is None:
            return None
        if self._left == 0:
            self._start().prepare(self._seen)
        if self._process is not None and self._process.problem is not None:
            self.give_up()
        return self._process

    def _start(self) -> Prepared:
        """Another process in the place of the last one."""
        self.end()
        where = self._folder / "ready"
        where.mkdir(exist_ok=True)
        settings = Settings(str(where), prepares=True, deterministic=self._deterministic)
        assert self._form is not None
        made = started(self._form.python, settings, self._here, where / "output.txt")
        self._process, self._left = self._stack.enter_context(made), RUNS
        return self._process

    def run(self, ready: Prepared, command: Sequence[str], settings: Settings, here: Path, log: Path) -> Ended | None:
        """Let it be the program; None where it cannot."""
        self._left -= 1
        self.runs += 1
        found = form(command)
        if found is None:
            return None
        try:
            return ready.run(found, settings, here, log, self._limit)
        except (OSError, ValueError):
            self.give_up()
            return None

    def give_up(self) -> None:
        """From now on every run is started by Python."""
        self._seen, self.is_new = None, False
        self.end()

    @contextlib.contextmanager
    def left_alone(self) -> Iterator[None]:
        """Runs are started by Python in between."""
        self._is_left_alone = True
        try:
            yield
        finally:
            self._is_left_alone = False

    def end(self) -> None:
        self._process, self._left = None, 0
        self._stack.close()
