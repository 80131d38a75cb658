"""The arguments of a call, as values."""

from __future__ import annotations

from typing import Final

from torchperf_lint.facts.domain.value import Value


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
