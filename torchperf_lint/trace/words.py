"""Figures of a trace as people read them."""

from __future__ import annotations

from typing import Final

from torchperf_lint.trace.predict import UNKNOWN, Gain

KILO: Final = 1024.0


def ms(value: float) -> str:
    """`13.1 ms`, `0.21 ms`, `7 us`."""
    if abs(value) >= 100:
        return f"{value:,.0f} ms"
    if abs(value) >= 1:
        return f"{value:.1f} ms" if abs(value) >= 10 else f"{value:.2f} ms"
    return f"{value:.2f} ms" if abs(value) >= 0.1 else f"{1000 * value:.0f} us"


def percent(value: float) -> str:
    """A share of a step: no more digits than it is known to."""
    return f"{100 * value:.1f} %" if abs(value) < 0.1 else f"{100 * value:.0f} %"


def gained(gain: Gain, step: float) -> str:
    """`10.9 % (8.5 to 13.2)`; where nothing is known, no figure."""
    if not step or gain == UNKNOWN:
        return "–"
    low, high = (100 * max(0.0, each) / step for each in (gain.low, gain.high))
    return f"{percent(max(0.0, gain.ms) / step)} ({low:.1f} to {high:.1f})"


def after(gain: Gain, step: float) -> str:
    """What is gained when everything above is gone already."""
    return percent(max(0.0, gain.after_ms) / step) if step and gain != UNKNOWN else ""


def size(count: float) -> str:
    for unit in ("B", "KB", "MB"):
        if count < KILO:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= KILO
    return f"{count:.1f} GB"
