"""What the linter says: findings, their notes, and fixes, as frozen data.

A fix exists twice: a rule writes it as edits on nodes, a finding carries it as edits on text.
Knows nothing of facts, rules or reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:  # a run that is answered from the cache reads findings and never LibCST
    import libcst as cst

    from torchperf_lint.model.impact import Impact
    from torchperf_lint.syntax.source import Span


class Severity(IntEnum):
    """How bad a finding is; compares as `INFO < WARNING < ERROR`."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class Safety(IntEnum):
    """How far a fix may be trusted; compares as `SHOWN < UNSAFE < SAFE`."""

    SHOWN = 1
    """Displayed, never applied."""
    UNSAFE = 2
    """Applied with `--unsafe-fixes`; the rule's page says what can differ."""
    SAFE = 3
    """Bit-identical outputs, gradients, random numbers, exceptions and state_dict."""

    def __str__(self) -> str:
        return self.name.lower()


class Confidence(Enum):
    """How sure the facts behind a finding are."""

    LIKELY = "likely"
    PROVEN = "proven"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Replace:
    """Puts `content` where `node` stands; parentheses around an expression stay."""

    node: cst.CSTNode
    content: str


@dataclass(frozen=True, slots=True)
class InsertBefore:
    """Puts whole lines before the statement that holds `node`; they take its indentation."""

    node: cst.CSTNode
    content: str


@dataclass(frozen=True, slots=True)
class InsertAfter:
    """Puts whole lines after the statement that holds `node`; they take its indentation."""

    node: cst.CSTNode
    content: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Takes a statement, or an argument with its comma, away; an emptied block gets `pass`."""

    node: cst.CSTNode


@dataclass(frozen=True, slots=True)
class AddImport:
    """Makes `import module`, or `from module import name`, true; does nothing where it is."""

    module: str
    name: str | None = None


Edit = Replace | InsertBefore | InsertAfter | Remove | AddImport
"""An edit as a rule writes it."""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """An edit as it is applied: `content` takes the place of `span` in the original text."""

    path: str
    span: Span
    content: str
    cell: int | None = None


E = TypeVar("E", covariant=True)


@dataclass(frozen=True, slots=True)
class Fix(Generic[E]):
    """A cure: taken whole or not at all."""

    title: str
    edits: tuple[E, ...]
    safety: Safety


@dataclass(frozen=True, slots=True)
class Note:
    """A piece of evidence, with its own place."""

    message: str
    path: str
    line: int
    column: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that a finding stands for besides its own."""

    path: str
    line: int
    column: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong at one place, with what proves it and what cures it."""

    code: str
    name: str
    message: str
    severity: Severity
    confidence: Confidence
    path: str
    span: Span
    fingerprint: str
    because: tuple[Note, ...] = ()
    impact: Impact | None = None
    """What was measured of such findings; None where nothing was, or where this one is a case of less."""
    fix: Fix[TextEdit] | None = None
    cell: int | None = None
    also: tuple[Spot, ...] = ()
    """Other places that this finding stands for: waits, copies or hints of its rule in the same function, and waits right behind one."""
    function: int | None = None
    """Which function of the file it stands in, if it becomes one with what its rule says there besides; see `model.together`."""
    behind: tuple[str, Span] | None = None
    """The code and place of the finding right behind whose wait it waits: the two are one thing to look at."""

    @property
    def order(self) -> tuple[str, int, Span, str]:
        """Reports are sorted by this: path, place, code."""
        return (self.path, self.cell or 0, self.span, self.code)
