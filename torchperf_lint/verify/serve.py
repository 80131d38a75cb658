"""The life of a process that measures: one request comes in, one answer goes out. Knows neither torch nor what is asked."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

Plain = dict[str, Any]


def serve(answer: Callable[[Plain, Callable[[Plain], None]], Plain]) -> None:
    """Answer the one request on the standard input; when that closes, whoever asked has gone."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what programs print is none of the answer

    def tell(message: Plain) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    tell({"result": answer(request, tell)})
    out.flush()
    os._exit(0)


def _end_with_the_parent() -> None:
    """Waits on the bare descriptor: a lock on `sys.stdin` would be held for ever in processes forked meanwhile."""
    while os.read(0, 1024):
        pass
    os._exit(1)
