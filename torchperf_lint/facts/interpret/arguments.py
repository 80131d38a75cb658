"""The arguments of a call, as values."""

from __future__ import annotations

from typing import Any, Final

from torchperf_lint.facts.domain.join import join_all
from torchperf_lint.facts.domain.value import NO, Value


class Args:
    """Positional and named arguments; `is_open` where `*args` or `**kwargs` may hold more."""

    __slots__ = ("is_open", "named", "positional")

    def __init__(
        self, positional: tuple[Value, ...] = (), named: dict[str, Value] | None = None, is_open: bool = False
    ) -> None:
        self.positional = positional
        self.named = named if named is not None else {}
        self.is_open = is_open

    def at(self, index: int, name: str = "") -> Value | None:
        """The argument at a position, or of a name."""
        if index < len(self.positional):
            return self.positional[index]
        return self.named.get(name)

    @property
    def every(self) -> tuple[Value, ...]:
        return (*self.positional, *self.named.values())


NO_ARGS: Final = Args()


_TELLING: Final = 8
"""Constants that change what a function returns are small: a flag, a dimension, the name of a mode."""


def without_detail(value: Value) -> Value:
    """A value as an argument: constants and settings that would only make equal calls look different are dropped."""
    const = value.const
    changes: dict[str, Any] = {}
    if const is not NO and const is not None and not isinstance(const, bool):
        small = (
            -_TELLING <= const <= _TELLING
            if isinstance(const, int)
            else isinstance(const, str) and len(const) <= _TELLING
        )
        if not small:
            changes["const"] = NO
    if value.kind == "dict" and isinstance(value.items, dict) and value.items:
        entries = (*value.items.values(), *([value.elem] if value.elem is not None else []))
        changes["items"] = None
        is_uniform = len({each.kind for each in entries}) == 1  # no settings among tensors
        changes["elem"] = join_all(entries) if is_uniform else None
    elif value.kind in ("module", "loader", "optimizer") and isinstance(value.items, dict):
        settings = BATCHES_BY if value.kind == "loader" else _SETTINGS
        changes["items"] = {name: without_detail(item) for name, item in value.items.items() if name in settings}
    return value.but(**changes) if changes else value


_SETTINGS: Final = ("reduction", "fused", "batch_first", "bidirectional", "return_indices")
"""Settings of an object on which the results of its methods depend."""
DATASET: Final = ("dataset", "0")
COLLATE: Final = ("collate_fn", "6")
"""What these are called among the arguments of a loader: the name or the place."""
BATCHES_BY: Final = (*DATASET, *COLLATE, "pin_memory")
"""Settings of a loader on which its batches depend."""
