"""What an operation of torch is called with, as the words of `knowledge.operations` speak of it."""

from __future__ import annotations

from torchperf_lint.facts.domain.value import NO, Value


class Operands:
    """The arguments of one call."""

    __slots__ = ("bound", "every", "first", "name")

    def __init__(self, name: str, first: Value | None, every: list[Value], bound: dict[str, Value]) -> None:
        self.name = name
        """Of the operation."""
        self.first = first
        """The first tensor, if it is one."""
        self.every = every
        """The tensors and numbers that the result is made of."""
        self.bound = bound
        """All arguments by the names of the parameters."""

    @property
    def rank(self) -> int | None:
        """Of the first tensor."""
        return self.first.rank if self.first is not None and self.first.kind == "tensor" else None

    @property
    def dtype(self) -> str | None:
        """Of the first operand."""
        return self.first.dtype if self.first is not None else None

    @property
    def no_numbers(self) -> list[Value]:
        return [value for value in self.every if value.kind != "number"]

    def flag(self, name: str, default: bool | None = False) -> bool | None:
        """A setting that is true or false; None where it is given and not known."""
        value = self.bound.get(name)
        return default if value is None else truth(value)

    def is_condition_alone(self) -> bool:
        """`torch.where(condition)`, which gives places."""
        return not any(name in self.bound for name in ("input", "self", "other"))


def truth(value: Value) -> bool | None:
    return bool(value.const) if value.const is not NO and value.kind == "number" else None


def largest_rank(values: list[Value | None] | list[Value]) -> int | None:
    """The rank of the one with the most dimensions, if all are tensors of a known rank."""
    found: int | None = None
    for value in values:
        if value is None or value.kind not in ("tensor",) or value.rank is None:
            return None
        found = value.rank if found is None else max(found, value.rank)
    return found


def number_of_sizes(value: Value | None) -> int | None:
    """How many sizes are given."""
    if value is None:
        return None
    if value.kind == "number":
        return 1
    if isinstance(value.items, tuple):
        if len(value.items) == 1 and value.items[0].kind in ("tuple", "list", "size"):
            return number_of_sizes(value.items[0])
        if any(item.kind in ("tuple", "list", "size", "unknown") for item in value.items) and len(value.items) == 1:
            return None
        return len(value.items)
    return None
