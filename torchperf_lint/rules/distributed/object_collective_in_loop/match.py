"""Objects that are sent between ranks, and the list that they arrive in."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import process_groups
from torchperf_lint.facts.index import blocks, definitions, names
from torchperf_lint.facts.index.walk import last_name, says
from torchperf_lint.facts.knowledge.distributed import GROUP

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_SENT: Final = {
    "all_gather_object": ("obj", 1),
    "gather_object": ("obj", 0),
    "broadcast_object_list": ("object_list", 0),
}


@dataclass(frozen=True, slots=True)
class Filled:
    """A list of as many places as there are ranks, and what is sent to fill it."""

    made: ast.expr
    count: ast.expr
    sent: ast.expr
    called: ast.Name | ast.Attribute
    instead: str
    """How the file can call `all_gather`."""
    torch: str
    """How the file writes what begins with `torch.`"""


def is_on_gpu(facts: Facts, call: ast.AST) -> bool:
    """Whether objects are sent by `torch.distributed`, and not over a group of the host."""
    assert isinstance(call, ast.Call)
    return process_groups.collective(facts.module, call) is not None and not process_groups.is_on_host(
        facts.module, call
    )


def short(facts: Facts, call: ast.AST) -> str:
    """The name of a collective."""
    assert isinstance(call, ast.Call)
    return process_groups.collective(facts.module, call) or ""


def sent(facts: Facts, call: ast.AST) -> ast.expr | None:
    """What is sent: the object, or the only one of a list that is written out."""
    assert isinstance(call, ast.Call)
    name, place = _SENT.get(short(facts, call), ("", -1))
    named = next((each.value for each in call.keywords if each.arg == name), None)
    given = named or (call.args[place] if 0 <= place < len(call.args) else None)
    if isinstance(given, ast.List):
        return given.elts[0] if len(given.elts) == 1 else None
    return None if isinstance(given, ast.Starred) else given


def filled(facts: Facts, call: ast.AST) -> Filled | None:
    """The list that `all_gather_object` fills, where it is made in the statement above and a tensor without dimensions is sent."""
    assert isinstance(call, ast.Call)
    module, given = facts.module, sent(facts, call)
    torch = names.spelling(module, "torch.empty_like")
    if short(facts, call) != "all_gather_object" or not call.args or not isinstance(given, ast.Name) or torch is None:
        return None
    held = facts.analysis.value(given, module)
    target, statement = call.args[0], module.statement(call)
    block = blocks.block(module, statement)
    above = block[block.index(statement) - 1] if block.index(statement) else None
    if held.rank != 0 or not isinstance(target, ast.Name) or not isinstance(above, ast.Assign):
        return None
    binding = definitions.reaching(module, target)
    if binding is None or module.parents.get(binding) is not above or last_name(call.func) != "all_gather_object":
        return None
    count = _count(above.value)
    is_bound_there = says(above, given.id)
    if count is None or is_bound_there or not isinstance(call.func, (ast.Name, ast.Attribute)):
        return None
    instead = names.spelling(module, f"{GROUP}all_gather")
    return Filled(above.value, count, given, call.func, instead, torch.removesuffix("empty_like")) if instead else None


def _count(made: ast.expr) -> ast.expr | None:
    """How many places a list has: `[None] * n`, `[None for _ in range(n)]`."""
    match made:
        case ast.BinOp(left=ast.List(elts=[ast.Constant(value=None)]), op=ast.Mult(), right=count):
            return count
        case ast.ListComp(
            elt=ast.Constant(value=None), generators=[ast.comprehension(iter=ast.Call(func=func, args=[count]))]
        ):
            return count if last_name(func) == "range" else None
    return None
