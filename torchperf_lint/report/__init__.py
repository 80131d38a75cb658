"""What a run came to, as text for people and machines: one file a format, findings in, string out."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report.sources import Sources


@dataclass(frozen=True, slots=True)
class View:
    """How a report looks at an outcome."""

    sources: Sources
    folder: Path
    """The folder that people stand in: formats for them show paths relative to it."""
    color: bool = False
    by_impact: bool = False
    """Whether reports for people begin with what matters most, rather than with the first file."""
    short_hints: bool = False
    """Whether the text report names the places of hints alone, a rule a line."""
    columns: int = 160
    """How wide lines of source may be."""


def render(name: str, outcome: Outcome, view: View) -> str:
    """An outcome in a format."""
    module = importlib.import_module(f"{__name__}.{name}")
    text: str = module.render(outcome, view)
    return text
