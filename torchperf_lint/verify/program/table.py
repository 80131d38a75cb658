"""What was measured of a program, as a table for people."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from torchperf_lint.report.markdown import as_cell
from torchperf_lint.report.terminal import Ink, Pen, quoted, visible, width
from torchperf_lint.verify.figures import NONE, change, memory, time
from torchperf_lint.verify.program.changes import Verdict
from torchperf_lint.verify.program.measure import Measurement
from torchperf_lint.verify.table import INKS
from torchperf_lint.verify.verdict import DIFFERENT

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
            lines.append(_line((*row[:-1], pen(row[-1], INKS.get(each.verdict, Ink.DIM))), widths))
        lines += ["", *map(quoted, _reasons(found.verdicts, places))]
    lines += [*_results(found, places), *_itself(found), *map(quoted, found.notes)]
    return "\n".join(lines).rstrip() + "\n"


def markdown(found: Measurement, places: Mapping[str, str]) -> str:
    """The same for a pull request."""
    lines = [f"## {as_cell(_head(found))}", "", f"| {' | '.join(HEADS)} |", f"|{'---|' * len(HEADS)}"]
    lines += [f"| {' | '.join(as_cell(cell) for cell in _row(each, places))} |" for each in found.verdicts]
    said = [*_reasons(found.verdicts, places), *_results(found, places), *_itself(found), *found.notes]
    lines += ["", *(f"- {as_cell(each)}" for each in said)] if said else []
    return "\n".join(lines) + "\n"


def plain(found: Measurement, places: Mapping[str, str]) -> dict[str, Any]:
    """The same for machines."""
    about = (found.base.about or {}) if found.base is not None else {}
    return {
        "version": 1,
        "command": list(found.command),
        "device": about.get("gpu") or "CPU",
        "torch": about.get("torch", ""),
        "itself": asdict(found.itself) if found.itself is not None else None,
        "rounding": found.own,
        "notes": found.notes,
        "interrupted": found.interrupted,
        "verdicts": [
            {
                "changed": [places.get(fix, fix) for fix in each.change],
                "verdict": each.verdict,
                "reason": each.reason,
                "ratio": asdict(each.ratio) if each.ratio is not None else None,
                "max_difference": each.apart,
                "before": _side(each.before),
                "after": _side(each.after),
            }
            for each in found.verdicts
        ],
    }


def _side(measured: tuple[float, int | None] | None) -> dict[str, Any] | None:
    return {"step_ms": round(measured[0], 4), "peak": measured[1]} if measured is not None else None


def in_a_line(each: Verdict, places: Mapping[str, str]) -> str:
    """A verdict as it is told when it comes, with the time of a step."""
    words = f"{each.verdict}: {each.reason}" if each.reason is not None else each.verdict
    figures = f" {each.ratio.words}" if each.ratio is not None else ""
    return f"{_named(each.change, places)}: {words}{figures}"


def _results(found: Measurement, places: Mapping[str, str]) -> Iterator[str]:
    """How far results are apart that count as the same."""
    for each in found.verdicts:
        if each.verdict != DIFFERENT and each.apart is not None:
            same = (
                "the same" if each.apart == 0 else f"at most {each.apart:.1g} of a loss apart, as rounding makes them"
            )
            yield f"{_named(each.change, places)}: results of the first steps are {same}"
    if found.own:
        yield (
            f"The original is {found.own:.1g} of a loss apart from itself where its parameters are moved by their last digit "
            "after each of these steps"
        )


def _itself(found: Measurement) -> list[str]:
    return [f"The original against itself: {found.itself.words}"] if found.itself is not None else []


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
