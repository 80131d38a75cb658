"""Gates: conditions under which code runs seldom, or not for everybody: `if step % 100 == 0`, `if rank == 0`, `except`.

What costs time there is meant to: nobody wants to hear of it. Knows syntax and names, nothing of values.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.context import (
    filled_by_method,
    kept_conditions,
    latches,
    non_finite,
    rank_conditions,
    rare_branches,
)
from torchperf_lint.facts.guesses import condition_names
from torchperf_lint.facts.idioms.value_uses import only_logs
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Climb, Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import in_orelse, last_name, place_of, walk
from torchperf_lint.facts.knowledge import clocks, eager_conditions, lightning

_NEVER_HOT: Final = eager_conditions.FALSE | eager_conditions.DEBUGGING
_ABOVE_EXPRESSIONS: Final = frozenset(
    (ast.BoolOp, ast.Raise, ast.Assert, ast.Lambda, ast.If, ast.IfExp, ast.ExceptHandler)
)
"""What may gate an expression that stands directly in it."""
_NEVER_HOT_METHODS: Final = frozenset(name.rpartition(".")[2] for name in eager_conditions.FALSE) | {"isEnabledFor"}
"""The same conditions by their last name alone, as projects wrap them, and the question of a logger of Python."""


def of(module: Module, node: ast.AST) -> ast.AST | None:
    """The condition that gates a node inside its function; None if none does."""
    asked = getattr(node, "test", node)
    if isinstance(asked, ast.BoolOp) and (gate := _behind(module, asked, asked.values[-1])) is not None:
        return gate  # `if self.debug and torch.isnan(x).any()`
    return _around(module, node)


def _around(module: Module, node: ast.AST) -> ast.AST | None:
    """The gate around a node."""
    if node in module.gates:
        return module.gates[node]

    def gate(above: ast.AST, below: ast.AST) -> ast.AST | Climb | None:
        found = _gate(module, above, below)
        is_last = isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        return found if found is not None or is_last else Climb.ON

    return module.climbed(module.gates, node, gate, top=None)


def _gate(module: Module, above: ast.AST, below: ast.AST) -> ast.AST | None:
    if above.__class__ not in _ABOVE_EXPRESSIONS and not isinstance(below, ast.stmt):
        return None
    if isinstance(above, ast.ExceptHandler):
        return above
    if isinstance(above, ast.BoolOp):
        return _behind(module, above, below)
    if isinstance(above, ast.Raise) or (isinstance(above, ast.Assert) and below is above.msg):
        return above  # the text of an error
    if isinstance(above, ast.Lambda):
        return above if below is above.body and rare_branches.is_late_text(above) else None
    if isinstance(above, ast.If) and below is not above.test:
        gate = _of_branch(module, above, in_else=in_orelse(below, above))
        if gate is not None:
            return gate
    if isinstance(above, ast.IfExp) and below is not above.test and is_gate(module, above.test):
        return above.test if below is above.body or not _is_never(module, above.test) else None
    if not isinstance(below, ast.stmt):
        return None
    for name in ("orelse", "finalbody"):
        statements = getattr(above, name, None) or []
        if statements and inside.is_in(module, below, statements):
            return _left_early(module, statements, below) or _failed_before(module, below)
    body = getattr(above, "body", None)
    return _left_early(module, body, below) or _failed_before(module, below) if isinstance(body, list) else None


def _of_branch(module: Module, node: ast.If, *, in_else: bool) -> ast.AST | None:
    """The condition of an `if`, where it gates one of its branches."""
    branch = node.orelse if in_else else node.body
    key = id(branch)
    if key not in module.branches:
        is_usual = _is_never(module, node.test) if in_else else _holds_mostly(node.test)
        asks = is_gate(module, node.test) and not is_usual and not _is_each_step(module, node, branch)
        repairs = not in_else and non_finite.is_found(module, node.test)
        is_rare = rare_branches.is_rare(node, branch) or latches.is_one(module, node, branch)
        is_rare = is_rare or (not in_else and filled_by_method.is_one(module, node))
        gated = asks or repairs or only_logs(branch) or is_rare
        module.branches[key] = node.test if gated else None
    return module.branches[key]


def _is_each_step(module: Module, node: ast.If, branch: list[ast.stmt]) -> bool:
    """Whether all backward passes of a function, and a `step()`, stand in the branch of `if step % train_every == 0`, or in what
    follows `if step % train_every: continue`: a step is what is done there."""
    if not any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod) for part in walk(node.test)):
        return False
    passes = _methods(module, node, lightning.BACKWARD)
    is_whole = bool(passes) and all(_holds(module, branch, each) for each in passes)
    return is_whole and any(_holds(module, branch, each) for each in _methods(module, node, ("step",)))


def _methods(module: Module, node: ast.If, called: tuple[str, ...]) -> list[ast.Call]:
    """The calls of methods by their names, in the function of a node."""
    here = module.function_of(node)
    every = (call for name in called for call in module.calls.get(name, ()))
    return [call for call in every if isinstance(call.func, ast.Attribute) and module.function_of(call) is here]


def _holds(module: Module, branch: list[ast.stmt], call: ast.Call) -> bool:
    return any(inside.is_inside(module, call, part) for part in branch)


def _holds_mostly(test: ast.expr) -> bool:
    """`if step % 100 != 0`, and `if length % width`: all but each hundredth turn, and whatever must be padded."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name) | ast.Attribute(attr=name)):
            return condition_names.is_single(name)  # `if not is_last`
        case ast.BinOp(op=ast.Mod()) | ast.Compare(left=ast.BinOp(op=ast.Mod()), ops=[ast.NotEq()]):
            return True
    return False


