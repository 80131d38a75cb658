"""Statements that choose: each way is run from a copy of what was known before, and what comes out is joined."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torchperf_lint.facts.domain.value import ANY, OBJECT
from torchperf_lint.facts.interpret import environment, narrowing

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.environment import Env
    from torchperf_lint.facts.interpret.run import Run


def start(run: Run, known: Env) -> None:
    """Go on with a copy of what is known. No plain assignment: for a type checker, and for what is compiled from what it
    says, `run.env` would then be known up to the end of the caller, whatever the statements that are run do to it."""
    run.env = known.copy()


def if_statement(run: Run, node: ast.If) -> None:
    test = run.expr(node.test)
    before = run.env
    run.env = narrowing.branch(run, before, node.test, test, True)
    run.block(node.body)
    after = run.env
    run.env = narrowing.branch(run, before, node.test, test, False)
    run.block(node.orelse)
    run.env = environment.merge(after, run.env)


def try_statement(run: Run, node: ast.Try) -> None:
    before = run.env
    assert before is not None
    start(run, before)
    run.block(node.body)
    after_body = run.env
    at_raise = environment.merge(before, after_body)
    run.block(node.orelse)
    ends: list[Env | None] = [run.env]
    for handler in node.handlers:
        run.env = at_raise.copy() if at_raise is not None else None
        if handler.type is not None:
            run.expr(handler.type)
        if handler.name:
            run.bind(handler.name, OBJECT, handler)
        run.block(handler.body)
        ends.append(run.env)
    merged = environment.merge_all(before, ends)
    if node.finalbody:
        # The last block runs on every way out; what it learns holds on the ways that go on.
        run.env = merged if merged is not None else at_raise
        run.block(node.finalbody)
        merged = run.env if merged is not None else None
    run.env = merged


def match_statement(run: Run, node: Any) -> None:
    subject = run.expr(node.subject)
    before = run.env
    if before is None:
        return
    ends: list[Env | None] = []
    for case in node.cases:
        start(run, before)
        for part in ast.walk(case.pattern):
            bound = getattr(part, "name", None) or getattr(part, "rest", None)
            if isinstance(bound, str):
                whole = isinstance(part, ast.MatchAs) and part is case.pattern and part.pattern is None
                run.bind(bound, subject if whole else ANY, part)
        if case.guard is not None:
            run.expr(case.guard)
        run.block(case.body)
        ends.append(run.env)
    run.env = environment.merge_all(before, [*ends, before])
