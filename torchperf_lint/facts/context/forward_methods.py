"""What a `forward` is for, where that is no step of a model: to be exported, or to make something of numbers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import file_names
from torchperf_lint.facts.index.scopes import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def is_aside(function: Function) -> bool:
    """Whether a `forward` is no part of a step: what a file for export holds is traced once, and so is a stand-in for an
    operator of ONNX, which says by `symbolic` what it is to become."""
    owner = function.owner
    is_stand_in = owner is not None and "symbolic" in owner.methods and "backward" not in owner.methods
    return is_stand_in or file_names.is_for_export(function.module.name)


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
