"""Where names are bound, from where on each binding holds, and which of them a read sees.

`reaching` is sure: it gives the binding that Python comes to, where no other way leads around it.

    with record("mask"):
        mask = target != 3          a `with` is passed through, so this is what the read sees
    if flip:
        mask = ~mask                now either may be: no answer
    loss(mask)

`may_reach` gives all that may hold there, and `last_above` the nearest in the source. `reads_after` looks the other way,
from a binding to what reads it. Syntax and names alone; knows nothing of values.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from torchperf_lint.facts.index import inside, names, reached_uses
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.reached_uses import Place
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, LOOPS, end_of, place_of, walk


@once
def _stores(_: Module, asked: tuple[Function, str]) -> list[ast.AST]:
    """What binds a name in a function, in the order of the source."""
    function, name = asked
    return sorted(function.scope.stores.get(name, ()), key=place_of)


@once
def _loads(_: Module, asked: tuple[Function, str]) -> list[tuple[Place, ast.Name]]:
    """What reads a name in a function, in the order of the source."""
    function, name = asked
    return [(place_of(load), load) for load in sorted(function.scope.loads.get(name, ()), key=place_of)]


def last_above(function: Function, read: ast.Name) -> ast.AST | None:
    """The nearest binding above a read in the source: that of the comprehension around it, else that of the function."""
    module, place = function.module, place_of(read)
    every = reached_uses.bindings(function, read.id)
    for above in module.ancestors(read):
        if isinstance(above, COMPREHENSIONS):
            targets = {id(target) for each in above.generators for target in ast.walk(each.target)}
            found = next((store for _, store in every if id(store) in targets), None)
            if found is not None:
                return found
    at = bisect_right(every, place, key=reached_uses.place)
    return every[at - 1][1] if at else None


def next_below(module: Module, name: ast.Name) -> ast.AST | None:
    """What binds a name next in the source, behind a place where it stands."""
    stores = _stores(module, (module.function_of(name), name.id))
    at = bisect_right(stores, place_of(name), key=place_of)
    return stores[at] if at < len(stores) else None


def may_reach(module: Module, read: ast.Name) -> Iterator[ast.AST]:
    """The bindings of a name that may hold where it is read: backwards, to the first that nothing can skip."""
    above = set(module.ancestors(read))
    start = place_of(module.statement(read))
    stores = _stores(module, (module.function_of(read), read.id))
    for at in range(bisect_left(stores, start, key=place_of) - 1, -1, -1):
        store = stores[at]
        yield store
        if not isinstance(module.statement(store), ast.AugAssign) and _holder(module, store) in above:
            return


def _holder(module: Module, store: ast.AST) -> ast.AST | None:
    """What the block of a binding belongs to; the body of a `with` runs like the lines around it."""
    at = module.parents.get(module.statement(store))
    while isinstance(at, (ast.With, ast.AsyncWith)):
        at = module.parents.get(at)
    return at


def only_binding(module: Module, read: ast.Name) -> ast.expr | None:
    """The value that a local name is bound to, if one plain assignment in its scope binds it and nothing else."""
    function: Function | None = module.function_of(read)
    while function is not None and read.id not in function.scope.stores:
        function = function.within
    if function is None or read.id in function.scope.outer:
        return None
    stores = function.scope.stores[read.id]
    is_plain = len(stores) == 1 and isinstance(module.parents.get(stores[0]), (ast.Assign, ast.AnnAssign))
    return value_of(module, stores[0]) if is_plain else None


def definition(module: Module, read: ast.Name) -> ast.expr | None:
    """What the plain assignment binds that a read sees, where it sees only one."""
    binding = reaching(module, read)
    return value_of(module, binding) if binding is not None else None


def reads_after(module: Module, binding: ast.Name) -> list[ast.Name]:
    """The reads of a name from a binding on, up to the next binding in the source."""
    function = module.function_of(binding)
    loads = _loads(module, (function, binding.id))
    return [load for _, load in reached_uses.of(function, binding.id, binding, loads)]


@once
def is_read_only_once(module: Module, binding: ast.AST | None) -> bool:
    """Whether a binding of a name reaches one read and no more."""
    return isinstance(binding, ast.Name) and len(reads_after(module, binding)) == 1


def is_read_after(module: Module, name: str, statement: ast.stmt) -> bool:
    """Whether a function reads a name behind a statement, or before it in a loop that both stand in."""
    function = module.function_of(statement)
    end = end_of(statement)
    around = [above for above in module.ancestors(statement) if isinstance(above, LOOPS)]
    for load in function.scope.loads.get(name, ()):
        if place_of(load) >= end:
            return True
        if any(above in around for above in module.ancestors(load)) and place_of(load) < place_of(statement):
            return True
    return any(name in inner.scope.loads and name not in inner.scope.stores for inner in function.inner)


def reaching(module: Module, read: ast.Name) -> ast.AST | None:
    """The binding that a read sees: a parameter, the target of an assignment, of a loop, ...; None where it is not one."""
    function = module.function_of(read)
    if read.id in function.scope.outer:
        return None
    if read.id not in function.scope.stores:
        home = names.scope_of(function, read.id)
        stores = home.scope.stores[read.id] if home is not None else []
        return stores[0] if len(stores) == 1 else None
    if isinstance(function.node, ast.Lambda):  # it has no statements: a parameter, unless `:=` binds it anew
        return function.parameters.get(read.id) if len(function.scope.stores[read.id]) == 1 else None
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
    """The same, also for one of several names that an assignment binds: `a, b = x, y`, `a = b = x`."""
    above = module.parents.get(binding)
    if isinstance(above, ast.Assign):
        return above.value if binding in above.targets else None
    match module.parents.get(above) if isinstance(above, ast.Tuple) else None:
        case ast.Assign(targets=targets, value=ast.Tuple(elts=values)) if above in targets:
            names: list[ast.expr] = above.elts if isinstance(above, ast.Tuple) else []
            if len(names) != len(values) or any(isinstance(each, ast.Starred) for each in (*names, *values)):
                return None
            return next(value for name, value in zip(names, values, strict=True) if name is binding)
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
