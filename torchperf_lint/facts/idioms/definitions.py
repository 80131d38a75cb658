"""Which binding of a name a read sees: the one that Python comes to, where no other way leads around it.

    with record("mask"):
        mask = target != 3          a `with` is passed through, so this is what the read sees
    if flip:
        mask = ~mask                now either may be: no answer
    loss(mask)

Syntax and names alone; knows nothing of values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import LOOPS, Module, walk

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def reaching(module: Module, read: ast.Name) -> ast.AST | None:
    """The binding that a read sees: a parameter, the target of an assignment, of a loop, ...; None where it is not one."""
    function = module.function_of(read)
    if read.id in function.scope.outer:
        return None
    if read.id not in function.scope.stores:
        home = names.scope_of(function, read.id)
        stores = home.scope.stores[read.id] if home is not None else []
        return stores[0] if len(stores) == 1 else None
    at: ast.AST = module.statement(read)
    while at is not function.node:
        above = module.parents[at]
        block = _block(above, at)
        found = _last(block[: block.index(at)] if block else [], read.id)
        if found is not None:
            return found if isinstance(found, ast.Name) else None
        if isinstance(above, (*LOOPS, ast.With, ast.AsyncWith)):
            target = next((each for each in _targets(above) if each.id == read.id), None)
            if target is not None:
                return target
            if isinstance(above, LOOPS) and any(_binds(above.body, read.id)):
                return None  # a turn before may have bound it
        elif isinstance(above, ast.Try) and at not in above.body and any(_binds(above.body, read.id)):
            return None
        at = above
    return function.parameters.get(read.id)


def value_of(module: Module, binding: ast.AST) -> ast.expr | None:
    """The expression that a plain assignment binds a name to."""
    match module.parents.get(binding):
        case ast.Assign(targets=[target], value=value) if target is binding:
            return value
        case ast.AnnAssign(target=target, value=ast.expr() as value) if target is binding:
            return value
        case ast.NamedExpr(target=target, value=value) if target is binding:
            return value
    return None


def unpacked(module: Module, binding: ast.AST) -> ast.expr | None:
    """The same, also for one of several names that an assignment binds: `a, b = x, y`."""
    targets = module.parents.get(binding)
    match module.parents.get(targets) if isinstance(targets, ast.Tuple) else None:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            starred = any(isinstance(each, ast.Starred) for each in (*names, *values))
            return (
                None if starred else next(value for name, value in zip(names, values, strict=True) if name is binding)
            )
    return value_of(module, binding)


def _block(above: ast.AST, statement: ast.AST) -> list[ast.AST]:
    for name in _BLOCKS:
        block = getattr(above, name, None)
        if isinstance(block, list) and statement in block:
            return block if name not in ("handlers", "cases") else []
    return []


def _last(statements: list[ast.AST], name: str) -> ast.AST | None:
    """The last binding of a name among statements that all run; a statement that may or may not bind it is itself the answer."""
    for statement in reversed(statements):
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            found = _last(list(statement.body), name)
            found = found or next((each for each in _targets(statement) if each.id == name), None)
        else:
            stores = list(_binds([statement], name))
            simple = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)) and len(stores) == 1
            found = stores[0] if simple else statement if stores else None
        if found is not None:
            return found
    return None


def _binds(statements: Iterable[ast.AST], name: str) -> Iterator[ast.AST]:
    """Where statements bind a name."""
    for statement in statements:
        for node in walk(statement, into_scopes=False):
            if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
                yield node


def _targets(above: ast.AST) -> list[ast.Name]:
    """The names that a loop or a `with` binds itself."""
    heads = [getattr(above, "target", None), *(item.optional_vars for item in getattr(above, "items", ()))]
    return [node for head in heads if head is not None for node in walk(head) if isinstance(node, ast.Name)]