def _behind(module: Module, test: ast.BoolOp, operand: ast.AST) -> ast.AST | None:
    """The gate in front of an operand of `and`, without which the operand is not looked at."""
    if not isinstance(test.op, ast.And):
        return None
    index = next((i for i, value in enumerate(test.values) if value is operand), 0)
    return next((value for value in test.values[:index] if is_gate(module, value) or _asks_for_half(value)), None)


def _asks_for_half(test: ast.expr) -> bool:
    """`is_fp16_enabled()`, or `x.dtype == torch.float16`, in front of a question to a tensor."""
    match test:
        case ast.Compare(left=ast.Attribute(attr="dtype"), ops=[ast.Eq()], comparators=[dtype]):
            return last_name(dtype) in ("float16", "half")
    return condition_names.is_half(last_name(test.func if isinstance(test, ast.Call) else test))


def _left_early(module: Module, statements: list[ast.stmt], below: ast.stmt) -> ast.AST | None:
    """`if step % 100: continue` gates all that follows it in its block."""
    leaving = module.leaving.get(id(statements))
    if leaving is None:
        guards = [
            (number, each)
            for number, each in enumerate(statements, 1)
            if isinstance(each, ast.If) and not each.orelse and isinstance(each.body[-1], (ast.Continue, ast.Return))
        ]
        told = latches.set_in(statements) if guards else {}
        leaving = module.leaving[id(statements)] = [
            each
            for number, each in guards
            if (
                any(_leaves_seldom(module, part) for part in _any_of(each.test))
                and not _is_each_step(module, each, statements[number:])
            )
            or latches.ends_in(module, each, told)
            or rare_branches.gives_kept(each, statements[number:])
        ]
    return leaving[0].test if leaving and place_of(leaving[0]) < place_of(below) else None


