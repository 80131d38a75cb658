"""A process that ends when the one that has started it does, however that one ends; where the system can see to it.

Runs in the user's Python too: it stands on nothing but Python.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from typing import Final

_PARENT_DEATH_SIGNAL: Final = 1
"""`PR_SET_PDEATHSIG` of Linux."""
_SYSTEM: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


def tie() -> None:
    """Let this process be killed when its parent is gone; it stays so through `exec`, and its children are their own."""
    if _SYSTEM is not None:
        _SYSTEM.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
