"""The degrees of heat; `heat` says what each stands for."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from torchperf_lint.facts.domain.fact import Fact, Sure


class Heat(IntEnum):
    """How often code runs; compares."""

    H0 = 0
    H1 = 1
    H2 = 2
    H3 = 3


COLD: Final = Fact(Heat.H0, Sure.PROVEN)
