"""Binds a real call to the overload of its schema, and tells of what kind a real value is. Imports torch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from torchperf_lint.facts.knowledge import Overload, Parameter

NUMPY = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}


class UnknownError(Exception):
    """The row makes no promise for this call."""


@dataclass
class Call:
    """A call with its arguments by the names of the overload that takes them."""

    name: str
    overload: Overload
    given: dict[str, Any]
    """A receiver stands first, under no name."""
    actual: torch.Tensor | None = None
    """The first tensor itself, where `given` holds a copy of it because the call changes it."""

    @property
    def tensors(self) -> list[torch.Tensor]:
        return [value for value in flat(self.given.values()) if isinstance(value, torch.Tensor)]

    @property
    def first(self) -> torch.Tensor:
        if not self.tensors:
            raise UnknownError
        return self.tensors[0]

    @property
    def other(self) -> torch.Tensor:
        if len(self.tensors) < 2:
            raise UnknownError
        return self.tensors[1]


def flat(values: Iterable[Any]) -> Iterable[Any]:
    for value in values:
        if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
            yield from flat(value)
        else:
            yield value


def bind(
    name: str, overloads: Sequence[Overload], receiver: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Call | None:
    """The first overload that takes the arguments; the receiver of a method stands first, under no name."""
    for overload in overloads:
        given = _given(overload.parameters, args, kwargs)
        if given is not None:
            return Call(name, overload, {"": receiver[0], **given} if receiver else given)
    return None


def _given(parameters: tuple[Parameter, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    given: dict[str, Any] = {}
    rest = list(args)
    by_name = {each.name: each for each in parameters}
    for parameter in parameters:
        if parameter.many and rest:
            given[parameter.name] = tuple(rest)
            rest = []
        elif rest and not parameter.keyword and not parameter.many:
            given[parameter.name] = rest.pop(0)
    for word, value in kwargs.items():
        name = word if word in by_name else NUMPY.get(word, word)
        if name not in by_name or name in given:
            return None
        given[name] = value
    if rest or not all(each.name in given or each.default or each.many for each in parameters):
        return None
    return given if all(_fits(by_name[name], value) for name, value in given.items()) else None


def _fits(parameter: Parameter, value: Any) -> bool:
    if value is None:
        return parameter.default or parameter.none or parameter.type in ("T?", "?")
    if parameter.type in ("True", "False"):
        return value is (parameter.type == "True")
    return _FITS[parameter.type](value)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex))


_FITS: dict[str, Callable[[Any], bool]] = {
    "T": lambda value: isinstance(value, torch.Tensor),
    "T?": lambda value: isinstance(value, torch.Tensor),
    "N": lambda value: isinstance(value, torch.Tensor) or is_number(value),
    "L": lambda value: isinstance(value, (list, tuple)) and all(isinstance(item, torch.Tensor) for item in value),
    "i": _is_int,
    "I": lambda value: (
        _is_int(value) or (isinstance(value, (list, tuple)) and all(item is None or _is_int(item) for item in value))
    ),
    "f": is_number,
    "b": lambda value: isinstance(value, bool),
    "s": lambda value: isinstance(value, str),
    "d": lambda value: isinstance(value, torch.dtype),
    "D": lambda value: isinstance(value, (str, torch.device)) or _is_int(value),
    "g": lambda value: isinstance(value, torch.Generator),
    "?": lambda _: True,
}


def kind_of(value: Any) -> str:
    """The return kind of a value, in the words of `schema`."""
    if isinstance(value, torch.Tensor):
        return "T"
    if isinstance(value, torch.Size):
        return "size"
    if isinstance(value, (tuple, list)):
        if value and all(isinstance(item, torch.Tensor) for item in value):
            return "T" * len(value) if len(value) > 1 else "L"
        return "list"
    for kind, name in (
        (bool, "bool"),
        (int, "int"),
        (float, "float"),
        (complex, "number"),
        (str, "str"),
        (torch.dtype, "dtype"),
    ):
        if isinstance(value, kind):
            return name
    return "none" if value is None else "device" if isinstance(value, torch.device) else type(value).__name__


def agrees(returns: str | tuple[str, ...], value: Any, receiver: list[Any]) -> bool:
    """Whether a value is what the schema's return kind says."""
    if isinstance(returns, tuple):
        return (
            isinstance(value, (tuple, list))
            and len(value) == len(returns)
            and all(map(agrees, returns, value, [[]] * len(returns)))
        )
    if returns in ("any", "object"):
        return returns == "any" or not isinstance(value, torch.Tensor)
    if returns == "self":
        return bool(receiver) and value is receiver[0]
    if returns == "T?":
        return value is None or isinstance(value, torch.Tensor)
    if returns == "L":
        return isinstance(value, (tuple, list)) and all(isinstance(item, torch.Tensor) for item in value)
    if returns == "number":
        return is_number(value)
    if returns == "list":
        return isinstance(value, (list, tuple, int, float))
    return kind_of(value) == returns or (returns == "float" and isinstance(value, float) and not math.isnan(value))
