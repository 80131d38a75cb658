"""What an answer looks like: a value or UNKNOWN, how sure it is, and the places that prove it.

Knows nothing of torch. Every question on `Facts` answers with a `Fact`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in the program, and what it shows, as one sentence without a full stop."""

    node: ast.AST
    message: str
    path: str | None = None
    """The file of the place, where it is not the file that is linted."""


@dataclass(frozen=True, slots=True)
class Fact(Generic[T]):
    """An answer: its value or UNKNOWN, how sure it is, and the evidence, the strongest first."""

    value: T
    """UNKNOWN where there is no answer: look at `known` first."""
    sure: Sure = Sure.LIKELY
    because: tuple[Evidence, ...] = ()

    @property
    def known(self) -> bool:
        return self.value is not UNKNOWN

    @property
    def proven(self) -> bool:
        return self.sure is Sure.PROVEN and self.value is not UNKNOWN


NOTHING: Final[Fact[Any]] = Fact(UNKNOWN)
"""The answer "not known"."""
