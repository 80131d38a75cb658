"""What stands around a node: its loop, what becomes of its value, where a name is bound and read.

Questions of syntax and names alone; they are asked of Python's own tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, Literal

from torchperf_lint.facts.index.module import (
    LOOPS,
    ClosedNode,
    Function,
    Module,
    end_of,
    in_body,
    last_name,
    place_of,
    walk,
)
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once

Use = Literal["accumulated", "logged", "returned", "decides", "indexes", "sent", "stored", "dropped", "computed"]
"""accumulated: added to a total, appended to a list. logged: printed, formatted, given to a logger. decides: a condition
depends on it. indexes: an index, a size, a range. sent: an argument of some other call. stored: in an attribute or item."""

_LOGGING: Final = frozenset(
    [
        "print",
        "log",
        "log_dict",
        "info",
        "debug",
        "warning",
        "warn",
        "error",
        "critical",
        "set_postfix",
        "set_postfix_str",
        "set_description",
        "set_description_str",
        "exception",
        "add_scalar",
        "add_scalars",
        "add_histogram",
        "add_image",
        "record",
        "report",
        "write",
        "writerow",
        "log_metric",
        "log_metrics",
        "logging",
        "format",
        "update_meter",
        "log_string",
        "logprint",
        "track",
    ]
)
_METERS: Final = frozenset(("update", "append", "extend"))
_CASTS: Final = frozenset(
    (
        "float",
        "int",
        "round",
        "str",
        "abs",
        "item",
        "tolist",
        "numpy",
        "cpu",
        "detach",
        "mean",
        "sum",
        "sqrt",
        "exp",
        "log10",
        "isfinite",
        "isnan",
        "isinf",
    )
)


def loop(module: Module, node: ast.AST) -> ast.For | ast.AsyncFor | ast.While | None:
    """The innermost loop whose body a node stands in, within its function."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ClosedNode):
            return None
        if isinstance(above, LOOPS) and in_body(below, above):
            return above
        below = above
    return None


def counter(module: Module, node: ast.AST) -> str | None:
    """The name that counts the turns of the loop around a node, if `enumerate` gives it."""
    match loop(module, node):
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=name), *_]), iter=counted):
            if any(isinstance(each, ast.Call) and last_name(each.func) == "enumerate" for each in walk(counted)):
                return name
    return None


def only_logs(statements: list[ast.stmt]) -> bool:
    """Whether statements do nothing but print and log."""
    calls = [each.value if isinstance(each, ast.Expr) else None for each in statements]
    return all(isinstance(call, ast.Call) and last_name(call.func) in _LOGGING for call in calls)


def uses(module: Module, node: ast.expr, depth: int = 3) -> set[Use]:
    """What becomes of the value of an expression; of a value bound to a name, what becomes of the name."""
    at: ast.AST = node
    while True:
        parent = module.parents.get(at)
        found = _use(module, at, parent, depth)
        if found is not None:
            return found
        if parent is None or isinstance(parent, ast.stmt):
            return {"computed"}
        at = parent


def _use(module: Module, at: ast.AST, parent: ast.AST | None, depth: int) -> set[Use] | None:
    """What a parent does with a value; None if it passes it on."""
    match parent:
        case ast.AugAssign(value=value) if value is at:
            return {"accumulated"}
        case ast.Assign(targets=targets):
            return _assigned(module, parent, targets, depth)
        case ast.AnnAssign(target=target):
            return _assigned(module, parent, [target], depth)
        case ast.Return() | ast.Yield():
            return {"returned"}
        case ast.If() | ast.While() | ast.Assert() | ast.Compare() | ast.BoolOp():
            return {"decides"}
        case ast.IfExp(test=test) if test is at:
            return {"decides"}
        case ast.UnaryOp(op=ast.Not()):
            return {"decides"}
        case ast.Subscript(slice=index) if index is at:
            return {"indexes"}
        case ast.Slice():
            return {"indexes"}
        case ast.FormattedValue() | ast.JoinedStr():
            return {"logged"}
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str())):
            return {"logged"}
        case ast.keyword():
            return None
        case ast.Call(func=ast.Attribute(value=ast.Name() as held, attr="append")) if held.id in _gone_through(
            module, module.function_of(held)
        ):
            return {"sent"}
        case ast.Call(func=func) if func is not at:
            return _argument(func)
        case ast.Expr():
            return {"dropped"}
    return None


@once
def _gone_through(_: Module, function: Function) -> set[str]:
    """The names that loops of a function go through: what such a list holds is no mere bookkeeping."""
    loops = (node for node in walk(function.node, into_scopes=False) if isinstance(node, (ast.For, ast.AsyncFor)))
    return {name.id for each in loops for name in walk(each.iter, into_scopes=False) if isinstance(name, ast.Name)}


def _argument(func: ast.expr) -> set[Use] | None:
    name = last_name(func)
    if name in _CASTS:
        return None
    if name in ("range", "arange", "zeros", "ones", "full", "empty"):
        return {"indexes"}
    if name in _LOGGING or "log" in name.lower():
        return {"logged"}
    if name in _METERS:
        return {"accumulated"}
    return {"sent"}


