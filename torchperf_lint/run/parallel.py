"""Many files over processes: the next file goes to whoever is free, and a process that dies costs one file at most.

A worker has one file at a time, so that a death names its file; that file is tried once more by a process of its own
after the rest is done. Items and answers are text and bytes: what they mean is for the caller. Where processes cannot
be started, this process does the work, and `multiprocessing` is imported by who starts one.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.run.start_elsewhere import elsewhere

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext

Job = Callable[[str], bytes]
"""What is done to an item; sent to each worker once, so it must pickle."""

GARBAGE: Final = 5_000_000
"""Objects more than at the start, at the least, before those in cycles are looked for. Outlines that are kept are up to four
fifths of that; what the lint of a file leaves is in no cycles, so there is hardly ever something to find."""
GRACE: Final = 1.0
"""Seconds that workers get to leave their files whole when the run is given up."""
MOST_A_CORE: Final = 8
"""Processes that anybody is given for each core, whatever the settings of a project ask for: more only take memory."""
FAREWELL: Final = b"\0"
"""What sends a worker home; no item can be that, since no path has such a byte. An end of the line that is closed does
not do it: a worker that was copied from this process later has that end as well."""


@dataclass(frozen=True, slots=True)
class Died:
    """The answer for an item whose process died on it, twice."""

    exitcode: int | None

    def __str__(self) -> str:
        if self.exitcode is not None and self.exitcode < 0:
            with suppress(ValueError):
                return f"the process that worked on it was killed by {signal.Signals(-self.exitcode).name}"
        return f"the process that worked on it ended with exit code {self.exitcode}"


Answer = tuple[str, bytes | Died]


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def alone(job: Job, items: Sequence[str]) -> Iterator[Answer]:
    """The answers of this process, in order."""
    with quiet_collector() as tidy:
        for item in items:
            yield item, job(item)
            tidy()


def together(job: Job, items: Sequence[str], jobs: int) -> Iterator[Answer]:
    """The answers of up to `jobs` processes, as they come."""
    pending = deque(items)
    again: list[str] = []
    crew = _Crew(job)
    try:
        for _ in range(min(jobs, len(items), MOST_A_CORE * cores())):
            if not crew.hire():
                break
        if not crew.workers:
            yield from alone(job, items)
            return
        for item, answer in _shared(crew, pending):
            if isinstance(answer, Died):
                again.append(item)
            else:
                yield item, answer
        for item in again:
            yield item, crew.ask_fresh(item)
        yield from alone(job, tuple(pending))
    finally:
        crew.dismiss()


def _shared(crew: _Crew, pending: deque[str]) -> Iterator[Answer]:
    """Hand out items until none is left, or nobody to take them.

    Half of the workers take them from the end: what a worker learned of one item often helps with the next.
    """
    from multiprocessing.connection import wait

    while crew.workers:
        for index, worker in enumerate(crew.workers):
            if worker.item is None and pending:
                worker.give(pending.pop() if index % 2 else pending.popleft())
        busy = [worker for worker in crew.workers if worker.item is not None]
        if not busy:
            return
        ready = wait([worker.line for worker in busy])
        for worker in [worker for worker in busy if worker.line in ready]:
            item, answer = worker.take()
            if isinstance(answer, Died):
                crew.workers.remove(worker)
                if pending:
                    crew.hire()
            yield item, answer


class _Worker:
    """A process with the line to it."""

    def __init__(self, context: BaseContext, job: Job) -> None:
        self.line, theirs = context.Pipe()
        self.item: str | None = None
        make: Any = context  # every context can make processes, the base class only does not say so
        self.process = make.Process(target=_serve, args=(job, theirs, os.getcwd()), daemon=True)  # noqa: PTH109
        with _interrupts_ignored(), elsewhere():
            self.process.start()
        theirs.close()

    def give(self, item: str) -> None:
        self.item = item
        with suppress(OSError):  # a dead worker is noticed when its answer is taken
            self.line.send_bytes(os.fsencode(item))

    def take(self) -> Answer:
        """The answer to what was given; waits for it."""
        item, self.item = self.item or "", None
        try:
            return item, self.line.recv_bytes()
        except (EOFError, OSError):
            self.process.join()
            return item, Died(self.process.exitcode)

    def dismiss(self) -> None:
        """Send it home; one that is busy must leave its work."""
        with suppress(OSError):
            self.line.send_bytes(FAREWELL)
        self.line.close()
        if self.item is not None:
            self.process.terminate()


class _Crew:
    """The processes of a run."""

    def __init__(self, job: Job) -> None:
        import multiprocessing

        self.job = job
        self.context = multiprocessing.get_context("fork" if copies() else "spawn")
        self.workers: list[_Worker] = []

    def hire(self) -> bool:
        try:
            self.workers.append(_Worker(self.context, self.job))
        except OSError:  # no more processes, or no memory for one
            return False
        return True

    def ask_fresh(self, item: str) -> bytes | Died:
        """The answer of a new process that does nothing else, while nobody else does anything."""
        if not self.hire():
            return Died(None)
        self.workers[-1].give(item)
        return self.workers[-1].take()[1]

    def dismiss(self) -> None:
        """End every process: the idle at once, the busy as soon as their file is whole."""
        for worker in self.workers:
            worker.dismiss()
        deadline = time.monotonic() + GRACE
        for worker in self.workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


def copies() -> bool:
    """Whether workers are copies of this process with all that is imported, which only Linux can do safely."""
    return sys.platform == "linux" and threading.active_count() == 1


def _serve(job: Job, line: Connection, folder: str) -> None:
    """The life of a worker: an item, its answer, until the line is cut or the parent gone."""
    import multiprocessing
    from multiprocessing.connection import wait

    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too and says what to do
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that whatever is half done is cleaned up
    parent = multiprocessing.parent_process()
    assert parent is not None
    gc.disable()  # for good: nobody collects at the end of a process
    with quiet_collector() as tidy, suppress(EOFError, OSError):
        while line in wait([line, parent.sentinel]) and (item := line.recv_bytes()) != FAREWELL:
            line.send_bytes(job(os.fsdecode(item)))
            tidy()


@contextmanager
def quiet_collector() -> Iterator[Callable[[], None]]:
    """Without the garbage collector, which looks at whole syntax trees again and again for nothing.

    Gives what is to be called between items: it collects once there may be as much garbage as there is of use, so
    that neither the memory nor the time for it grows out of proportion.
    """
    was_on = gc.isenabled()
    gc.disable()
    gc.freeze()
    due = GARBAGE

    def tidy() -> None:
        nonlocal due
        if gc.get_count()[0] > due:
            gc.collect()
            due = max(GARBAGE, len(gc.get_objects()))

    try:
        yield tidy
    finally:
        gc.unfreeze()
        if was_on:
            gc.enable()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """A child that is started now ignores Ctrl-C from its first moment on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
