"""What stands in the place of torch's and Python's own functions while a program is observed, and can be taken away again.

A program is observed to its end; a cell of a notebook has others after it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any


class Patches:
    """Everything that was put somewhere, and how it is undone."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def put(self, owner: Any, name: str, value: Any) -> None:
        """Put a function in the place of another."""
        before = getattr(owner, name)
        setattr(owner, name, value)
        self.later(partial(_restore, owner, name, value, before))

    def later(self, undo: Callable[[], object]) -> None:
        """Something else to be done when all is taken away."""
        self._undo.append(undo)

    def take_away(self) -> None:
        while self._undo:
            self._undo.pop()()


def _restore(owner: Any, name: str, value: Any, before: Any) -> None:
    """Where somebody has put a function of theirs over ours, it stays, and ours below it does nothing."""
    if getattr(owner, name) is value:
        setattr(owner, name, before)
