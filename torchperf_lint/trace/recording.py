"""What a trace holds: what was seen in the profiled steps, as frozen data. What follows from it is worked out by its readers.

Times are microseconds from the beginning of the first profiled step. Lines, names and sites are numbers into tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

from torchperf_lint.trace import rounds

OPERATORS: Final = "aten::"
NOWHERE: Final = -1
"""No line, no work, no name."""


class Kind(IntEnum):
    """What a call of the host to the GPU's driver does."""

    LAUNCH = 0
    """Queues work and returns."""
    WAIT = 1
    """Returns when the GPU has done something."""
    COPY = 2
    """Queues a copy and returns when it is done: one from or to pageable memory."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that ran."""

    file: int
    number: int
    ran: int
    """How often, in all profiled steps."""
    host_us: float
    """The host's time in the line itself and in what it calls outside of recorded files, in all profiled steps."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of which lines ran."""

    path: str
    """Relative to the folder in which the run was started, with `/`; `site-packages/...` for libraries; else absolute."""
    digests: tuple[str, ...]
    """What each of its lines is known by, from the first on; empty where the text could not be read."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where something was done."""

    line: int
    """The innermost line of recorded files."""
    own: int
    """The innermost line of the program's own files."""
    forward: int = NOWHERE
    """In a backward pass, the line of the forward pass that it belongs to."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the host that queues work for the GPU or waits for it."""

    start: float
    time: float
    kind: int
    name: int
    operator: int
    """The operator of torch that made it, or the node of a backward pass, where they were recorded."""
    site: int
    events: int
    """What the profiler recorded of the host since the call before: each event took time."""
    lines: int
    """Samples of lines that the recorder took since then: they took time too."""


@dataclass(frozen=True, slots=True)
class Work:
    """Something that the GPU did."""

    call: int
    """The call that queued it."""
    start: float
    time: float
    stream: int
    name: int
    bytes: int
    blocks: int
    """Blocks of threads of a kernel; 0 for a copy."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the host's time with a name: in a loader, in an optimizer."""

    start: float
    time: float
    name: int
    site: int


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a step takes, measured without the profiler."""

    steps: int
    ms: float
    low: float
    high: float
    round: int = 1
    """After so many steps they repeat; 1 where they are alike."""
    wander: float = 0.0
    """By which part of a step one stretch of timed steps differs from another."""
    loading: float = 0.0
    """Milliseconds of a step that a loader with workers needs for its batches, whoever waits for them."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One process of a program, observed."""

    about: Mapping[str, Any]
    """Versions, GPU, rank, how steps were found."""
    timing: Timing | None
    starts: tuple[float, ...]
    """Where each profiled step begins; the last one is the end."""
    files: tuple[File, ...] = ()
    lines: tuple[Line, ...] = ()
    sites: tuple[Site, ...] = ()
    names: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    works: tuple[Work, ...] = ()
    spans: tuple[Span, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    """What torch counted during the profiled steps: allocator retries, graph breaks, compiled graphs."""
    untold: tuple[str, ...] = ()
    """What cannot be told of this trace, and why, in sentences."""

    @property
    def steps(self) -> int:
        return max(0, len(self.starts) - 1)

    @property
    def profiled_ms(self) -> float:
        """A step under the profiler."""
        counted = self.usual(0)
        return sum(self.starts[each + 1] - self.starts[each] for each in counted) / max(1, len(counted)) / 1e3

    def usual(self, first: int) -> list[int]:
        """The steps from one on that count: of steps that are alike, none in which something else held the host up."""
        alike = self.timing is None or self.timing.round == 1
        left_out = rounds.stalls(self.starts) if alike else frozenset()
        return [each for each in range(first, self.steps) if each not in left_out]

    @property
    def knows_operators(self) -> bool:
        """Whether each operator of torch was recorded, as in traces of torch's own profiler and in older ones of ours."""
        return any(name.startswith(OPERATORS) for name in self.names)

    @property
    def has_gpu(self) -> bool:
        return bool(self.works)

    def name(self, number: int) -> str:
        return self.names[number] if number != NOWHERE else ""

    def place(self, line: int) -> tuple[str, int] | None:
        """The file and number of a line."""
        if line == NOWHERE:
            return None
        found = self.lines[line]
        return self.files[found.file].path, found.number
