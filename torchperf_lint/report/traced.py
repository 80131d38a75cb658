"""What a trace of the program says of a finding, in words; in its plain form here, as all reports get it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Plain = Mapping[str, Any]


def gained_ms(traced: Plain | None) -> float:
    """Milliseconds of a step that are gained without what a finding speaks of; none where nobody knows."""
    if traced is None or traced["predicted_ms"] is None or traced["at_most"]:
        return 0.0
    return max(0.0, float(traced["step_ms"]) - float(traced["predicted_ms"]))


def gained_share(traced: Plain | None) -> float:
    """The same as a share of the step; what can be gained at the most counts."""
    if traced is None or traced["predicted_ms"] is None or not traced["step_ms"]:
        return 0.0
    return max(0.0, 1 - float(traced["predicted_ms"]) / float(traced["step_ms"]))


def in_words(traced: Plain) -> str:
    """`pays: 1 wait a step, 1.49 ms; without it a step takes 10.9 % less (8.5 to 13.2)`."""
    verdict, why = str(traced["verdict"]), str(traced["why"])
    if traced["predicted_ms"] is None:
        return f"{verdict}: {why}" if why else verdict
    step = float(traced["step_ms"]) or 1.0
    low, likely, high = (100 * max(0.0, 1 - float(traced[key]) / step) for key in ("high_ms", "predicted_ms", "low_ms"))
    if traced["at_most"]:
        return f"{verdict}: {why} is {likely:.1f} % of a step"
    waits = f"{traced['waits']:g} wait{'' if traced['waits'] == 1 else 's'} a step, " if traced["waits"] else ""
    trouble = f" ({why})" if why else ""
    return (
        f"{verdict}: {waits}{traced['now_ms']:.2f} ms of {step:.2f}; "
        f"without it a step takes {likely:.1f} % less ({low:.1f} to {high:.1f}){trouble}"
    )
