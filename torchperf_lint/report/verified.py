"""What `--verify` measured of a finding, in words; in its plain form here, as all reports get it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Plain = Mapping[str, Any]


def in_words(verified: Plain) -> str:
    """`faster: 1.08x (1.05 to 1.11), a step 10.1 ms before and 9.38 ms after`."""
    verdict, clocks = str(verified["verdict"]), verified["measurements"]
    own = next((each for each in clocks if each["clock"] == "step"), None)
    found = own or next((each for each in clocks if each["clock"] == "host"), None)
    if found is None:
        return verdict
    what = "a step" if own else "in a small program, a call"
    times = " and ".join(f"{found[f'{side}_ms']:.3g} ms {side}" for side in ("before", "after"))
    return f"{verdict}: {found['speedup']:.2f}x ({found['low']:.2f} to {found['high']:.2f}), {what} {times}"
