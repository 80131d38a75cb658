"""The page of `trace`: how to use it, what its figures are, how far they can be trusted, and the format of its files.

The figures are those of `rules_docs/measured/trace.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.docs.trace_text import SAYS

if TYPE_CHECKING:
    from pathlib import Path

BUSY: Final = 0.9


def page(file: Path) -> str:
    """The page, from the figures on file."""
    noted = json.loads(file.read_text(encoding="utf-8"))
    programs, later, turns = noted["programs"], noted["h100"]["programs"], noted["turns"]["programs"]
    seen, seen_h100, seen_turns = (_sum(each, "waits_seen_by_torch") for each in (programs, later, turns))
    right, right_h100, right_turns = (_sum(each, "of_them_on_the_same_line") for each in (programs, later, turns))
    return SAYS.format(
        gpu=noted["gpu"], torch=noted["torch"], count=len(programs),
        public=sum(each["made"] == "public" for each in programs), table="\n".join(_table(programs)), seen=seen, right=right,
        share=right / seen, table_h100="\n".join(_table_of_removals(later)),
        seen_h100=seen_h100, right_h100=right_h100, costs_h100=_costs(later), turns=noted["turns"],
        table_turns="\n".join(_table_of_turns(turns)), seen_turns=seen_turns, right_turns=right_turns,
        slower_gpu=_slower(programs, busy=True), slower_host=_slower(programs, busy=False),
    )  # fmt: skip


def _sum(programs: list[dict[str, Any]], key: str) -> int:
    return sum(each.get(key) or 0 for each in programs)


def _table(programs: list[dict[str, Any]]) -> Iterator[str]:
    yield "| program | step | GPU busy | predicted | | measured | same program, elsewhere |"
    yield "|---|---|---|---|---|---|---|"
    for each in sorted(programs, key=lambda program: (program["made"], program["program"])):
        elsewhere = each["other_process_ms"]
        cells = (
            f"{each['program']}: {each['what']}",
            f"{each['step_ms']:.1f} ms",
            f"{each['gpu_busy']:.0%}",
            _between(each),
            each["verdict"],
            "–" if each["measured"] is None else f"{each['measured']:.1%}",
            "–" if elsewhere is None else f"{elsewhere / each['step_ms'] - 1:+.1%}",
        )
        yield f"| {' | '.join(cells)} |"


def _table_of_removals(programs: list[dict[str, Any]]) -> Iterator[str]:
    yield "| program | step | GPU busy | removed | predicted | | measured | itself |"
    yield "|---|---|---|---|---|---|---|---|"
    for each in sorted(programs, key=lambda program: (program["made"], program["program"])):
        cells = (
            f"{each['program']}: {each['what']}",
            f"{each['step_ms']:.1f} ms",
            f"{each['gpu_busy']:.0%}",
            each["removed"],
            _between(each),
            each["verdict"],
            f"{each['measured']:.1%}",
            f"{each['again_ms'] / each['as_it_is_ms'] - 1:+.1%}",
        )
        yield f"| {' | '.join(cells)} |"


def _table_of_turns(programs: list[dict[str, Any]]) -> Iterator[str]:
    yield "| program | step | GPU busy | armed | profiled | removed | predicted | | measured |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for each in sorted(programs, key=lambda program: (program["made"], program["program"], program["run"])):
        profiled = each["turns"].get("profiled")
        of_program = (
            f"{each['program']}: {each['what']}",
            f"{each['step_ms']:.1f} ms",
            f"{each['gpu_busy']:.0%}",
            _with_spread(each["armed"]["median"], each["armed"]["interval"]),
            f"{profiled['median_ms'] / each['turns']['bare']['median_ms'] - 1:+.0%}" if profiled else "–",
        )
        for removed in [one for one in each["removed"] if one["measured"] is not None] or [None]:
            of_removal = ("–", "–", "–", "–")
            if removed:
                measured = _with_spread(removed["measured"], removed["interval"])
                of_removal = (removed["what"], _between(removed), removed["verdict"], measured)
            yield f"| {' | '.join((*of_program, *of_removal))} |"


def _with_spread(value: float, interval: list[float] | None) -> str:
    return f"{value:.1%}" + (f" ({interval[0]:.1%} to {interval[1]:.1%})" if interval else "")


def _between(program: dict[str, Any]) -> str:
    if program["predicted"] is None:
        return "–"
    return f"{program['predicted']:.1%} ({program['low']:.1%} to {program['high']:.1%})"


def _costs(programs: list[dict[str, Any]]) -> str:
    """What profiled steps take more, with operators and without."""
    return "; ".join(
        f"{each['program']} {_more(each['with_operators'])} with operators, {_more(each)} now"
        for each in programs
        if each["with_operators"]
    )


def _more(took: dict[str, float]) -> str:
    return f"{took['profiled_ms'] / took['step_ms'] - 1:+.0%}"


def _slower(programs: list[dict[str, Any]], *, busy: bool) -> str:
    """By how much steps take longer under the profiler."""
    found = sorted(
        each["profiled_ms"] / each["step_ms"] - 1
        for each in programs
        if (each["gpu_busy"] >= BUSY) is busy and each["predicted"] is not None
    )
    return f"{found[0]:.0%} to {found[-1]:.0%}"
