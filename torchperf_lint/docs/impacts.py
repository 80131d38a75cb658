"""What the declarations of rules and the measurements come to: the file that the linter reads severities and impacts from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.impact import WORTH, Faster, Impact, LessMemory, Wrong
from torchperf_lint.verify.verdict import DIFFERENT

if TYPE_CHECKING:
    from torchperf_lint.docs.measured import Record
    from torchperf_lint.rule import Rule

Row = dict[str, Any]
DIGITS: Final = 3
"""Of a ratio, behind the point."""


def text(rules: Sequence[Rule], records: Sequence[Record]) -> str:
    """The file, a rule a line."""
    rows = [{**row, "gpus": record.gpus} for record in records for row in record.rows]
    found = {rule.code: impact for rule in rules if (impact := impact_of(rule, rows)) is not None}
    lines = [f' "{code}": {json.dumps(impact.to_plain())}' for code, impact in sorted(found.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def impact_of(rule: Rule, rows: Sequence[Row]) -> Impact | None:
    """What a rule is worth; None where it declares nothing, or nothing was measured yet."""
    own = [row for row in rows if row["code"] == rule.code]
    match rule.impact:
        case Wrong(how=how):
            return Impact("correctness", None, None, how)
        case LessMemory(of=of):
            peaks = [row["peak_before"] / row["peak_after"] for row in own if row["peak_after"]]
            return Impact("memory", *_ends(peaks), f"{of}{_together(own)}") if peaks else None
        case Faster() as claim:
            clocks = list(_clocks(rule.code, claim, own))
            ratios = [clock["speedup"] for clock in clocks]
            setting = f"{_setting(claim, clocks, own)}{_together(own)}"
            return Impact("step", *_ends(ratios), setting, bool(claim.of)) if ratios else None
    if own:
        raise ConfigError(f"{rule.code} was measured: say in its decorator what that shows, `impact=Faster()`")
    return None


def _ends(ratios: Sequence[float]) -> tuple[float, float]:
    return round(min(ratios), DIGITS), round(max(ratios), DIGITS)


def _clocks(code: str, claim: Faster, rows: Sequence[Row]) -> Iterator[Row]:
    """The times that a claim stands on; one that noise may have made is refused."""
    for row in rows:
        fits = all(row["shapes"].get(name) in values for name, values in claim.only.items())
        if not fits or row["verdict"] == DIFFERENT:
            continue
        for clock in row["measurements"]:
            if clock["clock"] == "host" and (not claim.host_work or clock["host_work_ms"] in claim.host_work):
                if clock["speedup"] >= WORTH and clock["low"] <= 1:
                    at = f"{clock['host_work_ms']:g} ms of host work"
                    raise ConfigError(f"{code}: at {at} the interval holds 1: claim only what was measured surely")
                yield clock


def _setting(claim: Faster, clocks: Sequence[Row], rows: Sequence[Row]) -> str:
    """Where it was measured, in words: what is timed, what the host had to do, which choices."""
    parts = [claim.of] if claim.of else []
    every = {clock["host_work_ms"] for row in rows for clock in row["measurements"] if clock["clock"] == "host"}
    if len(every) > 1:
        works = sorted({clock["host_work_ms"] for clock in clocks})
        parts.append(_host_work(works[0], works[-1]))
    elif not claim.of:
        parts.append("for a step")
    return ", ".join(parts)


def _together(rows: Sequence[Row]) -> str:
    """How many GPUs took part, in words."""
    gpus = {row.get("gpus", 1) for row in rows} - {1}
    return f" on {' or '.join(map(str, sorted(gpus)))} GPUs" if gpus else ""


def _host_work(least: float, most: float) -> str:
    if most == 0:
        return "where the host has nothing else to do"
    if least == 0:
        return f"where the host has 0 to {most:g} ms to do"
    return f"where the host has {f'{least:g} to ' if least != most else ''}{most:g} ms to do"