def _assigned(module: Module, statement: ast.stmt, targets: list[ast.expr], depth: int) -> set[Use]:
    found: set[Use] = set()
    for target in targets:
        for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if not isinstance(part, ast.Name):
                found.add("stored")
            elif _adds_itself(statement, part.id):
                found.add("accumulated")
            elif depth:
                for load in reads_after(module, part):
                    found |= uses(module, load, depth - 1)
    return found or {"dropped"}


def _adds_itself(statement: ast.stmt, name: str) -> bool:
    """`total = total + x`."""
    value = getattr(statement, "value", None)
    return isinstance(value, ast.BinOp) and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value))


def reads_after(module: Module, binding: ast.Name) -> list[ast.Name]:
    """The reads of a name from a binding on, up to the next binding in the source; with a loop around, all of them."""
    function = module.function_of(binding)
    loads = function.scope.loads.get(binding.id, [])
    start = bound_at(module, binding)
    others = [bound_at(module, store) for store in function.scope.stores.get(binding.id, ()) if store is not binding]
    stop = min((place for place in others if place > start), default=None)
    return [load for load in loads if place_of(load) > start and (stop is None or place_of(load) <= stop)]


def bound_at(module: Module, store: ast.AST) -> tuple[int, int]:
    """Where a binding takes effect: of an assignment behind it, for what it assigns is read before."""
    parent = module.parents.get(store)
    while isinstance(parent, (ast.Tuple, ast.List, ast.Starred)):
        parent = module.parents.get(parent)
    if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return end_of(parent)
    return place_of(store)


def only_binding(module: Module, node: ast.Name) -> ast.expr | None:
    """The value that a local name is bound to, if one plain assignment in its scope binds it and nothing else."""
    function: Function | None = module.function_of(node)
    while function is not None and node.id not in function.scope.stores:
        function = function.within
    if function is None or node.id in function.scope.outer:
        return None
    stores = function.scope.stores[node.id]
    parent = module.parents.get(stores[0])
    if len(stores) != 1 or not isinstance(parent, (ast.Assign, ast.AnnAssign)):
        return None
    if isinstance(parent, ast.Assign) and (len(parent.targets) != 1 or parent.targets[0] is not stores[0]):
        return None
    return parent.value


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


def is_changed_after(module: Module, node: ast.expr) -> bool:
    """Whether the tensor of a name, or of a part of it, is written in place behind a statement, up to the next binding.

    What stands earlier in a loop around both comes behind it too, unless the loop binds the name anew at each turn.
    """
    root: ast.expr = node
    while isinstance(root, (ast.Subscript, ast.Attribute)):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    function = module.function_of(node)
    statement = module.statement(node)
    around = loop(module, node)
    start, end = place_of(statement), end_of(statement)
    stores = [store for store in function.scope.stores.get(root.id, ()) if not isinstance(store, ast.arg)]
    changes = [store for store in stores if isinstance(module.parents.get(store), ast.AugAssign)]
    bound = [place_of(store) for store in stores if store not in changes]
    stop = min((place for place in bound if place >= start), default=None)
    is_anew = around is not None and any(place_of(around) <= place <= end for place in bound)
    again = set(map(id, walk(around))) if around is not None and not is_anew else set()
    changes += [load for load in function.scope.loads.get(root.id, ()) if _writes(module, load)]
    return any(
        (place_of(change) >= end and (stop is None or place_of(change) < stop)) or id(change) in again
        for change in changes
    )


def _writes(module: Module, load: ast.Name) -> bool:
    """Whether a read of a name is there to write into what it holds: `x[0] = c`, `x.add_(c)`, `f(..., out=x)`."""
    at: ast.AST = load
    above = module.parents.get(at)
    while isinstance(above, (ast.Subscript, ast.Attribute)) and above.value is at:
        if isinstance(above.ctx, ast.Store):
            return True
        if isinstance(above, ast.Attribute) and above.attr.endswith("_") and not above.attr.endswith("__"):
            return isinstance(module.parents.get(above), ast.Call)
        at, above = above, module.parents.get(above)
    return isinstance(above, ast.keyword) and above.arg == "out"


def let_go(module: Module, node: ast.AST) -> Iterator[ast.expr]:
    """What the statements right above one let go of: `del x`, or `x.cpu()` and `x.to("cpu")` for their effect."""
    statement = module.statement(node)
    for above in reversed(_above(module, statement)):
        match above:
            case ast.Delete(targets=targets):
                yield from targets
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver, attr="cpu"))):
                yield receiver
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=receiver, attr="to"), args=[ast.Constant(value="cpu")])
            ):
                yield receiver
            case ast.Expr(value=ast.Call()):
                continue
            case _:
                return


def _above(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """The statements above one in its block; where it is the first of an `if`, those above that."""
    parent = module.parents.get(statement)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            above = block[: block.index(statement)]
            return _above(module, parent) if not above and isinstance(parent, ast.If) else above
    return []


def whole(module: Module, statement: ast.stmt) -> ast.stmt:
    """What to take away with a statement: the `if torch.cuda.is_available():` that holds nothing else."""
    around = module.parents.get(statement)
    match around:
        case ast.If(test=ast.Call(func=func), body=[_], orelse=[]):
            above = module.parents.get(around)
            is_branch = isinstance(above, ast.If) and around in above.orelse
            if dotted(module.function_of(around), func) == "torch.cuda.is_available" and not is_branch:
                return around
    return statement
