"""The process that starts the ranks of a bench and speaks for them: one answer for all, and a name for the one that hangs.

Where a rank ends or fails, the others would wait for it for ever, so its words are the answer. Where time runs out, each
rank is asked at which line it stands: those that wait in a collective wait for the others.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from torchperf_lint.verify.serve import serve

Plain = dict[str, Any]

RANK: Final = "torchperf_lint.verify.rank"
_FRAME: Final = re.compile(r'^  File "([^"]+)", line (\d+) in (.+)$')
_WAITING: Final = re.compile(r"[/\\](distributed|cuda|autograd)[/\\]|[/\\]verify[/\\]rank\.py$|_tensor\.py$")
"""Files whose lines a rank stands in while it waits for the others: collectives, and what waits for a GPU that waits."""

_PROGRAMS: Final = ("<before>", "<after>")


class Started:
    """One rank, from outside."""

    def __init__(self, request: Plain, folder: Path) -> None:
        self.number: int = request["rank"]
        self.errors = (folder / f"rank-{self.number}").open("w+b")
        self.process = subprocess.Popen(
            [sys.executable, "-m", RANK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
            encoding="utf-8", env=_environment(request),
        )  # fmt: skip
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()

    def listen(self, heard: queue.SimpleQueue[tuple[Started, str]]) -> None:
        """Pass on what it says; an empty line when it has ended."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            heard.put((self, line))
        heard.put((self, ""))

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def last_words(self) -> str:
        """Why it ended without an answer."""
        code = self.process.wait()
        if code < 0:
            return f"the process was ended by {signal.Signals(-code).name}"
        said = self._said().strip().splitlines()
        return said[-1][:200] if said else f"the process ended with {code}"

    def frames(self) -> list[tuple[str, int, str]]:
        """Where its program stands, the innermost call first; empty where that is not known."""
        if not hasattr(signal, "SIGUSR1"):
            return []
        before = len(self._said())
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        stacks = re.split(r"^.*\(most recent call first\):$", self._said()[before:], flags=re.MULTILINE)
        found = ([_FRAME.match(line) for line in stack.splitlines()] for stack in stacks)
        read = [[(m[1], int(m[2]), m[3]) for m in each if m is not None] for each in found]
        return next((each for each in read if any(function == "measure" for _, _, function in each)), [])

    def _said(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")


def answer(request: Plain, tell: Callable[[Plain], None]) -> Plain:
    """What rank 0 answers, or why there is no answer."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shared = {**request, "meeting": str(folder / "meeting")}
        ranks = [Started({**shared, "rank": number}, folder) for number in range(request["ranks"])]
        heard: queue.SimpleQueue[tuple[Started, str]] = queue.SimpleQueue()
        for rank in ranks:
            threading.Thread(target=rank.listen, args=(heard,), daemon=True).start()
        try:
            return _heard(heard, ranks, request["limit"], tell)
        finally:
            for rank in ranks:
                rank.process.kill()


def _heard(
    heard: queue.SimpleQueue[tuple[Started, str]],
    ranks: list[Started],
    seconds: float,
    tell: Callable[[Plain], None],
) -> Plain:
    until, done = time.monotonic() + seconds, set[int]()
    while True:
        try:
            rank, line = heard.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return {"failed": f"took longer than {seconds:g} s: {hanging({r.number: r.frames() for r in ranks})}"}
        if not line:
            if rank.number not in done:
                return {"failed": f"rank {rank.number}: {rank.last_words()}"}
            continue
        message: Plain = json.loads(line)
        if "stage" in message:
            if rank.number == 0:
                tell(message)
            continue
        result: Plain = message["result"]
        if "failed" in result:
            gone = (each for each in ranks if each is not rank and each.number not in done and each.has_ended())
            died = next(gone, None)  # then that is why this one failed
            return {
                "failed": f"rank {died.number}: {died.last_words()}"
                if died
                else f"rank {rank.number}: {result['failed']}"
            }
        if rank.number == 0 or result.get("out_of_memory"):
            return result
        done.add(rank.number)


def hanging(stands: dict[int, list[tuple[str, int, str]]]) -> str:
    """Which ranks hang, by where each stands; where all wait, they wait for each other."""
    hung = [number for number, frames in stands.items() if frames and not _WAITING.search(frames[0][0])]
    hung = [number for number in hung if not stands[number][0][0].startswith("<frozen")]  # it is still being imported
    said = " and ".join(f"rank {number} hangs at {_place(stands[number])}" for number in hung)
    waiting = [number for number, frames in stands.items() if frames and number not in hung]
    if hung:
        return said + "".join(f", rank {number} waits for it" for number in waiting)
    told = ", ".join(f"rank {number} at {_place(frames)}" for number, frames in stands.items() if frames)
    return f"the ranks wait for each other ({told})" if told else "nothing tells which rank hangs"


def _place(frames: list[tuple[str, int, str]]) -> str:
    """The line of the program, or where torch was called from beside it."""
    own = next((frame for frame in frames if frame[0] in _PROGRAMS), frames[0])
    return f"line {own[1]} of {own[0].strip('<>').rpartition('/')[2]}"


def _environment(request: Plain) -> dict[str, str]:
    """Ours, all of it, with what tells a rank which it is, as launchers give it; gloo must not look for a network."""
    told = {"RANK": request["rank"], "LOCAL_RANK": request["rank"], "WORLD_SIZE": request["ranks"]}
    return {"GLOO_SOCKET_IFNAME": _loopback(), **os.environ, **{name: str(value) for name, value in told.items()}}


def _loopback() -> str:
    return "lo0" if sys.platform == "darwin" else "lo"


if __name__ == "__main__":
    serve(answer)
