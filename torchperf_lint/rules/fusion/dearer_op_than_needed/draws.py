"""Numbers that are drawn by way of a tensor of equal weights.

torch.bernoulli(torch.full_like(x, p))           torch.empty_like(x).bernoulli_(p)
torch.multinomial(torch.ones(n), k)              torch.randperm(n)[:k]
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_FILLING: Final = frozenset(("ones", "ones_like", "full", "full_like"))
_FILLING_NEW: Final = frozenset(("new_ones", "new_full"))


def evenly(facts: Facts, node: ast.AST) -> Form | None:
    """Draws for which a tensor was filled with one weight."""
    found = operation.of(facts.module, node)
    if found is None or found.name not in ("bernoulli", "multinomial") or not _is_filled(facts, found.tensor):
        return None
    if found.name == "bernoulli":
        said = "a tensor is filled with one probability to draw from: `bernoulli_(p)` draws into an empty one"
    elif _draws_anew(facts, found.given("replacement", 1)):
        said = "weights that are all the same are summed up to draw from: `randint` needs none"
    else:
        said = "weights that are all the same are made to draw from: `torch.randperm(n)[:k]` needs none"
    return Form(found.call, said, None, found.call)


def _is_filled(facts: Facts, node: ast.expr) -> bool:
    """Whether a tensor is filled with one number, maybe one that another is multiplied with."""
    made = operation.made(facts, node)
    match made:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return any(
                _is_filled(facts, one) and facts.analysis.value(other, facts.module).kind == "number"
                for one, other in ((left, right), (right, left))
            )
        case ast.Call():
            home, _, name = (names.dotted(facts.module.function_of(made), made.func) or "").rpartition(".")
            is_new = isinstance(made.func, ast.Attribute) and last_name(made.func) in _FILLING_NEW
            return (home == "torch" and name in _FILLING) or is_new
    return False


def _draws_anew(facts: Facts, replacement: ast.expr | None) -> bool:
    return replacement is not None and facts.analysis.value(replacement, facts.module).const is True
