"""Tensors that are made only to be counted, or to say where something is written.

distinct = torch.unique(target)          the values themselves are never looked at:
few = len(distinct) < 2                  they are counted, and
if few: loss = 0 * loss                  the count chooses between two tensors
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import counts, masked, shapes
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.walk import says

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_DISTINCT: Final = frozenset(("unique", "unique_consecutive"))


@dataclass(frozen=True, slots=True)
class Choice:
    """An `if` that gives one tensor a new value, or leaves it."""

    name: ast.Name
    value: ast.expr
    sign: str
    """Of the operator of `loss *= 0`; empty for an assignment."""


def may_be_counted(facts: Facts, node: ast.AST) -> bool:
    """Whether what an expression gives is counted, or is indices made of a condition."""
    if not isinstance(node, ast.expr):
        return False
    return indexed(facts, node) is not None or count(facts, counts.only_read(facts.module, node)) is not None


def only_read(facts: Facts, node: ast.AST) -> ast.expr | None:
    """Where a value is used: the expression itself, or the one read of the name that it is bound to."""
    return counts.only_read(facts.module, node) if isinstance(node, ast.expr) else None


def count(facts: Facts, node: ast.AST) -> ast.expr | None:
    """The expression that counts what another one holds."""
    return counts.count(facts.module, node)[0] if isinstance(node, ast.expr) else None


def counted_mask(facts: Facts, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The mask whose number of elements some selected elements or indices have, and the expression that counts them."""
    mask = _listed(facts, node)
    if isinstance(node, ast.Subscript):
        mask = masked.only_mask(facts.analysis, facts.module, node)
    if mask is None or not isinstance(node, ast.expr):
        return None
    counting, of_elements = counts.count(facts.module, counts.only_read(facts.module, node))
    if counting is None or (of_elements and not _covers_all(facts, mask, node)):
        return None
    return mask, counting


def _covers_all(facts: Facts, mask: ast.expr, node: ast.expr) -> bool:
    """Whether a mask has as many dimensions as what it selects from, so that each element that it selects is one."""
    if not isinstance(node, ast.Subscript):
        return False
    return shapes.dimensions_short(facts.analysis, facts.module, mask, node.value) == 0


def _operation(
    facts: Facts, call: ast.AST, known: frozenset[str]
) -> tuple[str, ast.expr, list[ast.expr], list[ast.keyword]] | None:
    """The operation of torch that a call is, its tensor, its other arguments by place, and those by name."""
    if not isinstance(call, ast.Call):
        return None
    function = call.func
    if isinstance(function, ast.Attribute) and facts.analysis.value(function.value, facts.module).kind == "tensor":
        return (function.attr, function.value, call.args, call.keywords) if function.attr in known else None
    head, _, last = (names.dotted(facts.module.function_of(call), function) or "").rpartition(".")
    if head == "torch" and last in known and call.args:
        return last, call.args[0], call.args[1:], call.keywords
    return None


def indexed(facts: Facts, call: ast.AST) -> ast.expr | None:
    """What a call turns into indices, one tensor of them for each dimension."""
    found = _operation(facts, call, frozenset(("nonzero", "where")))
    if found is None or found[2]:
        return None
    name, tensor, _, named = found
    match named:
        case [ast.keyword(arg="as_tuple", value=ast.Constant(value=True))] if name == "nonzero":
            return tensor
        case [] if name == "where":
            return tensor
    return None


def _listed(facts: Facts, call: ast.AST) -> ast.expr | None:
    """What a call lists the indices of, one row for each element: `nonzero`, `argwhere`."""
    found = _operation(facts, call, frozenset(("nonzero", "argwhere")))
    return found[1] if found is not None and not found[2] and not found[3] else None


def distinct(facts: Facts, call: ast.AST) -> tuple[ast.expr, bool] | None:
    """The tensor whose distinct values a call gives and nothing else, and whether equal ones need not be neighbours."""
    found = _operation(facts, call, _DISTINCT)
    if found is None or found[2] or any(keyword.arg != "sorted" for keyword in found[3]):
        return None
    return found[1], found[0] == "unique"


def choice(facts: Facts, node: ast.AST) -> Choice | None:
    """What an `if` does that only gives a tensor a value, made from what it was."""
    match node:
        case ast.If(body=[ast.Assign(targets=[ast.Name() as name], value=value)], orelse=[]):
            read = says(value, name.id)
            is_tensor = facts.analysis.value(value, facts.module).kind == "tensor"
            return Choice(name, value, "") if read and is_tensor else None
        case ast.If(body=[ast.AugAssign(target=ast.Name() as name, op=op, value=value)], orelse=[]):
            return Choice(name, value, _sign(op)) if facts.analysis.value(name, facts.module).kind == "tensor" else None
    return None


def _sign(operator: ast.operator) -> str:
    """An operator as Python writes it."""
    return ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))[1:-1].strip()
