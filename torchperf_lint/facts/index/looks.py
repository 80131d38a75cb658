"""Who looks into which file: what is worked out about one file may read the insides of another.

    a.py    x = make(3)                what `make` gives, its signature, that `b` has it: answers, and `b`'s face
    b.py    def make(n): ...           its body, the calls, names and attributes of the file: its insides

Whoever reads the insides of another file stands on all of it; what is asked of the interpreter alone stands on the answers,
which another text may give as well. An outline says so itself, wherever they are read (`look`), so nobody can forget to. The face
of a file, which is all of it but the bodies of functions, is read without that.
"""

from __future__ import annotations

from typing import Any


class Looker:
    """What stands on the files that are looked into for it: an answer, or all that is found in a linted file."""

    __slots__ = ("looked",)

    def __init__(self) -> None:
        self.looked: set[Any] | None = None
        """The outlines, and what was asked of one alone, each with the question and the answer; None for none."""


class Looking:
    """What is worked out now."""

    __slots__ = ("home", "looker")

    def __init__(self) -> None:
        self.home: Any = None
        """The outline that it is about."""
        self.looker = Looker()

    def enter(self, home: Any, looker: Looker, linted: Any) -> tuple[Any, Looker]:
        """Something is worked out about a module; what was before. All that is about the linted file stands together."""
        around = (self.home, self.looker)
        self.home = home
        if home is not linted:
            self.looker = looker
        return around

    def leave(self, around: tuple[Any, Looker]) -> None:
        self.home, self.looker = around

    def begin(self, home: Any) -> Looker:
        """A file is linted from here on."""
        self.home, self.looker = home, Looker()
        return self.looker


NOW = Looking()


def look(outline: Any) -> None:
    """The insides of a file are read."""
    if outline is not NOW.home:
        _write_down(outline)


def tell(outline: Any, question: str, told: str) -> None:
    """A question about the insides of a file is answered; who asked stands on no more of them than that."""
    if outline is not NOW.home:
        _write_down((outline, question, told))


def _write_down(what: Any) -> None:
    looker = NOW.looker
    if looker.looked is None:
        looker.looked = set()
    looker.looked.add(what)
