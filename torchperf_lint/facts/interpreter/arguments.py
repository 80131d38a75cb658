"""The arguments of a call, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from torchperf_lint.facts.values import Value


@dataclass(frozen=True, slots=True)
class Args:
    """Positional and named arguments; `open` where `*args` or `**kwargs` may hold more."""

    positional: tuple[Value, ...] = ()
    named: dict[str, Value] = field(default_factory=dict)
    open: bool = False

    def at(self, index: int, name: str = "") -> Value | None:
        """The argument at a position, or of a name."""
        if index < len(self.positional):
            return self.positional[index]
        return self.named.get(name)

    @property
    def every(self) -> tuple[Value, ...]:
        return (*self.positional, *self.named.values())


NO_ARGS: Final = Args()
