"""Runs of a program that need not import torch again: each is split off from a process that has done so (`prepare.py`).

Only where nobody could tell: the command is a Python with a script or a module, on Linux; no module that is imported
beforehand is another one in the program; and the program itself sets no variable that what it imports later may read.
A run that Python has started shows both. Everything else is started as ever.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from torchperf_lint.disk.write import appended
from torchperf_lint.trace.launch import TOO_LONG, Ended, end_group, ended, environment
from torchperf_lint.trace.settings import Settings
from torchperf_lint.trace.tied import tie

SERVE: Final = (
    "import sys; sys.path[:] = filter(None, sys.path); from torchperf_lint.trace.prepare import serve; serve()"
)
"""The folder in which it stands is none to import from."""
PYTHON: Final = re.compile(r"python(\d+(\.\d+)?)?")
WITH_VALUE: Final = ("-X", "-W")
NOT_BEFORE: Final = ("__main__", "torchperf_lint", "torch._inductor", "triton", "sitecustomize", "usercustomize")
"""What is not imported beforehand: ours, what is found by the folder, and what starts processes."""
ITS_OWN: Final = frozenset({"CUDA_MODULE_LOADING", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"})
"""Variables that torch sets where it is used."""
OF_OTHERS: Final = frozenset({"PYGAME_HIDE_SUPPORT_PROMPT"})
"""Variables that what is installed sets, and that neither torch nor anything else but one library reads: gymnasium's for pygame."""
TORCH: Final = "torch"
FIRST: Final = (TORCH, "torch._dynamo")
"""What every program imports that makes an optimizer."""
PLACES: Final = ("site-packages", "dist-packages")
PATIENCE: Final = 300.0
"""Seconds in which everything must be imported."""

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Form:
    """A command that Python runs."""

    python: tuple[str, ...]
    """The interpreter and its own options."""
    script: str | None
    module: str | None
    arguments: tuple[str, ...]


def form(command: Sequence[str]) -> Form | None:
    """What a command runs, where that is a script or a module in a plain Python."""
    if sys.platform != "linux" or not command or not PYTHON.fullmatch(Path(command[0]).name):
        return None
    rest = iter(enumerate(command[1:], 1))
    for number, word in rest:
        if word in WITH_VALUE:
            next(rest, None)
        elif word == "-m":
            name = command[number + 1] if len(command) > number + 1 else ""
            return Form(tuple(command[:number]), None, name, tuple(command[number + 2 :])) if name else None
        elif word.endswith(".py") and not word.startswith("-"):
            return Form(tuple(command[:number]), word, None, tuple(command[number + 1 :]))
        elif re.fullmatch(r"-[BOudqvs]+|-[XW].+", word) is None:
            return None
    return None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a run of the program has shown of its imports."""

    names: tuple[str, ...]
    """What can be imported before the program begins, in order."""
    files: Mapping[str, str]
    changed: Mapping[str, str | None]
    """The variables of the environment that were changed until the last of these was imported, at the latest."""
    is_torch_first: bool
    """Whether torch can be imported before all else: nothing has changed the environment by then."""

    @classmethod
    def of(cls, state: Plain) -> Seen:
        """All that is installed; torch alone, where something changes the environment after torch is there."""
        names = [name for name, file in state["loaded"].items() if any(f"/{place}/" in file for place in PLACES)]
        names = [name for name in names if not name.startswith(NOT_BEFORE)]
        changed = {name: value for name, value in state["changed"].items() if name not in ITS_OWN | OF_OTHERS}
        is_torch_first = not state["changed_before_torch"].keys() - OF_OTHERS
        if is_torch_first and changed:
            return cls(tuple(name for name in names if name.partition(".")[0] == TORCH), state["loaded"], {}, True)
        return cls(tuple(names), state["loaded"], changed, is_torch_first)


class Prepared:
    """A process that is ready to be the program."""

    def __init__(self, process: subprocess.Popen[bytes], channel: socket.socket) -> None:
        self._process = process
        self._channel = channel
        self._words = channel.makefile("rw", encoding="utf-8")
        self._begun = 0
        """Questions that were not answered yet."""
        self.problem: str | None = None
        """Why it is of no use."""

    def begin(self) -> None:
        """Let it import torch; nobody waits for that."""
        with suppress(OSError):  # one that is gone already will not answer either
            self._say({"import": FIRST})
        self._begun += 1

    def prepare(self, seen: Seen) -> None:
        """Let it import modules; what it has then must be what the program has, by their files."""
        self._channel.settimeout(PATIENCE)
        try:
            while self._begun:
                self._begun -= 1
                self._answer()
            said = self._ask({"import": seen.names})
        except (OSError, ValueError) as error:
            self.problem = f"it did not start: {error}"
            return
        others = [name for name, file in said["modules"].items() if seen.files.get(name, file) != file]
        itself = [name for name, value in seen.changed.items() if said["environment"].get(name, "") != value]
        self.problem = said["problem"]
        if others:
            self.problem = f"{others[0]} is another module in the program"
        elif itself:
            self.problem = f"the program sets {itself[0]}"

    def run(self, command: Form, settings: Settings, folder: Path, output: Path, limit: float) -> Ended:
        """As `launch.run_apart`."""
        order = {
            "settings": settings.text(), "folder": str(folder), "output": str(output), "script": command.script,
            "module": command.module, "arguments": list(command.arguments),
            "command": [*command.python[1:], *(["-m", command.module] if command.module else [str(command.script)]), *command.arguments],
        }  # fmt: skip
        self._channel.settimeout(limit)
        child = self._ask(order)["process"]
        wait: Callable[[float], object] = partial(_until_gone, child)
        try:
            code = int(self._answer()["code"])
            wait = _no_longer
        except (OSError, ValueError) as error:
            code = TOO_LONG
            self.problem = f"a run did not end: {error}"
        finally:
            end_group(child, wait)
        return ended(code, child, settings)

    def _ask(self, said: Plain) -> dict[str, Any]:
        self._say(said)
        return self._answer()

    def _say(self, said: Plain) -> None:
        self._words.write(json.dumps(said) + "\n")
        self._words.flush()

    def _answer(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._words.readline())
        return found

    def end(self) -> None:
        self._words.close()
        self._channel.close()
        end_group(self._process.pid, self._process.wait)


def _until_gone(leader: int, seconds: float) -> None:
    """Wait for the end of a group of processes that another one has started."""
    until = time.monotonic() + seconds
    with suppress(OSError):
        while time.monotonic() < until:
            os.killpg(leader, 0)
            time.sleep(0.02)


def _no_longer(_: float) -> None:
    """It has ended: what it has started, and left behind, is not waited for."""


@contextmanager
def started(python: Sequence[str], settings: Settings, folder: Path, output: Path) -> Iterator[Prepared]:
    """A process of a Python that waits for what to import; it ends when this is left."""
    ours, its = socket.socketpair()
    with ExitStack() as stack:
        stream = stack.enter_context(appended(output))
        stack.callback(ours.close)
        with its:
            process = subprocess.Popen(
                [*python, "-c", SERVE, str(its.fileno())],
                env=environment(settings), cwd=folder, stdin=subprocess.DEVNULL, stdout=stream,
                stderr=subprocess.STDOUT, start_new_session=True, pass_fds=[its.fileno()], preexec_fn=tie,
            )  # fmt: skip
        prepared = Prepared(process, ours)
        stack.callback(prepared.end)
        yield prepared
