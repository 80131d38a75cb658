"""What a loop adds to: whether it is made before the loop, and the loop neither makes it anew nor empties it."""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import Final

from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk

_BOUNDED: Final = ("deque",)


def outlives(module: Module, keeper: ast.expr, statement: ast.AST, loop: ast.AST) -> bool:
    """Whether what a statement adds to is made before the loop, and neither made anew nor emptied in it."""
    function, root = module.function_of(loop), root_of(keeper)
    stores = function.scope.stores.get(root or "", [])
    others = (store for store in stores if not inside.is_inside(module, store, statement))
    if root is None or any(inside.is_inside(module, store, loop) for store in others):
        return False
    is_made = not stores or any(not inside.is_inside(module, store, statement) for store in stores)
    if not is_made or _is_bounded(module, (function, root, isinstance(keeper, ast.Attribute))):
        return False
    return not _is_emptied(module, loop, ast.unparse(keeper), statement)


def root_of(node: ast.expr) -> str | None:
    """The name that what is added to, or what it is an attribute or a part of, is read by."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_emptied(module: Module, loop: ast.AST, text: str, statement: ast.AST) -> bool:
    """Whether a loop binds what begins so, or takes something out of it, other than in a statement."""
    bound, emptied = _emptied(module, loop)
    if any(text[:end] in emptied for end in range(1, len(text) + 1)):
        return True
    for at in range(bisect_left(bound, text, key=lambda each: each[0]), len(bound)):
        begins, node = bound[at]
        if not begins.startswith(text):
            break
        if node is not statement:
            return True
    return False


@once
def _emptied(_: Module, loop: ast.AST) -> tuple[list[tuple[str, ast.AST]], set[str]]:
    """What a loop binds or deletes, in the order of its text and with the statement; and what it takes something out of."""
    bound: list[tuple[str, ast.AST]] = []
    emptied: set[str] = set()
    for node in walk(loop, into_scopes=False):
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                bound += [(ast.unparse(target), node) for target in targets]
            case ast.Call(func=ast.Attribute(value=receiver, attr="clear" | "pop" | "popleft")):
                emptied.add(ast.unparse(receiver))
    return sorted(bound, key=lambda each: each[0]), emptied


@once
def _is_bounded(module: Module, place: tuple[Function, str, bool]) -> bool:
    """`deque(maxlen=100)` lets go of what it held first: what a name of a function, or an attribute of it, may be."""
    function, name, is_attribute = place
    if is_attribute:
        return not module.names.isdisjoint(_BOUNDED)
    stores = function.scope.stores.get(name, ())
    made = [module.statement(store) for store in stores if not isinstance(store, (ast.arg, ast.stmt))]
    return any(isinstance(n, ast.Call) and last_name(n.func) in _BOUNDED for each in made for n in ast.walk(each))
