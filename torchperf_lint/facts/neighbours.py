"""What stands around a node: its loop, what becomes of its value, where a name is bound and read.

Questions of syntax and names alone; they are asked of Python's own tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, Literal

from torchperf_lint.facts.program import LOOPS, ClosedNode, Function, Module, last_name, walk

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
_METERS: Final = frozenset(("update", "append", "add", "extend", "push", "put"))
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
    )
)


def loop(module: Module, node: ast.AST) -> ast.For | ast.AsyncFor | ast.While | None:
    """The innermost loop whose body a node stands in, within its function."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ClosedNode):
            return None
        if isinstance(above, LOOPS) and any(below is statement for statement in above.body):
            return above
        below = above
    return None


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
        case ast.Call(func=func) if func is not at:
            return _argument(func)
        case ast.Expr():
            return {"dropped"}
    return None


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
    start = _place(binding)
    others = [_place(store) for store in function.scope.stores.get(binding.id, ()) if store is not binding]
    stop = min((place for place in others if place > start), default=None)
    return [load for load in loads if _place(load) > start and (stop is None or _place(load) <= stop)]


def _place(node: ast.AST) -> tuple[int, int]:
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


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


def reads(module: Module, name: str, within: ast.AST) -> Iterator[ast.Name]:
    """The reads of a name below a node."""
    for node in walk(within):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node


def is_read_after(module: Module, name: str, statement: ast.stmt) -> bool:
    """Whether a function reads a name behind a statement, or before it in a loop that both stand in."""
    function = module.function_of(statement)
    end = (statement.end_lineno or statement.lineno, statement.end_col_offset or 0)
    around = [above for above in module.ancestors(statement) if isinstance(above, LOOPS)]
    for load in function.scope.loads.get(name, ()):
        if _place(load) >= end:
            return True
        if any(above in around for above in module.ancestors(load)) and _place(load) < _place(statement):
            return True
    return any(name in inner.scope.loads and name not in inner.scope.stores for inner in function.inner)
