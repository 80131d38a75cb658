"""Loops: run turn by turn until the head sees nothing new, or nothing that a turn would look at."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import ANY, BOTTOM
from torchperf_lint.facts.interpret import containers, environment, fillings, narrowing
from torchperf_lint.facts.interpret.binding import assign
from torchperf_lint.facts.interpret.branches import start

if TYPE_CHECKING:
    from torchperf_lint.facts.index.walk import Loop
    from torchperf_lint.facts.interpret.environment import Env
    from torchperf_lint.facts.interpret.run import Run

TURNS: Final = 4
"""A loop is run at most so often; what still changes then is not known."""


def for_statement(run: Run, node: ast.For | ast.AsyncFor) -> None:
    iterated = run.expr(node.iter)
    item = BOTTOM if iterated is BOTTOM else containers.iterate(run, iterated, node.iter)
    _loop(run, node, lambda: assign(run, node.target, item), None)


def while_statement(run: Run, node: ast.While) -> None:
    endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
    _loop(run, node, lambda: None, node.test, endless=endless)


def _loop(
    run: Run, loop: Loop, start_turn: Callable[[], None], test: ast.expr | None, *, endless: bool = False
) -> None:
    """Run a loop until its head sees nothing new."""
    before = run.env
    assert before is not None
    head = before
    breaks: list[Env] = []
    missed = run.missed
    carried: set[str] = set()
    for turn in range(TURNS):
        breaks = []
        end = _turn(run, environment.carrying(before, head, carried), loop.body, start_turn, test, breaks)
        if end is None:
            break
        joined = environment.at_loop_head(head, end)
        binds_more = any(joined.get(name) is not None and head.get(name) is None for name in run.missed)
        carried |= run.missed
        changed = environment.changed(head, joined)
        if not binds_more and (not changed or fillings.are_all(run, loop, joined, changed)):
            head = joined
            fillings.hold(run, loop, head, changed, breaks)
            break
        head = joined if turn < TURNS - 2 else environment.widened(head, joined)
    run.missed |= missed
    run.env = None if endless else head.copy()
    if test is not None and run.env is not None:
        run.env = narrowing.branch(run, run.env, test, ANY, False)
    run.block(loop.orelse)
    run.env = environment.merge_all(head, [run.env, *breaks])


def _turn(
    run: Run,
    head: Env,
    body: list[ast.stmt],
    start_turn: Callable[[], None],
    test: ast.expr | None,
    breaks: list[Env],
) -> Env | None:
    """Run one turn of a loop; what holds at its end, and in `breaks` what holds where it was left."""
    start(run, head)
    run.missed = set()
    run.breaks.append(breaks)
    run.continues.append([])
    if test is not None:
        value = run.expr(test)
        run.env = narrowing.branch(run, run.env, test, value, True)
    start_turn()
    run.block(body)
    run.breaks.pop()
    return environment.merge_all(head, [run.env, *run.continues.pop()])


def break_statement(run: Run, _: ast.Break) -> None:
    if run.breaks and run.env is not None:
        run.breaks[-1].append(run.env)
    run.env = None


def continue_statement(run: Run, _: ast.Continue) -> None:
    if run.continues and run.env is not None:
        run.continues[-1].append(run.env)
    run.env = None
