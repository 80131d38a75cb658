"""Loops of so many turns that add up gradients by way of accelerate: `for _ in range(n): accelerator.backward(loss / n)`.

Accelerate reduces the gradients of what it prepared in each backward pass, unless `accumulate` or `no_sync` is around it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

SWITCHES: Final = (
    "no_sync", "set_requires_gradient_sync", "require_backward_grad_sync", "set_is_last_backward", "accumulate", "register_comm_hook",
)  # fmt: skip
"""Signs that somebody has thought of it."""


def are_added_up(facts: Facts, call: ast.AST) -> bool:
    """Whether a backward pass of accelerate is one of those whose losses a loop divides by their number, before a step behind it."""
    match call:
        case ast.Call(func=ast.Attribute(value=driver, attr="backward")) if value_names.is_accelerator(
            last_name(driver)
        ):
            loop = blocks.loop(facts.module, call)
        case _:
            return False
    return isinstance(loop, ast.For) and _adds_up(facts.module, loop)


@once
def _adds_up(module: Module, loop: ast.For) -> bool:
    """Whether a loop divides something by the number of its turns, takes no step, and has no switch."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[ast.Name() | ast.Attribute() as count])):
            turns = ast.unparse(count)
        case _:
            return False
    if _is_switched(module, module.function_of(loop)):
        return False
    inside = [each for statement in loop.body for each in walk(statement, into_scopes=False)]
    steps = any(isinstance(each, ast.Call) and last_name(each.func) == "step" for each in inside)
    return not steps and any(_divides(each, turns) for each in inside)


@once
def _is_switched(_: Module, function: Function) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr in SWITCHES for each in walk(function.node))


def _divides(node: ast.AST, turns: str) -> bool:
    match node:
        case ast.BinOp(op=ast.Div(), right=right):
            return ast.unparse(right) == turns
        case ast.AugAssign(op=ast.Div(), value=right):
            return ast.unparse(right) == turns
    return False
