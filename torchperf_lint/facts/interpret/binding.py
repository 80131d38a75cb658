"""Binding: what an assignment, a loop or a `with` does to its target, whatever the form of the target."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import BOTTOM
from torchperf_lint.facts.guesses import bound_names
from torchperf_lint.facts.interpret import attributes, containers

if TYPE_CHECKING:
    from torchperf_lint.facts.domain.value import Value
    from torchperf_lint.facts.interpret.run import Run


def assign(run: Run, target: ast.expr, value: Value) -> None:
    """Bind a target, whatever its form."""
    if value is BOTTOM:
        _nothing_yet(run, target)
        return
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


def _nothing_yet(run: Run, target: ast.expr) -> None:
    """Bind all names of a target to what is still to be worked out."""
    for each in ast.walk(target):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            run.bind(each.id, BOTTOM, each)
        elif isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
            attributes.assign_attribute(run, each, BOTTOM)
