"""What an editor shows beside the mouse: what is known of an expression and why, and the page of a rule on its code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from torchperf_lint.cli.rules import page
from torchperf_lint.model.catalogue import by_code, by_name
from torchperf_lint.report import known_lines
from torchperf_lint.report.markdown import quoted

if TYPE_CHECKING:
    from torchperf_lint.model.catalogue import Entry
    from torchperf_lint.server.session import Known
    from torchperf_lint.syntax.source import Place, Source

_COMMENT: Final = re.compile(r"#\s*(?:tpl:|noqa\b).*", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w-]+")
_MARKS: Final = re.compile(r"([\\`*_\[\]<>#|~])")
"""What Markdown would act on outside of code."""


def rule_at(source: Source, place: Place) -> Entry | None:
    """The rule that a comment which silences it names at a place."""
    line = source.line(place.line)
    comment = _COMMENT.search(line)
    if comment is None or place.column - 1 < comment.start():
        return None
    word = next((each for each in _WORD.finditer(line) if each.start() < place.column <= each.end() + 1), None)
    return (by_code().get(word[0].upper()) or by_name().get(word[0])) if word is not None else None


def page_of(entry: Entry) -> str:
    return page(entry)


def words(known: Known, path: Path) -> str:
    """What is known, as Markdown."""
    line = known.line
    shown = str(path)
    head, why = known_lines.expression(shown, line, known.expression)
    runs, because = known_lines.runs(shown, line)
    return "\n\n".join([_plain(head), *_items(why), _plain(f"Line {line.line} {runs}"), *_items(because)])


def _items(details: list[str]) -> list[str]:
    return ["\n".join(f"- {_plain(detail)}" for detail in details)] if details else []


def _plain(text: str) -> str:
    """A text in which Markdown changes nothing but what is in backticks: an image in it would be fetched."""
    return quoted(text, lambda part: _MARKS.sub(r"\\\1", part))
