"""Work that may hang, take all memory or die, in a process of its own, with a limit on its time and its memory.

On Linux the process is a copy of this one, with all that is imported: it costs milliseconds. Elsewhere it is started anew.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from torchperf_lint.disk.read import read_file
from torchperf_lint.run.parallel import copies
from torchperf_lint.run.start_elsewhere import LIBRARY, command

GRACE: Final = 2.0
"""Seconds after which a process that nobody waits for any more ends itself."""
_PIECE: Final = 1 << 20
_DESCRIPTORS: Final = 1 << 16
_FULL: Final = 0.9
"""The part of its limit on memory from which on nobody knows what a process has made of the requests that were not met."""

Work = Callable[[str, dict[str, Any]], dict[str, Any]]
"""What is done, by its name and what it is given; both, and the answer, are JSON."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may take."""

    seconds: float
    memory: int
    """Bytes, besides those that a copy has from the beginning."""


@dataclass(frozen=True, slots=True)
class Lost:
    """There is no answer."""

    kind: str
    """`time`, `memory` or `died`."""
    message: str


@dataclass(slots=True)
class Spent:
    """What processes have taken."""

    cpu: float = 0.0
    memory: int = 0
    """Bytes, of the largest."""


def apart(work: Work, name: str, given: dict[str, Any], limits: Limits, spent: Spent) -> dict[str, Any] | Lost:
    """The answer of a process of its own."""
    if not copies():
        return _started(name, given, limits)
    begin = _Room.now()
    ours, theirs = os.pipe()
    process = os.fork()
    if process == 0:
        _live(work, name, given, limits, theirs)
    os.close(theirs)
    try:
        data = _read(ours, time.monotonic() + limits.seconds)
    except BaseException:
        _kill(process)
        os.waitpid(process, 0)
        raise
    finally:
        os.close(ours)
    if data is None:
        _kill(process)
    _, status, usage = os.wait4(process, 0)
    spent.cpu += usage.ru_utime + usage.ru_stime
    spent.memory = max(spent.memory, usage.ru_maxrss * 1024)
    code = os.waitstatus_to_exitcode(status)
    if code and data is not None and _is_full(usage.ru_maxrss * 1024 - begin.own, limits):
        code = _NO_MEMORY
    return _answer(data, code, limits)


def _live(work: Work, name: str, given: dict[str, Any], limits: Limits, line: int) -> NoReturn:
    """The life of the copy."""
    code = 1
    try:
        os.setpgid(0, 0)  # so that what it starts ends with it
        os.closerange(3, line)  # whoever holds the other ends must see when this one's parent goes
        os.closerange(line + 1, _DESCRIPTORS)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, limits.seconds + GRACE)  # should nobody wait any more
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        gc.disable()
        begin = _Room.now()
        _bound(begin.data + limits.memory)
        data = json.dumps(work(name, given)).encode("ascii")
        if _is_full(_largest() - begin.resident, limits):
            raise MemoryError  # somewhere a request may have failed, and been taken for something else
        while data:
            data = data[os.write(line, data[:_PIECE]) :]
        code = 0
    except MemoryError:
        code = _NO_MEMORY
    except BaseException:
        with suppress(BaseException):
            import traceback

            traceback.print_exc()
    finally:
        os._exit(code)


_NO_MEMORY: Final = 77
"""The exit code of a process that got no more memory."""


def _bound(memory: int) -> None:
    """From now on this process gets so much memory at the most, where the system can see to that."""
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _largest() -> int:
    """The most memory that this process has had."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _is_full(taken: int, limits: Limits) -> bool:
    """Whether a process came so near to its limit that requests may have failed, which not all that is called survives."""
    return taken > limits.memory * _FULL


@dataclass(frozen=True, slots=True)
class _Room:
    """The memory that a process has, in bytes."""

    resident: int
    own: int
    """What of that is no file: a copy begins with it."""
    data: int
    """What the system counts for the limit, and the stack, which is small. A copy begins with it, and a limit below that
    would mean that not even the smallest request is met."""

    @classmethod
    def now(cls) -> _Room:
        page = os.sysconf("SC_PAGE_SIZE")
        _, resident, shared, _, _, data, _ = map(int, read_file("/proc/self/statm", 1000).split())
        return cls(resident * page, (resident - shared) * page, data * page)


def _read(line: int, deadline: float) -> bytes | None:
    """All that comes; None where that takes too long."""
    pieces: list[bytes] = []
    waiting = select.poll()
    waiting.register(line, select.POLLIN | select.POLLHUP)
    while (left := deadline - time.monotonic()) > 0:
        if waiting.poll(1000 * left):
            piece = os.read(line, _PIECE)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
    return None


def _kill(process: int) -> None:
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError):
            kill(process, signal.SIGKILL)


def _started(name: str, given: dict[str, Any], limits: Limits) -> dict[str, Any] | Lost:
    asked = json.dumps([name, given, limits.memory]).encode("ascii")
    try:
        done = subprocess.run(
            command("torchperf_lint.fleet.work", "once"),
            input=asked,
            stdout=subprocess.PIPE,
            timeout=limits.seconds,
            check=False,
            cwd=LIBRARY,
        )
    except subprocess.TimeoutExpired:
        return _answer(None, 0, limits)
    return _answer(done.stdout, done.returncode, limits)


def _answer(data: bytes | None, code: int, limits: Limits) -> dict[str, Any] | Lost:
    if data is None:
        return Lost("time", f"given up after {limits.seconds:g} seconds")
    if code == _NO_MEMORY:
        return Lost("memory", f"given up at {limits.memory // 1_000_000:,} MB of memory")
    if code:
        return Lost(
            "died", f"its process was killed by signal {-code}" if code < 0 else f"its process ended with {code}"
        )
    answer: dict[str, Any] = json.loads(data)
    return answer
