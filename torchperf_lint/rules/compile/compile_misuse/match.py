"""Calls of `torch.compile` after which nothing is compiled, by what becomes of their result."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.context import compiled
from torchperf_lint.facts.idioms import torchscript
from torchperf_lint.facts.idioms.makers import maker
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_COMPILES_ALL: Final = (2, 14)
"""Before it, `compile` of a module compiles nothing of which torch itself has the `forward`."""
_CALLED: Final = ("forward", "__call__")
"""The methods of a module that its compiled twin compiles."""


@dataclass(frozen=True, slots=True)
class Misuse:
    """What is wrong with a call of `torch.compile`, and what shows it."""

    kind: Literal["dropped", "script", "method", "inert"]
    shown: ast.AST
    name: str
    """What is dropped, called instead, or compiled where it is."""


def found(facts: Facts, node: ast.AST) -> Misuse | None:
    """What is wrong with a call; None where nothing is known to be."""
    module = facts.module
    if not isinstance(node, ast.Call):
        return None
    if names.dotted(module.function_of(node), node.func) != compiled.COMPILE:
        return _inert(facts, node)
    if len(node.args) != 1 or any(each.arg in (None, "disable") for each in node.keywords):
        return None
    given = node.args[0]
    if isinstance(module.parents.get(node), ast.Expr):
        return Misuse("dropped", node, ast.unparse(given))
    made = torchscript.made(facts.analysis, module, given)
    if made is not None:
        return Misuse("script", made, ast.unparse(given))
    return _method(facts, node, given)


def is_misused(facts: Facts, node: ast.AST) -> bool:
    return found(facts, node) is not None


def compiles_in_place(facts: Facts, node: ast.AST) -> bool:
    """Whether what is compiled is a module that has a name, and of which `compile` compiles what it runs."""
    given = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if not isinstance(given, (ast.Name, ast.Attribute)):
        return False
    value = facts.analysis.value(given, facts.module)
    if value.kind != "module" or facts.settings.target >= _COMPILES_ALL:
        return value.kind == "module"
    return isinstance(value.ref, Class) and classes.find_method(facts.analysis, value.ref, "forward") is not None


def _inert(facts: Facts, node: ast.Call) -> Misuse | None:
    """`model.compile()` of a module that is torch's own, as are all that it is made of."""
    func, is_statement = node.func, isinstance(facts.module.parents.get(node), ast.Expr)
    if not is_statement or not isinstance(func, ast.Attribute) or facts.settings.target >= _COMPILES_ALL:
        return None
    if any(each.arg in (None, "disable") for each in node.keywords) or not _is_of_torch(facts, func.value):
        return None
    return Misuse("inert", node, ast.unparse(func.value))


def _is_of_torch(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is a module of a class of torch.nn, made of nothing else."""
    value = facts.analysis.value(node, facts.module)
    if value.kind != "module" or not isinstance(value.ref, str) or not value.ref.startswith("torch.nn."):
        return False
    made = maker(facts.module, node)
    while made is not None and isinstance(made.func, ast.Attribute) and isinstance(made.func.value, ast.Call):
        made = made.func.value  # the `nn.Linear(8, 8)` of `nn.Linear(8, 8).cuda()`
    if made is None or names.dotted(facts.module.function_of(made), made.func) != value.ref:
        return False
    given = [*made.args, *(each.value for each in made.keywords)]
    return all(_is_plain(facts, each) or _is_of_torch(facts, each) for each in given)


def _is_plain(facts: Facts, node: ast.expr) -> bool:
    """Whether an argument is a number or the like, and so no module, or a list of them, is in it."""
    return isinstance(node, ast.Constant) or facts.analysis.value(node, facts.module).kind in (
        "number",
        "string",
        "device",
        "dtype",
    )


def _method(facts: Facts, node: ast.Call, given: ast.expr) -> Misuse | None:
    """The method that is called on a compiled module of which nothing else is ever called, where that has it."""
    module, owner = facts.module, facts.analysis.value(given, facts.module).ref
    target = _target(module, node)
    if target is None or not isinstance(owner, Class) or facts.analysis.kind(owner) != "module":
        return None
    called: ast.Attribute | None = None
    for read in definitions.reads_after(module, target):
        above = module.parents.get(read)
        if not isinstance(above, ast.Attribute) or not isinstance(above.ctx, ast.Load) or above.attr in _CALLED:
            return None
        call = module.parents.get(above)
        if not isinstance(call, ast.Call) or call.func is not above:
            return None
        if classes.find_method(facts.analysis, owner, above.attr) is not None:
            called = called or above
    return Misuse("method", called, called.attr) if called is not None else None


def _target(module: Module, node: ast.Call) -> ast.Name | None:
    """The local name that a result is bound to, which nothing but its own function reads."""
    match module.parents.get(node):
        case ast.Assign(targets=[ast.Name(id=name) as target]):
            function = module.function_of(node)
            is_local = not function.is_module and name not in function.scope.outer
            is_own = is_local and not any(name in inner.scope.loads for inner in function.inner)
            return target if is_own else None
    return None
