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

from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import LOOPS, Module, walk


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
        place = inside.block_of(module, at)
        found = _last(module, *place, read.id) if place is not None else None
        if found is not None:
            return found if isinstance(found, ast.Name) else None
        if isinstance(above, (*LOOPS, ast.With, ast.AsyncWith)):
            target = next((each for each in _targets(above) if each.id == read.id), None)
            if target is not None:
                return target
            if isinstance(above, LOOPS) and _binds(module, above.body, read.id):
                return None  # a turn before may have bound it
        elif (
            isinstance(above, ast.Try)
            and not inside.is_in(module, at, above.body)
            and _binds(module, above.body, read.id)
        ):
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


def _last(module: Module, block: inside.Block, number: int, name: str) -> ast.AST | None:
    """The last binding of a name among statements that all run; a statement that may or may not bind it is itself the answer."""
    for at, stores in reversed(block.before(name, number)):
        statement = block.statements[at]
        if not isinstance(statement, (ast.With, ast.AsyncWith)):
            simple = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)) and len(stores) == 1
            return stores[0] if simple else statement
        place = inside.block_of(module, statement.body[0])
        found = _last(module, place[0], len(statement.body), name) if place is not None else None
        found = found or next((each for each in _targets(statement) if each.id == name), None)
        if found is not None:
            return found
    return None


def _binds(module: Module, block: list[ast.stmt], name: str) -> bool:
    """Whether the statements of a block bind a name."""
    place = inside.block_of(module, block[0])
    return place is not None and name in place[0].bound


def _targets(above: ast.AST) -> list[ast.Name]:
    """The names that a loop or a `with` binds itself."""
    heads = [getattr(above, "target", None), *(item.optional_vars for item in getattr(above, "items", ()))]
    return [node for head in heads if head is not None for node in walk(head) if isinstance(node, ast.Name)]
