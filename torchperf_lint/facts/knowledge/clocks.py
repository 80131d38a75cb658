"""What reads a clock: functions of Python, and the method by which an event of CUDA says how long something took. Data."""

from __future__ import annotations

from typing import Final

FUNCTIONS: Final = frozenset(
    ("time.monotonic", "time.monotonic_ns", "time.perf_counter", "time.perf_counter_ns", "time.process_time",
     "time.process_time_ns", "time.thread_time", "time.thread_time_ns", "time.time", "time.time_ns", "timeit.default_timer")
)  # fmt: skip
OF_EVENTS: Final = "elapsed_time"
NAMES: Final = frozenset((*(name.rpartition(".")[2] for name in FUNCTIONS), OF_EVENTS))
"""What a call that reads a clock can be of, by the last part of its name."""


def is_read(name: str | None, method: str) -> bool:
    """Whether a call reads a clock, by the dotted name of what is called and by its last part."""
    return name in FUNCTIONS or method == OF_EVENTS
