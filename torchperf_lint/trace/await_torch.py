"""In a traced program: decides whether this process is worth observing, and waits until it has imported torch.

Runs at the start of every Python process of the program, so it is small and imports neither torch nor the recorder.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final

from torchperf_lint.disk.write import create, put
from torchperf_lint.trace.move_imports import move_imports
from torchperf_lint.trace.settings import SEEN, STATE, Settings, from_environment, rank_of

SPAWNED: Final = "multiprocessing.spawn"
"""A process that the program has started: a worker of a loader, or, once it joins a process group, a rank."""
NOT_THE_PROGRAM: Final = (
    SPAWNED, "multiprocessing.resource_tracker", "multiprocessing.forkserver", "compile_worker",
    "torch.distributed.run", "torch.distributed.launch", "accelerate.commands",
)  # fmt: skip
"""What Python, torch and launchers start beside the program: workers, trackers, compilers, agents."""
LAUNCHERS: Final = ("torchrun", "accelerate", "deepspeed", "pip")


def begin() -> None:
    """Let the recorder in once torch is there, where this is a process of the program."""
    settings = from_environment()
    if settings is None or settings.prepares:
        return
    if _is_observed(settings):
        sys.meta_path.insert(0, _AwaitTorch(settings))
    elif SPAWNED in _started(sys.orig_argv):
        sys.meta_path.insert(0, _AwaitTorch(settings, is_rank=False))


def begin_here(settings: Settings) -> None:
    """The same where torch has been imported before the program begins."""
    if _is_observed(settings):
        _AwaitTorch(settings).is_there()


def _is_observed(settings: Settings) -> bool:
    if settings.moved is not None:
        move_imports(*settings.moved)
    if not _is_the_program(sys.orig_argv, settings):
        return False
    with contextlib.suppress(OSError):
        create(Path(settings.folder) / f"{os.getpid()}{SEEN}", b"")
    return True


def _is_the_program(arguments: Sequence[str], settings: Settings) -> bool:
    started = _started(arguments)
    if any(name in started for name in NOT_THE_PROGRAM) or started.rpartition(os.sep)[2] in LAUNCHERS:
        return False
    rank, _, size = rank_of()
    return settings.rank is None or size == 1 or rank == settings.rank


def _started(arguments: Sequence[str]) -> str:
    """The script, module or text that a line of Python runs."""
    rest = iter(arguments[1:])
    for each in rest:
        if each in ("-c", "-m"):
            return next(rest, "")
        if each in ("-X", "-W"):
            next(rest, "")
        elif not each.startswith("-"):
            return each
    return ""


def loaded() -> dict[str, str]:
    """The files of the modules that this process has imported, by their names, in order."""
    files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
    absolute = {name: file for name, file in files.items() if isinstance(file, str) and os.path.isabs(file)}  # noqa: PTH117
    return {name: os.path.realpath(file) for name, file in absolute.items()}


def changes(before: Mapping[str, str]) -> dict[str, str | None]:
    """The variables of the environment that are not what they were, as they are; None has gone."""
    pairs = set(before.items()) ^ set(os.environ.items())
    return {name: os.environ.get(name) for name, _ in sorted(pairs)}


class _AwaitTorch:
    """A finder of modules that finds none, but is told when torch is asked for."""

    def __init__(self, settings: Settings, *, is_rank: bool = True) -> None:
        self.settings = settings
        self._is_rank = is_rank
        """Whether it is known to be observed; else only once it joins a process group."""
        self.folder = str(Path.cwd())
        self.environment = dict(os.environ)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is not None and spec.loader is not None:
            self._follow(spec.loader)
        return spec

    def _follow(self, loader: Any) -> None:
        """The loader of this one module does as ever, and then lets the recorder in."""
        load = loader.exec_module

        def loaded(module: ModuleType) -> None:
            changed = changes(self.environment)
            load(module)
            del loader.exec_module
            self.is_there(changed)

        loader.exec_module = loaded

    def is_there(self, changed: Mapping[str, str | None] = MappingProxyType({})) -> None:
        """torch has been imported, by a program that had changed these variables of its environment before."""
        try:
            if not self._is_rank:
                from torchperf_lint.trace.recorder.ranks import await_group

                self._is_rank = True
                await_group(self.settings.rank, self.is_there)
                return
            from torchperf_lint.trace.recorder.session import arm

            arm(self.settings, self.folder).more = lambda: {
                "changed_before_torch": dict(changed), "changed": changes(self.environment), "loaded": loaded(),
            }  # fmt: skip
        except Exception:
            self._say(traceback.format_exc(limit=-3))

    def _say(self, error: str) -> None:
        with contextlib.suppress(OSError):
            put(Path(self.settings.folder) / f"{os.getpid()}{STATE}", json.dumps({"error": error}).encode())
