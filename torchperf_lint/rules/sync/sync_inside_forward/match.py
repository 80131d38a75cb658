"""Indexing that waits as something before it did, and functions whose results are for the host."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.guesses import call_names as call_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, place_of, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

LONG = 32
"""Characters of an expression, or of the name of a function, in a message."""
_ON_THE_WAY = frozenset(("numpy", "astype", "int", "long", "float", "flatten", "view", "reshape", "squeeze", "detach"))
"""What a copy may go through before it becomes a list."""
_MAKING = frozenset(("tensor", "as_tensor", "asarray", "new_tensor", "Tensor", "FloatTensor", "LongTensor"))


def is_repeated(facts: Facts, node: ast.AST) -> bool:
    """Whether another subscript with the same index always runs before one, with nothing bound anew in between."""
    if not isinstance(node, ast.Subscript):
        return False
    module, function, text = facts.module, facts.module.function_of(node), ast.unparse(node.slice)
    above = set(map(id, module.ancestors(node)))
    used = {each.id for each in walk(node.slice) if isinstance(each, ast.Name)}
    places = [place_of(store) for name in used for store in function.scope.stores.get(name, ())]
    for other in _subscripts(module, module.tree).get((function, text), ()):
        if place_of(other) >= place_of(node):
            break
        is_before = id(module.parents[module.statement(other)]) in above
        if is_before and not any(place_of(other) < place < place_of(node) for place in places):
            return True
    return False


@once
def _subscripts(module: Module, _: ast.Module) -> dict[tuple[Function, str], list[ast.Subscript]]:
    """The subscripts of a file in its order, by the function in which they stand and how their index is written."""
    found: dict[tuple[Function, str], list[ast.Subscript]] = {}
    for each in sorted(module.by_type.get(ast.Subscript, ()), key=place_of):
        if isinstance(each, ast.Subscript):
            found.setdefault((module.function_of(each), ast.unparse(each.slice)), []).append(each)
    return found


def may_be_said(facts: Facts, node: ast.AST) -> bool:
    """Whether a wait is no condition, number or read that is for other rules: outside of a model all are, but for those of which a
    tensor is made."""
    if modes.serves_forward(facts.analysis, facts.module, node):
        return True
    form = facts.wait_at(node).value.form
    return form in ("shape", "index") or (form == "read" and _is_made_of_items(node))


def _is_made_of_items(node: ast.AST) -> bool:
    """Whether a node makes a tensor of a list of numbers: `torch.tensor([a.sum(), b.sum()])`."""
    return isinstance(node, ast.Call) and last_name(node.func) in _MAKING


def place(facts: Facts, node: ast.AST) -> str:
    """The function of a node, with its class: `Net.forward`, or what that calls."""
    name = ".".join(facts.module.function_of(node).qualname.split(".")[-2:])
    return name if len(name) <= LONG else name.rpartition(".")[2][:LONG]


def shown(_: Facts, node: ast.AST) -> str:
    """An expression as a message names it."""
    text = ast.unparse(node)
    return f"`{text}`" if len(text) <= LONG else "reading a value"


def becomes_list(facts: Facts, node: ast.AST) -> bool:
    """Whether a copy on the host is there for a list alone: `x.cpu().tolist()`, `x.cpu().numpy().astype(int).tolist()`."""
    parents = facts.module.parents
    above = parents.get(node)
    while isinstance(above, ast.Attribute) and above.attr in _ON_THE_WAY:
        above = parents.get(parents[above])
    return isinstance(above, ast.Attribute) and above.attr == "tolist"


def edits_arrays(facts: Facts, node: ast.AST) -> bool:
    """Whether the function of a node puts arrays of NumPy into what it is given: its results are for the host, whose data they change."""
    function = facts.module.function_of(node)
    return any(
        isinstance(each, ast.Assign)
        and isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id in function.parameters
        and isinstance(each.value, ast.Call)
        and (names.dotted(function, each.value.func) or "").startswith("numpy.")
        for each in walk(function.node, into_scopes=False)
        for target in (each.targets if isinstance(each, ast.Assign) else ())
    )
