"""The tool as a console runs it, in a copy of this process: its folder, streams and exit code are its own, and what Python and
the imports take to start, which is more than a lint of a small file, is not paid hundreds of times.

What depends on how Python itself starts (its path, the encoding of its streams, the seed of hashes) is asked of a real start.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from torchperf_lint.cli.main import main
from torchperf_lint.rule import all_rules

all_rules()  # imported once, and in each copy

SECONDS = 60
"""After which a run is killed: it waits for something."""


def run(folder: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    """The exit code, or minus the signal, and what the streams were given."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            _be_the_tool(folder, arguments, out.fileno(), err.fileno())
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(arguments, code, out.read(), err.read())


def _be_the_tool(folder: Path, arguments: Sequence[str], out: int, err: int) -> NoReturn:
    code = 70
    try:
        signal.alarm(SECONDS)
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for stream, number in ((out, 1), (err, 2)):
            os.dup2(stream, number)
        sys.stdin, sys.stdout = (open(number, mode, encoding="utf-8") for number, mode in enumerate("rw"))  # noqa: PTH123, SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
        code = main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)
