"""What was measured of a rule, as a picture, a table and a small chart for each GPU.

Every number comes from a record in `rules_docs/measured`, as `torchperf-lint verify --record` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.docs.pictures import host_clocks, name, sizes
from torchperf_lint.verify.figures import NONE, change, memory, of_graphs, speedup, time
from torchperf_lint.verify.verdict import doubt

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, Any]

HEADS: Final = ("what", "host work", "before", "after", "speed-up", "GPU busy", "waits", "peak memory", "verdict")
_PICTURE: Final = "![The gain of {code}, for each size and each amount of host work](measured/{file})"
WIDTH: Final = 40
"""Characters of the longest bar."""
SAYS: Final = """\
Before and after are medians of one step or call, the speed-up is their ratio with a 99 % interval, GPU busy is the time
of the kernels alone, and waits are how often the host waits for the GPU. `faster` takes at least 3 % and an interval
that agrees, with the least host work of those above. `torchperf-lint verify {code}` measures it on your GPU."""


@dataclass(frozen=True, slots=True)
class Record:
    """The measurements of one GPU."""

    device: Row
    rows: tuple[Row, ...]

    @property
    def gpus(self) -> int:
        """How many GPUs ran each program together."""
        count, times, _ = str(self.device["name"]).partition(" × ")
        return int(count) if times else 1


def records(folder: Path) -> tuple[Record, ...]:
    """All that was measured, by GPU."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    return tuple(Record(each["device"], tuple(each["measurements"])) for each in found if "measurements" in each)


def shown(code: str, all_records: Sequence[Record]) -> str:
    """What a page says of the measurements of a rule."""
    parts = [_of_device(record, code) for record in all_records if any(row["code"] == code for row in record.rows)]
    if not parts:
        return "Not measured yet."
    return "\n\n".join([*parts, SAYS.format(code=code)])


def _of_device(record: Record, code: str) -> str:
    rows = [row for row in record.rows if row["code"] == code]
    told = [record.device["name"], f"torch {record.device['torch']}", record.device.get("toolkit")]
    dates = sorted({row["date"] for row in rows})
    head = f"**{told[0]}** ({', '.join(part for part in told[1:] if part)}; {' to '.join(dict.fromkeys((dates[0], dates[-1])))})"
    lines = ["| " + " | ".join(HEADS) + " |", "|" + "---|" * len(HEADS)]
    lines += ["| " + " | ".join(cells) + " |" for row in rows for cells in _cells(row)]
    picture = [_PICTURE.format(code=code, file=name(code, record))] if any(map(host_clocks, rows)) else []
    parts = [head, *picture, "\n".join(lines), *_chart(rows), *_notes(rows)]
    return "\n\n".join(parts)


def _cells(row: Row) -> Iterator[tuple[str, ...]]:
    """The lines of a table for one measurement: one for each amount of host work."""
    shapes = sizes(row) or NONE
    clocks = host_clocks(row)
    busy = next((each for each in row["measurements"] if each["clock"] == "device"), None)
    if not clocks:
        yield (shapes, *(NONE,) * 7, row["verdict"])
        return
    for number, clock in enumerate(clocks):
        first = number == 0
        yield (
            shapes if first else "",
            f"{clock['host_work_ms']:g} ms" if len(clocks) > 1 else NONE,
            time(clock["before_ms"]),
            time(clock["after_ms"]),
            speedup(clock),
            change(time(busy["before_ms"]), time(busy["after_ms"])) if first and busy else "",
            change(row["waits_before"], row["waits_after"]) if first else "",
            change(memory(row["peak_before"]), memory(row["peak_after"])) if first else "",
            row["verdict"] if first else "",
        )


def _chart(rows: Sequence[Row]) -> Iterator[str]:
    """Bars for the first measurement: two for each amount of host work, to one scale."""
    shown = next((row for row in rows if host_clocks(row)), None)
    if shown is None:
        return
    clocks = host_clocks(shown)
    longest = max(clock[side] for clock in clocks for side in ("before_ms", "after_ms"))
    works = [f"{clock['host_work_ms']:g} ms" if len(clocks) > 1 else "" for clock in clocks]
    indent = max(map(len, works))
    lines = [(sizes(shown) or NONE)] if len(rows) > 1 else []
    for work, clock in zip(works, clocks, strict=True):
        for side in ("before", "after"):
            length = max(1, round(WIDTH * clock[f"{side}_ms"] / longest))
            lead = f"{work if side == 'before' else '':>{indent}} " if indent else ""
            lines.append(f"{lead}{side:<6} {'█' * length} {time(clock[f'{side}_ms'])}")
    yield "```text\n" + "\n".join(lines) + "\n```"


def _notes(rows: Sequence[Row]) -> Iterator[str]:
    """What has to be known beside the numbers."""
    notes = []
    if any(row.get("by_hand") for row in rows):
        notes.append("The program with the cure is written by hand: no fix of the rule made it.")
    for row in rows:
        largest = row.get("max_difference")
        if row.get("same") is False:
            told = f" (the largest difference of any number is {largest:.3g})" if largest is not None else ""
            notes.append(f"Different: {row['reason']}{told}.")
        where = f"{sizes(row) or NONE}: " if len(rows) > 1 else ""
        notes += [f"{where}{each}." for each in of_graphs(row)]
        doubtful = doubt(row["verdict"], next(iter(host_clocks(row)), None))
        if doubtful:
            notes.append(f"{where}{doubtful}.")
        notes += [f"Not compared on {name}: {why}." for name, why in (row.get("not_compared") or {}).items()]
    if notes:
        yield "\n".join(f"- {note}" for note in dict.fromkeys(notes))
