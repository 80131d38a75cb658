"""Which nodes cannot wait, by their look alone: asked before their parts are evaluated, which costs far more.

Nothing is lost: a look says no only where no value of the parts could make the node wait. Knows syntax, names, and which
names the tables have.
"""

from __future__ import annotations

import ast
import math
from functools import cache
from typing import Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.guesses import class_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.knowledge import operation_waits, python_functions, writers

_BESIDES: Final = (
    frozenset(
        "to cuda cpu type type_as copy_ new new_tensor format save load pad_packed_sequence tensor as_tensor asarray step sample".split()
    )
    | writers.METHODS
)
"""Names of calls that wait for other reasons than a row of the table."""
_MATH: Final = frozenset(dir(math))
_ANSWERS: Final = frozenset(("isinstance", "issubclass", "hasattr", "callable", "len"))
"""Functions whose answer is never a tensor."""


_TYPING: Final = ("typing", "typing_extensions", "collections.abc")
_GENERIC: Final = frozenset(
    "Optional Union List Tuple Dict Type Set Callable Sequence Iterable Literal list tuple dict type set".split()
)
"""Types that are given parameters in brackets; most stand in annotations."""


def may_wait(module: Module, node: ast.AST) -> bool:
    """Whether a node could wait, for all that can be seen without evaluating it."""
    match node:
        case ast.Call():
            return _call(module, node)
        case ast.Subscript(value=ast.Name(id=name)) if name in _GENERIC and _is_type(module, node, name):
            return False
        case ast.Subscript(slice=index):
            return _index(index, is_read=isinstance(node.ctx, ast.Load)) and not _is_annotation(module, node)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return _truth(test)
        case ast.BoolOp(values=values):
            return any(_truth(value) for value in values[:-1])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _truth(operand)
        case ast.Compare(ops=ops):
            return len(ops) > 1 or isinstance(ops[0], (ast.In, ast.NotIn))
    return True


def _call(module: Module, node: ast.Call) -> bool:
    name = last_name(node.func)
    name = module.renamed.get(name, name)
    if name in _calls() or not name or name.endswith("Tensor"):
        return True
    if name in python_functions.ALL or name in _MATH:
        return _is_of_python(module, node.func)
    if knowledge.constructs(f"torch.distributions.{name}") == "distribution":
        return True
    if _may_have_modules(module, module.tree):
        return True  # something that is called may be one of them
    if not isinstance(node.func, ast.Name):
        return False
    home = names.scope_of(module.function_of(node), node.func.id)
    stores = home.scope.stores[node.func.id] if home is not None else ()
    # It may stand for anything; what is imported under the name of a class may be a distribution, and so may a class.
    return any(
        isinstance(store, (ast.Name, ast.arg))
        or (isinstance(store, ast.ImportFrom) and class_names.is_class(name))
        or (isinstance(store, ast.ClassDef) and bool(store.bases))
        for store in stores
    )


def _is_of_python(module: Module, function: ast.expr) -> bool:
    """Whether a function may be Python's own, or one of `math`: a method has a row of the table, if it waits."""
    match function:
        case ast.Attribute(value=ast.Name(id=base), attr=attr):
            return attr == "format" or module.renamed.get(base, base) == "math"
        case ast.Attribute(attr=attr):
            return attr == "format"
    return True


def _is_type(module: Module, node: ast.AST, name: str) -> bool:
    """Whether a name is that of a type of Python, not of something of the file."""
    home = names.scope_of(module.function_of(node), name)
    stores = home.scope.stores[name] if home is not None else ()
    return all(isinstance(store, ast.ImportFrom) and store.module in _TYPING for store in stores)


def _is_annotation(module: Module, node: ast.expr) -> bool:
    """Whether a node is an annotation, or part of one: that is a type, whatever its names are."""
    below: ast.AST = node
    while isinstance(below, ast.expr):
        above = module.parents[below]
        if below is getattr(above, "annotation", None) or below is getattr(above, "returns", None):
            return True
        below = above
    return False


def _index(index: ast.expr, *, is_read: bool) -> bool:
    """Whether an index could make its subscript wait; writing a number to one element may."""
    match index:
        case ast.Tuple(elts=elements):
            return any(_index(element, is_read=is_read) for element in elements)
        case ast.Slice(lower=lower, upper=upper, step=step):
            return any(part is not None and _index(part, is_read=True) for part in (lower, upper, step))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return not is_read
        case ast.Constant(value=value):
            return not is_read and not isinstance(value, str)
    return True


def _truth(test: ast.expr) -> bool:
    """Whether asking for the truth of an expression could wait."""
    match test:
        case ast.Constant() | ast.JoinedStr():
            return False
        case ast.Attribute(attr="training"):
            return False
        case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.In() | ast.NotIn()]):
            return False  # `in` waits by itself, not by its answer
        case ast.Compare(comparators=[ast.Constant(value=str()) | ast.List() | ast.Dict()]):
            return False  # `found != []` is asked of a list
        case ast.Call(func=ast.Name(id=name)):
            return name not in _ANSWERS
        case ast.BoolOp(values=values):
            return _truth(values[-1])
        case ast.UnaryOp(op=ast.Not()):
            return False  # gives a Python bool, and waits by itself
    return True


@cache
def _calls() -> frozenset[str]:
    """The names under which operations that wait are called."""
    rows = operation_waits.operations()
    aliases = {alias for alias, name in knowledge.schemas()["names"].items() if name in rows}
    called = {name.rpartition(".")[2] for name in (*rows, *aliases) if not name.endswith("()")}
    return frozenset(called) | _BESIDES


@once
def _may_have_modules(module: Module, _: ast.Module) -> bool:
    """Whether a file names a class of modules that wait when they are called, with the settings that make them wait."""
    return any(each in module.names and settings <= module.keywords for each, settings in _modules())


@cache
def _modules() -> frozenset[tuple[str, frozenset[str]]]:
    """The names of the classes of modules that wait when they are called, with the settings that make them wait."""
    found = set()
    for name, rows in operation_waits.operations().items():
        if name.endswith("()"):
            for row in rows:
                settings = (word.partition("=")[0] for word in row.when if word.startswith("self."))
                needed = frozenset(setting.removeprefix("self.") for setting in settings)
                found.add((name.removesuffix("()").rpartition(".")[2], needed))
    return frozenset(found)
