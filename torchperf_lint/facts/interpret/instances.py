"""Of which class of its file something is an instance, as far as the file says so by itself.

    queue = Queue(1024)              a name that is bound to a new one
    self.match = Matcher().cuda()    an attribute that its class binds to one
    queue.push(x)                    so this calls `Queue.push`
    self.match(x)                    and this `Matcher.__call__`

Knows names and where they are bound, nothing of values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchperf_lint.facts.domain.budget import WALKED
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name, parts
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.knowledge import pass_through


def is_one(module: Module, node: ast.expr, owner: Class) -> bool:
    """Whether an expression holds an instance of a class, by one of the places that bind it."""
    return any(_makes(module, value, owner) for value in (node, *_bound(module, node)))


def calls(owner: Class) -> Iterator[ast.Call]:
    """The calls of the instances of a class: of its `__call__`."""
    module = owner.module
    for name in bound_to(module, owner.name):
        for call in module.calls.get(name, ()):
            WALKED.nodes += 1  # as many classes as calls, all bound to one name, are their product
            if is_one(module, call.func, owner):
                yield call


def bound_to(module: Module, called: str) -> list[str]:
    """The last names of what a file binds to the result of calling a name."""
    found = {
        last_name(target)
        for made in module.calls.get(called, ())
        for above in (_assignment(module, made),)
        if above is not None
        for targets in above.targets
        for target in parts(targets)
    }
    return sorted(found - {""})


def _assignment(module: Module, made: ast.AST) -> ast.Assign | None:
    """The assignment that binds what a call makes, moved or not."""
    above = module.parents.get(made)
    while isinstance(above, (ast.Attribute, ast.Call, ast.Tuple)):
        above = module.parents.get(above)
    return above if isinstance(above, ast.Assign) else None


def _makes(module: Module, node: ast.expr | None, owner: Class) -> bool:
    """Whether an expression makes an instance of a class."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in pass_through.MODULE_METHODS
    ):
        node = node.func.value
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    home = names.scope_of(module.function_of(node), node.func.id)
    return home is not None and owner.node in home.scope.stores[node.func.id]


def _bound(module: Module, node: ast.expr) -> Iterator[ast.expr]:
    """What the places bind that a name, or an attribute of `self`, is bound at."""
    function = module.function_of(node)
    if isinstance(node, ast.Name):
        home = names.scope_of(function, node.id)
        for store in home.scope.stores[node.id] if home is not None else ():
            yield from _value(module, store)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        around = _class_around(function, node.value.id)
        for _, site in classes.sites(around).get(node.attr, ()) if around is not None else ():
            yield from _value(module, site)


def _value(module: Module, store: ast.AST) -> Iterator[ast.expr]:
    above = module.parents.get(store)
    match above:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            yield value
        case ast.Tuple(elts=targets) if isinstance(assign := module.parents.get(above), ast.Assign):
            if isinstance(assign.value, ast.Tuple) and len(assign.value.elts) == len(targets):
                yield assign.value.elts[targets.index(store)]  # type: ignore[arg-type]


def _class_around(function: Function, receiver: str) -> Class | None:
    """The class of the method around a function whose `self` a name is."""
    method = function.method
    return method.owner if method is not None and method.positional[:1] == (receiver,) else None
