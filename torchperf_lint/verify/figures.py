"""Times, ratios and sizes as people read them: in the unit that fits, with three digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

NONE: Final = "–"


def time(milliseconds: float) -> str:
    """A time in the unit that reads best."""
    for unit, scale in (("s", 1000.0), ("ms", 1.0)):
        if milliseconds >= scale:
            return f"{milliseconds / scale:.3g} {unit}"
    return f"{milliseconds * 1000:.3g} µs"


def speedup(clock: Mapping[str, Any]) -> str:
    return f"{_ratio(clock['speedup'])}× ({_ratio(clock['low'])}–{_ratio(clock['high'])})"


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def change(before: Any, after: Any) -> str:
    if before is None or after is None:
        return NONE
    shown = [f"{each:g}" if isinstance(each, (int, float)) else str(each) for each in (before, after)]
    return shown[0] if shown[0] == shown[1] else " → ".join(shown)


def memory(size: int | None) -> str | None:
    if size is None:
        return None
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size} B"


def of_graphs(result: Mapping[str, Any]) -> list[str]:
    """What Dynamo counted, of a rule about compiled code."""
    if result.get("graphs_before") is None:
        return []
    first = change(result["graphs_before"], result["graphs_after"])
    anew = change(result["recompiles_before"], result["recompiles_after"])
    seconds = change(*(_seconds(result.get(f"compile_s_{when}")) for when in ("before", "after")))
    return [f"graphs that the first call makes: {first}; that four more make: {anew}; compiling took {seconds}"]


def _seconds(value: float | None) -> str | None:
    return f"{value:.1f} s" if value is not None else None
