"""The classes of the program: where they bind their attributes, and what their instances are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import Fact, Sure
from torchperf_lint.facts.domain.value import Kind
from torchperf_lint.facts.guesses import base_names
from torchperf_lint.facts.index.insides import REGISTERING
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret.ancestry import LONGEST, unseen

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

Site = tuple[Function, ast.AST]
"""A place that binds an attribute, and the function it stands in."""


def sites(owner: Class) -> dict[str, list[Site]]:
    """By attribute, every place of a class that binds it; those of `__init__` first."""
    if owner.sites is None:
        owner.sites = _sites(owner)
    return owner.sites


def sites_of(owner: Class, attribute: str) -> list[Site]:
    """The same of one attribute; the body of the class is enough where nothing else can bind it."""
    if owner.module.sets(attribute):
        return sites(owner).get(attribute, [])
    return [(owner.within, target) for target in owner.targets if target.id == attribute]


def _sites(owner: Class) -> dict[str, list[Site]]:
    found: dict[str, list[Site]] = {}
    methods = sorted(owner.methods.values(), key=lambda method: method.name != "__init__")
    for target in owner.targets:
        found.setdefault(target.id, []).append((owner.within, target))
    for method in methods:
        if method.is_static or not method.positional:
            continue
        receiver = method.positional[0]
        for function in _with_inner(method):
            for node in function.sets:
                if isinstance(node.value, ast.Name) and node.value.id == receiver:
                    found.setdefault(node.attr, []).append((function, node))
    for call in (call for name in REGISTERING for call in owner.module.calls.get(name, ())):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name()), args=[ast.Constant(value=str(attr)), _, *_]):
                function = owner.module.function_of(call)
                if function.owner is owner:
                    found.setdefault(attr, []).append((function, call))
    return found


def _with_inner(function: Function) -> Iterator[Function]:
    yield function
    for inner in function.inner:
        yield from _with_inner(inner)


_TOO_FAR: Final = "<too far up>"
"""Stands for the bases at which nobody looks any more."""


def kind(analysis: Analysis, owner: Class) -> Fact[Kind]:
    """What an instance of a class is: a module, a dataset, ... or just an instance.

    By the bases that the program does not show: what the tables know of them, else what they are called: likely.
    """
    outside = unseen_bases(analysis, owner)
    known = next((each for name in outside if (each := knowledge.instance(name)) not in (None, "object")), None)
    if known is not None:
        return Fact("module" if known == "metric" else known, Sure.PROVEN)  # type: ignore[arg-type]
    has_forward = any("forward" in each.methods for each in analysis.ancestry(owner))
    guessed = base_names.kind(outside, has_forward=has_forward)
    return Fact("instance", Sure.PROVEN) if guessed is None else Fact(guessed, Sure.LIKELY)


def unseen_bases(analysis: Analysis, owner: Class) -> list[str]:
    """The names of the bases, its own and inherited ones, that the program does not define; dotted where they are imported."""
    line = list(analysis.ancestry(owner))
    names = [name for each in line for name in unseen(analysis, each)]
    return [*names, _TOO_FAR] if len(line) == LONGEST else names


def find_method(analysis: Analysis, owner: Class, name: str, *, is_above: bool = False) -> Function | None:
    """A method of a class or of its bases in the program, or of those alone."""
    for each in analysis.ancestry(owner)[is_above:]:
        if name in each.methods:
            return each.methods[name]
    return None


def constructor(analysis: Analysis, method: Function) -> Function | None:
    """The `__init__` that the class of another method has itself, if the class is a module."""
    owner = method.owner
    if owner is None or analysis.kind(owner) != "module":
        return None
    made = owner.methods.get("__init__")
    return made if made is not method else None
