"""Decorators that keep a function from nobody, and hand it to nobody: who uses it still has to say its name.

def checked(function):                    gives it back, or what calls it
    return jaxtyped(function)
@register("rank")                         remembers it
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.interpret.analysis import Analysis

_PLAIN: Final = frozenset(
    (
        "staticmethod classmethod property no_grad enable_grad inference_mode dataclass script ignore autocast custom_fwd custom_bwd "
        "beartype jaxtyped typechecked"
    ).split()
)
_ALIKE: Final = frozenset(("wraps", "update_wrapper"))


def is_plain(analysis: Analysis, module: Module, decorator: ast.expr) -> bool:
    """Whether a decorator is one of these, by its name or by what it does in the project."""
    if last_name(getattr(decorator, "func", decorator)) in _PLAIN:
        return True
    dotted = names.dotted(module.function_of(decorator), decorator)
    found = analysis.resolve(dotted) if dotted is not None else None
    made = found if found is not None else analysis.value(decorator, module)
    function = made.ref if made.kind == "function" else None
    if not isinstance(function, Function) or len(function.parameters) != 1:
        return False
    (given,) = function.parameters
    said = (each for each in walk(function.node) if isinstance(each, ast.Name) and each.id == given)
    return all(_hands_to_nobody(function.module, each) for each in said)


def keeps_by_name(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, decorator: ast.expr) -> bool:
    """Whether a decorator keeps a class under its own name, which who makes one has to say: `@HEADS.register_module()`."""
    says_another = any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in walk(decorator))
    is_kept = function_names.registers(last_name(getattr(decorator, "func", decorator)))
    return isinstance(node, ast.ClassDef) and is_kept and not says_another


def _hands_to_nobody(module: Module, read: ast.Name) -> bool:
    """Whether a function is called where its name is read, given back, or given to such a decorator."""
    above = module.parents.get(read)
    while isinstance(above, ast.IfExp):
        above = module.parents.get(above)
    match above:
        case ast.Return():
            return True
        case ast.Call(func=func):
            maker = last_name(func.func if isinstance(func, ast.Call) else func)
            return func is read or maker in _PLAIN or maker in _ALIKE
    return False
