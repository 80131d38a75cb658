"""Other Pythons are started so that they import nothing of the folder that is linted.

`python -c` and `python -m` search the working folder before Python's own library, and `multiprocessing` starts its processes
that way: a project's own `multiprocessing.py` or `json.py` would run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LIBRARY: Final = Path(os.__file__).parent
"""Where Python's own library lies: a process that is started there finds that first."""
_PROGRAM: Final = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from {module} import {function}
sys.exit({function}())
"""
_SAFE: Final = "PYTHONSAFEPATH"


def command(module: str, function: str) -> list[str]:
    """What starts another Python that searches what this one does, but for its folder, and ends as a function says."""
    program = _PROGRAM.format(module=module, function=function)
    return [sys.executable, "-c", program, json.dumps([each for each in sys.path if each])]


@contextmanager
def elsewhere() -> Iterator[None]:
    """Pythons that are started meanwhile do not search the working folder."""
    if sys.version_info >= (3, 11):
        before = os.environ.get(_SAFE)
        os.environ[_SAFE] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE]
            else:
                os.environ[_SAFE] = before
    else:
        here = Path.cwd()
        os.chdir(LIBRARY)
        try:
            yield
        finally:
            os.chdir(here)
