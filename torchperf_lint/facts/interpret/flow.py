"""Statements: how what is known moves through a function.

A run holds one environment, the names and what they hold *here*. A branch runs both ways from a copy and what comes
out is joined; a way that returns or raises brings nothing. A loop is run until its head sees nothing new:

    total = 0.0                    total: number
    for x, y in loader:            1st turn: total is a number  ->  after it: tensor
        total += loss(x, y)        2nd turn: joined at the head: likely a tensor; nothing new after it, so stop

A number that becomes a tensor is an accumulator; `environment.carried` knows that. What a turn binds is kept from the
last turn, so rules see the joined values. Knows nothing of torch but the names of a few context managers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join_all
from torchperf_lint.facts.domain.value import ANY, BOTTOM, NONE, Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.interpret import branches, containers, context_managers, narrowing, operators, turns
from torchperf_lint.facts.interpret.binding import assign
from torchperf_lint.facts.interpret.run import LEVELS

if TYPE_CHECKING:
    from torchperf_lint.facts.index.scopes import Class
    from torchperf_lint.facts.interpret.run import Run


def run_function(run: Run) -> Value:
    """Run the body of a function; what it returns."""
    with_decorators = run.function.decorators
    for decorator in with_decorators:
        context_managers.enter(
            run, run.analysis.scratch(run.function.within or run.function).expr(decorator), decorator
        )
    block(run, run.function.body)
    return _result(run)


def _result(run: Run) -> Value:
    """What the function that was run returns."""
    if run.function.is_generator:
        return Value("iterator", elem=join_all(tuple(run.yields)) if run.yields else None)
    returned = [value for value in run.returns if value is not BOTTOM]
    if run.returns and not returned and run.env is None:
        return BOTTOM
    if run.env is not None:
        returned.append(NONE)
    if run.function.is_abstract or not returned:
        return run.analysis.promise(run.function)  # it does nothing, or raises: what derives from its class does better
    known = [value for value in returned if value.kind != "unknown"]
    if len(known) < len(returned):
        promised = run.analysis.promise(run.function)
        if promised.kind != "unknown":
            return promised
    return join_all(tuple(returned))


def block(run: Run, statements: list[ast.stmt]) -> None:
    """Run statements until one of them leaves."""
    if run.level >= LEVELS:
        return
    solver = run.analysis.solver
    solver.enter()
    run.level += 1
    for statement in statements:
        if run.env is None:
            break
        handler = STATEMENTS.get(statement.__class__)
        if handler is not None:
            handler(run, statement)
    run.level -= 1
    solver.level -= 1


# ---- assignments


def _assign(run: Run, node: ast.Assign) -> None:
    value = run.expr(node.value)
    for target in node.targets:
        assign(run, target, value if value is BOTTOM else containers.spread(run, node.value, target, value))
    narrowing.shape_unpacked(run, node)


def _ann_assign(run: Run, node: ast.AnnAssign) -> None:
    declared = run.analysis.annotation(run.function, node.annotation)
    value = run.expr(node.value) if node.value is not None else None
    if value is None and run.function.is_module and run.owner is None and declared.kind != "unknown":
        value = declared.but(sure=Sure.LIKELY)  # `engine: Engine`, which a function of the file sets later
    if value is None:
        return
    if value is BOTTOM:
        value = declared if declared.kind != "unknown" else BOTTOM
    elif value.kind == "unknown":
        is_moved = value.device is not None and declared.kind in ("tensor", "module") and declared.device is None
        value = declared.but(device=value.device, where=value.where) if is_moved else declared
    elif declared.kind == value.kind == "tensor" and value.sure < declared.sure:
        value = value.but(sure=declared.sure, dtype=None, rank=None)
    assign(run, node.target, value)


def _aug_assign(run: Run, node: ast.AugAssign) -> None:
    old = run.expr(node.target)
    added = run.expr(node.value)
    value = BOTTOM if old is BOTTOM or added is BOTTOM else operators.augmented(run, node, old, added)
    if isinstance(node.target, ast.Subscript):
        return
    assign(run, node.target, value)


# ---- the rest


def _with(run: Run, node: ast.With | ast.AsyncWith) -> None:
    leave = []
    for item in node.items:
        manager = run.expr(item.context_expr)
        leave.append(context_managers.enter(run, manager, item.context_expr))
        if item.optional_vars is not None:
            entered = BOTTOM if manager is BOTTOM else context_managers.entered(run, manager)
            assign(run, item.optional_vars, entered)
    block(run, node.body)
    for undo in reversed(leave):
        undo()


def _return(run: Run, node: ast.Return) -> None:
    run.returns.append(run.expr(node.value) if node.value is not None else NONE)
    run.env = None


def _raise(run: Run, node: ast.Raise) -> None:
    for part in (node.exc, node.cause):
        if part is not None:
            run.expr(part)
    run.env = None


def _expr(run: Run, node: ast.Expr) -> None:
    run.unused = node.value
    run.expr(node.value)


def _assert(run: Run, node: ast.Assert) -> None:
    test = run.expr(node.test)
    if node.msg is not None:
        run.expr(node.msg)
    run.env = narrowing.branch(run, run.env, node.test, test, True)


def _delete(run: Run, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name) and run.env is not None:
            run.values[target] = run.env.get(target.id) or ANY
            run.env.drop((target.id,))
        else:
            run.expr(target)


def _define(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    for outside in (*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
        run.expr(outside)
    run.bind(node.name, Value("function", ref=run.module.functions[node]), node)


def _class(run: Run, node: ast.ClassDef) -> None:
    for outside in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
        run.expr(outside)
    owner = run.module.classes[node]
    class_body(run, owner)
    run.bind(node.name, Value("class", ref=owner), node)


def class_body(run: Run, owner: Class) -> None:
    """Run the body of a class; what it binds is not seen from outside."""
    outer, within = run.env.copy() if run.env is not None else None, run.owner
    run.owner = owner
    block(run, owner.node.body)
    run.env, run.owner = outer, within


def _import(run: Run, node: ast.Import | ast.ImportFrom) -> None:
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        target = names.imported(run.module, node, name)
        if target is not None and name != "*":
            run.bind(name, run.analysis.symbol(target), node)


STATEMENTS: Final[dict[type[ast.AST], Callable[[Run, Any], None]]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _aug_assign,
    ast.If: branches.if_statement,
    ast.For: turns.for_statement,
    ast.AsyncFor: turns.for_statement,
    ast.While: turns.while_statement,
    ast.Try: branches.try_statement,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Expr: _expr,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.Break: turns.break_statement,
    ast.Continue: turns.continue_statement,
    ast.FunctionDef: _define,
    ast.AsyncFunctionDef: _define,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Match: branches.match_statement,
}
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = branches.try_statement
