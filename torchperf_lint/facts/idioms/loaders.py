"""Loaders and what they give: which `DataLoader(...)` an expression came out of, and what is called on its batches.

    train = DataLoader(data, num_workers=4)      made
    for step, (x, y) in enumerate(train):        given
        x = x.to(device)                         moved: `x` came out of the loader that was made above

An expression is followed back through loops, unpacking, items, attributes of `self`, what functions in sight return, and
what the callers in sight pass. Only what hands on the very tensors of a batch is followed: `x.float()` is another tensor.
Knows syntax, names and callers; of values only which calls make a loader.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.domain.join import join_all
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.interpret import callers, classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 12
"""So many steps back are taken."""

_HANDING_ON: Final = frozenset(
    ("enumerate", "iter", "next", "tqdm", "track", "islice", "list", "tuple", "cycle", "chain")
)
_PARTS: Final = frozenset(("items", "values", "get", "pop", "copy"))

Origin = ast.Call | None
"""A call that makes a loader; None where a way back leaves what is in sight."""


def of(analysis: Analysis, module: Module, node: ast.expr) -> tuple[Value | None, bool]:
    """What is known of the loaders that an expression came out of; and whether those are all there can be."""
    found = dict.fromkeys(origins(analysis, module, node))
    made = [analysis.value(call, module) for call in found if call is not None]
    return (join_all(tuple(made)), None not in found) if made else (None, False)


def calls(analysis: Analysis, module: Module, name: str) -> dict[ast.Call, list[ast.Call]]:
    """By the call that makes a loader, the calls of a method of the tensors of its batches."""
    found: dict[ast.Call, list[ast.Call]] = {}
    for call in module.calls.get(name, ()):
        if isinstance(call.func, ast.Attribute):
            for made in dict.fromkeys(origins(analysis, module, call.func.value)):
                if made is not None:
                    found.setdefault(made, []).append(call)
    return found


def is_item(module: Module, node: ast.Name) -> bool:
    """Whether a name holds the item of a loop as a whole: the batch, not a part of it."""
    store = definitions.last_above(module.function_of(node), node)
    above = module.parents.get(store) if store is not None else None
    while isinstance(above, ast.Tuple) and store is not None and _counts(module.parents.get(above), store, above):
        above = module.parents.get(above)
    return isinstance(above, (ast.For, ast.AsyncFor, ast.comprehension))


def _counts(loop: ast.AST | None, target: ast.AST, targets: ast.Tuple) -> bool:
    """Whether the targets of a loop are a count and its item: `for i, batch in enumerate(loader)`."""
    iterated = getattr(loop, "iter", None)
    counted = isinstance(iterated, ast.Call) and last_name(iterated.func) == "enumerate"
    return counted and len(targets.elts) == 2 and targets.elts[1] is target


def origins(analysis: Analysis, module: Module, node: ast.expr, deep: int = DEEP) -> Iterator[Origin]:
    """The calls that make the loaders which an expression came out of."""
    if not deep:
        yield None
        return
    match node:
        case ast.Call():
            yield from _of_call(analysis, module, node, None, deep - 1)
        case ast.Name():
            yield from _of_name(analysis, module, node, deep - 1)
        case ast.Attribute(value=ast.Name(id=receiver), attr=attr) if _is_self(module, node, receiver):
            yield from _of_attribute(analysis, module, node, attr, deep - 1)
        case (
            ast.Attribute(value=inner)
            | ast.Subscript(value=inner)
            | ast.Starred(value=inner)
            | ast.NamedExpr(value=inner)
        ):
            yield from origins(analysis, module, inner, deep - 1)
        case ast.IfExp(body=first, orelse=second):
            yield from origins(analysis, module, first, deep - 1)
            yield from origins(analysis, module, second, deep - 1)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from origins(analysis, module, part, deep - 1)
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.DictComp(value=part):
            yield from origins(analysis, module, part, deep - 1)
        case _:
            yield None


def _is_self(module: Module, node: ast.AST, name: str) -> bool:
    method = module.function_of(node).method
    return method is not None and method.positional[:1] == (name,)


def _of_call(analysis: Analysis, module: Module, node: ast.Call, part: int | None, deep: int) -> Iterator[Origin]:
    """What a call gives; `part`: of a tuple that it returns, the item at that place."""
    if analysis.value(node, module).kind == "loader" and _makes_loader(analysis, module, node):
        yield node
        return
    name = last_name(node.func)
    if isinstance(node.func, ast.Attribute) and name in _PARTS:
        yield from origins(analysis, module, node.func.value, deep)
        return
    if name == "zip" and part is not None and part < len(node.args):
        yield from origins(analysis, module, node.args[part], deep)
        return
    if name in _HANDING_ON or name == "zip":
        for argument in node.args[: None if name == "zip" else 1]:
            yield from origins(analysis, module, argument, deep)
        return
    callee = analysis.value(node.func, module)
    function = callee.ref if callee.kind == "function" else None
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        method = module.function_of(node).method
        if method is not None and method.owner is not None and _is_self(module, node, node.func.value.id):
            function = classes.find_method(analysis, method.owner, name)
    if not isinstance(function, Function) or function.module is not module or function.is_generator:
        yield None
        return
    for statement in walk(function.node, into_scopes=False):
        if isinstance(statement, ast.Return) and statement.value is not None:
            value = statement.value
            if part is not None and isinstance(value, ast.Tuple) and part < len(value.elts):
                value = value.elts[part]
            yield from origins(analysis, module, value, deep)


def _makes_loader(analysis: Analysis, module: Module, node: ast.Call) -> bool:
    """Whether a call makes a loader itself, and does not hand on one that was made before."""
    return names.dotted(module.function_of(node), node.func) is not None and not any(
        analysis.value(argument, module).kind == "loader" for argument in node.args
    )


def _of_name(analysis: Analysis, module: Module, node: ast.Name, deep: int) -> Iterator[Origin]:
    function = module.function_of(node)
    home = names.scope_of(function, node.id)
    if home is None:
        yield None
        return
    stores = home.scope.stores[node.id]
    if home is function:
        nearest = definitions.last_above(function, node)
        stores = [nearest] if nearest is not None else []
    if not stores:
        yield None
    for store in stores:
        if isinstance(store, ast.arg):
            yield from _of_parameter(analysis, home, node.id, deep)
        else:
            yield from _of_store(analysis, module, store, deep)


def _of_store(analysis: Analysis, module: Module, store: ast.AST, deep: int) -> Iterator[Origin]:
    """What a target gets: of an assignment, a loop, a comprehension."""
    part: int | None = None
    below, above = store, module.parents.get(store)
    while isinstance(above, (ast.Tuple, ast.List, ast.Starred)):
        if isinstance(above, (ast.Tuple, ast.List)):
            part = above.elts.index(below)  # type: ignore[arg-type]
        below, above = above, module.parents.get(above)
    match above:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.NamedExpr(value=value):
            if isinstance(value, ast.Tuple) and part is not None and part < len(value.elts):
                yield from origins(analysis, module, value.elts[part], deep)
            elif isinstance(value, ast.Call):
                yield from _of_call(analysis, module, value, part, deep)
            else:
                yield from origins(analysis, module, value, deep)
        case ast.For(iter=value) | ast.AsyncFor(iter=value) | ast.comprehension(iter=value):
            if isinstance(value, ast.Call):
                yield from _of_call(analysis, module, value, part, deep)
            else:
                yield from origins(analysis, module, value, deep)
        case _:
            yield None


def _of_attribute(analysis: Analysis, module: Module, node: ast.Attribute, attr: str, deep: int) -> Iterator[Origin]:
    method = module.function_of(node).method
    assert method is not None
    assert method.owner is not None
    sites = classes.sites(method.owner).get(attr, ())
    for function, site in sites:
        if function.module is module and isinstance(site, (ast.Attribute, ast.Name)):
            yield from _of_store(analysis, module, site, deep)
    if not sites:
        yield None


def _of_parameter(analysis: Analysis, function: Function, name: str, deep: int) -> Iterator[Origin]:
    if not callers.is_private(function) and not file_traits.is_script(function.module):
        yield None
    calls = analysis.sites(function)
    for call in calls:
        argument = callers.argument(function, call, name)
        if argument is None:
            yield None
        else:
            yield from origins(analysis, function.module, argument, deep)
    if not calls:
        yield None
