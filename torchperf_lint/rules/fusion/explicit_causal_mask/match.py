"""Masks that are nothing but causal, followed from the attention back to where they are made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_MASK_PLACE: Final = 3
DEEP: Final = 10
_KEEPING: Final = frozenset(
    ("to", "bool", "view", "unsqueeze", "type_as", "float", "half", "cuda", "type", "contiguous")
)


def mask(facts: Facts, call: ast.AST) -> ast.expr | None:
    """The mask of an attention that lets each place look at itself and what is before it, and says nothing else."""
    if not isinstance(call, ast.Call) or any(each.arg in (None, "is_causal") for each in call.keywords):
        return None
    named = next((each.value for each in call.keywords if each.arg == "attn_mask"), None)
    given = named or (call.args[_MASK_PLACE] if len(call.args) > _MASK_PLACE else None)
    return given if given is not None and _is_causal(facts, given, DEEP) else None


def has_causal_mask(facts: Facts, call: ast.AST) -> bool:
    return mask(facts, call) is not None


def _is_causal(facts: Facts, node: ast.expr, deep: int) -> bool:
    """Whether an expression is a square causal mask, in whatever dtype or shape."""
    if not deep:
        return False
    match node:
        case ast.Name():
            bound = definitions.definition(facts.module, node)
            return bound is not None and _is_causal(facts, bound, deep - 1)
        case ast.Attribute(value=ast.Name()):
            made = _kept(facts, node)
            return made is not None and _is_causal(facts, made, deep - 1)
        case ast.Subscript(value=of, slice=index):
            return _is_square(index) and _is_causal(facts, of, deep - 1)
        case ast.Compare(left=of, ops=[ast.Eq() | ast.NotEq() | ast.Gt()], comparators=[ast.Constant(value=0 | 1)]):
            return _is_causal(facts, of, deep - 1)
        case ast.BinOp(left=of, op=ast.Mult(), right=ast.UnaryOp() | ast.Constant() | ast.Call()):
            return _is_causal(facts, of, deep - 1)
        case ast.UnaryOp(op=ast.Invert(), operand=of):
            return _is_causal(facts, of, deep - 1)
        case ast.Call():
            return _is_made_causal(facts, node, deep)
    return False


def _is_made_causal(facts: Facts, call: ast.Call, deep: int) -> bool:
    if last_name(call.func) == "generate_square_subsequent_mask":
        return True
    found = operations.of(facts.module, call)
    if found is None:
        return False
    if found.name in ("tril", "triu"):
        diagonal = operations.number(facts.analysis, facts.module, found.given("diagonal", 0))
        starts = found.given("diagonal", 0) is None
        fits = (starts or diagonal == 0) if found.name == "tril" else diagonal == 1
        return fits and _is_full_square(found.tensor)
    if found.name in ("masked_fill", "masked_fill_") and len(found.rest) == 2:
        return _is_causal(facts, found.rest[0], deep - 1)
    return found.name in _KEEPING and _is_causal(facts, found.tensor, deep - 1)


def _is_full_square(node: ast.expr) -> bool:
    """Whether a triangle is cut from a square of one number: `torch.ones(n, n)`, `torch.full((n, n), float("-inf"))`."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in ("ones", "full"):
        return False
    sizes = node.args
    if sizes and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = sizes[0].elts
    return len(sizes) >= 2 and operations.same(sizes[0], sizes[1])


def _is_square(index: ast.expr) -> bool:
    """Whether an index takes the same of the last two dimensions: `[:, :, :n, :n]`; or adds dimensions before them."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    taken = [each for each in parts if not (isinstance(each, ast.Constant) and each.value in (None, ...))]
    if not all(isinstance(each, ast.Slice) and each.lower is None and each.step is None for each in taken):
        return False
    bounds = [each.upper for each in taken if isinstance(each, ast.Slice) and each.upper is not None]
    if not bounds:
        return True
    return (
        len(bounds) == 2
        and len(taken) >= 2
        and operations.same(*bounds)
        and all(isinstance(each, ast.Slice) and each.upper is not None for each in taken[-2:])
    )


def _kept(facts: Facts, node: ast.Attribute) -> ast.expr | None:
    """What an attribute of the object itself is bound to, in one place: by an assignment, or as a buffer."""
    owner = facts.module.function_of(node).owner
    sites = classes.sites(owner).get(node.attr, ()) if owner is not None else ()
    if len(sites) != 1:
        return None
    match sites[0][1]:
        case ast.Call(args=[_, made, *_]):
            return made
        case ast.Attribute() as target:
            return definitions.value_of(facts.module, target)
    return None
