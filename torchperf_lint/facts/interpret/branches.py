"""Statements that choose: each way is run from a copy of what was known before, and what comes out is joined."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torchperf_lint.facts.domain.value import ANY, CUDA, HOST_OR_UNKNOWN, MAYBE, OBJECT
from torchperf_lint.facts.index import names
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
    back = _moved_back(run, node)
    if run.env is not None and back:
        _without_gpu(run.env, back)
    run.block(node.orelse)
    run.env = environment.merge(after, run.env)


def _moved_back(run: Run, node: ast.If) -> list[str]:
    """The names that are moved to the host where there is a GPU: where there is none, they are there already.

    if args.gpus: x = x.cuda()
    if args.gpus: x = x.cpu()       on the host from here on, whatever the condition
    """
    found = []
    for each in () if node.orelse else node.body:
        match each:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=moved), attr="cpu"))
            ):
                if name == moved:
                    found.append(name)
    return found if found and _asks_for_gpu(run, node.test) else []


def _asks_for_gpu(run: Run, test: ast.expr) -> bool:
    """Whether something is moved to the GPU behind a condition, elsewhere in its function."""
    if isinstance(test, ast.Call) and names.dotted(run.function, test.func) == "torch.cuda.is_available":
        return True
    module, text = run.function.module, ast.dump(test)
    moves = (call for call in module.calls.get("cuda", ()) if module.function_of(call) is run.function)
    around = (above for call in moves for above in module.ancestors(call))
    return any(isinstance(above, ast.If) and ast.dump(above.test) == text for above in around)


def _without_gpu(env: Env, back: list[str]) -> None:
    for name in back:
        held = env.get(name)
        if held is not None and held.kind == "tensor" and held.device in (CUDA, MAYBE):
            env[name] = held.but(device=HOST_OR_UNKNOWN)


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
