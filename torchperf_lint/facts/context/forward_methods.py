"""What a `forward` is for, where that is no step of a model: to be exported, or to make something of numbers alone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import count_names, file_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.knowledge import eager_conditions, pass_through

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_NUMBERS: Final = ("int", "float", "bool")
_HANDED_ON: Final = 4
"""So many names and calls are followed to an exporter: `net = net.eval()` leads back to its name."""


def is_aside(function: Function) -> bool:
    """Whether a `forward` is no part of a step: what a file for export holds, or makes for that alone, is traced once, and so is a
    stand-in for an operator of ONNX, which says by `symbolic` what it is to become."""
    owner = function.owner
    if owner is not None and "symbolic" in owner.methods and "backward" not in owner.methods:
        return True
    if owner is not None and _is_only_exported(function.module, owner):
        return True
    return file_names.is_for_export(function.module.name) or _draws_samples(function)


@once
def _is_only_exported(module: Module, owner: Class) -> bool:
    """Whether all that a file makes of a class it hands to an exporter: `torch.onnx.export(Wrapped(model), x, path)`."""
    if not module.calls.keys() & {name.rpartition(".")[2] for name in eager_conditions.EXPORTERS}:
        return False
    made = module.calls.get(owner.name, ())
    return bool(made) and all(_is_exported(module, call, _HANDED_ON) for call in made)


def _is_exported(module: Module, made: ast.expr, deep: int) -> bool:
    """Whether what is made, or the name that it is given, goes to an exporter, and is besides only set up: `net.eval()`."""
    above = module.parents.get(made) if deep else None
    match above:
        case ast.Call(args=[first, *_]) if first is made:
            return names.dotted(module.function_of(above), above.func) in eager_conditions.EXPORTERS
        case ast.Attribute(attr=attr) if attr in pass_through.MODULE_METHODS:
            call = module.parents.get(above)
            return isinstance(call, ast.Call) and _is_exported(module, call, deep - 1)
        case ast.Assign(targets=[ast.Name(id=name)]):
            loads = module.function_of(above).scope.loads.get(name, ())
            handed = [load for load in loads if not _is_set_up(module, load)]
            return bool(handed) and all(_is_exported(module, load, deep - 1) for load in handed)
    return False


def _is_set_up(module: Module, load: ast.Name) -> bool:
    above = module.parents.get(load)
    call = module.parents.get(above) if isinstance(above, ast.Attribute) else None
    is_method = isinstance(above, ast.Attribute) and above.attr in pass_through.MODULE_METHODS
    return is_method and isinstance(call, ast.Call) and isinstance(module.parents.get(call), ast.Expr)


def _draws_samples(function: Function) -> bool:
    """Whether a `forward` is asked for a number of samples and given no tensor: `def forward(self, n_sample, scale: float = 1.0)`."""
    taken = list(function.parameters.items())[1:]
    given = {name: node for name, node in taken if not count_names.is_of_samples(name)}
    return len(given) < len(taken) and all(_says_number(function, *each) for each in given.items())


def _says_number(function: Function, name: str, node: ast.AST) -> bool:
    """Whether a parameter is annotated as a number, or is one by default."""
    match node, function.defaults.get(name):
        case ast.arg(annotation=ast.Name(id=kind)), _:
            return kind in _NUMBERS
        case _, ast.Constant(value=int() | float()):
            return True
    return False


def is_given_numbers(analysis: Analysis, function: Function) -> bool:
    """Whether a `forward` is given numbers alone, a shape or a count: it makes something, of what its module holds."""
    if function.owner is None or function.name != "forward" or analysis.kind(function.owner) != "module":
        return False
    given = [analysis.parameter(function, name) for name in function.parameters][1:]
    return bool(given) and all(_is_number(each) for each in given)


def _is_number(value: Value) -> bool:
    if value.kind in ("tuple", "list"):
        items = value.items if isinstance(value.items, tuple) else (value.elem,) if value.elem is not None else ()
        return bool(items) and all(_is_number(item) for item in items)
    return value.kind in ("number", "size", "string")
