"""What is a model, and which, by what it is called."""

from __future__ import annotations

import re
from typing import Final

_MODEL: Final = re.compile(
    r"^_?(?!(get|load|build|create|make|run|set|setup|init|define|train|eval|test|prepare|wrap|save|export|convert)_)"
    r"((\w+_)?(model|net|network|encoder|decoder|backbone|transformer|lm|gpt)|module)$"
)
_TEACHER: Final = re.compile(r"^(\w+_)?teacher(_(model|net|network|encoder|backbone))?$")
_RECURRENT: Final = re.compile("rnn|lstm|gru", re.IGNORECASE)


def is_model(name: str) -> bool:
    """`model(images)`, `self.value_net(x)`: of what nothing is known that is called so, a forward pass of a model; no `run_model(x)`."""
    return _MODEL.match(name) is not None


def is_teacher(name: str) -> bool:
    """`teacher(images)`, `self.ema_teacher`: nobody trains it by the loss of its student."""
    return _TEACHER.match(name) is not None


def is_recurrent(name: str) -> bool:
    """`getattr(nn, rnn_type)`, `"LSTM"`: a whole recurrent layer, and no cell."""
    return _RECURRENT.search(name) is not None and "cell" not in name.lower()
