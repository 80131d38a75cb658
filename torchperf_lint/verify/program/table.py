"""What was measured of a program, as a table for people."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from torchperf_lint.report.terminal import Ink, Pen, visible, width
from torchperf_lint.verify.figures import NONE, change, memory, time
from torchperf_lint.verify.program.measure import Measurement
from torchperf_lint.verify.program.search import Verdict
from torchperf_lint.verify.table import INKS

HEADS: Final = ("fixes", "step", "speed-up", "peak memory", "verdict")
NAMED: Final = 4
"""So many fixes of a set are named."""


def render(found: Measurement, places: Mapping[str, str], pen: Pen) -> str:
    """The table; `places` names fixes by their fingerprint, as in `TPL201 train.py:9`."""
    lines = [pen(_head(found), Ink.BOLD)]
    rows = [_row(each, places) for each in found.verdicts]
    if rows:
        widths = [max(width(row[column]) for row in (HEADS, *rows)) for column in range(len(HEADS) - 1)]
        lines += ["", pen(_line(HEADS, widths), Ink.DIM)]
        for row, each in zip(rows, found.verdicts, strict=True):
            lines.append(_line(row[:-1], widths) + "  " + pen(row[-1], INKS.get(each.verdict, Ink.DIM)))
        lines += ["", *_reasons(found.verdicts, places)]
    if found.itself is not None:
        lines.append(f"The original against itself: {found.itself.words}")
    lines += found.notes
    return "\n".join(lines).rstrip() + "\n"


def _head(found: Measurement) -> str:
    command = visible(shlex.join(found.command))
    if found.base is None:
        return f"Measured: {command}"
    about = found.base.about or {}
    device = about.get("gpu") or "CPU, no GPU was used"
    return f"Measured: {command} (step: {found.base.found_by}; {device}, torch {about.get('torch', '?')})"


def _row(each: Verdict, places: Mapping[str, str]) -> tuple[str, ...]:
    before, after = each.before, each.after
    times = change(time(before[0]), time(after[0])) if before and after else NONE
    peak = change(memory(before[1]), memory(after[1])) if before and after else NONE
    return (_named(each.change, places), times, each.ratio.words if each.ratio else NONE, peak, each.verdict)


def _named(fixes: Sequence[str], places: Mapping[str, str]) -> str:
    names = [visible(places.get(fix, fix)) for fix in fixes[:NAMED]]
    more = f" and {len(fixes) - NAMED} more" if len(fixes) > NAMED else ""
    return ", ".join(names) + more


def _reasons(verdicts: Sequence[Verdict], places: Mapping[str, str]) -> Iterator[str]:
    for each in verdicts:
        if each.reason is not None:
            yield f"{_named(each.change, places)}: {each.verdict}: {each.reason}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (most - width(cell)) for cell, most in zip(cells, widths, strict=False)]
    return "  ".join([*padded, *cells[len(widths) :]]).rstrip()
