"""What a traced program is told, in one variable of its environment, and the names of the files in which it answers.

Read in the user's process and in ours: it stands on nothing but Python.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

VARIABLE: Final = "TORCHPERF_LINT_TRACE"

EARLIEST: Final = 2
"""The first step that can be profiled, from 0."""

SEEN: Final = ".seen"
"""A Python process of the program has started, and the hook was loaded."""
STATE: Final = ".state.json"
"""What a process with torch knows of its steps, rewritten whenever it knows more."""
MARKS: Final = ".marks"
"""A byte for each profiled step that has begun: all that is left of them where a process is killed and cannot write."""
PROFILE: Final = ".profile.json"
"""The events of the profiled steps, as torch's profiler exports them."""
LINES: Final = ".lines.json"
"""Which lines ran when in these steps."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a program is observed."""

    folder: str
    """Where the answers go: a private folder of the run."""
    first: int | None = None
    """The first step to profile, from 0; None finds its own time."""
    last: int | None = None
    """The first step after it that is not profiled."""
    step: str | None = None
    """`FILE:LINE`: a step begins whenever this line runs."""
    rank: int | None = None
    """The only rank to observe."""
    profile: bool = True
    """Whether steps are profiled, or only timed."""
    warm: int | None = None
    """The steps before those that are timed, where nothing is profiled; None: as many as it takes."""
    stop: bool = False
    """Whether the program ends when all is seen."""
    results: int = 0
    """So many steps of which results are written down, instead of times."""
    nudged: bool = False
    """Whether parameters are moved by their last digit after each step, to see what rounding alone makes of results."""
    deterministic: bool = False
    """Whether torch is to compute the same each time, as far as it can."""
    prepares: bool = False
    """Whether this process only imports what the program will: others are split off from it."""
    loaded: bool = False
    """Whether the program's modules are written down; nothing is timed then."""
    moved: tuple[str, str] | None = None
    """A folder and its copy: what the program would import from the one, it imports from the other."""

    def text(self) -> str:
        return json.dumps(asdict(self))


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings | None:
    """The settings that this process was given; None where it was given none, or none that can be read."""
    try:
        plain: Any = json.loads(environment[VARIABLE])
        return Settings(**plain)
    except (KeyError, ValueError, TypeError):
        return None


def rank_of(environment: Mapping[str, str] = os.environ) -> tuple[int, int, int]:
    """The rank of this process, its rank on this machine, and how many there are, as torchrun and others say it."""
    rank = _number(environment, ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"), 0)
    local = _number(environment, ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK"), rank)
    return rank, local, _number(environment, ("WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE"), 1)


def _number(environment: Mapping[str, str], names: tuple[str, ...], default: int) -> int:
    return next((int(environment[name]) for name in names if environment.get(name, "").isdigit()), default)
