"""The cells of a notebook as one program, and places in it as places in cells.

The texts of the cells follow one another, each behind a comment of its own that says which cell begins; fixes keep
comments, so the cells are found again in a fixed program whatever moved. What is not Python keeps its lines:

    !pip install timm          pass  #5f2a 0
    home = %env HOME           home = __magic__()  #5f2a 1
    %%bash                     # 5f2a
    a cell that is broken      # 5f2a

Knows no rule and no JSON.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from torchperf_lint.model.catalogue import DOES_NOT_PARSE
from torchperf_lint.model.finding import Finding, Fix, Note, TextEdit
from torchperf_lint.syntax.guard import before_python
from torchperf_lint.syntax.source import Place, Source, Span, SyntaxFault

if TYPE_CHECKING:
    from torchperf_lint.files.notebook import Cell
    from torchperf_lint.model.known import KnownLine

Lint = Callable[[Source], list[Finding]]

_MAGIC: Final = re.compile(
    r"\s*(?:[%!]|\?{1,2}[\w.*%]+\s*\Z|%{0,2}[\w.*]+\?{1,2}\s*\Z"
    r"|(?:cat|cd|conda|cp|ls|mamba|mkdir|mv|pip3?|rm|run|time|timeit|uv)\s)"
)
"""What a line of magic looks like; asked only where Python refuses a line, since `% b` may go on from the one above."""
_ASSIGNED: Final = re.compile(r"(\s*[\w.]+(?:\s*,\s*[\w.]+)*\s*=)\s*[%!]")
_CELL_MAGIC: Final = re.compile(r"\s*%%")
_PYTHON: Final = re.compile(r"\s*%%(?:capture|debug|memit|prun|pypy|python3?|time|timeit)\b")
"""Cell magics below which Python follows."""
_TRIES: Final = 200
"""Lines of one cell that may turn out to be magic; each costs a parse."""


class UntouchableError(ValueError):
    """A fixed program in which a line that is no Python, or a whole cell, is not what it was."""

    def __init__(self) -> None:
        super().__init__("it would change what is no Python")


@dataclass(frozen=True, slots=True)
class Program:
    """The cells as one text, with all that is needed to find them again."""

    text: str
    token: str
    cells: tuple[Cell, ...]
    opaque: frozenset[int]
    """The numbers of the cells that are no Python, or none that parses."""
    magics: tuple[str, ...]
    """The lines that placeholders stand for, by number."""
    broken: tuple[Finding, ...]
    """What is said of cells that do not parse."""

    def located(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings in the program as findings in its cells."""
        atlas = _Atlas(Source(self.text), self)
        return [atlas.finding(finding) for finding in findings]

    def located_lines(self, lines: Iterable[KnownLine], path: str) -> list[KnownLine]:
        """What is known of lines of the program as what is known of lines of its cells."""
        atlas = _Atlas(Source(self.text, path), self)
        return [atlas.line(line) for line in lines]

    def within_cells(self, source: Source, findings: Iterable[Finding]) -> list[Finding]:
        """Findings without the fixes that reach over the end of a cell or into what is no Python."""
        atlas = _Atlas(source, self)
        return [each if each.fix is None or atlas.holds(each.fix) else replace(each, fix=None) for each in findings]

    def texts(self, fixed: str) -> dict[int, str]:
        """The texts of the cells in a fixed program."""
        if not self.cells:
            return {}
        parts = re.split(rf"^# {self.token} cell \d+\n", fixed, flags=re.MULTILINE)
        placeholders = re.findall(rf"#{self.token} (\d+)$", fixed, flags=re.MULTILINE)
        if len(parts) != len(self.cells) or sorted(map(int, placeholders)) != list(range(len(self.magics))):
            raise UntouchableError
        return {cell.number: self._restored(cell, part) for cell, part in zip(self.cells, parts, strict=True)}

    def _restored(self, cell: Cell, part: str) -> str:
        if cell.number in self.opaque:
            if part != _hidden(cell.text, self.token):
                raise UntouchableError
            return cell.text
        restored = re.sub(rf"^.*#{self.token} \d+$", self._line, part, flags=re.MULTILINE)
        return restored if cell.text.endswith("\n") else restored.removesuffix("\n")

    def _line(self, placeholder: re.Match[str]) -> str:
        match = re.fullmatch(r"(\s*)(?:pass  |[^#]*= __magic__\(\)  )?#\w+ (\d+)", placeholder.group())
        if match is None:
            raise UntouchableError
        return match.group(1) + self.magics[int(match.group(2))]


def program(cells: Sequence[Cell], path: str, lint: Lint) -> Program:
    """The program that cells make; `lint` says what is wrong with one that does not parse."""
    token = blake2b("\0".join(cell.text for cell in cells).encode("utf-8", "replace"), digest_size=8).hexdigest()
    magics: list[str] = []
    broken: list[Finding] = []
    opaque: set[int] = set()
    text = ""
    for cell in cells:
        before = len(magics)
        text += f"# {token} cell {cell.number}\n" if cell is not cells[0] else ""
        part, parses = (None, True) if _is_foreign(cell.text) else _without_magic(cell.text, token, magics)
        if not parses:
            faults = [each for each in lint(Source(part or "", path)) if each.code == DOES_NOT_PARSE]
            broken += [replace(each, cell=cell.number) for each in faults]
            part = None if faults else part
        if part is None:
            opaque.add(cell.number)
            del magics[before:]
            part = _hidden(cell.text, token)
        text += part
    return Program(text, token, tuple(cells), frozenset(opaque), tuple(magics), tuple(broken))