def _any_of(test: ast.expr) -> list[ast.expr]:
    """The conditions of which one is enough: past `if by_epoch or not every(10): return` none of them holds, nor past
    `if step % 100 != 0 or is_done: return`."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return [test, *(each for each in test.values if isinstance(each, ast.UnaryOp) or _is_past_turn(each))]
    return [test]


def _is_past_turn(test: ast.expr) -> bool:
    """`step % 100 != 0`, which holds at all turns but one in a hundred."""
    rest = test.left if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq) else test
    return kept_conditions.is_of_turns(rest)


def _leaves_seldom(module: Module, test: ast.expr) -> bool:
    """Whether what follows `if test: continue` runs seldom; past `if i == last: continue` it is all turns but one."""
    is_one_turn = isinstance(test, ast.Compare) and _is_first(test) and isinstance(test.ops[0], ast.Eq)
    return is_gate(module, test) and not _is_never(module, test) and not is_one_turn


def _failed_before(module: Module, below: ast.stmt) -> ast.AST | None:
    """`try: return f(x)` gates all that follows it in its block: it runs after an exception alone."""
    place = inside.block_of(module, below) if ast.Try in module.by_type else None
    first = _first_to_return(module, place[0]) if place is not None else None
    return first if first is not None and place_of(first) < place_of(below) else None


@once
def _first_to_return(_: Module, block: inside.Block) -> ast.AST | None:
    """The first `try` of a block that returns, unless it raises."""
    tries = (each for each in block.statements if isinstance(each, ast.Try))
    return next((each for each in tries if isinstance((each.orelse or each.body)[-1], ast.Return)), None)


def is_gate(module: Module, test: ast.expr) -> bool:
    """Whether a condition is about how often, how loud, or on which process code runs."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(is_gate(module, value) for value in values)
        case ast.BoolOp(values=values):  # `step % 100 == 0 or last_batch` asks for the one turn besides
            return all(is_gate(module, value) for value in values) or any(_is_each_so_many(value) for value in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_gate(module, operand) and not _is_never(module, operand)
        case ast.BinOp(op=ast.Mod()):
            return True  # `if not step % 100`
        case ast.NamedExpr(value=value):
            return is_gate(module, value)
        case ast.Compare():
            return _is_gate_comparison(module, test)
        case ast.Call(func=func):
            if _is_never(module, test):
                return True
            is_period = len(test.args) > 1 and any(condition_names.is_period(last_name(each)) for each in test.args)
            return is_period or condition_names.is_gate(last_name(func))  # `divisible_by(step, save_every)`
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return condition_names.is_gate(name) or name == "__debug__" or kept_conditions.is_due(module, test)
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return condition_names.is_gate(name)
    return False


def _is_never(module: Module, test: ast.expr) -> bool:
    """Whether a condition is false at every usual step, so that what it leaves is what runs: `if is_tracing(): return x`."""
    match test:
        case ast.BoolOp(op=op, values=values):
            each = [_is_never(module, value) for value in values]
            return any(each) if isinstance(op, ast.And) else all(each)
        case ast.Call(func=func):
            return dotted(module.body, func) in _NEVER_HOT or last_name(func) in _NEVER_HOT_METHODS
    return False


def _is_each_so_many(test: ast.expr) -> bool:
    """`step % 100 == 0`, also where more is asked: `step % 100 == 0 and step > 0`."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_is_each_so_many(value) for value in values)
        case ast.Compare(left=ast.BinOp(op=ast.Mod()), ops=[ast.Eq()]):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=ast.BinOp(op=ast.Mod())):
            return True
    return False


def _is_gate_comparison(module: Module, test: ast.Compare) -> bool:
    parts = [test.left, *test.comparators]
    if rank_conditions.asks_whether_distributed(test):
        return False
    if rank_conditions.names_one(test):
        return True
    if any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod) for part in parts):
        return True
    if any(isinstance(op, (ast.Is, ast.IsNot)) for op in test.ops):
        # `if self.log is not None` is about a thing that is there or not
        return any(condition_names.is_gate(last_name(part)) for part in parts)
    for part in parts:
        if isinstance(part, ast.BinOp) and any(
            isinstance(c, ast.Call) and clocks.is_read(dotted(module.function_of(c), c.func), last_name(c.func))
            for c in (part.left, part.right)
        ):
            return True  # once every so many seconds
        name = last_name(part.func) if isinstance(part, ast.Call) else last_name(part)
        if name and condition_names.is_gate(name):
            return True
    return _is_first(test)


def _is_first(test: ast.Compare) -> bool:
    """`if step == 0`, `if i < 3`: the first turns only; `step > 100` is most of them."""
    match test:
        case ast.Compare(left=ast.BinOp(left=left) | left, ops=[ast.In()]):
            return condition_names.is_turn(last_name(left))  # `step in saved_steps`: chosen turns
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Lt() | ast.LtE()], comparators=[ast.Constant(value=int())]):
            return condition_names.is_turn(last_name(left))
        case ast.Compare(left=ast.Constant(value=int()), ops=[ast.Eq() | ast.Gt() | ast.GtE()], comparators=[right]):
            return condition_names.is_turn(last_name(right))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.BinOp(op=ast.Sub())]):
            return condition_names.is_turn(last_name(left))  # `i == len(loader) - 1`: the last turn
        case ast.Compare(left=ast.BinOp(left=left, op=ast.Add(), right=ast.Constant()), ops=[ast.Eq()]):
            return condition_names.is_turn(last_name(left))  # `i + 1 == len(loader)`
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Name() | ast.Attribute()]):
            return condition_names.is_turn(name)  # `i == turn`: one of all turns
    return False
