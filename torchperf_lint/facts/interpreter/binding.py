"""Binding: what an assignment, a loop or a `with` does to its target, whatever the form of the target."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.interpreter import containers, objects, uses

if TYPE_CHECKING:
    from torchperf_lint.facts.interpreter.infer import Run
    from torchperf_lint.facts.values import Value


def assign(run: Run, target: ast.expr, value: Value) -> None:
    """Bind a target, whatever its form."""
    match target:
        case ast.Name(id=name):
            run.bind(name, uses.named(run, target, value), target)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element, item in zip(elements, containers.unpack(run, value, elements), strict=True):
                assign(run, element, item)
        case ast.Starred(value=inner):
            assign(run, inner, value)
        case ast.Attribute():
            objects.assign_attribute(run, target, value)
        case ast.Subscript():
            containers.assign_item(run, target, value)