def _is_foreign(text: str) -> bool:
    """Whether a cell magic says that the cell is no Python."""
    return bool(_CELL_MAGIC.match(text)) and not _PYTHON.match(text)


def _hidden(text: str, token: str) -> str:
    """As many lines of comment as a text has."""
    return f"# {token}\n" * (text.count("\n") + (not text.endswith("\n") and text != ""))


def _without_magic(text: str, token: str, magics: list[str]) -> tuple[str, bool]:
    """A cell with placeholders where Python stumbles over magic, and whether it parses then."""
    lines = text.split("\n") if text.endswith("\n") or not text else [*text.split("\n"), ""]
    for _ in range(_TRIES):
        stumbles = _first_error("\n".join(lines))
        if stumbles is None:
            return "\n".join(lines), True
        if not 1 <= stumbles <= len(lines):
            break
        at = stumbles - 1
        if not _replaced(lines, at, token, magics) and not _replaced(lines, _head(lines, at), token, magics):
            break
    return "\n".join(lines), False


def _first_error(text: str) -> int | None:
    """The line on which Python refuses a text, 0 where it says none; None where it takes it."""
    try:
        before_python(Source(text))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return error.lineno or 0
    except (SyntaxFault, ValueError, MemoryError, RecursionError):
        return 0
    return None


def _head(lines: list[str], at: int) -> int:
    """The first of the lines joined by `\\`, among which `at` is: what is wrong with a number is said before all else."""
    while at and lines[at - 1].endswith("\\"):
        at -= 1
    return at


def _replaced(lines: list[str], at: int, token: str, magics: list[str]) -> bool:
    """Put a placeholder for a line of magic, and for those that it goes on in behind `\\`; False where it is none."""
    line = lines[at]
    assigned = _ASSIGNED.match(line)
    if not assigned and not _MAGIC.match(line):
        return False
    indent = line[: len(line) - len(line.lstrip())]
    stands = f"{assigned.group(1)} __magic__()  " if assigned else f"{indent}pass  "
    lines[at] = f"{stands}#{token} {len(magics)}"
    magics.append(line.lstrip())
    while line.endswith("\\") and at + 1 < len(lines) - 1:
        at += 1
        line = lines[at]
        lines[at] = f"#{token} {len(magics)}"
        magics.append(line)
    return True


class _Atlas:
    """Where the lines of one state of a program are in its cells."""

    def __init__(self, source: Source, program: Program) -> None:
        self.source = source
        self.program = program
        mark = f"# {program.token} cell "
        self.marks = [line for line in range(1, len(source.starts) + 1) if source.line(line).startswith(mark)]

    def cell(self, at: Place) -> tuple[Cell, int]:
        """The cell of a place, and the lines before it; the mark of a cell belongs to the end of the one before."""
        index = bisect_right(self.marks, at.line - 1)
        return self.program.cells[index], self.marks[index - 1] if index else 0

    def place(self, at: Place) -> Place:
        return Place(at.line - self.cell(at)[1], at.column)

    def span(self, span: Span) -> Span:
        return Span(self.place(span.start), self.place(span.end))

    def holds(self, fix: Fix[TextEdit]) -> bool:
        """Whether each edit of a fix stays in one cell, and off the lines that are no Python."""
        return all(self._holds(edit.span) for edit in fix.edits)

    def _holds(self, span: Span) -> bool:
        cell = self.cell(span.start)[0]
        touched = range(span.start.line, span.end.line + (span.end.column > 1 or span.start == span.end))
        return (
            cell is self.cell(span.end)[0]
            and cell.number not in self.program.opaque
            and not any(at.line in self.marks and at.column > 1 for at in (span.start, span.end))
            and not any(f"#{self.program.token}" in self.source.line(number) for number in touched)
        )

    def finding(self, finding: Finding) -> Finding:
        return replace(
            finding,
            span=self.span(finding.span),
            cell=self.cell(finding.span.start)[0].number,
            because=tuple(self._note(note) if note.path == finding.path else note for note in finding.because),
            fix=finding.fix and replace(finding.fix, edits=tuple(self._edit(edit) for edit in finding.fix.edits)),
        )

    def line(self, line: KnownLine) -> KnownLine:
        at = Place(line.line, 1)

        def moved(notes: Iterable[Note]) -> tuple[Note, ...]:
            return tuple(self._note(note) if note.path == self.source.path else note for note in notes)

        def once(note: Note | None) -> Note | None:
            return moved([note])[0] if note is not None else None

        runs = line.runs
        return replace(
            line,
            line=self.place(at).line,
            cell=self.cell(at)[0].number,
            runs=replace(runs, because=moved(runs.because), gate=once(runs.gate), option=once(runs.option)),
            expressions=tuple(
                replace(
                    each,
                    span=self.span(each.span),
                    because=moved(each.because),
                    sync=each.sync and replace(each.sync, because=moved(each.sync.because)),
                )
                for each in line.expressions
            ),
        )

    def _note(self, note: Note) -> Note:
        at = Place(note.line, note.column)
        return replace(note, line=self.place(at).line, cell=self.cell(at)[0].number)

    def _edit(self, edit: TextEdit) -> TextEdit:
        cell = self.cell(edit.span.start)[0]
        span, content = self.span(edit.span), edit.content
        last = cell.text.count("\n") + 1
        if span.end.line > last:  # behind a last line that has no newline of its own
            end = Place(last, len(cell.text) - cell.text.rfind("\n"))
            content = content.removesuffix("\n")
            alone = span.start.line > last
            span, content = Span(end if alone else span.start, end), f"\n{content}" if alone else content
        return replace(edit, span=span, content=content, cell=cell.number)
