"""Functions that run a model for numbers of Python: nothing that leaves them has a gradient, whoever calls them.

    def act(self, state):
        q = self.network(state)
        return q.argmax(1).item()

Knows syntax, and what is a model.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.idioms import evaluation, gradients_wanted
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, last_name, parts, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

READS: Final = ("item", "tolist", "numpy", "float", "int")
_CUTS: Final = frozenset(
    ("item", "tolist", "detach", "argmax", "argmin", "argsort", "multinomial", "sample", "size",
     "float", "int", "bool", "len", "print", "str")
)  # fmt: skip
"""Calls that let no gradient through; `float` and `int` as functions of Python."""
_OF_PYTHON: Final = frozenset(("float", "int", "bool", "len", "print", "str"))
_ATTRIBUTES: Final = frozenset(("data", "shape", "dtype", "device", "ndim"))


def forward(facts: Facts, read: ast.AST) -> Fact[ast.Call]:
    """The forward pass with gradients on, of which nothing but numbers leaves the function in which one of them is read."""
    module = facts.module
    function = module.function_of(read)
    if function.is_module or read is not _first_read(module, function) or function.is_generator:
        return Fact(UNKNOWN)
    if _wants_gradients(module, function) or evaluation.is_elsewhere(facts.analysis, function):
        return Fact(UNKNOWN)
    calls = [each for each in evaluation.forwards(facts.analysis, module, function.node) if _is_model(facts, each)]
    if not calls or evaluation.reads_arrays(facts.analysis, module, function.node):
        return Fact(UNKNOWN)
    if any(_leaves(function, call) or not _is_read(module, call) for call in calls):
        return Fact(UNKNOWN)
    return Fact(calls[0], Sure.LIKELY, (Evidence(read, "a number, which has no gradient", module.path),))


@once
def _first_read(module: Module, function: Function) -> ast.Call | None:
    """The first read of a number in a function, for which the finding stands."""
    reads = (each for each in inside.calls(module, function.node) if last_name(each.func) in READS)
    return next((each for each in reads if _is_cut(each) or last_name(each.func) == "numpy"), None)


@once
def _wants_gradients(_: Module, function: Function) -> bool:
    """Whether a function wants gradients, or says a word of who learns: a helper may take the backward pass."""
    said = (each for each in walk(function.node) if isinstance(each, (ast.Name, ast.Attribute)))
    words = (each.id if isinstance(each, ast.Name) else each.attr for each in said)
    return gradients_wanted.hints(function.node) or any(value_names.learns(word) for word in (function.name, *words))


def _is_model(facts: Facts, call: ast.Call) -> bool:
    """Whether a model of more than one layer, or of which the file shows no more than its modes, runs with gradients on."""
    known = facts.analysis.value(evaluation.model_of(call), facts.module)
    if known.kind == "module":
        return evaluation.is_of_model(facts.analysis, facts.module, call)
    return evaluation.has_gradients(facts.analysis, facts.module, call)


def _is_read(module: Module, call: ast.Call) -> bool:
    return not isinstance(module.parents.get(call), ast.Expr)


def _leaves(function: Function, call: ast.Call) -> bool:
    """Whether what a call gives leaves its function other than as numbers: it is returned, kept by an object, or handed to one."""
    holding = set[str]()
    nodes = [each for each in walk(function.node) if isinstance(each, (ast.stmt, ast.NamedExpr))]
    for _ in range(2):  # a loop hands on to its next turn
        for node in nodes:
            for target in _handed_on(node, call, holding):
                root = _root(target)
                if root is None:
                    return True
                holding.add(root)
    inner = {name for name in function.inner_reads if name in holding}
    return bool(inner) or any(_is_way_out(each, call, holding) for each in nodes)


def _handed_on(node: ast.AST, call: ast.Call, holding: set[str]) -> list[ast.expr]:
    """What a statement gives what a call gave."""
    match node:
        case ast.Assign(targets=targets, value=value) if _holds(value, call, holding):
            return [part for target in targets for part in parts(target)]
        case ast.AnnAssign(target=target, value=ast.expr() as value) if _holds(value, call, holding):
            return [target]
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value) if _holds(
            value, call, holding
        ):
            return [target]
        case ast.For(target=target, iter=value) if _holds(value, call, holding):
            return parts(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=of, attr="append" | "extend"), args=[given])) if _holds(
            given, call, holding
        ):
            return [of]
    return []


def _is_way_out(node: ast.AST, call: ast.Call, holding: set[str]) -> bool:
    """Whether a statement returns what a call gave, or hands it to a function for what that does with it."""
    match node:
        case ast.Return(value=ast.expr() as value):
            return _holds(value, call, holding)
        case ast.Expr(value=ast.Call(func=func, args=args, keywords=keywords)):
            if isinstance(func, ast.Attribute) and func.attr in ("append", "extend"):
                return False
            return not (isinstance(func, ast.Name) and func.id in _CUTS) and any(
                _holds(each, call, holding) for each in (*args, *(each.value for each in keywords))
            )
        case ast.With(items=items):
            return any(_holds(each.context_expr, call, holding) for each in items)
    return isinstance(node, (ast.Global, ast.Nonlocal, ast.Delete))


def _holds(node: ast.AST, call: ast.Call, holding: set[str]) -> bool:
    """Whether an expression holds more than numbers of what a call gave."""
    if node is call or (isinstance(node, ast.Name) and node.id in holding):
        return True
    match node:
        case ast.Compare() | ast.JoinedStr():
            return False
        case ast.Call() if _is_cut(node):
            return False
        case ast.Attribute(attr=attr) if attr in _ATTRIBUTES:
            return False
        case ast.IfExp(body=body, orelse=orelse):
            return _holds(body, call, holding) or _holds(orelse, call, holding)
    if isinstance(node, COMPREHENSIONS):
        items = set(holding)
        for each in node.generators:
            if _holds(each.iter, call, items):
                items |= {name.id for name in walk(each.target) if isinstance(name, ast.Name)}
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return any(_holds(each, call, items) for each in made)
    return any(_holds(each, call, holding) for each in ast.iter_child_nodes(node))


def _is_cut(call: ast.Call) -> bool:
    """Whether a call lets no gradient through: `float(x)` does not, but `x.float()` does."""
    name = last_name(call.func)
    return name in _CUTS and (isinstance(call.func, ast.Name) or name not in _OF_PYTHON)


def _root(node: ast.expr) -> str | None:
    """The name of which something is kept, or a part: none for what an object keeps."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
