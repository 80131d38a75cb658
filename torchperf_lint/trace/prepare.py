"""A process of the user's Python that has imported what the program imports, and splits one off for each run.

Most of the seconds in which a program starts are those of importing torch. This process has done that, and nothing of the
program: it has never run a line of it, stood in its folder or touched the GPU. What is split off is then what Python would
have started: its arguments, its folder, its `sys.path`, its streams, its `__main__`; and it ends as Python ends, but that
nothing is cleared away after a program that has ended well: that took longer than the steps that are timed, because each
object that is let go of lies in memory that is shared until it is written to.

Runs in the user's Python: it stands on nothing but Python.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import importlib.machinery
import json
import os
import runpy
import socket
import sys
import threading
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import appended
from torchperf_lint.trace.await_torch import begin_here, changes, loaded
from torchperf_lint.trace.settings import VARIABLE, from_environment
from torchperf_lint.trace.tied import tie

DEVICES: Final = "/dev/nvidia"
"""What a process has open that has begun to use CUDA, which no process can that is split off from it."""

Plain = dict[str, Any]


def serve() -> None:
    """Import what is asked for and split off a process an order, until nobody is there any more to ask."""
    channel, environment = socket.socket(fileno=int(sys.argv[1])), dict(os.environ)
    with channel, channel.makefile("rw", encoding="utf-8") as words:
        order = _split(words, environment)
    if order is None:
        os._exit(0)
    try:
        _run(order)
    except SystemExit as ended:
        if ended.code not in (None, 0):
            raise
    _end()


def _end() -> None:
    """What Python does at the end of a program: its threads, what is registered for its end, its streams."""
    getattr(threading, "_shutdown")()  # noqa: B009 - as Python and its multiprocessing call them
    getattr(atexit, "_run_exitfuncs")()  # noqa: B009
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # None where the program has closed it
            stream.flush()
    os._exit(0)


def _problem() -> str | None:
    """Why no process can be split off from this one."""
    if threading.active_count() > 1:
        return "what it imports starts threads"
    for each in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if str(each.readlink()).startswith(DEVICES):
                return "what it imports uses the GPU"
    return None


def _split(words: Any, environment: Mapping[str, str]) -> Plain | None:
    """Split off processes; the answer is an order in one of them, and nothing in this one, which is no longer needed."""
    for line in words:
        order: Plain = json.loads(line)
        if "import" in order:
            _import(order["import"])
            _tell(words, {"modules": loaded(), "environment": changes(environment), "problem": _problem()})
            continue
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads: those of libraries know what to do
            child = os.fork()
        if not child:
            return order
        _tell(words, {"process": child})
        _, status = os.waitpid(child, 0)
        _tell(words, {"code": os.waitstatus_to_exitcode(status)})
    return None


def _import(names: list[str]) -> None:
    for name in names:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def _tell(words: Any, said: Plain) -> None:
    words.write(json.dumps(said) + "\n")
    words.flush()


def _run(order: Plain) -> None:
    """Be the program from its first line on."""
    tie()
    os.setsid()
    with appended(Path(order["output"])) as output:
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
    os.environ[VARIABLE] = order["settings"]
    os.chdir(order["folder"])
    sys.orig_argv[:] = [sys.orig_argv[0], *order["command"]]
    numbers: Any = sys.modules.get("numpy.random")
    if numbers is not None:  # else all runs would draw the same ones; Python draws its own anew by itself
        numbers.seed()
    settings = from_environment()
    if settings is not None:
        begin_here(settings)
    if order["module"] is not None:
        _run_module(order["module"], order["arguments"])
    else:
        _run_script(order["script"], order["arguments"])


def _run_module(name: str, arguments: list[str]) -> None:
    _as_main({})
    _look_first_in(str(Path.cwd()))
    sys.argv[:] = ["-m", *arguments]
    start: Any = getattr(runpy, "_run_module_as_main")  # noqa: B009 - what Python itself calls for `-m`
    start(name)


def _run_script(script: str, arguments: list[str]) -> None:
    path = os.path.abspath(script)  # noqa: PTH100 - as Python has it, with links as they are
    main = _as_main({"__file__": path, "__cached__": None, "__loader__": _loader(path)})
    _look_first_in(os.path.dirname(os.path.realpath(script)))  # noqa: PTH120
    sys.argv[:] = [script, *arguments]
    exec(compile(read_file(path), path, "exec", dont_inherit=True), main)


def _as_main(names: Mapping[str, Any]) -> dict[str, Any]:
    main = ModuleType("__main__")
    own = {"__builtins__": sys.modules["builtins"], **({"__annotations__": {}} if sys.version_info < (3, 14) else {})}
    main.__dict__.update({**own, **names})
    sys.modules["__main__"] = main
    return main.__dict__


def _loader(path: str) -> Any:
    return importlib.machinery.SourceFileLoader("__main__", path)


def _look_first_in(folder: str) -> None:
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, folder)
