"""Every path in findings, or in what is known of lines, written in another way: a project's as the reader's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")


def with_paths(data: T, written: Callable[[str], str]) -> T:
    """Frozen data with each field called `path` written anew, however deep it lies."""
    changed: Any = data
    if isinstance(data, tuple):
        changed = tuple(with_paths(each, written) for each in data)
    elif is_dataclass(data) and not isinstance(data, type):
        values = {each.name: getattr(data, each.name) for each in fields(data)}
        new = {name: written(value) if name == "path" else with_paths(value, written) for name, value in values.items()}
        changed = replace(data, **{name: value for name, value in new.items() if value is not values[name]})
    return changed  # type: ignore[no-any-return]
