"""The calls in other files that make things of a class, where all of them are seen.

nets.py     class Field: def __init__(self, fast=False): ...
app.py      Field(fast=True)                 the only one, so `fast` is True
more.py     TABLE = {"field": Field}         whoever has the class may make things of it: nobody knows
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context.callers_elsewhere import Site, key_of
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

ASKING: Final[tuple[str, ...]] = ("isinstance", "issubclass")
"""Functions that are given a class only to compare it."""


@once
def elsewhere(analysis: Analysis, owner: Class) -> list[Site] | None:
    """The calls in other files of the project, tests aside, that make things of a class; None where somebody else may make some."""
    neighbours = analysis.around()
    if neighbours is None or not neighbours.names_all(analysis, owner.name, None):
        return None
    if not neighbours.can_read_all(analysis, owner.name, None) or _own(analysis, owner) is None:
        return None
    found: list[Site] = []
    for other in neighbours.callers(analysis, owner.name, None):
        calls = _calls(other, owner)
        if calls is None:
            return None
        found += [(other, call) for call in calls]
    return found


def everywhere(analysis: Analysis, owner: Class) -> list[Site] | None:
    """The same with those in its own file."""
    others, own = elsewhere(analysis, owner), _own(analysis, owner)
    return None if others is None or own is None else [*((analysis, call) for call in own), *others]


def all_reads(analysis: Analysis, owner: Class) -> list[tuple[Analysis, ast.expr]] | None:
    """Where the project reads a class, tests and comparisons aside: who hands it on may make things of it. None where somebody else may."""
    found = _all_reads(analysis, owner)
    if found is None:
        return None
    own, others = found
    return [*((analysis, read) for read in own), *others]


@once
def _all_reads(analysis: Analysis, owner: Class) -> tuple[list[ast.expr], list[tuple[Analysis, ast.expr]]] | None:
    """Those in the class's own file, and those in others: what an analysis keeps must not hold itself."""
    neighbours = analysis.around()
    if neighbours is None or not neighbours.names_all(analysis, owner.name, None):
        return None
    if not neighbours.can_read_all(analysis, owner.name, None):
        return None
    try:
        found = [(other, read) for other in readers(analysis, owner) for read in reads(other, owner)]
    except GaveUpError:
        return None
    found = [each for each in found if not _is_compared(*each)]
    return [read for other, read in found if other is analysis], [each for each in found if each[0] is not analysis]


def _is_compared(other: Analysis, read: ast.expr) -> bool:
    above = other.module.parents.get(read)
    return isinstance(above, ast.Call) and last_name(above.func) in ASKING


@once
def _own(analysis: Analysis, owner: Class) -> list[ast.Call] | None:
    return _calls(analysis, owner)


def _calls(other: Analysis, owner: Class) -> list[ast.Call] | None:
    """The calls in one file that make things of a class; None where it does something else with the class."""
    module, made = other.module, []
    try:
        for read in named(module, owner):
            call = module.parents.get(read)
            if isinstance(call, ast.Call) and last_name(call.func) in ASKING:
                continue
            ref = _class(other, read)
            if isinstance(ref, Class) and (key_of(ref) != key_of(owner) or _is_beside(module, read, ref)):
                continue
            if not (isinstance(ref, Class) and isinstance(call, ast.Call) and call.func is read):
                return None
            made.append(call)
    except GaveUpError:
        return None
    return made


def _is_beside(module: Module, read: ast.expr, owner: Class) -> bool:
    """Whether a class is read for a function that it has, and that makes none, or as a key: `{Block: Block.count}`."""
    match module.parents.get(read):
        case ast.Attribute(attr=attr):
            method = owner.methods.get(attr)
            return method is not None and not any(
                isinstance(each, ast.expr) and last_name(each) in (owner.name, "classmethod", "cls")
                for each in ast.walk(method.node)
            )
        case ast.Dict(keys=keys):
            return read in keys
    return False


def _class(other: Analysis, read: ast.expr) -> object:
    """What a name stands for, where that is a class of the project."""
    value = other.value(read, other.module)
    if value.kind == "symbol":
        value = other.resolve(value.ref) or value
    return value.ref


def readers(analysis: Analysis, owner: Class) -> Iterator[Analysis]:
    """The files that may read a class: its own, and those that import it."""
    yield analysis
    neighbours = analysis.around()
    if neighbours is not None:
        yield from neighbours.callers(analysis, owner.name, None)


def reads(other: Analysis, owner: Class) -> Iterator[ast.expr]:
    """Where a file reads a class."""
    for read in named(other.module, owner):
        ref = _class(other, read)
        if isinstance(ref, Class) and key_of(ref) == key_of(owner):
            yield read


def named(module: Module, owner: Class) -> Iterator[ast.expr]:
    """Where a file reads the name of a class, other than in the class itself."""
    for name in module.spelled(frozenset((owner.name,))):
        loads = names.loads(module, None).get(name, ())
        yield from (each for each in loads if not any(above is owner.node for above in module.ancestors(each)))
        yield from module.attributes.get(name, ())
