"""Comments that silence findings: `# tpl: ignore[...]`, `# noqa`, `# tpl: ignore-file[...]`.

    x = loss.item()  # tpl: ignore[TPL101] the scheduler needs it
    x = loss.item()  # tpl: ignore[scalar-read-every-step, TPL102]
    x = loss.item()  # tpl: ignore TPL101 (the brackets forgotten)
    x = loss.item()  # tpl: ignore
    x = loss.item()  # noqa: TPL101, E501

A comment speaks for the statement whose lines it stands on, all of them; of a compound statement, for its decorators
and its header, not for its body. `ignore-file` speaks for the file, wherever it stands. What silences nothing can be
told and taken away. Knows codes and names of rules as words only.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from torchperf_lint.syntax.scan import Kind, scan
from torchperf_lint.syntax.source import Place, Source, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from torchperf_lint.syntax.tree import Tree

IN_A_COMMENT: Final = 100
"""So many directives of one comment are read. Nobody writes more, and each takes a look at its whole line."""

_MARK: Final = re.compile(r"#\s*(?:tpl:|noqa\b)", re.IGNORECASE)
"""A text without it has no suppression."""

_DIRECTIVE: Final = re.compile(
    r"""\#\s*(?:
        tpl:\s*ignore(?P<file>-file)?(?![\w-]) \s* (?:\[(?P<rules>[^\]]{0,4000})\] | (?P<bare>TPL\d+(?:[\s,]+TPL\d+)*)\b)?
      | (?P<noqa>noqa)\b (?P<colon>\s*:\s* (?P<codes>[A-Z]+\d+(?:[\s,]+[A-Z]+\d+)*)?)?
    )[^#]*""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\s,]+")
_SEPARATOR: Final = re.compile(r"[\s,]+")
_OURS: Final = "TPL"


@dataclass(slots=True)
class Word:
    """The code or the name of a rule in a suppression."""

    text: str
    start: int
    end: int
    used: bool = False


@dataclass(slots=True)
class Suppression:
    """One directive of a comment."""

    start: int
    end: int
    """Where it stands; its reason is part of it."""
    line: int
    alone: bool
    """No code stands on the line."""
    whole_file: bool
    words: list[Word]
    """What it names; nothing where it silences everything."""
    listed: tuple[int, int]
    """Where its list of names stands."""
    ours: bool
    """It names us: `# noqa` alone is meant for others too, and cannot be said to be unused."""
    foreign: bool
    """It names rules of other linters as well."""
    used: bool = False

    def hides(self, code: str, name: str) -> bool:
        """Whether it silences a rule, which is noted."""
        named = [word for word in self.words if word.text.upper() == code.upper() or word.text.lower() == name.lower()]
        for word in named:
            word.used = True
        hidden = bool(named) or not self.words
        self.used = self.used or hidden
        return hidden


@dataclass(frozen=True, slots=True)
class Unused:
    """A suppression, or one word of it, that silenced nothing."""

    message: str
    span: Span
    removal: Span
    """What must go to be rid of it."""


@dataclass(slots=True)
class Suppressions:
    """All suppressions of one file, and which of them have been of use."""

    source: Source
    root: ast.Module
    found: list[Suppression] = field(default_factory=list)
    """In the order of the text."""
    _units: _Units = field(init=False)
    _answers: dict[tuple[_Lines | None, str, str], bool] = field(default_factory=dict)
    """What was said of a rule in a statement, or, with None, in the file: many findings may ask the same."""

    def __post_init__(self) -> None:
        self._units = _Units(self.source, self.root)

    def hides(self, code: str, name: str, span: Span) -> bool:
        """Whether a finding is silenced; the suppressions that do it are then of use."""
        if not self.found:
            return False
        here, everywhere = (self._hidden(lines, code, name) for lines in (_lines(self._units.at(span.start)), None))
        return here or everywhere

    def _hidden(self, lines: _Lines | None, code: str, name: str) -> bool:
        key = (lines, code, name)
        if key not in self._answers:
            self._answers[key] = bool([each for each in self._heard(lines) if each.hides(code, name)])
        return self._answers[key]

    def _heard(self, lines: _Lines | None) -> list[Suppression]:
        """The suppressions that speak for some lines; with None, for the file."""
        if lines is None:
            return [each for each in self.found if each.whole_file]
        start = bisect_left(self.found, lines.first, key=attrgetter("line"))
        end = bisect_right(self.found, lines.last, lo=start, key=attrgetter("line"))
        return [each for each in self.found[start:end] if not each.whole_file and lines.hold(each)]

    def unused(self, *, unasked: Container[str], rules: Container[str]) -> Iterator[Unused]:
        """What has silenced nothing, of rules by code or name; of those that were not asked nothing can be said."""
        for each in self.found:
            idle = [word for word in each.words if not word.used and word.text not in unasked]
            if not each.ours or (not each.words and each.used):
                continue
            unknown = [word.text for word in idle if word.text not in rules and word.text.upper() not in rules]
            if len(idle) == len(each.words) and not each.foreign:
                yield self._unused(each.start, each.end, self._removal(each), unknown)
            else:
                for word in idle:
                    wrong = [word.text] if word.text in unknown else []
                    yield self._unused(word.start, word.end, self._removal_of_word(each, word), wrong)

    def _unused(self, start: int, end: int, removal: tuple[int, int], unknown: Sequence[str]) -> Unused:
        text = self.source.text[start:end].strip()
        why = f": there is no rule `{unknown[0]}`, and a comment names whole codes or names" if unknown else ""
        return Unused(f"`{text}` silences nothing{why}", self._span(start, start + len(text)), self._span(*removal))

    def _span(self, start: int, end: int) -> Span:
        return Span(self.source.place(start), self.source.place(end))

    def _removal(self, each: Suppression) -> tuple[int, int]:
        """A directive with the blanks before it; the whole line, where nothing else stands on it."""
        text, begin = self.source.text, self.source.starts[each.line - 1]
        before, after = text[begin : each.start].rstrip(" \t\f"), self.source.line(each.line)[each.end - begin :]
        if after:
            return each.start, each.end
        if before:
            return begin + len(before), each.end
        return begin, self.source.starts[each.line] if each.line < len(self.source.starts) else len(text)

    def _removal_of_word(self, each: Suppression, word: Word) -> tuple[int, int]:
        """A word with the comma after it, or before it if it is the last."""
        text, (start, end) = self.source.text, each.listed
        after = _SEPARATOR.match(text, word.end, end)
        if after is not None and after.end() < end:
            return word.start, after.end()
        return start + len(text[start : word.start].rstrip(" ,\t")), word.end


_Unit = ast.Module | ast.stmt | ast.excepthandler | ast.match_case


class _Units:
    """The statements, handlers and cases of a text, found by place: in each block by halving."""

    def __init__(self, source: Source, root: ast.Module) -> None:
        self.source = source
        self.root = root
        self._blocks: dict[_Unit, tuple[list[Place], list[_Unit]]] = {}

    def at(self, place: Place) -> _Unit:
        """The innermost one that a place is in."""
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
class _Lines:
    """The lines that belong to a statement, or to the header of one."""

    first: int
    last: int
    code: int
    """The last line with code: a comment that stands alone behind it belongs to the body."""

    def hold(self, suppression: Suppression) -> bool:
        last = self.code if suppression.alone else self.last
        return self.first <= suppression.line <= last


def _lines(unit: _Unit) -> _Lines:
    if isinstance(unit, ast.Module):
        return _Lines(1, 0, 0)
    first = _first(unit)[0]
    inner = _units(unit)
    if not inner:
        assert isinstance(unit, (ast.stmt, ast.excepthandler))
        last = unit.end_lineno or first
        return _Lines(first, last, last)
    blocks = (ast.stmt, ast.excepthandler, ast.match_case)
    header = [node for child in ast.iter_child_nodes(unit) if not isinstance(child, blocks) for node in ast.walk(child)]
    code = max([first, getattr(unit, "lineno", first), *(getattr(node, "end_lineno", 0) for node in header)])
    return _Lines(first, max(code, _first(inner[0])[0] - 1), code)


def read(source: Source, tree: Tree) -> Suppressions:
    """The suppressions of a text."""
    suppressions = Suppressions(source, tree.root)
    if _MARK.search(source.text):
        for kind, start, end in scan(source.text):
            if kind is Kind.COMMENT:
                suppressions.found += _directives(source, start, end)
    return suppressions


def _directives(source: Source, start: int, end: int) -> Iterator[Suppression]:
    """What one comment says to linters."""
    place = source.place(start)
    alone = not source.line(place.line)[: place.column - 1].strip()
    for match in islice(_DIRECTIVE.finditer(source.text, start, end), IN_A_COMMENT):
        ours = not match["noqa"]
        listed = match.span("codes") if not ours else match.span("bare" if match["bare"] else "rules")
        words = [Word(word[0], *word.span()) for word in _WORD.finditer(source.text, *listed)] if listed[0] >= 0 else []
        mine = words if ours else [word for word in words if word.text.upper().startswith(_OURS)]
        if not mine and (words or match["colon"] or (ours and listed[0] >= 0)):
            continue  # it speaks of other rules, or of none
        yield Suppression(
            *match.span(),
            place.line,
            alone,
            bool(match["file"]),
            mine,
            listed,
            ours or bool(mine),
            len(mine) < len(words),
        )
