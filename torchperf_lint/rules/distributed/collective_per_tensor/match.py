"""Collectives in a loop over the parameters of a model."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import process_groups
from torchperf_lint.facts.index import blocks, definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_PARTS: Final = frozenset(("parameters", "named_parameters", "buffers", "named_buffers"))


def short(facts: Facts, call: ast.AST) -> str:
    """The name of a collective."""
    assert isinstance(call, ast.Call)
    return process_groups.collective(facts.module, call) or ""


def is_of_each(facts: Facts, call: ast.AST) -> bool:
    """Whether a collective exchanges the item of a loop over the parameters, or the gradient of it."""
    assert isinstance(call, ast.Call)
    module = facts.module
    if not short(facts, call) or process_groups.is_on_host(module, call) or not call.args:
        return False
    if any(each.arg == "async_op" for each in call.keywords):
        return False
    loop = blocks.loop(module, call)
    if not isinstance(loop, ast.For) or not _are_parts(module, loop.iter):
        return False
    items = {each.id for each in walk(loop.target) if isinstance(each, ast.Name)}
    return any(isinstance(each, ast.Name) and each.id in items for each in walk(call.args[0]))


def _are_parts(module: Module, node: ast.expr) -> bool:
    """Whether an expression gives the parameters of a model: `model.parameters()`, `enumerate(...)` of it, or a list of them."""
    match node:
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in _PARTS:
            return True
        case ast.Call(func=func, args=[first, *_]) if last_name(func) in (
            "enumerate",
            "list",
            "tuple",
            "reversed",
            "filter",
        ):
            return _are_parts(module, first)
        case (
            ast.ListComp(generators=[ast.comprehension(iter=source)])
            | ast.GeneratorExp(generators=[ast.comprehension(iter=source)])
        ):
            return _are_parts(module, source)
        case ast.Name():
            value = definitions.definition(module, node)
            return value is not None and not isinstance(value, ast.Name) and _are_parts(module, value)
    return False
