"""Which way of calling a torch function a call takes: its overload, and which argument goes to which parameter.

    x.max()        input            -> T
    x.max(1)       input, dim: int  -> TT
    x.max(y)       input, other: T  -> T       where nothing is known of the argument, both remain, and they disagree

Knows values and schemas, nothing of syntax.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from torchperf_lint.facts.domain.value import Kind, Value
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.knowledge import Overload, Parameter

_FITS: Final[dict[str, tuple[str, ...]]] = {
    "T": ("tensor", "tensor_tree"), "T?": ("tensor", "tensor_tree", "none"), "N": ("tensor", "tensor_tree", "number"),
    "L": ("list", "tuple", "iterator", "tensor_tree"), "i": ("number",), "I": ("number", "tuple", "list", "size"),
    "f": ("number", "tensor", "tensor_tree"),
    "b": ("number",), "True": ("number",), "False": ("number",), "s": ("string",), "d": ("dtype", "symbol"),
    "D": ("device", "string", "number"), "g": ("generator",),
}  # fmt: skip
"""The kinds of values that a parameter of a type takes."""

_ALIASES: Final = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""NumPy's names, which torch takes everywhere."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The overload that a call takes, and its arguments by parameter."""

    overload: Overload
    bound: dict[str, Value]
    certain: bool
    """Every argument is known to fit, and no other overload could be meant."""


def choose(overloads: tuple[Overload, ...], args: Args) -> Chosen | None:
    """The overload of a call; None where arguments that are not known leave two that return different things."""
    possible: list[Chosen] = []
    if args.is_open:  # `x.view(-1, *sizes)` is the one that takes as many as come
        overloads = tuple(
            sorted(overloads, key=lambda each: not any(p.many and not p.keyword for p in each.parameters))
        )
    for overload in overloads:
        bound = _bind(overload, args)
        if bound is None:
            continue
        fits = [_fit(parameter, bound[parameter.name]) for parameter in overload.parameters if parameter.name in bound]
        if False in fits:
            continue
        certain = None not in fits and not args.is_open
        possible.append(Chosen(overload, bound, certain))
        if certain:
            break
    if not possible:
        return None
    if possible[-1].certain:
        return possible[-1]
    first = possible[0]
    if any(other.overload.returns != first.overload.returns for other in possible):
        return None
    return next((each for each in possible if each.overload.parameters[:1] and each.overload.parameters[0].many), first)


def _bind(overload: Overload, args: Args) -> dict[str, Value] | None:
    """Which argument goes to which parameter; None if they cannot."""
    bound: dict[str, Value] = {}
    parameters = overload.parameters
    values = list(args.positional)
    for parameter in parameters:
        if parameter.keyword:
            continue
        if parameter.many:
            kind: Kind = "size" if parameter.type == "I" else "tuple"
            if args.is_open:
                bound[parameter.name] = Value(kind)  # `x.view(-1, *sizes)`: nobody knows how many
                values = []
            elif values:
                bound[parameter.name] = (
                    values[0] if len(values) == 1 and _is_list(values[0]) else Value(kind, items=tuple(values))
                )
                values = []
            break
        if not values:
            break
        bound[parameter.name] = values.pop(0)
    if values:
        return None
    if args.named and not _bind_named(parameters, args.named, bound):
        return None
    for parameter in () if args.is_open else parameters:
        if not parameter.default and not parameter.many and parameter.name not in bound:
            return None
    return bound


def _bind_named(parameters: tuple[Parameter, ...], named: dict[str, Value], bound: dict[str, Value]) -> bool:
    """Add what is given by name; whether there are parameters for all of it."""
    names = {parameter.name for parameter in parameters}
    takes_any = any(parameter.keyword and parameter.many for parameter in parameters)
    for given, value in named.items():
        name = given if given in names else _ALIASES.get(given, given)
        if name in names and name not in bound:
            bound[name] = value
        elif not takes_any:
            return False
    return True


def _is_list(value: Value) -> bool:
    return value.kind in ("tuple", "list", "size", "iterator", "unknown")


def _fit(parameter: Parameter, value: Value) -> bool | None:
    """Whether a value fits a parameter; None: it may."""
    code = parameter.type
    if value.kind == "unknown":
        return None
    if code == "?" or (value.none and code != "T"):
        return True if code == "?" else None
    if value.kind == "none":
        # Most parameters with a default take None for it, whatever the schema says.
        return code.endswith("?") or parameter.default or parameter.none
    kinds = _FITS[code]
    if value.kind not in kinds:
        if parameter.many and value.kind in ("tuple", "list", "size"):
            return True
        if code in ("i", "b", "I") and value.kind == "tensor" and value.rank in (0, None):
            return None
        return False
    if code in ("True", "False"):
        return None if not isinstance(value.const, bool) else value.const is (code == "True")
    if code == "b":
        return True if value.dtype == "bool" else None if value.dtype is None else False
    if code in ("i", "I") and value.kind == "number":
        return {"int": True, "bool": None, None: None}.get(value.dtype, False)
    if code == "I" and parameter.many and value.kind in ("tuple", "size") and isinstance(value.items, tuple):
        return all(item.kind in ("number", "tensor", "unknown", "tuple", "list", "size") for item in value.items)
    if value.kind == "tensor_tree" or (code == "I" and value.kind in ("list", "tuple") and not _ints(value)):
        return None
    return True


def _ints(value: Value) -> bool:
    items = value.items if isinstance(value.items, tuple) else ()
    return all(item.kind == "number" for item in items)
