"""Binding: what an assignment, a loop or a `with` does to its target, whatever the form of the target."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.guesses import bound_names
from torchperf_lint.facts.interpret import attributes, containers

if TYPE_CHECKING:
    from torchperf_lint.facts.domain.value import Value
    from torchperf_lint.facts.interpret.analysis import Run


def assign(run: Run, target: ast.expr, value: Value) -> None:
    """Bind a target, whatever its form."""
    match target:
        case ast.Name(id=name):
            run.bind(name, bound_names.named(run, target, value), target)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element, item in zip(elements, containers.unpack(run, value, elements), strict=True):
                assign(run, element, item)
        case ast.Starred(value=inner):
            assign(run, inner, value)
        case ast.Attribute():
            attributes.assign_attribute(run, target, value)
        case ast.Subscript():
            containers.assign_item(run, target, value)
