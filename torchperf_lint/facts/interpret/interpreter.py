"""The interpreter, put together: each of its parts is handed what it needs, and knows of no other by name."""

from __future__ import annotations

from typing import Final

from torchperf_lint.facts.context import arguments_elsewhere
from torchperf_lint.facts.domain.value import BOTTOM, Value
from torchperf_lint.facts.guesses import parameters, trainers
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import (
    ancestry,
    callers,
    calls,
    class_attributes,
    classes,
    devices,
    expressions,
    flow,
    lookup,
    program_calls,
    type_hints,
)  # fmt: skip
from torchperf_lint.facts.interpret.analysis import Analysis
from torchperf_lint.facts.interpret.parts import Parts
from torchperf_lint.facts.interpret.shared import SharedAnswers


def _parameter(analysis: Analysis, function: Function, name: str) -> Value:
    found = trainers.given(analysis, function, name) or parameters.parameter(analysis, function, name)
    if found is BOTTOM:
        return BOTTOM
    found = devices.as_called(found, name)
    is_asked = analysis.away > 0 and function.module is analysis.module
    return arguments_elsewhere.told(analysis, function, name, found) if is_asked else found


PARTS: Final = Parts(
    expressions=expressions.TABLE,
    run=flow.run_function,
    run_class=flow.class_body,
    block=flow.block,
    apply=calls.apply,
    send=program_calls.send,
    plain=lookup.plain,
    free=lookup.free,
    resolve=lookup.resolve,
    parameter=_parameter,
    annotation=type_hints.read,
    alias=type_hints.alias,
    attribute=class_attributes.own_attribute,
    bases=ancestry.bases,
    ancestry=ancestry.ancestry,
    kind=classes.kind,
    sites=callers.sites,
    heirs=callers.heirs,
)


def analysis_of(program: Program, module: Module, shared: SharedAnswers | None = None) -> Analysis:
    """The analysis of one module of a program; `shared` is what is known of modules from other files of the run."""
    return Analysis(program, module, PARTS, shared)


def neighbour_of(program: Program, module: Module, shared: SharedAnswers | None = None) -> Analysis:
    """The analysis of a module that may call what a linted one defines: what is found of it is kept for others."""
    return Analysis(program, module, PARTS, shared, is_neighbour=True)
