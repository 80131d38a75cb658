"""A process that answers one request and is gone: for each bench a new one, with a time limit.

Python looks for modules in the working folder first, which must not be that of the linted code. The process lives in a
group of its own, so that Ctrl-C reaches it through us alone and what it started ends with it; should we be
killed, its standard input closes, and it ends by itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

Plain = dict[str, Any]

WORKER: Final = "torchperf_lint.verify.worker"
RANKS: Final = "torchperf_lint.verify.ranks"
"""Answers where several processes run one program together: it starts them and speaks for them."""
_PACKAGES: Final = str(Path(__file__).parents[2])


def ask(request: Plain, seconds: float, on_stage: Callable[[str], None] = lambda _: None) -> Plain:
    """The answer of a worker; `{"failed": reason}` where it gives none."""
    module = RANKS if request.get("ranks", 1) > 1 else WORKER
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
            env=_environment(), cwd=_PACKAGES, start_new_session=True, text=True, encoding="utf-8",
        )  # fmt: skip
        try:
            return _answer(process, request, seconds, on_stage) or {"failed": _last_words(process, errors)}
        finally:
            _end(process)


def _answer(
    process: subprocess.Popen[str], request: Plain, seconds: float, on_stage: Callable[[str], None]
) -> Plain | None:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    stage, until = "starting", time.monotonic() + seconds
    while True:
        try:
            line = lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return {"failed": f"took longer than {seconds:g} s ({stage}); --verify-timeout gives it more"}
        if not line:
            return None
        message = json.loads(line)
        if "result" in message:
            result: Plain = message["result"]
            return result
        stage = message["stage"]
        on_stage(stage)


def _read(stream: IO[str], lines: queue.SimpleQueue[str]) -> None:
    for line in stream:
        lines.put(line)
    lines.put("")


def _last_words(process: subprocess.Popen[str], errors: IO[bytes]) -> str:
    """Why a worker ended without an answer."""
    code = process.wait()
    errors.seek(0)
    message = errors.read().decode("utf-8", "replace").strip().splitlines()
    if code < 0:
        return f"the process was ended by {signal.Signals(-code).name}"
    return message[-1][:200] if message else f"the process ended with {code}"


def _end(process: subprocess.Popen[str]) -> None:
    """End a worker and what it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def _environment() -> dict[str, str]:
    """Ours, with this package in reach and without what would change every measurement."""
    kept = {name: value for name, value in os.environ.items() if name != "CUDA_LAUNCH_BLOCKING"}
    path = [_PACKAGES, *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(path), "PYTHONUNBUFFERED": "1"}
