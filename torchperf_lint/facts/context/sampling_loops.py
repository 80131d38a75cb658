"""Loops that take the steps of a sampler: `x = scheduler.step(noise, t, x)`, as diffusion models do."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchperf_lint.facts.guesses import count_names
from torchperf_lint.facts.index.walk import LOOPS, Loop, walk


def takes_samples(loop: Loop) -> bool:
    """Whether each turn of a loop takes a step of a sampler: `x = scheduler.step(noise, t, x)`, whose result goes on.

    Of nested loops that is the one which says what `t` is: the loop over videos or prompts around it is none, nor is one
    inside it that takes the step for each image.
    """
    return any(_gives_turn(loop, call) for call in _samples(loop))


def follows_sampler(loop: Loop) -> bool:
    """Whether a loop goes over the times of a sampler: `for t in scheduler.timesteps: x = scheduler.step(noise, t, x)`."""
    if isinstance(loop, ast.While):
        return False
    given = {name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
    return takes_samples(loop) and any(given & _turns(call) for call in _samples(loop))


def holds_sampling(loop: Loop) -> bool:
    """Whether steps of a sampler are taken somewhere in a loop."""
    return any(True for _ in _samples(loop))


def _samples(loop: Loop) -> Iterator[ast.Call]:
    for node in walk(loop, into_scopes=False):
        if isinstance(node, ast.Assign):
            value = node.value
            while isinstance(value, (ast.Attribute, ast.Subscript)):
                value = value.value
            if isinstance(value, ast.Call) and _turn(value) is not None:
                yield value


def _turn(call: ast.Call) -> ast.expr | None:
    """What a step of a sampler is told of where it is: `t` of `scheduler.step(noise, t, x)`."""
    match call:
        case ast.Call(func=ast.Attribute(attr="step"), args=[_, turn, *_]):
            return turn
        case ast.Call(func=ast.Attribute(attr="step"), keywords=keywords):
            return next((each.value for each in keywords if count_names.is_turn_of_sampler(each.arg or "")), None)
    return None


def _gives_turn(loop: Loop, call: ast.Call) -> bool:
    """Whether of all loops around a step of a sampler this is the one by whose turns it goes on."""
    inside = [
        each
        for each in walk(loop, into_scopes=False)
        if each is not loop and isinstance(each, LOOPS) and any(below is call for below in walk(each))
    ]
    if any(_turns(call) & _bound(each) for each in inside):
        return False
    return not inside or bool(_turns(call) & _bound(loop))


def _turns(call: ast.Call) -> set[str]:
    """The names by which a step of a sampler is told where it is."""
    turn = _turn(call)
    return {name.id for name in ast.walk(turn) if isinstance(name, ast.Name)} if turn is not None else set()


def _bound(loop: Loop) -> set[str]:
    """The names that a loop binds."""
    return {
        node.id
        for node in walk(loop, into_scopes=False)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
