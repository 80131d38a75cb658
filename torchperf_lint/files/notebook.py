"""A notebook as bytes: which cells of Python it has, and the same bytes with other texts in those cells.

The JSON is never written anew: the text of a cell takes the place of the old one, in the style of the file, and every
other byte (outputs, metadata, indentation, order of keys, the last newline) stays what it is. What the cells mean as
a program is for `cells`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")
_VERSION: Final = 4


class NotANotebookError(ValueError):
    """Bytes that are no notebook that can be read; says where, as far as that can be said."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of code."""

    number: int
    """As one counts them in the notebook: from 1, cells of prose included."""
    text: str
    start: int
    """Where the JSON of the text begins in the file."""
    end: int


@dataclass(frozen=True, slots=True)
class Notebook:
    """A file, and the cells of Python in it."""

    raw: str
    cells: tuple[Cell, ...]

    def cell(self, number: int) -> str:
        """The text of a cell; a `LookupError` where there is none."""
        for cell in self.cells:
            if cell.number == number:
                return cell.text
        raise LookupError(number)

    def with_texts(self, texts: Mapping[int, str]) -> bytes:
        """The file with other texts in some of its cells."""
        raw = self.raw
        for cell in reversed(self.cells):
            if texts.get(cell.number, cell.text) != cell.text:
                raw = raw[: cell.start] + self._written(cell, texts[cell.number]) + raw[cell.end :]
        return raw.encode("utf-8", "surrogatepass")

    def _written(self, cell: Cell, text: str) -> str:
        """A text in JSON, in the style that the cell has."""
        escaped = self.raw.isascii() and "\\u" in self.raw
        old = self.raw[cell.start : cell.end]
        if not old.startswith("["):
            return json.dumps(text, ensure_ascii=escaped)
        ahead = _BLANK.match(old, 1)
        behind = old[len(old[:-1].rstrip(" \t\r\n")) :]
        assert ahead is not None
        space = " " if '": ' in self.raw else ""
        joint = "," + (ahead.group() if "\n" in ahead.group() else space)
        before, middle, after = self._kept(cell, text)
        lines = [json.dumps(line, ensure_ascii=escaped) for line in _LINES.findall(middle)]
        pieces = [before] * bool(before) + lines + [after] * bool(after)
        return f"[{ahead.group()}{joint.join(pieces)}{behind}" if pieces else "[]"

    def _kept(self, cell: Cell, text: str) -> tuple[str, str, str]:
        """The elements before and behind all that changes, as they are written, and the text between them.

        They need not be a line each, and may be written each in its own way; what is kept ends where a line does.
        """
        parts = [(part, at, _value(self.raw, at)[1]) for part, at in _elements(self.raw, cell.start)]
        ends, old = [0, *accumulate(len(part) for part, _, _ in parts)], cell.text
        more = len(text) - len(old)
        same = _alike(old, text)
        first = max(i for i, end in enumerate(ends) if end <= same and _starts_line(text, end))
        same = min(_alike(reversed(old), reversed(text)), min(len(text), len(old)) - ends[first])
        fit = (
            i
            for i, end in enumerate(ends)
            if i >= first and len(old) - end <= same and _starts_line(old, end) and _starts_line(text, end + more)
        )
        last = min(fit, default=len(parts))
        before = self.raw[parts[0][1] : parts[first - 1][2]] if first else ""
        after = self.raw[parts[last][1] : parts[-1][2]] if last < len(parts) else ""
        return before, text[ends[first] : ends[last] + more], after


def _alike(one: Iterable[str], other: Iterable[str]) -> int:
    """How many letters two texts have in common from their start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _starts_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def read(data: bytes) -> Notebook:
    """The notebook that a file is."""
    try:
        raw = data.decode("utf-8")
        content = json.loads(raw.removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        raise NotANotebookError(f"byte 0x{data[error.start]:02x} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotANotebookError(f"not a notebook: {error.msg}", error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise NotANotebookError("not a notebook: the JSON is nested too deeply or has a number too long") from None
    if not isinstance(content, dict) or not isinstance(content.get("nbformat"), int):
        raise NotANotebookError("not a notebook: it has no `nbformat` key")
    if content["nbformat"] < _VERSION or not isinstance(content.get("cells"), list):
        raise NotANotebookError(f"notebook format {content['nbformat']} is not read, only {_VERSION} and newer")
    if _language(content) != "python":
        return Notebook(raw, ())
    return Notebook(raw, tuple(_code_cells(raw)))


def _language(content: Mapping[str, Any]) -> str:
    metadata = content.get("metadata")
    for place, key in (("kernelspec", "language"), ("language_info", "name")):
        named = metadata.get(place) if isinstance(metadata, dict) else None
        if isinstance(named, dict) and isinstance(named.get(key), str):
            return str(named[key]).lower()
    return "python"


def _code_cells(raw: str) -> Iterator[Cell]:
    members = dict(_members(raw, raw.index("{")))  # of a key that is there twice, JSON takes the last
    for number, (cell, at) in enumerate(_elements(raw, members["cells"]), 1):
        text = _text(cell)
        if text is not None:
            start = dict(_members(raw, at))["source"]
            yield Cell(number, text, start, _value(raw, start)[1])


def _text(cell: object) -> str | None:
    """The text of a cell of code; None for anything else."""
    if not isinstance(cell, dict) or cell.get("cell_type") != "code" or not _is_python(cell.get("metadata")):
        return None
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return source if isinstance(source, str) else None


def _is_python(metadata: object) -> bool:
    """Whether a cell is in the language of its notebook: an editor writes down when it is in another one."""
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    language = editor.get("languageId", "python") if isinstance(editor, dict) else "python"
    return bool(language == "python")


_DECODER: Final = json.JSONDecoder()


def _value(raw: str, at: int) -> tuple[Any, int]:
    """The JSON value that begins somewhere, and where it ends."""
    return _DECODER.raw_decode(raw, at)


def _members(raw: str, at: int) -> Iterator[tuple[str, int]]:
    """The keys of the object that begins somewhere, each with where its value begins."""
    at = _after_blank(raw, at + 1)
    while raw[at] != "}":
        key, end = _value(raw, at)
        start = _after_blank(raw, _after_blank(raw, end) + 1)
        yield key, start
        at = _after_blank(raw, _value(raw, start)[1])
        at = _after_blank(raw, at + 1) if raw[at] == "," else at


def _elements(raw: str, at: int) -> Iterator[tuple[Any, int]]:
    """The elements of the array that begins somewhere, each with where it begins."""
    at = _after_blank(raw, at + 1)
    while raw[at] != "]":
        element, end = _value(raw, at)
        yield element, at
        at = _after_blank(raw, end)
        at = _after_blank(raw, at + 1) if raw[at] == "," else at


def _after_blank(raw: str, at: int) -> int:
    match = _BLANK.match(raw, at)
    assert match
    return match.end()
