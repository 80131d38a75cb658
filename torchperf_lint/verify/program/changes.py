"""Sets of fixes of one program, and what is said of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from torchperf_lint.verify.program.compare import Ratio
from torchperf_lint.verify.program.runs import Run

Change = tuple[str, ...]
"""The fixes that are applied together, by fingerprint; none: the original."""
AS_IT_IS: Final = "the tree as it is"
"""The one change that is measured against a revision."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of a set of fixes, and so of each of them."""

    change: Change
    verdict: str
    reason: str | None = None
    """Why it was not measured, why nothing can be told, or what differs."""
    ratio: Ratio | None = None
    before: tuple[float, int | None] | None = None
    """A step in milliseconds, and the peak of memory in bytes."""
    after: tuple[float, int | None] | None = None
    apart: float | None = None
    """The largest share by which a loss of the first steps is another one; None where none was compared."""


def middle(runs: Sequence[Run]) -> tuple[float, int | None]:
    """The median step, and the highest peak."""
    times = sorted(run.ms or 0.0 for run in runs)
    peaks = [run.peak for run in runs if run.peak]
    return times[len(times) // 2], max(peaks, default=None)


def counted_fixes(fixes: Change) -> str:
    if fixes == (AS_IT_IS,):
        return AS_IT_IS
    return "one fix" if len(fixes) == 1 else f"{len(fixes)} fixes"
