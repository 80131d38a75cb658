"""What the tests of reports have in common: one finding with all that one can have, and the file that it is in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from torchperf_lint.model import catalogue
from torchperf_lint.model.finding import Confidence, Finding, Fix, Note, Safety, Severity, TextEdit
from torchperf_lint.model.outcome import Outcome
from torchperf_lint.report import View, render
from torchperf_lint.report.sources import Sources
from torchperf_lint.syntax.source import Place, Span

if TYPE_CHECKING:
    from pathlib import Path

    from torchperf_lint.model.failure import Failure

TRAIN = """\
import torch
for x, y in loader:
    loss = model(x, y)
    loss.backward()
    total += loss.item()
"""
PAGE = "https://github.com/torchperf-lint/torchperf-lint/blob/main/rules_docs"


def span(line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span(Place(line, column), Place(end_line, end_column))


def finding(**changes: Any) -> Finding:
    at = span(5, 14, 5, 25)
    fix = Fix("read it after the loop", (TextEdit("src/train.py", at, "loss.detach()"),), Safety.UNSAFE)
    made = Finding(
        code="TPL101",
        name="scalar-read-every-step",
        message="`loss.item()` makes the host wait for the GPU in every step",
        severity=Severity.WARNING,
        confidence=Confidence.LIKELY,
        path="src/train.py",
        span=at,
        fingerprint="v1:0123",
        because=(Note("the loop calls `.backward()`", "src/train.py", 2, 1),),
        fix=fix,
    )
    return replace(made, **changes)


RULE = catalogue.Entry("TPL101", "scalar-read-every-step", "sync", True, Severity.WARNING, Safety.UNSAFE, "Reads.")
"""What the catalogue of these tests knows, whatever the rules of the day are."""


def project(folder: Path) -> Path:
    """A folder with the file of the finding."""
    (folder / "src").mkdir()
    (folder / "src/train.py").write_text(TRAIN, encoding="utf-8")
    return folder


def shown(form: str, root: Path, *findings: Finding, failures: tuple[Failure, ...] = (), **view: Any) -> str:
    outcome = Outcome(root, list(findings), list(failures), files=3, seconds=1.25)
    return render(form, outcome, View(Sources(root), view.pop("folder", root), **view))
