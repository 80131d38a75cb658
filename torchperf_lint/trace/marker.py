"""`with torchperf_lint.step():` tells a traced program's steps where nothing else does; elsewhere it does nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Final

listeners: Final[list[Callable[[], None]]] = []
"""What wants to know that a step begins; the recorder, in a traced program."""


@contextlib.contextmanager
def step() -> Iterator[None]:
    """Say that what is inside is one step of the program."""
    for each in listeners:
        each()
    yield
