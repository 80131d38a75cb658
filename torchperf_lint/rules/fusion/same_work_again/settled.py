"""Tensors that a forward pass works out of settings and sizes alone: frequencies, masks, positions, windows.

    weights = 2 ** torch.arange(self.bits - 1, -1, -1, device=x.device)          the same at each call: a buffer
    angles = torch.outer(torch.arange(n), self.frequencies).cos()                the same for each length: keep it by length

Knows syntax, and what works out a tensor and does nothing else.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.guesses import count_names, function_names
from torchperf_lint.facts.idioms import in_place_writes
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.rules.fusion.same_work_again import makers, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

_OF_NUMBERS: Final = frozenset(("len", "int", "float", "max", "min", "torch.cuda.current_device"))
_LEAST: Final = 2
"""So many operations beside those that make what they start from are worth keeping their result."""
_DEEP: Final = 16


@dataclass(frozen=True, slots=True)
class Made:
    """What a settled expression takes."""

    operations: int
    makes: bool
    """Whether a tensor is made in it, and not only looked at."""
    sized: bool
    """Whether it hangs on the size of something that is given."""
    is_called: bool = False
    """Whether a function of the program makes it, and nothing else."""


NOTHING: Final = Made(0, False, False)


def candidates(module: Module) -> Iterator[ast.AST]:
    """The values of assignments in functions that make a tensor."""
    within = _makers(module, module.tree)
    for kind in (ast.Assign, ast.AnnAssign):
        for each in module.by_type.get(kind, ()):
            value = getattr(each, "value", None)
            if isinstance(value, (ast.Call, ast.BinOp)) and (module.function_of(each) in within or _calls_maker(value)):
                yield value


def _calls_maker(value: ast.expr) -> bool:
    """Whether a value is a call of what is named after anchors, grids, masks, ..., or what that gives is moved."""
    while isinstance(value, ast.Call):
        if function_names.makes_table(last_name(value.func)):
            return True
        value = value.func.value if isinstance(value.func, ast.Attribute) else value.func
    return False


@once
def _makers(module: Module, _: ast.Module) -> frozenset[Function]:
    """The functions that make a tensor."""
    return frozenset(
        module.function_of(call) for name in sorted(makers.MAKING & module.calls.keys()) for call in module.calls[name]
    )


def is_settled(facts: Facts, node: ast.AST) -> bool:
    """Whether an assigned expression is worth keeping, and is not only a part of another that is."""
    module = facts.module
    function = module.function_of(node)
    if (
        not isinstance(node, (ast.Call, ast.BinOp))
        or function.is_module
        or not (function in _makers(module, module.tree) or _calls_maker(node))
    ):
        return False
    above = module.parents.get(node)
    if not isinstance(above, (ast.Assign, ast.AnnAssign)):
        return False
    target = above.targets[0] if isinstance(above, ast.Assign) else above.target
    if not isinstance(target, (ast.Name, ast.Tuple)):
        return False
    if any(isinstance(each, (ast.If, ast.IfExp, ast.ExceptHandler)) for each in module.ancestors(node)):
        return False  # made where it is not there yet, or for some settings alone
    found = _made(facts, node, _DEEP)
    if found is None or not found.makes or found.operations < _LEAST + found.sized:
        return False
    kind = facts.analysis.value(node, module).kind
    is_one = isinstance(target, ast.Name) and kind == "tensor"
    if kind not in ("tensor", "tuple", "unknown") or not (is_one or found.is_called):
        return False
    reads = definitions.reads_after(module, target) if isinstance(target, ast.Name) else []
    return not any(_is_part(facts, read) for read in reads)


def is_small(facts: Facts, node: ast.AST) -> bool:
    """Whether an expression is settled that the function writes out: a handful of operations, where one that the program has a
    function for may be more."""
    found = _made(facts, node, _DEEP) if isinstance(node, ast.expr) else None
    return found is not None and not found.is_called


def _is_part(facts: Facts, read: ast.Name) -> bool:
    """Whether a read stands in the value of an assignment that is settled as well."""
    statement = facts.module.statement(read)
    value = getattr(statement, "value", None)
    return (
        isinstance(statement, (ast.Assign, ast.AnnAssign))
        and value is not None
        and _made(facts, value, _DEEP) is not None
    )


def _made(facts: Facts, node: ast.expr, deep: int) -> Made | None:
    """What an expression takes that hangs on settings and sizes alone; None for any other. Each is worked out once."""
    if deep == 0:
        return None
    answers, key = facts.analysis.answers, (_made, node, deep)
    if key not in answers:
        answers[key] = _of_expression(facts, node, deep)
    found: Made | None = answers[key]
    return found


def _of_expression(facts: Facts, node: ast.expr, deep: int) -> Made | None:
    value = facts.analysis.value(node, facts.module)
    match node:
        case ast.Constant():
            return NOTHING
        case ast.Name():
            return _of_name(facts, node, deep)
        case ast.Attribute() if value.kind in ("device", "dtype") or node.attr in ("device", "dtype"):
            return NOTHING
        case ast.Attribute(value=ast.Name(id="self")) if value.kind in (
            *settings.SETTLED,
            "unknown",
            "list",
            "tuple",
        ) and settings.is_setting(facts, node):
            return NOTHING
        case ast.Attribute(attr="shape"):
            return Made(0, False, True)
        case ast.Attribute() if (names.dotted(facts.module.function_of(node), node) or "").startswith(
            ("torch.", "math.")
        ):
            return NOTHING
        case ast.Call():
            return _of_call(facts, node, deep)
        case ast.BinOp(left=left, right=right):
            return _sum(facts, (left, right), deep, 1 if value.kind == "tensor" else 0)
        case ast.UnaryOp(operand=operand):
            return _sum(facts, (operand,), deep, 1 if value.kind == "tensor" else 0)
        case ast.Compare(left=left, comparators=others):
            return _sum(facts, (left, *others), deep, 1 if value.kind == "tensor" else 0)
        case ast.Subscript(value=of, slice=index):
            return _sum(facts, (of, index), deep, 0)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return _sum(facts, tuple(parts), deep, 0)
        case ast.Slice():
            return _sum(facts, tuple(each for each in (node.lower, node.upper, node.step) if each is not None), deep, 0)
    return None


def _of_name(facts: Facts, name: ast.Name, deep: int) -> Made | None:
    function = facts.module.function_of(name)
    if name.id in function.parameters:
        given = facts.analysis.value(name, facts.module)
        if given.kind == "number" and given.dtype != "float" and count_names.is_of_elements(name.id):
            return Made(0, False, True)
        return NOTHING if given.kind in ("device", "dtype") else None
    if name.id not in function.scope.stores:
        constant = facts.analysis.value(name, facts.module)
        return NOTHING if constant.kind in (*settings.SETTLED, "symbol") else None
    bound = definitions.reaching(facts.module, name)
    value = definitions.unpacked(facts.module, bound) if bound is not None else None
    if isinstance(bound, ast.Name) and any(
        in_place_writes.writes(facts.module, read) for read in definitions.reads_after(facts.module, bound)
    ):
        return None  # filled with something else
    if value is None:
        return _of_shape(facts, bound)
    return _made(facts, value, deep - 1)


def _of_shape(facts: Facts, bound: ast.AST | None) -> Made | None:
    """One of the sizes that are unpacked: `b, n, d = x.shape`."""
    statement = facts.module.statement(bound) if bound is not None else None
    match statement:
        case ast.Assign(
            targets=[ast.Tuple()], value=ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"))
        ):
            return Made(0, False, True)
    return None


def _of_call(facts: Facts, call: ast.Call, deep: int) -> Made | None:
    name = last_name(call.func)
    given = (*call.args, *(each.value for each in call.keywords))
    dotted = names.dotted(facts.module.function_of(call), call.func)
    if function_names.makes_table(name) and (own := _of_own(facts, call, deep)) is not None:
        return own
    if name == "size" and dotted is None:
        return Made(0, False, True)
    if name in makers.DRAWING or name.endswith("_") or any(each.arg in ("out", None) for each in call.keywords):
        return None
    if dotted in _OF_NUMBERS or (dotted or "").startswith("math."):
        return _sum(facts, given, deep, 0)
    method = dotted is None and isinstance(call.func, ast.Attribute)
    effect = knowledge.effect(name if method else dotted or "", method=method)
    if effect is None or effect.inplace or name in ("tensor", "as_tensor", "cuda", "cpu"):
        return None
    parts = (call.func.value, *given) if method and isinstance(call.func, ast.Attribute) else given
    if name in ("to", "type", "float", "half", "type_as"):
        return _sum(facts, parts[:1], deep, 0)
    makes = dotted is not None and name in makers.MAKING
    counted = tuple(each for each in parts if makes and _is_given(facts, each))
    parts = tuple(each for each in parts if each not in counted)
    found = _sum(facts, parts, deep, 0 if makes or effect.view is not False else 1)
    if found is not None and counted:
        found = Made(found.operations, found.makes, True, found.is_called)
    return Made(found.operations, True, found.sized, found.is_called) if found is not None and makes else found


def _is_given(facts: Facts, node: ast.expr) -> bool:
    """Whether an argument of what makes a tensor is a parameter: it is a number then, of elements."""
    if not isinstance(node, ast.Name) or node.id not in facts.module.function_of(node).parameters:
        return False
    value = facts.analysis.value(node, facts.module)
    return count_names.is_of_elements(node.id) and value.kind in ("number", "unknown")


def _of_own(facts: Facts, call: ast.Call, deep: int) -> Made | None:
    """What a function of the program takes that makes tensors of settings and sizes, and of what is given nothing else."""
    function = settings.called(facts, call)
    if function is None or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    taken, given = makers.operations(function.module, function), settings.given(function, call)
    if taken is None or given is None or not settings.reads_settings(facts, function):
        return None
    (count, makes), sized = taken, False
    for name, argument in given.items():
        made = _made(facts, argument, deep - 1)
        if made is None and name not in makers.looked_at(function.module, function):
            return None
        sized = sized or made is None or made.sized
        if made is not None:
            count, makes = count + made.operations, makes or made.makes
    return Made(count, makes, sized, is_called=True)


def _sum(facts: Facts, parts: tuple[ast.expr, ...], deep: int, operations: int) -> Made | None:
    found = [_made(facts, each, deep - 1) for each in parts]
    if any(each is None for each in found):
        return None
    known = [each for each in found if each is not None]
    return Made(
        operations + sum(each.operations for each in known),
        any(each.makes for each in known),
        any(each.sized for each in known),
        any(each.is_called for each in known),
    )
