"""What can go wrong short of a finding: a file that cannot be linted, a setting that cannot be meant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[1]


class ConfigError(ValueError):
    """What is wrong with the settings, or with how the tool was called, as the user reads it."""


@dataclass(frozen=True, slots=True, order=True)
class Failure:
    """A file or folder that could not be linted, and why."""

    path: str
    message: str


def raised_at(error: BaseException) -> str:
    """The file and line of ours that an error comes from, for whoever reports it."""
    import traceback

    last = traceback.extract_tb(error.__traceback__)[-1]
    path = Path(last.filename)
    inside = path.relative_to(_PACKAGE).as_posix() if path.is_relative_to(_PACKAGE) else path.name
    return f"{inside}:{last.lineno}"
