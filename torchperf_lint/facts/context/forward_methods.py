"""What a `forward` is for, where that is no step of a model: to be exported, or to make something of numbers alone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import count_names, file_names
from torchperf_lint.facts.index.scopes import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_NUMBERS: Final = ("int", "float", "bool")


def is_aside(function: Function) -> bool:
    """Whether a `forward` is no part of a step: what a file for export holds is traced once, and so is a stand-in for an
    operator of ONNX, which says by `symbolic` what it is to become."""
    owner = function.owner
    is_stand_in = owner is not None and "symbolic" in owner.methods and "backward" not in owner.methods
    return is_stand_in or file_names.is_for_export(function.module.name) or _draws_samples(function)


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
