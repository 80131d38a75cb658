"""What an answer looks like: a value or UNKNOWN, how sure it is, and the places that prove it.

Knows nothing of torch. Every question on `Facts` answers with a `Fact`.
"""

from __future__ import annotations

import ast
from enum import IntEnum
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")


class Sure(IntEnum):
    """How far an answer can be trusted; compares as `LIKELY < PROVEN`."""

    LIKELY = 1
    PROVEN = 2


class Unknown:
    """The value of an answer that could not be found; there is one, `UNKNOWN`, and it is false."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final[Any] = Unknown()
"""Stands for a value of any type; `Fact.known` tells it from one."""


class Evidence:
    """A place in the program, and what it shows, as one sentence without a full stop."""

    __slots__ = ("message", "node", "path")

    def __init__(self, node: ast.AST, message: str, path: str | None = None) -> None:
        self.node = node
        self.message = message
        self.path = path
        """The file of the place, where it is not the file that is linted."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evidence):
            return NotImplemented
        return self.node is other.node and self.message == other.message and self.path == other.path

    def __hash__(self) -> int:
        return hash((self.node, self.message, self.path))

    def __repr__(self) -> str:
        return f"Evidence({self.node!r}, {self.message!r}, {self.path!r})"


class Fact(Generic[T]):
    """An answer: its value or UNKNOWN, how sure it is, and the evidence, the strongest first. Nobody changes one after it
    is made. (No dataclass: what compiles this knows none that is generic.)"""

    __slots__ = ("because", "sure", "value")

    def __init__(self, value: T, sure: Sure = Sure.LIKELY, because: tuple[Evidence, ...] = ()) -> None:
        self.value = value
        """UNKNOWN where there is no answer: look at `known` first."""
        self.sure = sure
        self.because = because

    def __repr__(self) -> str:
        return f"Fact({self.value!r}, {self.sure!r}, {self.because!r})"

    @property
    def known(self) -> bool:
        return self.value is not UNKNOWN

    @property
    def proven(self) -> bool:
        return self.sure is Sure.PROVEN and self.value is not UNKNOWN


NOTHING: Final[Fact[Any]] = Fact(UNKNOWN)
"""The answer "not known"."""
