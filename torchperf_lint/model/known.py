"""What is known of a line, as frozen data: its expressions, when it runs, and which rules looked at it.

What `reveal` prints. Knows nothing of facts: the engine fills it, reports show it, JSON is made of it field by field.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from torchperf_lint.model.finding import Note
    from torchperf_lint.syntax.source import Span

HowOften = Literal["once", "inference", "step", "inner"]
"""Once, or nobody knows; in an inference loop; at every step; inside a step: `forward`, a loss, a loop in the step."""


@dataclass(frozen=True, slots=True)
class KnownRun:
    """When a line runs."""

    how_often: HowOften
    confidence: str | None
    """None where nothing shows how often it runs."""
    because: tuple[Note, ...]
    gate: Note | None
    """The condition that lets it run seldom, or only to log: `if step % 100 == 0`."""
    option: Note | None
    """The option without which it does not run."""
    test: bool
    """It is test code."""


@dataclass(frozen=True, slots=True)
class KnownSync:
    """Why the host waits for the GPU at an expression."""

    form: str
    message: str
    confidence: str
    because: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class KnownExpression:
    """An expression, a target or a parameter."""

    text: str
    span: Span
    kind: str
    """`unknown` where it is not known; else `tensor`, `number`, `module`, ..."""
    name: str | None
    """What it is one of, or stands for: `torch.nn.Linear`."""
    device: str | None
    dtype: str | None
    rank: int | None
    confidence: str | None
    because: tuple[Note, ...]
    sync: KnownSync | None
    no_sync: str | None
    """Why there is no GPU sync where it looks as if there could be one."""


@dataclass(frozen=True, slots=True)
class NearRule:
    """A rule that concerns a line, and what it says or why it is silent."""

    code: str
    name: str
    reports: bool
    message: str
    """What it reports, or why it is silent."""
    severity: str | None = None
    """That of what it reports; None where it is silent."""
    hint: Note | None = None
    """What makes a rule report a hint that reports warnings elsewhere; None where nothing, or the rule itself, does."""


@dataclass(frozen=True, slots=True)
class KnownLine:
    """All that is known of one line."""

    line: int
    cell: int | None
    text: str
    runs: KnownRun
    expressions: tuple[KnownExpression, ...]
    rules: tuple[NearRule, ...]

    def to_plain(self) -> dict[str, Any]:
        """The line as the JSON report shows it."""
        plain = asdict(self)
        plain["expressions"] = [{"text": each["text"], **each.pop("span"), **each} for each in plain["expressions"]]
        return plain
