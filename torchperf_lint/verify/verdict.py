"""What the numbers of a measurement come to, in a word.

Results first: faster but different is `different`. Then time: a verdict needs 3 % and an interval that agrees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from torchperf_lint.model.impact import WORTH
from torchperf_lint.verify.plan import Plan
from torchperf_lint.verify.stats import is_at_an_edge

Plain = dict[str, Any]

FASTER: Final = "faster"
NO_GAIN: Final = "no gain"
SLOWER: Final = "slower"
DIFFERENT: Final = "different"
CANNOT_TELL: Final = "cannot tell"
"""Of a program alone: its runs differ by more than a gain that counts."""
NOT_MEASURED: Final = "not measured"


COUNTED: Final = tuple(
    f"{what}_{when}" for what in ("waits", "peak", "graphs", "recompiles", "compile_s") for when in ("before", "after")
)
"""What a result has beside times, each before and after the fix; null where it was not counted."""


@dataclass(frozen=True, slots=True)
class Device:
    """What measured."""

    name: str
    """As its maker calls it."""
    torch: str
    cuda: bool
    about: Plain = field(default_factory=dict)

    @property
    def gpus(self) -> int:
        """How many GPUs a bench of several processes may have."""
        return int(self.about.get("gpus", 1)) if self.cuda else 0


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a plan."""

    plan: Plan
    verdict: str
    reason: str | None = None
    """Why it was not measured, or what differs."""
    result: Plain = field(default_factory=dict)
    """What the worker said."""
    host_work: float = 0.0
    """The milliseconds of host work from which the verdict comes."""

    @property
    def words(self) -> str:
        """The verdict as reports say it."""
        return f"{self.verdict}: {self.reason}" if self.verdict == NOT_MEASURED else self.verdict

    @property
    def clock(self) -> Plain | None:
        """The times that the verdict comes from."""
        clocks = self.result.get("clocks", ())
        found = (each for each in clocks if each["clock"] == "host" and each["host_work_ms"] == self.host_work)
        return next(found, None)

    @property
    def confirmed(self) -> bool:
        """Whether the fix may be applied on this: it pays, gives the same, and nothing of it is assumed."""
        return self.verdict == FASTER and not self.plan.assumed and self.result["parity"]["same"]

    def to_plain(self, device: Device) -> Plain:
        """As the JSON report shows it."""
        parity = self.result.get("parity")
        return {
            "verdict": self.words,
            "same": parity["same"] if parity else None,
            "max_difference": finite(parity["difference"]) if parity else None,
            **{name: self.result.get(name) for name in COUNTED},
            "measurements": [
                {
                    "clock": each["clock"], "host_work_ms": each["host_work_ms"],
                    "before_ms": milliseconds(each["before"]["median"]), "after_ms": milliseconds(each["after"]["median"]),
                    "speedup": round(each["speedup"], 3), "low": round(each["low"], 3), "high": round(each["high"], 3),
                }
                for each in self.result.get("clocks", ())
            ],
            "shapes": dict(self.plan.settings),
            "assumed": list(self.plan.assumed),
            "device": self.result.get("device", device.name),
            "torch": device.torch,
        }  # fmt: skip


def milliseconds(seconds: float) -> float:
    return float(f"{seconds * 1000:.4g}")


def finite(number: float) -> float | None:
    """A number as JSON can hold it."""
    return number if abs(number) != float("inf") and number == number else None


def of(plan: Plan, result: Plain, host_work: float) -> Measured:
    """What a result of the worker comes to."""
    if "failed" in result:
        return not_measured(plan, result["failed"])
    if result.get("out_of_memory"):
        return not_measured(plan, "out of memory")
    parity = result["parity"]
    if not parity["same"]:
        return Measured(plan, DIFFERENT, parity["reason"], result, host_work)
    if parity["broken"]:
        return not_measured(plan, f"the bench raises {parity['broken']}")
    times = Measured(plan, NO_GAIN, None, result, host_work)
    clock = times.clock
    assert clock is not None
    return Measured(plan, of_times(clock["speedup"], clock["low"], clock["high"]), None, result, host_work)


def of_times(speedup: float, low: float, high: float) -> str:
    """The verdict of times alone."""
    if speedup >= WORTH and low > 1:
        return FASTER
    if speedup <= 1 / WORTH and high < 1:
        return SLOWER
    return NO_GAIN


def doubt(verdict: str, clock: Mapping[str, Any] | None) -> str | None:
    """What to know of a verdict that another run may turn over; `clock` holds the times that it comes from."""
    if verdict not in (FASTER, NO_GAIN, SLOWER) or clock is None or not is_at_an_edge(clock["low"], clock["high"]):
        return None
    return f"{verdict}, but not for certain: the interval holds the 3 % on which a verdict turns, so another run may differ"


def not_measured(plan: Plan, reason: str) -> Measured:
    return Measured(plan, NOT_MEASURED, reason)
