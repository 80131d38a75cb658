"""What a program that is killed in the profiled steps leaves: where it may still speak, the trace; else how far it came.

SIGTERM and SIGHUP kill a program that handles neither. While steps are profiled we handle them, write, and let it be
killed by the same signal. Nobody handles SIGKILL, and what the profiler has seen lies in the memory that goes: then only
the number of steps is left, in a file that the system writes for us.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

from torchperf_lint.disk.write import appended
from torchperf_lint.trace.recorder.patches import Patches

SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class LastWords:
    """From `begin` to `end`, the signals that would kill the program call `save` before they do."""

    def __init__(self, save: Callable[[], None]) -> None:
        self._save = save
        self._ours: list[int] = []
        self._saving = False
        self._late: list[int] = []
        """Signals that came while what was seen was being written: they kill when it is."""
        self._open = contextlib.ExitStack()
        self._file: BinaryIO | None = None
        self._forking = threading.local()

    def begin(self, file: Path) -> None:
        """`file` grows by a byte with each step that begins."""
        self._file = self._open.enter_context(appended(file))
        if threading.current_thread() is not threading.main_thread():
            return  # Python handles signals there alone
        for each in SIGNALS:
            if signal.getsignal(each) is signal.SIG_DFL:
                signal.signal(each, self._killed)
                self._ours.append(each)

    def step(self) -> None:
        if self._file is not None:
            self._file.write(b".")
            self._file.flush()

    def begin_to_save(self) -> None:
        """From now on to `end`, signals wait."""
        self._saving = True

    def end(self) -> None:
        """What the program has put in the place of ours stays."""
        with contextlib.suppress(ValueError):  # on another thread than the one that began
            for each in self._ours:
                if signal.getsignal(each) == self._killed:
                    signal.signal(each, signal.SIG_DFL)
        self._ours.clear()
        self._file = None
        self._open.close()
        self._saving, late, self._late = False, self._late, []
        for each in late:
            os.kill(os.getpid(), each)

    def hold(self) -> None:
        """A fork begins: signals wait, as Python forgets those that reach a child before it knows that it is one."""
        if self._ours:
            self._forking.mask = signal.pthread_sigmask(signal.SIG_BLOCK, self._ours)

    def release(self) -> None:
        """A fork is over, in the child after `end`."""
        mask = self._forking.__dict__.pop("mask", None)
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def _killed(self, number: int, _: Any) -> None:
        if self._saving:
            self._late.append(number)
            return
        with contextlib.suppress(Exception):
            self._save()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def save_before_exit(save: Callable[[], None], patches: Patches) -> None:
    """What ends a process without a word calls `save`, and then does as ever."""
    for name in ("_exit", "execv", "execve", "abort"):
        patches.put(os, name, _after(save, getattr(os, name)))


def _after(save: Callable[[], None], call: Callable[..., Any]) -> Callable[..., Any]:
    def saved(*args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(Exception):
            save()
        return call(*args, **kwargs)

    return saved
