"""Which pictures there are of what was measured: one for each rule and GPU, and one of all rules for each GPU."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.docs.plot import Group, Point, gains

if TYPE_CHECKING:
    from torchperf_lint.docs.measured import Record

Row = dict[str, Any]
ALL: Final = "all"
MOST: Final = 5.0
"""Where the scale of all rules ends: beyond it some would press the others into a corner."""


def name(code: str, record: Record) -> str:
    """The file of a picture, beside the measurements."""
    return f"{code}-{re.sub(r'[^a-z0-9]+', '-', record.device['name'].lower())}.svg"


def pictures(records: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Every picture, by its file."""
    for record in records:
        codes = sorted({row["code"] for row in record.rows if row["code"] and host_clocks(row)})
        for code in codes:
            yield name(code, record), _of_rule(code, record)
        yield name(ALL, record), _of_all(codes, record)


def _of_rule(code: str, record: Record) -> str:
    rows = [row for row in record.rows if row["code"] == code and host_clocks(row)]
    return gains(f"What {code} gains on {record.device['name']}", [Group(sizes(row), _points(row)) for row in rows])


def _of_all(codes: Sequence[str], record: Record) -> str:
    """Of each rule the measurement that gains most, with the host work that it takes."""
    groups = []
    for code in codes:
        rows = [row for row in record.rows if row["code"] == code]
        best = max((point for row in rows for point in _points(row)), key=lambda point: point.gain)
        groups.append(Group(f"{code} {rows[0]['name']}", (best,)))
    return gains(f"What the rules gain on {record.device['name']}, each where it gains most", groups, MOST)


def sizes(row: Row) -> str:
    """What was measured, in words."""
    return ", ".join(f"{each} {value}" for each, value in row["shapes"].items())


def _points(row: Row) -> tuple[Point, ...]:
    clocks = host_clocks(row)
    return tuple(
        Point(
            f"host {clock['host_work_ms']:g} ms" if len(clocks) > 1 else "",
            clock["speedup"], clock["low"], clock["high"],
        )
        for clock in clocks
    )  # fmt: skip


def host_clocks(row: Row) -> list[Row]:
    """The times that the host saw, by what it had to do."""
    clocks = [each for each in row["measurements"] if each["clock"] == "host"]
    return sorted(clocks, key=lambda each: float(each["host_work_ms"]))
