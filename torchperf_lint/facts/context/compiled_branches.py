"""Branches that compiled code never takes: `if not torch.compiler.is_compiling()`, and those for scripting and export."""

from __future__ import annotations

import ast

from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import ClosedNode, last_name
from torchperf_lint.facts.knowledge import eager_conditions


def may_be_taken(module: Module, node: ast.AST) -> bool:
    """Whether compiled code may come to a node, as far as questions about compiling tell."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ClosedNode):
            return not _leaves_before(module, getattr(above, "body", None), below)
        if isinstance(above, (ast.If, ast.IfExp)) and below is not above.test:
            body = above.body if isinstance(above.body, list) else [above.body]
            wanted = any(below is each for each in body)
            if _holds(module, above.test) in (not wanted, "either"):
                return False
        if isinstance(above, ast.BoolOp) and _is_cut_off(module, above, below):
            return False
        if any(_leaves_before(module, getattr(above, name, None), below) for name in ("body", "orelse", "finalbody")):
            return False
        below = above
    return True


def _is_cut_off(module: Module, test: ast.BoolOp, below: ast.AST) -> bool:
    """Whether an operand before one keeps it from being asked: `not is_compiling() and x.any()`."""
    stops = isinstance(test.op, ast.Or)
    before = test.values[: next((i for i, each in enumerate(test.values) if each is below), 0)]
    return any(_holds(module, each) in (stops, "either") for each in before)


def _leaves_before(module: Module, block: object, below: ast.AST) -> bool:
    """Whether compiled code has left a block before a statement: `if is_compiling(): return x`."""
    if not isinstance(block, list) or not any(each is below for each in block):
        return False
    for each in block:
        if each is below:
            return False
        leaves = isinstance(each, ast.If) and isinstance(each.body[-1], (ast.Return, ast.Continue, ast.Raise))
        if leaves and _holds(module, each.test) is True:
            return True
    return False


def _holds(module: Module, test: ast.expr) -> bool | str | None:
    """What a condition comes out as in compiled code; "either" for one about tracing of whatever kind; None: it asks other things."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            found = _holds(module, operand)
            return not found if isinstance(found, bool) else found
        case ast.BoolOp(op=op, values=values):
            each = [_holds(module, value) for value in values]
            decides = isinstance(op, ast.Or)
            if any(found is decides for found in each):
                return decides
            if "either" in each:
                return "either"
            return not decides if all(found is (not decides) for found in each) else None
        case ast.Call(func=func):
            name = last_name(func)
            if function_names.asks_compiling(name):
                return True
            if names.dotted(module.function_of(test), func) in eager_conditions.FALSE:
                return False
            return "either" if function_names.asks_tracing(name) else None
        case ast.Attribute(attr=name) if name in eager_conditions.FLAGS:
            return False
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id=name):
            return _bound(module, test, name)
    return None


def _bound(module: Module, test: ast.expr, name: str) -> bool | str | None:
    """What a name comes out as that is bound once to such a question: `compiling = is_compiling()`."""
    home = names.scope_of(module.function_of(test), name)
    match [module.parents.get(store) for store in home.scope.stores[name]] if home is not None else []:
        case [ast.Assign(targets=[ast.Name()], value=ast.Call() as asked)]:
            return _holds(module, asked)
    return None
