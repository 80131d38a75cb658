"""Where something is, as people read it and as their editors open it: `nb.ipynb:cell 3:2:5`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from torchperf_lint.report.terminal import Ink, Pen, visible

if TYPE_CHECKING:
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View
    from torchperf_lint.syntax.source import Place


def place(outcome: Outcome, view: View, path: str, cell: int | None, at: Place) -> str:
    """A place, with the path relative to the folder that the reader stands in."""
    pen = Pen(view.color)
    colon = pen(":", Ink.DIM)
    parts = [pen(visible(shown(outcome, view, path)), Ink.BOLD)]
    parts += [f"cell {cell}"] if cell is not None else []
    return colon.join([*parts, str(at.line), str(at.column)])


def shown(outcome: Outcome, view: View, path: str) -> str:
    """The path of a finding as seen from the working folder, where that is shorter than the whole."""
    whole = str(outcome.root / path)
    if path.startswith("<") or outcome.root == view.folder:
        return path
    try:
        relative = os.path.relpath(whole, view.folder)
    except ValueError:  # another drive
        return whole
    return relative if len(relative) < len(whole) else whole
