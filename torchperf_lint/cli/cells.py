"""The cells of a notebook that have run in this kernel, as the linter and a trace know them: `In[3]` is a file's name.

Together they are one program, so they are linted as one notebook: what a cell imports, the cells after it know.
"""

from __future__ import annotations

import json
import linecache
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.config.config import load
from torchperf_lint.run.lint_file import lint_bytes
from torchperf_lint.trace.collect import shown

if TYPE_CHECKING:
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.trace.recording import Trace

WRAPPED: Final = "get_ipython().run_cell_magic("
"""A cell that is given whole to a magic: what the magic runs of it is a cell as well."""
TRACED: Final = "# %%tpl_trace\n"
"""Stands where the magic stood, so that lines keep the numbers that the notebook shows."""
NOTEBOOK: Final = "notebook.ipynb"


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells in the order in which they ran."""

    labels: Mapping[str, str]
    """`In[3]`, by the path that a trace has."""
    texts: Mapping[str, str]
    """As Python ran them, by label."""

    def named(self, trace: Trace) -> Trace:
        """A trace whose files are called as the notebook calls its cells."""
        files = tuple(replace(each, path=self.labels.get(each.path, each.path)) for each in trace.files)
        return replace(trace, files=files)

    def linted(self) -> list[Finding]:
        """The findings of all cells, each at its own."""
        cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in self.texts.values()]
        data = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
        return [self._placed(each) for each in lint_bytes(data, NOTEBOOK, load(Path.cwd(), {}))]

    def _placed(self, finding: Finding) -> Finding:
        place = self._place
        fix = finding.fix and replace(finding.fix, edits=tuple(map(place, finding.fix.edits)))
        because, also = tuple(map(place, finding.because)), tuple(map(place, finding.also))
        placed: Finding = place(replace(finding, because=because, also=also, fix=fix))
        return placed

    def _place(self, what: Any) -> Any:
        """Something with a path and a cell, at the label of that cell."""
        return what if what.cell is None else replace(what, path=list(self.texts)[what.cell - 1], cell=None)


def running(label: Callable[[str], tuple[str, str] | None], name: str) -> int | None:
    """The number of the cell that is given to a magic just now: newer versions of IPython count on before they run it."""
    wrapped = f"{WRAPPED}'{name}'"
    named = (label(each) for each in list(linecache.cache) if "".join(linecache.getlines(each)).startswith(wrapped))
    return max((_number(each[1]) for each in named if each is not None), default=None)


def ran(label: Callable[[str], tuple[str, str] | None], root: Path, ahead: int = 0) -> Cells:
    """The cells that Python has compiled; `label` says what the notebook calls one, those in the magic by so much more."""
    labels, texts = {}, {}
    for name in list(linecache.cache):
        text = "".join(linecache.getlines(name))
        if (named := label(name)) is not None and not text.startswith(WRAPPED):
            called = f"In[{_number(named[1]) - ahead}]" if text.startswith(TRACED) else named[1]
            labels[shown(str(Path(root, name)), root)] = called
            texts[called] = text
    return Cells(labels, dict(sorted(texts.items(), key=lambda item: _number(item[0]))))


def _number(label: str) -> int:
    match = re.search(r"\d+", label)
    return int(match[0]) if match else 0
