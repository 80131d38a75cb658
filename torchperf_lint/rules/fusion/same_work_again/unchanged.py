"""Whether a call works out a tensor of what it reads, and nothing else, and whether what it reads stays what it is.

Knows syntax, and what works out a tensor and does nothing else.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import in_place_writes, pure_work
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, last_name, place_of, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchperf_lint.facts.facade import Facts

_MAKING: Final = frozenset(
    ("zeros", "ones", "eye", "zeros_like", "ones_like", "new_zeros", "new_ones", "new_tensor", "clone", "arange", "linspace",
     "deepcopy")
)  # fmt: skip
"""Who makes two of these wants two: they are filled behind, or cost nothing."""
_CASTING: Final = frozenset(
    ("to", "cuda", "cpu", "type", "type_as", "float", "double", "half", "bfloat16", "int", "long", "bool", "contiguous")
)
"""These do nothing where a tensor is that already."""
_LOOKED_AT: Final = frozenset(("shape", "device", "dtype", "ndim"))
_LEFT: Final = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, *COMPREHENSIONS)
_PLACED: Final = (ast.stmt, ast.expr)
_HARMLESS: Final = frozenset(("print", "append", "extend", "info", "debug", "warning", "add_scalar", "set_postfix"))
"""What is called for its effect, and has none on tensors."""
_SETTING_UP: Final = ("__init__", "__post_init__", "setup")


def is_worth_keeping(facts: Facts, call: ast.Call) -> bool:
    """Whether a call works out a tensor that is neither a view nor a buffer, and does nothing else."""
    if not may_be_worth_keeping(facts.module, call):
        return False
    value = facts.analysis.value(call, facts.module)
    if value.kind != "tensor" or value.rank == 0 or not pure_work.makes_tensor(facts.analysis, facts.module, call):
        return False
    return all(_is_harmless(facts, each) for each in walk(call))


def may_be_worth_keeping(module: Module, call: ast.Call) -> bool:
    """The same for all that names tell: most calls are of nothing that torch has."""
    name = last_name(call.func)
    if name in _MAKING or name in _CASTING or name.endswith("Tensor") or not pure_work.by_name(module, call):
        return False
    return module.function_of(call).name not in _SETTING_UP


def is_largest(facts: Facts, node: ast.AST, holds: Callable[[Facts, ast.Call], bool]) -> bool:
    """Whether something holds of a call, and of no larger one around it; asked of each call once."""
    if not isinstance(node, ast.Call) or not _holds(facts, node, holds):
        return False
    around = (each for each in facts.module.ancestors(node) if isinstance(each, ast.Call))
    return not any(_holds(facts, each, holds) for each in around)


def _holds(facts: Facts, call: ast.Call, holds: Callable[[Facts, ast.Call], bool]) -> bool:
    answers, key = facts.analysis.answers, (holds, call)
    if key not in answers:
        answers[key] = holds(facts, call)
    found: bool = answers[key]
    return found


def _is_harmless(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return pure_work.makes_tensor(facts.analysis, facts.module, node) is not None
    return not isinstance(node, _LEFT)


def read(node: ast.expr) -> set[str]:
    """The names that an expression reads."""
    return {each.id for each in walk(node) if isinstance(each, ast.Name)}


def reads_changing(module: Module, node: ast.expr) -> bool:
    """Whether an expression reads an attribute that is bound anew anywhere but where an object is set up."""
    function = module.function_of(node)
    called = {id(each.func) for each in walk(node) if isinstance(each, ast.Call)}
    return any(
        each.attr in _bound_attributes(module, module.tree)
        for each in walk(node)
        if isinstance(each, ast.Attribute)
        and id(each) not in called
        and each.attr not in _LOOKED_AT
        and names.dotted(function, each) is None
    )


@once
def _bound_attributes(module: Module, _: ast.Module) -> frozenset[str]:
    """The attributes that a file binds, but for those that only what sets an object up binds."""
    return frozenset(
        name
        for name, nodes in module.attributes.items()
        if any(
            not isinstance(each.ctx, ast.Load) and module.function_of(each).name not in _SETTING_UP for each in nodes
        )
    )


def acts_between(module: Module, function: Function, place: tuple[int, int], call: ast.Call) -> bool:
    """Whether anything is called for its effect between a place and a call, written into, or added to a list that the call reads."""
    acts, grown, end = _acts(module, function), _grown(module, function), place_of(call)
    lists = [grown[name] for name in sorted(read(call)) if name in grown]
    return any(bisect_left(each, place) != bisect_left(each, end) for each in (acts, *lists))


@once
def _acts(_: Module, function: Function) -> list[tuple[int, int]]:
    """Where a function calls something for its effect, or writes into a tensor, in the order of the source."""
    return sorted(place_of(each) for each in walk(function.node) if isinstance(each, _PLACED) and may_change(each))


@once
def _grown(_: Module, function: Function) -> dict[str, list[tuple[int, int]]]:
    """Where a function adds to its lists, by their names, in the order of the source."""
    found: dict[str, list[tuple[int, int]]] = {}
    for each in sorted((each for each in walk(function.node) if isinstance(each, ast.Call)), key=place_of):
        if (name := added_to(each)) is not None:
            found.setdefault(name, []).append(place_of(each))
    return found


def added_to(node: ast.AST) -> str | None:
    """The name of the list to which a call adds something."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend")):
            return name
    return None


def may_change(node: ast.AST) -> bool:
    """Whether a node calls something for its effect, or writes into a tensor."""
    match node:
        case ast.Expr(value=ast.Call(func=func)):
            return last_name(func) not in _HARMLESS
        case ast.Subscript(ctx=ast.Store() | ast.Del(), slice=index):
            return not (isinstance(index, ast.Constant) and isinstance(index.value, str))
        case ast.Call(func=ast.Attribute(attr=name), keywords=keywords):
            return (name.endswith("_") and not name.endswith("__")) or any(each.arg == "out" for each in keywords)
        case ast.Yield() | ast.YieldFrom() | ast.Await():
            return True
    return False


def is_written(module: Module, call: ast.Call) -> bool:
    """Whether what a call gives is written in place behind it, at once or by the name that it is bound to."""
    match module.parents.get(call):
        case ast.Assign(targets=[ast.Name() as bound]):
            return any(in_place_writes.writes(module, each) for each in definitions.reads_after(module, bound)) or any(
                isinstance(module.parents.get(each), ast.AugAssign)
                for each in module.function_of(bound).scope.stores.get(bound.id, ())
            )
        case ast.Attribute(attr=name):
            return name.endswith("_")
        case ast.Assign() | ast.AnnAssign() | ast.Return() | ast.Dict() | ast.keyword():
            return True  # who has it then may write into it
    return False
