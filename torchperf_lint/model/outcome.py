"""What a run came to: findings, failures and counts. The one thing that reports are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from torchperf_lint.model.catalogue import RULE_RAISED
from torchperf_lint.model.record import to_plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from torchperf_lint.model.failure import Failure
    from torchperf_lint.model.finding import Finding


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that a run says, in the order in which it says it."""

    root: Path
    """What the paths of findings are relative to."""
    findings: Sequence[Finding]
    failures: Sequence[Failure] = ()
    files: int = 0
    seconds: float = 0.0
    verified: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What was measured of findings, by fingerprint, in the plain form of reports."""
    traced: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What a trace of the program says of them, likewise."""

    @property
    def broke(self) -> bool:
        return bool(self.failures) or any(finding.code == RULE_RAISED for finding in self.findings)

    def plain_findings(self) -> list[dict[str, Any]]:
        """All findings as reports for machines show them."""
        return [
            to_plain(each, self.verified.get(each.fingerprint), self.traced.get(each.fingerprint))
            for each in self.findings
        ]
