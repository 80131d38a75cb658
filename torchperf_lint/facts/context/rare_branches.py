"""Branches that run seldom by what stands in them: they raise, fill a cache, complain, or have nothing to work on.

    if len(state) == 0: state["step"] = zeros(1)         once for each parameter
    if x.numel() == 0: return torch.tensor(0.0)          there is nothing to do
    if wrong and shown < 5: shown += 1; print(x)         five times in all
    if mask is None: warn("no mask, made one"); ...      nobody wants to be told so at every step

Knows syntax alone; what a condition says of how often code runs is for `gates`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index.walk import last_name, parts


def is_rare(node: ast.If, branch: list[ast.stmt]) -> bool:
    """Whether what one of the branches of an `if` does shows that it runs seldom."""
    if _ends_in_error(branch) or _complains(branch):
        return True
    seldom = _fills_once(node) or _counts_up(node) or _is_degenerate(node) or _is_cumulative(node.test)
    return (branch is node.body and seldom) or (branch is node.orelse and _is_nothing(node.test, branch))


def _ends_in_error(branch: list[ast.stmt]) -> bool:
    """Whether a branch ends with an error: it runs once, and how long it takes nobody asks."""
    match branch[-1]:
        case ast.Raise() | ast.Assert(test=ast.Constant(value=False)):
            return True
        case ast.Expr(value=ast.Call(func=func, args=[ast.Constant(value=False), *_])):
            return last_name(func) in ("_assert", "_check", "_assert_async")
        case ast.Expr(value=ast.Call(func=func)):
            return function_names.ends_program(last_name(func))
    return False


def _fills_once(node: ast.If) -> bool:
    """Whether a branch makes what is kept for all later calls: `if key not in cache: cache[key] = ...`."""
    asked = [*missing(node.test), *_misplaced(node)]
    if not asked:
        return False
    kept = {
        ast.unparse(target.value if isinstance(target, ast.Subscript) else target)
        for statement in node.body
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Assign)
        for each in inner.targets
        for target in parts(each)
        if isinstance(target, (ast.Subscript, ast.Attribute))
    }
    return any(ast.unparse(place) in kept for place in asked)


def _counts_up(node: ast.If) -> bool:
    """Whether a branch runs but a few times in all: `if is_wrong and shown < 5: shown += 1`."""
    counted = {
        each.target.id
        for each in node.body
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name) and isinstance(each.op, ast.Add)
    }
    return any(name in counted for name in _bounded(node.test))


def _bounded(test: ast.expr) -> Iterator[str]:
    """The names that are below a number that is written out where a condition holds."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            for value in values:
                yield from _bounded(value)
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.LtE()], comparators=[ast.Constant(value=int())]):
            yield name


def gives_kept(node: ast.If, behind: list[ast.stmt]) -> bool:
    """Whether what follows an `if` runs once, as it makes what that gives back then: `if self.map is not None: return self.map`."""
    match node.body:
        case [ast.Return(value=ast.Attribute() | ast.Subscript() as kept)]:
            text = ast.unparse(kept)
        case _:
            return False
    stores = (each for statement in behind for each in ast.walk(statement) if isinstance(each, type(kept)))
    return _asks_for(node.test, kept) and any(
        isinstance(each.ctx, ast.Store) and ast.unparse(each) == text for each in stores
    )


def _asks_for(test: ast.expr, kept: ast.Attribute | ast.Subscript) -> bool:
    """Whether a condition asks if something is there: `self.map is not None`, `key in maps`; it may ask more besides."""
    match test, kept:
        case ast.BoolOp(op=ast.And(), values=values), _:
            return any(_asks_for(each, kept) for each in values)
        case ast.Compare(left=asked, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]), ast.Attribute():
            return ast.unparse(asked) == ast.unparse(kept)
        case ast.Compare(left=key, ops=[ast.In()], comparators=[table]), ast.Subscript(value=held, slice=at):
            return ast.unparse(table) == ast.unparse(held) and ast.unparse(key) == ast.unparse(at)
    return False


