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
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

_MAKING: Final = frozenset(
    ("arange", "linspace", "logspace", "ones", "zeros", "full", "eye", "hann_window", "hamming_window", "fftfreq")
)
_DRAWING: Final = frozenset(
    ("rand", "randn", "randint", "randperm", "bernoulli", "multinomial", "normal", "dropout", "rand_like", "randn_like")
)
_SETTLED: Final = ("number", "string", "device", "dtype", "none")
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


NOTHING: Final = Made(0, False, False)


def candidates(module: Module) -> Iterator[ast.AST]:
    """The values of assignments in functions that make a tensor."""
    within = _makers(module, module.tree)
    for kind in (ast.Assign, ast.AnnAssign):
        for each in module.by_type.get(kind, ()):
            value = getattr(each, "value", None)
            if isinstance(value, (ast.Call, ast.BinOp)) and module.function_of(each) in within:
                yield value


@once
def _makers(module: Module, _: ast.Module) -> frozenset[Function]:
    """The functions that make a tensor."""
    return frozenset(
        module.function_of(call) for name in sorted(_MAKING & module.calls.keys()) for call in module.calls[name]
    )


def is_settled(facts: Facts, node: ast.AST) -> bool:
    """Whether an assigned expression is worth keeping, and is not only a part of another that is."""
    module = facts.module
    function = module.function_of(node)
    if (
        not isinstance(node, (ast.Call, ast.BinOp))
        or function.is_module
        or function not in _makers(module, module.tree)
    ):
        return False
    found = _made(facts, node, _DEEP)
    if found is None or not found.makes or found.operations < _LEAST + found.sized:
        return False
    above = module.parents.get(node)
    if not isinstance(above, (ast.Assign, ast.AnnAssign)) or facts.analysis.value(node, module).kind != "tensor":
        return False
    target = above.targets[0] if isinstance(above, ast.Assign) else above.target
    if not isinstance(target, ast.Name):
        return False
    if any(isinstance(each, (ast.If, ast.IfExp, ast.ExceptHandler)) for each in module.ancestors(node)):
        return False  # made where it is not there yet, or for some settings alone
    reads = definitions.reads_after(module, target)
    return not any(_is_part(facts, read) for read in reads)


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
        case ast.Attribute() if value.kind in ("device", "dtype"):
            return NOTHING
        case ast.Attribute(value=ast.Name(id="self")) if value.kind in (*_SETTLED, "unknown") and _is_setting(
            facts, node
        ):
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
        kind = facts.analysis.value(name, facts.module).kind
        return NOTHING if kind in ("device", "dtype") else None
    if name.id not in function.scope.stores:
        constant = facts.analysis.value(name, facts.module)
        return NOTHING if constant.kind in (*_SETTLED, "symbol") else None
    bound = definitions.reaching(facts.module, name)
    value = definitions.unpacked(facts.module, bound) if bound is not None else None
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
    if name == "size" and dotted is None:
        return Made(0, False, True)
    if name in _DRAWING or name.endswith("_") or any(each.arg in ("out", None) for each in call.keywords):
        return None
    if (dotted is not None and dotted.startswith("math.")) or dotted in ("len", "int", "float", "max", "min"):
        return _sum(facts, given, deep, 0)
    method = dotted is None and isinstance(call.func, ast.Attribute)
    effect = knowledge.effect(name if method else dotted or "", method=method)
    if effect is None or effect.inplace or name in ("tensor", "as_tensor", "cuda", "cpu"):
        return None
    parts = (call.func.value, *given) if method and isinstance(call.func, ast.Attribute) else given
    if name in ("to", "type", "float", "half", "type_as"):
        return _sum(facts, parts[:1], deep, 0)
    makes = dotted is not None and name in _MAKING
    found = _sum(facts, parts, deep, 0 if makes or effect.view is not False else 1)
    return Made(found.operations, True, found.sized) if found is not None and makes else found


def _sum(facts: Facts, parts: tuple[ast.expr, ...], deep: int, operations: int) -> Made | None:
    found = [_made(facts, each, deep - 1) for each in parts]
    if any(each is None for each in found):
        return None
    known = [each for each in found if each is not None]
    return Made(
        operations + sum(each.operations for each in known),
        any(each.makes for each in known),
        any(each.sized for each in known),
    )


def _is_setting(facts: Facts, attribute: ast.Attribute) -> bool:
    """Whether methods that set up bind an attribute to what they are given, or to a number, and no other method binds it."""
    function = facts.module.function_of(attribute).method
    owner = function.owner if function is not None else None
    if owner is None or not isinstance(attribute.value, ast.Name):
        return False
    sites = [
        (method.name, each) for method in owner.methods.values() for each in method.sets if each.attr == attribute.attr
    ]
    return bool(sites) and all(
        name in ("__init__", "setup", "__post_init__") and _is_plain(facts, each) for name, each in sites
    )


def _is_plain(facts: Facts, bound: ast.Attribute) -> bool:
    """Whether an attribute is bound to what the constructor is given, or to a number; a parameter or a buffer is none."""
    match facts.module.parents.get(bound):
        case ast.Assign(value=ast.Name(id=name)):
            given = facts.module.function_of(bound).parameters.get(name)
            return given is not None and facts.analysis.value(bound, facts.module).kind in (*_SETTLED, "unknown")
        case ast.Assign(value=value):
            return facts.analysis.value(value, facts.module).kind in _SETTLED
    return False
