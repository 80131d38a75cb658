"""What a finding is worth: what was measured of its rule, in which setting, and the severity that follows from that.

    @rule("TPL101", impact=Faster(host_work=(5, 10)))     a rule says which measurements speak for it
    rules_docs/measured/*.json                            which hold the numbers, as `verify --record` wrote them
    impacts.json                                          what both come to: `python -m torchperf_lint.docs` writes it

No number is typed by hand, and no severity. The linter reads `impacts.json` alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from torchperf_lint.disk.read import read_file
from torchperf_lint.model.finding import Severity

IMPACTS: Final = Path(__file__).with_name("impacts.json")
WORTH: Final = 1.03
"""A change of less than this is noise to whoever trains."""
PART_WORTH: Final = 1.2
"""The same of a part: with less it would have to be a fifth of a step to make that of the whole."""

Metric = Literal["step", "memory", "correctness"]


@dataclass(frozen=True, slots=True)
class Faster:
    """A rule makes programs faster: the measured times that show it. Without any, its findings are hints."""

    of: str = ""
    """What the ratio is of, where that is not a whole step: `for that layer alone`."""
    host_work: tuple[float, ...] = ()
    """The milliseconds of host work at which it pays; none: all that were measured."""
    many: bool = False
    """Many in a step were measured, or one apart from its step: a warning only where the source shows many."""
    only: Mapping[str, tuple[object, ...]] = field(default_factory=dict, hash=False)
    """The sizes and choices at which it speaks, where others were measured too for comparison."""


@dataclass(frozen=True, slots=True)
class LessMemory:
    """A rule makes programs need less memory: its ratios are those of peaks, above what is allocated before."""

    of: str
    """What the ratio is of: `for what a step adds`."""
    many: bool = False
    """A warning only where the source shows that a step has many of what the rule finds."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a rule finds gives wrong results, or stops the program."""

    how: str
    """What is wrong: `small gradients become zero`."""


Claim = Faster | LessMemory | Wrong
"""What a rule declares; the numbers are looked up."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What was measured: ratios before to after, of time or of peak memory."""

    metric: Metric
    low: float | None
    """None where nothing is measured, because results are wrong."""
    high: float | None
    setting: str
    part: bool = False
    """Whether the ratio is of a part of a step, whose share of it nobody knows."""

    @property
    def severity(self) -> Severity:
        """Wrong results are errors, what pays in this setting is a warning, and all else is information."""
        if self.low is None:
            return Severity.ERROR
        return Severity.WARNING if self.low >= (PART_WORTH if self.part else WORTH) else Severity.INFO

    @property
    def label(self) -> str:
        """What the words are: a measurement, or what goes wrong."""
        return "wrong" if self.low is None else "measured"

    @property
    def words(self) -> str:
        """`1.18 to 1.35x where the host has 5 to 10 ms to do`."""
        if self.low is None or self.high is None:
            return self.setting
        low, high = _ratio(self.low), _ratio(self.high)
        ratio = f"{low} to {high}x" if low != high else f"{low}x"
        if self.low < WORTH:
            return f"no gain ({ratio} {self.setting})"
        return f"{ratio} {'less memory ' if self.metric == 'memory' else ''}{self.setting}"

    def to_plain(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_plain(plain: Any) -> Impact:
        """The impact that a plain form shows; a `KeyError`, `TypeError` or `ValueError` where it shows none."""
        metric, low, high, setting = (plain[key] for key in ("metric", "low", "high", "setting"))
        part = plain["part"]
        if metric not in ("step", "memory", "correctness") or not (isinstance(setting, str) and isinstance(part, bool)):
            raise ValueError("not an impact")
        if metric == "correctness":
            return Impact(metric, None, None, setting, part)
        return Impact(metric, float(low), float(high), setting, part)


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


@cache
def impacts() -> dict[str, Impact]:
    """What was measured of each rule that declares it, by code."""
    written = json.loads(read_file(IMPACTS).decode("utf-8"))
    return {code: Impact.from_plain(plain) for code, plain in written.items()}


def severity(code: str) -> Severity:
    """How bad the findings of a rule are; one without measurements gives information."""
    impact = impacts().get(code)
    return impact.severity if impact is not None else Severity.INFO
