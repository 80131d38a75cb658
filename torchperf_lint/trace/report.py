"""What a report of a trace is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torchperf_lint.model.finding import Finding
from torchperf_lint.trace.analysis import Analysis
from torchperf_lint.trace.differences import NONE, Differences
from torchperf_lint.trace.join import Joined, Texts
from torchperf_lint.trace.rows import Row


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a report of a trace says."""

    analysis: Analysis
    joined: Joined
    findings: Sequence[Finding]
    rows: Sequence[Row]
    texts: Texts
    differences: Differences = NONE
    """In what the ranks of a run differ."""
    gpu_price: float | None = None
    measured: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What `--verify` measured of findings, by fingerprint, in the plain form of reports."""
