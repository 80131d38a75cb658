"""A loop that accumulates the gradients of a model which is wrapped for many GPUs, and where its switch can be set."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import condition_names
from torchperf_lint.facts.idioms import accumulation, replicas
from torchperf_lint.facts.idioms.accumulation import Accumulation
from torchperf_lint.facts.idioms.replicas import How
from torchperf_lint.facts.index.walk import end_of, last_name, place_of, walk
from torchperf_lint.facts.knowledge.distributed import DRIVERS as DRIVERS
from torchperf_lint.rules.distributed.accumulation_without_no_sync import turns

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

SWITCHES: Final = turns.SWITCHES
_READS_GRADIENTS: Final = frozenset(("grad", "clip_grad_norm_", "clip_grad_value_", "unscale_", "get_total_norm"))
_PLAIN: Final = (
    ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.operator, ast.cmpop, ast.boolop,
    ast.unaryop, ast.expr_context,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """Gradients that are synchronised too often."""

    how: How
    model: ast.expr
    test: ast.expr
    """Holds where the optimizer steps."""
    first: ast.stmt | None
    """In front of it the switch can be set; None where it cannot."""


def passes(module: Module) -> Iterator[ast.Call]:
    """The backward passes, and the calls that are told whether to step: `loss_scaler(loss, optimizer, update_grad=...)`."""
    yield from module.calls.get("backward", ())
    if any(map(condition_names.tells_to_step, module.keywords)):
        every = chain.from_iterable(calls for name, calls in module.calls.items() if name != "backward")
        yield from filter(accumulation.is_pass, every)


def accumulates(facts: Facts, call: ast.AST) -> bool:
    """Whether a backward pass adds to gradients that another turn of its loop uses."""
    assert isinstance(call, ast.Call)
    return accumulation.of(facts.analysis, facts.module, call) is not None or by_accelerate(facts, call)


def by_accelerate(facts: Facts, call: ast.AST) -> bool:
    """Whether accelerate reduces gradients in each of the turns of a loop that adds them up."""
    return turns.are_added_up(facts, call)


def of(facts: Facts, call: ast.AST) -> Found | None:
    """What is synchronised too often; None where the model is not seen to be wrapped."""
    assert isinstance(call, ast.Call)
    found = accumulation.of(facts.analysis, facts.module, call)
    if found is None:
        return None
    for model, statement in _models(found):
        wrapped = replicas.wrapped(facts.analysis, facts.module, model)
        if wrapped is not None:
            return Found(wrapped.how, model, found.test, statement if _can_be_set(found, statement) else None)
    return None


def _models(found: Accumulation) -> Iterator[tuple[ast.expr, ast.stmt]]:
    """What is called, or handed to a call, up to the backward pass: each text once, with the statement of the loop it is in."""
    seen = set()
    for statement in found.loop.body:
        for node in walk(statement, into_scopes=False):
            if not isinstance(node, ast.Call) or place_of(node) > end_of(found.backward):
                continue
            for each in (node.func, *node.args):
                if isinstance(each, (ast.Name, ast.Attribute)) and (text := ast.unparse(each)) not in seen:
                    seen.add(text)
                    yield each, statement


def _can_be_set(found: Accumulation, first: ast.stmt) -> bool:
    """Whether the boundary is known in front of the forward pass, and nobody looks at the gradients between."""
    if not all(isinstance(node, _PLAIN) or _is_length(node) for node in ast.walk(found.test)):
        return False
    asked = {ast.unparse(node) for node in ast.walk(found.test) if isinstance(node, (ast.Name, ast.Attribute))}
    inside = {id(node) for node in walk(found.boundary)}
    every = [node for each in found.loop.body for node in walk(each)]
    between = (each for each in every if place_of(first) <= place_of(each) < place_of(found.test))
    if any(_binds(each, asked) for each in between):
        return False
    return not any(_name(each) in _READS_GRADIENTS for each in every if id(each) not in inside)


def _is_length(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def _binds(node: ast.AST, asked: set[str]) -> bool:
    is_store = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store)
    return is_store and ast.unparse(node) in asked


def _name(node: ast.AST) -> str:
    return last_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
