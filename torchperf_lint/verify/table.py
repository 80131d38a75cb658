"""What was measured, as a table for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from torchperf_lint.model.impact import impacts
from torchperf_lint.report.terminal import Ink, Pen, visible
from torchperf_lint.verify.figures import NONE, change, memory, of_graphs, speedup, time
from torchperf_lint.verify.verdict import CANNOT_TELL, DIFFERENT, FASTER, NO_GAIN, SLOWER, Device, Measured, doubt

INKS: Final = {
    FASTER: Ink.NEW, NO_GAIN: Ink.DIM, CANNOT_TELL: Ink.WARNING, SLOWER: Ink.WARNING, DIFFERENT: Ink.ERROR,
}  # fmt: skip
HEADS: Final = (
    "rule",
    "places",
    "host work",
    "before",
    "after",
    "speed-up",
    "GPU busy",
    "waits",
    "peak memory",
    "verdict",
)
_WIDTH: Final = 110
NAMED: Final = 4
"""So many places of a row are named."""


def render(
    done: Sequence[Measured],
    device: Device,
    places: Mapping[str, str],
    pen: Pen,
    traced: Mapping[str, str] | None = None,
) -> str:
    """The table, then for each row its places and shapes.

    `places` names findings by their fingerprint, `traced` is what a trace of the user's program says of them.
    """
    about = device.about
    system = ", ".join(part for part in (f"torch {device.torch}", about.get("toolkit")) if part)
    lines = [pen(f"Measured on {device.name} ({system})", Ink.BOLD), ""]
    rows = [row for each in done for row in _rows(each)]
    widths = [max(len(row[column]) for row in [HEADS, *rows]) for column in range(len(HEADS))]
    lines.append(pen(_line(HEADS, widths), Ink.DIM))
    for row in rows:
        verdict = row[-1].partition(":")[0]
        lines.append(_line(row[:-1], widths) + "  " + pen(row[-1], INKS.get(verdict, Ink.DIM)))
    lines.append("")
    for number, each in enumerate(done, 1):
        lines += _details(number, each, places, pen, traced or {})
    return "\n".join(lines) + "\n"


def in_a_line(each: Measured) -> str:
    """A result as it is told when it comes."""
    named = f"{each.plan.code} {each.plan.name}" if each.plan.code else each.plan.name
    return f"{named}: {each.words}" + (f" {speedup(each.clock)}" if each.clock is not None else "")


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=False)).rstrip()


def _rows(measured: Measured) -> Iterator[tuple[str, ...]]:
    """A row for each amount of host work; the first one says what holds for all."""
    result, plan = measured.result, measured.plan
    clocks = [each for each in result.get("clocks", ()) if each["clock"] == "host"]
    device = next((each for each in result.get("clocks", ()) if each["clock"] == "device"), None)
    head = (plan.code or plan.name, str(len(plan.places) or NONE))
    if not clocks:
        yield (*head, *(NONE,) * 7, measured.words)
        return
    clocks.sort(key=lambda each: each["host_work_ms"] != measured.host_work)
    for number, clock in enumerate(clocks):
        first = number == 0
        yield (
            *(head if first else ("", "")),
            f"{clock['host_work_ms']:g} ms" if len(clocks) > 1 else NONE,
            time(1000 * clock["before"]["median"]),
            time(1000 * clock["after"]["median"]),
            speedup(clock),
            change(time(1000 * device["before"]["median"]), time(1000 * device["after"]["median"]))
            if first and device
            else "",
            change(result.get("waits_before"), result.get("waits_after")) if first else "",
            change(memory(result.get("peak_before")), memory(result.get("peak_after"))) if first else "",
            measured.words if first else "",
        )


def _details(
    number: int, measured: Measured, places: Mapping[str, str], pen: Pen, traced: Mapping[str, str]
) -> Iterator[str]:
    plan = measured.plan
    at = [visible(places[place]) for place in plan.places if place in places]
    title = f"{plan.code or plan.name} {plan.name if plan.code else ''}".strip()
    more = f" and {len(at) - NAMED} more" if len(at) > NAMED else ""
    yield pen(f"{number}. {title}", Ink.BOLD) + (": " + ", ".join(at[:NAMED]) + more if at else "")
    known = [f"{name} = {value}" for name, value in plan.settings if name not in plan.assumed]
    assumed = [f"{name} = {value}" for name, value in plan.settings if name in plan.assumed]
    lines = [f"measured on {measured.result['device']}"] if "device" in measured.result else []
    lines += [f"from the source or given: {', '.join(known)}"] if known else []
    lines += [f"assumed: {', '.join(assumed)} (give them with --shape)"] if assumed else []
    if measured.verdict == DIFFERENT:
        lines.append(f"different: {measured.reason}; {_largest(measured)}")
    lines += of_graphs(measured.result)
    doubtful = doubt(measured.verdict, measured.clock)
    lines += [doubtful] if doubtful else []
    lines += _share(measured, traced)
    for name, why in measured.result.get("parity", {}).get("skipped", {}).items():
        lines.append(f"not compared on {name}: {why}")
    if measured.result.get("parity", {}).get("unsteady"):
        lines.append("the original itself gives other results from run to run")
    if plan.programs is not None and plan.programs.safety.name == "SHOWN":
        lines.append("the program with the cure is written by hand: no fix of the rule made it")
    for line in lines:
        yield textwrap.fill(line, _WIDTH, initial_indent="   ", subsequent_indent="     ")


def _share(measured: Measured, traced: Mapping[str, str]) -> list[str]:
    """What a ratio of a part of a step says of a step: what a trace knows, else that nobody knows."""
    plan = measured.plan
    if measured.clock is None or not plan.places:
        return []
    known = list(dict.fromkeys(traced[place] for place in plan.places if place in traced))
    if known:
        return [f"in a run of your program: {each}" for each in known[:NAMED]]
    impact = impacts().get(plan.code or "")
    if impact is None or not impact.part:
        return []
    of = impact.setting.partition(", of ")[0]  # the sizes are those that were measured
    return [f"the ratio is {of}: what share of a step that is, only a trace of your program tells (--trace)"]


def _largest(measured: Measured) -> str:
    return f"the largest difference of any number is {measured.result['parity']['difference']:.3g}"
