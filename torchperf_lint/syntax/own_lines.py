"""Which lines belong to a statement: all that it stands on, or, of a compound one, its decorators and its header.

A comment on one of these lines is about that statement.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from torchperf_lint.syntax.source import Place, Source

_Unit = ast.Module | ast.stmt | ast.excepthandler | ast.match_case


class OwnLines:
    """The statements, handlers and cases of a text, found by place: in each block by halving."""

    def __init__(self, source: Source, root: ast.Module) -> None:
        self.source = source
        self.root = root
        self._blocks: dict[_Unit, tuple[list[Place], list[_Unit]]] = {}

    def at(self, place: Place) -> Lines:
        """The lines of the innermost one that a place is in."""
        return _lines(self._unit(place))

    def _unit(self, place: Place) -> _Unit:
        found: _Unit = self.root
        while True:
            starts, inner = self._below(found)
            index = bisect_right(starts, place) - 1
            if index < 0 or place > self._end(inner[index]):
                return found
            found = inner[index]

    def _below(self, above: _Unit) -> tuple[list[Place], list[_Unit]]:
        """What is right below one, in the order of the text, with where each begins."""
        if above not in self._blocks:
            inner = _units(above)
            self._blocks[above] = [self._start(unit) for unit in inner], inner
        return self._blocks[above]

    def _start(self, unit: _Unit) -> Place:
        line, column = _first(unit)
        return Place(line, self.source.column(line, column))

    def _end(self, unit: _Unit) -> Place:
        last = unit if isinstance(unit, (ast.stmt, ast.excepthandler)) else unit.body[-1]
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        return Place(last.end_lineno, self.source.column(last.end_lineno, last.end_col_offset))


def _units(above: _Unit) -> list[_Unit]:
    """The statements, handlers and cases right below one."""
    return [unit for name in _BLOCKS for unit in getattr(above, name, ())]


_BLOCKS: Final = ("body", "handlers", "cases", "orelse", "finalbody")


def _first(unit: _Unit) -> tuple[int, int]:
    """The line and the column, as `ast` counts them, at which a unit starts; a decorator's line counts from its `@`."""
    assert not isinstance(unit, ast.Module)
    decorators = getattr(unit, "decorator_list", [])
    if decorators:
        return decorators[0].lineno, 0
    node = unit.pattern if isinstance(unit, ast.match_case) else unit
    return node.lineno, 0 if isinstance(unit, ast.match_case) else node.col_offset


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines that belong to a statement, or to the header of one."""

    first: int
    last: int
    code: int
    """The last line with code: a comment that stands alone behind it belongs to the body."""

    def hold(self, line: int, *, alone: bool) -> bool:
        """Whether a comment on a line belongs to them; `alone` where no code stands on it."""
        return self.first <= line <= (self.code if alone else self.last)


def _lines(unit: _Unit) -> Lines:
    if isinstance(unit, ast.Module):
        return Lines(1, 0, 0)
    first = _first(unit)[0]
    inner = _units(unit)
    if not inner:
        assert isinstance(unit, (ast.stmt, ast.excepthandler))
        last = unit.end_lineno or first
        return Lines(first, last, last)
    blocks = (ast.stmt, ast.excepthandler, ast.match_case)
    header = [node for child in ast.iter_child_nodes(unit) if not isinstance(child, blocks) for node in ast.walk(child)]
    code = max([first, getattr(unit, "lineno", first), *(getattr(node, "end_lineno", 0) for node in header)])
    return Lines(first, max(code, _first(inner[0])[0] - 1), code)
