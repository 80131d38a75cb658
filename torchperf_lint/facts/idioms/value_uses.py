"""What becomes of a value: it is added up, logged, returned, decides something, is an index. Syntax and names alone."""

from __future__ import annotations

import ast
from typing import Final, Literal

from torchperf_lint.facts.guesses import call_names
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, parts, says, walk

Use = Literal["accumulated", "logged", "returned", "decides", "indexes", "sent", "stored", "dropped", "computed"]
"""accumulated: added to a total, appended to a list. logged: printed, formatted, given to a logger. decides: a condition
depends on it. indexes: an index, a size, a range. sent: an argument of some other call. stored: in an attribute or item."""

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


_LOGARITHMS: Final = frozenset(("log", "log1p", "log2", "log10", "logsumexp", "logaddexp"))


_EXTREMES: Final = frozenset(("max", "min"))
_KEPT: Final = frozenset(("accumulated", "logged", "returned", "stored", "dropped"))


def only_logs(statements: list[ast.stmt]) -> bool:
    """Whether statements do nothing but print and log."""
    calls = [each.value if isinstance(each, ast.Expr) else None for each in statements]
    return all(isinstance(call, ast.Call) and call_names.logs(last_name(call.func)) for call in calls)


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
        case ast.BoolOp(values=[*_, last]) if last is at:
            return None  # `limit or x.max().item()` gives it; whoever asks the whole decides
        case ast.Compare() if getattr(module.parents.get(parent), "slice", None) is parent:
            return {"computed"}  # x[x < threshold]: a mask
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
            return {"accumulated"} if depth and _keeps_extreme(module, parent) else _argument(module, func)
        case ast.Expr():
            return {"dropped"}
    return None


@once
def _gone_through(_: Module, function: Function) -> set[str]:
    """The names that loops of a function go through, or that a scheduler's step is given: what such a list holds is no
    mere bookkeeping."""
    inside = list(walk(function.node, into_scopes=False))
    taken = [node.iter for node in inside if isinstance(node, (ast.For, ast.AsyncFor))]
    taken += [
        arg for node in inside if isinstance(node, ast.Call) and last_name(node.func) == "step" for arg in node.args
    ]
    return {name.id for each in taken for name in walk(each, into_scopes=False) if isinstance(name, ast.Name)}


def _argument(module: Module, func: ast.expr) -> set[Use] | None:
    name = last_name(func)
    if name in _CASTS or (name in _LOGARITHMS and dotted(module.function_of(func), func) == f"torch.{name}"):
        return None
    if name in ("range", "arange", "zeros", "ones", "full", "empty"):
        return {"indexes"}
    if call_names.logs(name) or call_names.is_about_logs(name):
        return {"logged"}
    if call_names.collects(name):
        return {"accumulated"}
    return {"sent"}


def _assigned(module: Module, statement: ast.stmt, targets: list[ast.expr], depth: int) -> set[Use]:
    found: set[Use] = set()
    for target in targets:
        for part in parts(target):
            if not isinstance(part, ast.Name):
                found.add("stored")
            elif _adds_itself(statement, part.id):
                found.add("accumulated")
            elif depth:
                for load in definitions.reads_after(module, part):
                    found |= uses(module, load, depth - 1)
    return found or {"dropped"}


def _keeps_extreme(module: Module, call: ast.Call) -> bool:
    """`best = max(best, x)`, at which its function does not look: it is kept, logged or returned."""
    above = module.parents.get(call)
    if not isinstance(call.func, ast.Name) or not _is_compared(call):
        return False
    if not isinstance(above, ast.Assign) or len(above.targets) != 1:
        return False
    kept = ast.unparse(above.targets[0])
    if kept not in map(ast.unparse, call.args):
        return False
    reads = (
        each
        for each in walk(module.function_of(call).node, into_scopes=False)
        if isinstance(each, (ast.Name, ast.Attribute)) and isinstance(each.ctx, ast.Load) and ast.unparse(each) == kept
    )
    return all(_is_compared(module.parents.get(each)) or uses(module, each, 0) <= _KEPT for each in reads)


def _is_compared(above: ast.AST | None) -> bool:
    """Whether a value goes to `max` or `min`, as to the one that keeps it."""
    return isinstance(above, ast.Call) and last_name(above.func) in _EXTREMES


def _adds_itself(statement: ast.stmt, name: str) -> bool:
    """`total = total + x`."""
    value = getattr(statement, "value", None)
    return isinstance(value, ast.BinOp) and says(value, name)
