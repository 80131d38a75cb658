"""What can go wrong short of a finding: a file that cannot be linted, a setting that cannot be meant."""

from __future__ import annotations

from dataclasses import dataclass


class ConfigError(ValueError):
    """What is wrong with the settings, or with how the tool was called, as the user reads it."""


@dataclass(frozen=True, slots=True, order=True)
class Failure:
    """A file or folder that could not be linted, and why."""

    path: str
    message: str
