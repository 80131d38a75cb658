"""Where what a call gave goes in its function: handed from name to name, and out of it.

    q = self.network(state)                 `q` holds it
    best = q.argmax(1).item()               a number: no gradient comes through
    return q                                it leaves

Up to where a name is bound anew. Knows syntax alone.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index import definitions, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, LOOPS, last_name, parts, place_of, walk

_CUTS: Final = frozenset(
    ("item", "tolist", "detach", "argmax", "argmin", "argsort", "multinomial", "sample", "size",
     "float", "int", "bool", "len", "print", "str")
)  # fmt: skip
"""Calls that let no gradient through; `float` and `int` as functions of Python."""
_OF_PYTHON: Final = frozenset(("float", "int", "bool", "len", "print", "str"))
_DETACHING: Final = frozenset(("detach", "data"))
ATTRIBUTES: Final = frozenset(("data", "shape", "dtype", "device", "ndim"))


class Held:
    """What holds what a call gave: bindings of names, each up to where the name is bound anew, and lists that it was added to."""

    def __init__(self, function: Function, call: ast.Call) -> None:
        self.function = function
        self.module = function.module
        self.call = call
        self.bindings: set[ast.Name] = set()
        self.lists: set[str] = set()
        self.is_kept = False
        """Whether an object keeps it, or a list that the function was given."""

    def add(self, target: ast.expr) -> None:
        """Take note of what a statement gave it to."""
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store):
            self.bindings.add(target)
            return
        root, function = _root(target), self.function
        if root is None or root in function.parameters or root not in function.scope.stores:
            self.is_kept = True
        else:
            self.lists.add(root)

    def is_by(self, read: ast.Name) -> bool:
        """Whether a name holds it where it is read."""
        if read.id in self.lists:
            return True
        own = [each for each in self.bindings if each.id == read.id]
        if not own:
            return False
        reaching = _reaching(self.module, read)
        return any(each in self.bindings for each in reaching) or any(
            _comes_back(self.module, loop, read, own)
            and not any(inside.is_inside(self.module, at, loop) for at in reaching)
            for loop in self.module.ancestors(read)
            if isinstance(loop, LOOPS)
        )

    @property
    def names(self) -> set[str]:
        """The names that hold it somewhere."""
        return self.lists | {each.id for each in self.bindings}


@once
def held(module: Module, call: ast.Call) -> Held:
    """What holds what a call gave in its function."""
    function = module.function_of(call)
    found = Held(function, call)
    for _ in range(2):  # a loop hands on to its next turn
        for node in _nodes(module, function):
            for target in _handed_on(node, found):
                found.add(target)
    return found


def leaves(function: Function, call: ast.Call) -> bool:
    """Whether what a call gives leaves its function other than as numbers: it is returned, kept by an object, or handed to one."""
    found = held(function.module, call)
    if found.is_kept or not found.names.isdisjoint(function.inner_reads):
        return True
    return any(_is_way_out(each, found) for each in _nodes(function.module, function))


def is_detached(function: Function, call: ast.Call) -> bool:
    """Whether a function detaches what a call gives, or a part: whoever wrote that knew that it has a graph."""
    found = held(function.module, call)
    read = (each for each in walk(function.node) if isinstance(each, ast.Attribute) and each.attr in _DETACHING)
    return any(holds(each.value, found) for each in read)


@once
def _nodes(_: Module, function: Function) -> list[ast.AST]:
    return [each for each in walk(function.node) if isinstance(each, (ast.stmt, ast.NamedExpr))]


@once
def _reaching(module: Module, read: ast.Name) -> list[ast.AST]:
    return list(definitions.may_reach(module, read))


def _comes_back(module: Module, loop: ast.AST, read: ast.Name, own: list[ast.Name]) -> bool:
    """Whether a loop brings a binding further down to a read, at its next turn."""
    return any(inside.is_inside(module, each, loop) and place_of(each) > place_of(read) for each in own)


def _handed_on(node: ast.AST, found: Held) -> list[ast.expr]:
    """What a statement gives what a call gave."""
    match node:
        case ast.Assign(targets=targets, value=value) if holds(value, found):
            return [part for target in targets for part in parts(target)]
        case ast.AnnAssign(target=target, value=ast.expr() as value) if holds(value, found):
            return [target]
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value) if holds(
            value, found
        ):
            return [target]
        case ast.For(target=target, iter=value) if holds(value, found):
            return parts(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=of, attr="append" | "extend"), args=[given])) if holds(
            given, found
        ):
            return [of]
    return []


def _is_way_out(node: ast.AST, found: Held) -> bool:
    """Whether a statement returns what a call gave, or hands it to a function for what that does with it."""
    match node:
        case ast.Return(value=ast.expr() as value):
            return holds(value, found)
        case ast.Expr(value=ast.Call(func=func, args=args, keywords=keywords)):
            if isinstance(func, ast.Attribute) and func.attr in ("append", "extend"):
                return False
            return not (isinstance(func, ast.Name) and func.id in _CUTS) and any(
                holds(each, found) for each in (*args, *(each.value for each in keywords))
            )
        case ast.With(items=items):
            return any(holds(each.context_expr, found) for each in items)
    return isinstance(node, (ast.Global, ast.Nonlocal, ast.Delete))


def holds(node: ast.AST, found: Held, items: frozenset[str] = frozenset()) -> bool:
    """Whether an expression holds more than numbers of what a call gave; `items` are names of a comprehension around it that do."""
    if node is found.call or (isinstance(node, ast.Name) and (node.id in items or found.is_by(node))):
        return True
    match node:
        case ast.Compare() | ast.JoinedStr():
            return False
        case ast.Call() if is_cut(node):
            return False
        case ast.Attribute(attr=attr) if attr in ATTRIBUTES:
            return False
        case ast.IfExp(body=body, orelse=orelse):
            return holds(body, found, items) or holds(orelse, found, items)
    if isinstance(node, COMPREHENSIONS):
        for each in node.generators:
            if holds(each.iter, found, items):
                items |= {name.id for name in walk(each.target) if isinstance(name, ast.Name)}
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return any(holds(each, found, items) for each in made)
    return any(holds(each, found, items) for each in ast.iter_child_nodes(node))


def is_cut(call: ast.Call) -> bool:
    """Whether a call lets no gradient through: `float(x)` does not, but `x.float()` does."""
    name = last_name(call.func)
    return name in _CUTS and (isinstance(call.func, ast.Name) or name not in _OF_PYTHON)


def _root(node: ast.expr) -> str | None:
    """The name of which a part, or an item, is kept: none for what an object keeps."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
