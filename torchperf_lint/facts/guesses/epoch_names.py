"""What is called after an epoch, and what after an evaluation."""

from __future__ import annotations

import re
from typing import Final

_EPOCH: Final = re.compile(r"(^|_)(epoch|ep)s?(_|$)|^epoch|epoch$", re.IGNORECASE)
_EVALUATION: Final = re.compile(r"(^|_)(val|valid|validation|test|eval|dev|infer|predict)", re.IGNORECASE)


def is_epoch(name: str) -> bool:
    """Whether a name stands for the number of an epoch."""
    return _EPOCH.search(name) is not None


def is_of_evaluation(name: str) -> bool:
    """Whether a name is that of something for an evaluation."""
    return _EVALUATION.search(name) is not None


def says_epoch(name: str) -> bool:
    """`train_one_epoch`, `for epoch_i in ...`: goes through all of the data once; `ep` may be an episode, `eps` is a small number."""
    return "epoch" in name.lower()
