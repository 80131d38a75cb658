"""Where what a call gave goes in its function: handed from name to name, and out of it.

    q = self.network(state)                 `q` holds it
    best = q.argmax(1).item()               a number: no gradient comes through
    return q                                it leaves

Knows syntax alone.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, last_name, parts, walk

_CUTS: Final = frozenset(
    ("item", "tolist", "detach", "argmax", "argmin", "argsort", "multinomial", "sample", "size",
     "float", "int", "bool", "len", "print", "str")
)  # fmt: skip
"""Calls that let no gradient through; `float` and `int` as functions of Python."""
_OF_PYTHON: Final = frozenset(("float", "int", "bool", "len", "print", "str"))
ATTRIBUTES: Final = frozenset(("data", "shape", "dtype", "device", "ndim"))


def leaves(function: Function, call: ast.Call) -> bool:
    """Whether what a call gives leaves its function other than as numbers: it is returned, kept by an object, or handed to one."""
    held = set[str]()
    nodes = [each for each in walk(function.node) if isinstance(each, (ast.stmt, ast.NamedExpr))]
    for _ in range(2):  # a loop hands on to its next turn
        for node in nodes:
            for target in _handed_on(node, call, held):
                root = _root(target)
                if root is None:
                    return True
                held.add(root)
    inner = {name for name in function.inner_reads if name in held}
    return bool(inner) or any(_is_way_out(each, call, held) for each in nodes)


def _handed_on(node: ast.AST, call: ast.Call, holding: set[str]) -> list[ast.expr]:
    """What a statement gives what a call gave."""
    match node:
        case ast.Assign(targets=targets, value=value) if holds(value, call, holding):
            return [part for target in targets for part in parts(target)]
        case ast.AnnAssign(target=target, value=ast.expr() as value) if holds(value, call, holding):
            return [target]
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value) if holds(
            value, call, holding
        ):
            return [target]
        case ast.For(target=target, iter=value) if holds(value, call, holding):
            return parts(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=of, attr="append" | "extend"), args=[given])) if holds(
            given, call, holding
        ):
            return [of]
    return []


def _is_way_out(node: ast.AST, call: ast.Call, holding: set[str]) -> bool:
    """Whether a statement returns what a call gave, or hands it to a function for what that does with it."""
    match node:
        case ast.Return(value=ast.expr() as value):
            return holds(value, call, holding)
        case ast.Expr(value=ast.Call(func=func, args=args, keywords=keywords)):
            if isinstance(func, ast.Attribute) and func.attr in ("append", "extend"):
                return False
            return not (isinstance(func, ast.Name) and func.id in _CUTS) and any(
                holds(each, call, holding) for each in (*args, *(each.value for each in keywords))
            )
        case ast.With(items=items):
            return any(holds(each.context_expr, call, holding) for each in items)
    return isinstance(node, (ast.Global, ast.Nonlocal, ast.Delete))


def holds(node: ast.AST, call: ast.Call, holding: set[str]) -> bool:
    """Whether an expression holds more than numbers of what a call gave."""
    if node is call or (isinstance(node, ast.Name) and node.id in holding):
        return True
    match node:
        case ast.Compare() | ast.JoinedStr():
            return False
        case ast.Call() if is_cut(node):
            return False
        case ast.Attribute(attr=attr) if attr in ATTRIBUTES:
            return False
        case ast.IfExp(body=body, orelse=orelse):
            return holds(body, call, holding) or holds(orelse, call, holding)
    if isinstance(node, COMPREHENSIONS):
        items = set(holding)
        for each in node.generators:
            if holds(each.iter, call, items):
                items |= {name.id for name in walk(each.target) if isinstance(name, ast.Name)}
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return any(holds(each, call, items) for each in made)
    return any(holds(each, call, holding) for each in ast.iter_child_nodes(node))


def is_cut(call: ast.Call) -> bool:
    """Whether a call lets no gradient through: `float(x)` does not, but `x.float()` does."""
    name = last_name(call.func)
    return name in _CUTS and (isinstance(call.func, ast.Name) or name not in _OF_PYTHON)


def _root(node: ast.expr) -> str | None:
    """The name of which something is kept, or a part: none for what an object keeps."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