def missing(test: ast.expr) -> Iterator[ast.expr]:
    """What is not there yet where a condition holds: `cache` of `key not in cache`, `self.x` of `self.x is None`."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            for value in values:
                yield from missing(value)
        case ast.Compare(ops=[ast.NotIn()], comparators=[place]):
            yield place
        case ast.Compare(left=ast.Attribute() as place, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            yield place
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(name))])
        ):
            yield ast.Attribute(owner, name, ast.Load())
        case ast.Compare(
            left=ast.Call(func=ast.Attribute(value=place, attr="get")) | ast.Subscript(value=place),
            ops=[ast.Is()],
            comparators=[ast.Constant(value=None)],
        ):
            yield place
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as place):
            yield place
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[place]), ops=[ast.Eq()], comparators=[ast.Constant(value=0)]
        ):
            yield place  # the state of an optimizer, before its first step


_NATURE: Final = ("ndim", "device", "dtype", "is_cuda")
"""What a tensor has that stays as it is once somebody has set it right."""


def _misplaced(node: ast.If) -> Iterator[ast.expr]:
    """What is kept and not yet as it should be, where the branch does nothing but set it right.

    `if self.table.device != x.device: self.table = self.table.to(x.device)` holds in the first call alone.
    """
    if not all(isinstance(each, (ast.Assign, ast.Expr)) for each in node.body):
        return
    for part in ast.walk(node.test):
        match part:
            case ast.Attribute(value=ast.Attribute() as place, attr=attr) if attr in _NATURE:
                yield place
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as place, attr="dim"), args=[]):
                yield place


def _is_degenerate(node: ast.If) -> bool:
    """Whether a branch gives back a constant because there is nothing, or but one, to work on."""
    match node:
        case ast.If(
            test=ast.Compare(left=size, ops=[ast.Eq()], comparators=[ast.Constant(value=0 | 1)]),
            body=[ast.Return(value=ast.Call(args=[data, *_]))],
        ):
            return _is_size(size) and _is_literal(data)
    return False


def _is_nothing(test: ast.expr, branch: list[ast.stmt]) -> bool:
    """Whether a branch makes do with a constant because there is nothing: `if n > 0: ... else: loss = tensor(0)`."""
    match test, branch:
        case (
            ast.Compare(left=size, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]),
            [ast.Assign(value=ast.Call() as made) | ast.Return(value=ast.Call() as made)],
        ):
            while isinstance(made.func, ast.Attribute) and isinstance(made.func.value, ast.Call):
                made = made.func.value  # `.to(x)` behind it
            return _is_size(size) and bool(made.args) and _is_literal(made.args[0])
    return False


def _is_cumulative(test: ast.expr) -> bool:
    """Whether a condition holds for a batch norm that weighs all batches alike, as next to none does: by default, and in
    all copies of its code, `momentum` is a number."""
    match test:
        case ast.Compare(left=ast.Attribute(attr="momentum"), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return True
    return False


def _is_size(node: ast.expr) -> bool:
    match node:
        case ast.Subscript(value=ast.Attribute(attr="shape")) | ast.Call(func=ast.Name(id="len")):
            return True
        case ast.Call(func=ast.Attribute(attr="size" | "numel" | "nelement")):
            return True
    return False


def _is_literal(node: ast.expr) -> bool:
    return all(isinstance(each, (ast.Constant, ast.List, ast.Tuple, ast.expr_context)) for each in ast.walk(node))


def _complains(branch: list[ast.stmt]) -> bool:
    """Whether a branch first tells somebody that it should not run: nobody has that printed at every step.

    It may count how often that was before; then it is no progress that it tells.
    """
    counts = isinstance(branch[0], ast.AugAssign) and isinstance(branch[0].value, ast.Constant)
    match branch[1:] if counts else branch:
        case [ast.Expr(value=ast.Call(func=func, args=[ast.Constant(value=str()) | ast.JoinedStr(), *_])), _, *_]:
            return function_names.complains(last_name(func)) or (counts and last_name(func) == "info")
    return False


def is_late_text(node: ast.Lambda) -> bool:
    """Whether a lambda without parameters is a text that is made when somebody asks for it: the message of a check."""
    given = node.args
    if given.args or given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg:
        return False
    match node.body:
        case ast.JoinedStr() | ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str())):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
    return False
