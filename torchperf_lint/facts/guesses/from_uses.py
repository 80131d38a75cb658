"""What a name holds by what its uses need it to be: one guess out of all votes."""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.value import ANY, Value
from torchperf_lint.facts.guesses import votes
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.knowledge import dtype_names

TENSORS: Final[frozenset[votes.Vote]] = frozenset(("tensor", "array", "moved"))
"""Votes for a tensor."""
OTHERS: Final[frozenset[votes.Vote]] = frozenset(
    ("called", "mapping", "object", "unpacked", "flag", "number", "string", "module", "optimizer", "tested")
)
"""Votes against one."""
AS_TENSOR: Final = "used as only a tensor can be"
AS_CAST: Final = "cast to a dtype"
"""By `x.to(torch.float32)`, of which a module has the like: it may be anywhere."""
CALLABLE: Final = "callable"
"""The class of a module of which all that is known is that it is called: it need not hold parameters."""


def by_use(function: Function, name: str, binding: ast.AST) -> Value:
    """What the uses that a binding reaches need it to be."""
    return _by_use(function.module, (function, name, binding))


@once
def _by_use(_: Module, asked: tuple[Function, str, ast.AST]) -> Value:
    function, name, binding = asked
    cast = votes.of(function, name, binding)
    if not cast:
        return ANY
    votes_cast = {vote: node for _, vote, node, _ in reversed(cast)}
    path = function.module.path
    if "tested" in votes_cast:
        return ANY
    shown = votes_cast.get("tensor", votes_cast.get("placed") if "array" in votes_cast else None)  # arrays lack one
    if shown is not None and not votes_cast.keys() & {"mapping", "called", "module"}:
        why = Evidence(shown, AS_TENSOR, path)
        return Value("tensor", Sure.LIKELY, why=why)
    if "module" in votes_cast:
        why = Evidence(votes_cast["module"], "used as a module", path)
        return Value("module", Sure.LIKELY, why=why)
    if "called" in votes_cast and "moved" in votes_cast:
        why = Evidence(votes_cast["called"], "called, and moved to a device", path)
        return Value("module", Sure.LIKELY, ref=CALLABLE, why=why)
    if "optimizer" in votes_cast:
        return Value("optimizer", Sure.LIKELY)
    if "moved" in votes_cast and not votes_cast.keys() & {"called"}:
        moved = votes_cast["moved"]
        why = Evidence(moved, AS_CAST if _is_cast(function, moved) else "moved to a device", path)
        return Value("tensor_tree", Sure.LIKELY, ref="batch", why=why)
    if votes_cast.keys() == {"number"}:
        return Value("number", Sure.LIKELY)
    return ANY


def _is_cast(function: Function, node: ast.AST) -> bool:
    """Whether a call of `to` names a dtype of torch."""
    call = function.module.parents.get(node)
    given = call.args[0] if isinstance(call, ast.Call) and len(call.args) == 1 else None
    return isinstance(given, ast.Attribute) and (given.attr in dtype_names.ALL or given.attr in dtype_names.SHORT)
