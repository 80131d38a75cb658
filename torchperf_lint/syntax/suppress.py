"""Comments that silence findings: `# tpl: ignore[...]`, `# noqa`, `# tpl: ignore-file[...]`.

    x = loss.item()  # tpl: ignore[TPL101] the scheduler needs it
    x = loss.item()  # tpl: ignore[scalar-read-every-step, TPL102]
    x = loss.item()  # tpl: ignore TPL101 (the brackets forgotten, or a colon for them)
    x = loss.item()  # tpl: ignore
    x = loss.item()  # noqa: TPL101, E501

A comment speaks for the statement whose lines it stands on, all of them; of a compound statement, for its decorators
and its header, not for its body. `ignore-file` speaks for the file, wherever it stands. What silences nothing can be
told and taken away. Knows codes and names of rules as words only.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from torchperf_lint.syntax.own_lines import Lines, OwnLines
from torchperf_lint.syntax.scan import Kind, scan
from torchperf_lint.syntax.source import Source, Span

if TYPE_CHECKING:
    import ast
    from collections.abc import Container, Iterator, Sequence

    from torchperf_lint.syntax.tree import Tree

IN_A_COMMENT: Final = 100
"""So many directives of one comment are read. Nobody writes more, and each takes a look at its whole line."""

_MARK: Final = re.compile(r"#\s*(?:(?:tpl|torchperf[-_]?lint)\s*:|noqa\b)", re.IGNORECASE)
"""A text without it has no suppression."""

_DIRECTIVE: Final = re.compile(
    r"""\#\s*(?:
        tpl:\s*ignore(?P<file>-file)?(?![\w-]) \s* (?:\[(?P<rules>[^\]]{0,4000})\] | (?:[:=(]\s*)?(?P<bare>TPL\d+(?:[\s,]+TPL\d+)*)\b)?
      | (?P<noqa>noqa)\b (?P<colon>\s*:\s* (?P<codes>[A-Z]+\d+(?:[\s,]+[A-Z]+\d+)*)?)?
    )[^#]*""",
    re.VERBOSE | re.IGNORECASE,
)
_MISREAD: Final = re.compile(
    r"""\#\s*(?:tpl|torchperf[-_]?lint)\s*:\s*(?:
        ignor
      | (?:(?:disable|noqa|skip|off|allow|silence)[\w-]{0,40})?[\s:=(\[]{0,40}TPL\d
    )[^#]*""",
    re.VERBOSE | re.IGNORECASE,
)
"""What people write who want to silence something, and that silences nothing."""
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
    removal: Span | None
    """What must go to be rid of it; nothing where somebody meant to silence something, and wrote it in another way."""


@dataclass(slots=True)
class Suppressions:
    """All suppressions of one file, and which of them have been of use."""

    source: Source
    root: ast.Module
    found: list[Suppression] = field(default_factory=list)
    """In the order of the text."""
    misread: list[tuple[int, int]] = field(default_factory=list)
    """Where a comment stands that says something to us which is no directive."""
    _own: OwnLines = field(init=False)
    _answers: dict[tuple[Lines | None, str, str], bool] = field(default_factory=dict)
    """What was said of a rule in a statement, or, with None, in the file: many findings may ask the same."""

    def __post_init__(self) -> None:
        self._own = OwnLines(self.source, self.root)

    def hides(self, code: str, name: str, span: Span) -> bool:
        """Whether a finding is silenced; the suppressions that do it are then of use."""
        if not self.found:
            return False
        here, everywhere = (self._hidden(lines, code, name) for lines in (self._own.at(span.start), None))
        return here or everywhere

    def _hidden(self, lines: Lines | None, code: str, name: str) -> bool:
        key = (lines, code, name)
        if key not in self._answers:
            self._answers[key] = bool([each for each in self._heard(lines) if each.hides(code, name)])
        return self._answers[key]

    def _heard(self, lines: Lines | None) -> list[Suppression]:
        """The suppressions that speak for some lines; with None, for the file."""
        if lines is None:
            return [each for each in self.found if each.whole_file]
        start = bisect_left(self.found, lines.first, key=attrgetter("line"))
        end = bisect_right(self.found, lines.last, lo=start, key=attrgetter("line"))
        return [
            each for each in self.found[start:end] if not each.whole_file and lines.hold(each.line, alone=each.alone)
        ]

    def unused(self, *, unasked: Container[str], rules: Container[str]) -> Iterator[Unused]:
        """What has silenced nothing, of rules by code or name; of those that were not asked nothing can be said."""
        for start, end in self.misread:
            text = self.source.text[start:end].strip()
            why = "write `# tpl: ignore[CODE]`, or for the whole file `# tpl: ignore-file[CODE]`"
            yield Unused(f"`{text}` silences nothing: {why}", self._span(start, start + len(text)), None)
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


def read(source: Source, tree: Tree) -> Suppressions:
    """The suppressions of a text."""
    suppressions = Suppressions(source, tree.root)
    if _MARK.search(source.text):
        for kind, start, end in scan(source.text):
            if kind is Kind.COMMENT:
                found = list(_directives(source, start, end))
                suppressions.found += found
                if not found and (misread := _MISREAD.search(source.text, start, end)):
                    suppressions.misread.append(misread.span())
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
