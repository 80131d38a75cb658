"""Runs the user's program as it is, with the hook in its environment, and ends as the program ended.

The program keeps its arguments, its streams, its terminal, its signals and its exit code: nothing stands between, and
Ctrl-C reaches it as ever. What it wrote for us is read when it has ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import appended
from torchperf_lint.trace.settings import MARKS, SEEN, STATE, VARIABLE, Settings
from torchperf_lint.trace.tied import tie

HOOK: Final = str(Path(__file__).parent / "hook")
FORWARDED: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
QUIET: Final = {"KINETO_LOG_LEVEL": "99"}
"""The profiler has words of its own for the standard error, which is the program's."""
NOT_FOUND: Final = 127
LARGEST: Final = 100_000_000
TOO_LONG: Final = 124
"""The exit code of a program that was ended because its time was over, as `timeout` has it."""
GRACE: Final = 3.0
"""Seconds that a program gets to end when it is asked to."""

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ended:
    """How the program ended and what its processes said."""

    code: int
    """As `Popen` has it: negative for the signal that ended it."""
    hooked: int
    """Python processes of the program in which the hook was loaded."""
    states: Mapping[int, Plain]
    """What each process that imported torch knows, by its number."""
    process: int = -1
    """The number of the process that was started."""


def run(command: Sequence[str], settings: Settings) -> Ended:
    """Run a program under observation; raises `OSError` where there is none of that name."""
    process = subprocess.Popen(command, env=environment(settings))
    with _signals_for(process):
        code = process.wait()
    return ended(code, process.pid, settings)


def run_apart(command: Sequence[str], settings: Settings, folder: Path, output: Path, limit: float) -> Ended:
    """The same in another folder, with nothing to read and its streams in a file; it, and all that it starts, ends in time."""
    apart: dict[str, Any] = {"start_new_session": True, "preexec_fn": tie} if os.name == "posix" else {}
    with appended(output) as stream:
        process = subprocess.Popen(
            command, env=environment(settings), cwd=folder, stdin=subprocess.DEVNULL, stdout=stream,
            stderr=subprocess.STDOUT, **apart,
        )  # fmt: skip
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = TOO_LONG
        finally:
            end_group(process.pid, process.wait)
    return ended(code, process.pid, settings)


def end_group(leader: int, wait: Callable[[float], object]) -> None:
    """End a program and what it has started: asked first, then made to; `wait` waits so many seconds for its end."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with contextlib.suppress(OSError):
            os.killpg(leader, number) if os.name == "posix" else os.kill(leader, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            wait(GRACE)


def ended(code: int, process: int, settings: Settings) -> Ended:
    """What the processes of a program have said that has ended."""
    folder = Path(settings.folder)
    return Ended(code, len(list(folder.glob(f"*{SEEN}"))), states(folder), process)


def states(folder: Path) -> dict[int, Plain]:
    """What each process that was observed has written of itself, by its number."""
    found = {}
    for each in sorted(folder.glob(f"*{STATE}")):
        process = each.name.partition(".")[0]
        found[int(process)] = _state(each) | {"marks": _length(folder / f"{process}{MARKS}")}
    return found


def _length(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def environment(settings: Settings) -> dict[str, str]:
    """The variables of an observed program."""
    paths = [HOOK, *filter(None, [os.environ.get("PYTHONPATH")])]
    exact = {"CUBLAS_WORKSPACE_CONFIG": ":4096:8"} if settings.deterministic else {}
    return {**QUIET, **os.environ, **exact, VARIABLE: settings.text(), "PYTHONPATH": os.pathsep.join(paths)}


def _state(file: Path) -> Plain:
    try:
        state = json.loads(read_file(file, LARGEST))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


@contextmanager
def _signals_for(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """While the program runs, signals are for it: those of the terminal reach it anyway, the others are passed on."""
    before = {signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN)}
    for each in FORWARDED:
        before[each] = signal.signal(each, lambda number, _: process.send_signal(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_as(code: int) -> int:
    """End as the program ended: by the same signal, else with its exit code."""
    if code < 0 and os.name == "posix":
        with suppress(OSError):  # nobody handles SIGKILL
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code if code >= 0 else 128 - code
