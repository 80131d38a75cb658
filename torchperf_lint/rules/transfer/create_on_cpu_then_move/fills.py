"""A tensor between the place where it is made and the place where it is moved: what happens to it on the way.

    g = zeros(n)          made
    g[a:b] = 0.005        filled: a number goes to a part of it, nothing is read
    g = g.cuda()          moved

Where nothing else happens it could have been made where it goes. A single element is no part: writing one on the GPU
waits for the copy of a number, and many of them cost more than the one copy at the end.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import definitions, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import end_of, last_name, place_of, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_FILLING: Final = frozenset(("fill_", "zero_"))


def maker(analysis: Analysis, module: Module, move: ast.AST) -> ast.expr | None:
    """What a name is bound to whose tensor a call moves, if the tensor is only filled before and gone behind it."""
    if (
        not isinstance(move, ast.Call)
        or not isinstance(move.func, ast.Attribute)
        or not isinstance(move.func.value, ast.Name)
    ):
        return None
    moved, end = move.func.value, module.statement(move)
    asked = around(module, move)
    start = _binding(module, moved.id, asked or end)
    if start is None:
        return None
    target = start.targets[0]
    assert isinstance(target, ast.Name)
    function = module.function_of(move)
    reads = definitions.reads_after(module, target)
    if moved not in reads or target.id in function.inner_reads:
        return None
    rank = analysis.value(target, module).rank
    for read in reads:
        statement = module.statement(read)
        is_between = module.parents[statement] is module.parents[start] and place_of(start) < place_of(
            statement
        ) < place_of(end)
        is_behind = asked is not None and place_of(statement) >= end_of(asked)
        if (
            read is not moved
            and not is_behind
            and not (is_between and _fills(analysis, module, statement, target.id, rank))
        ):
            return None
    return start.value


def around(module: Module, move: ast.AST) -> ast.If | None:
    """The condition that does nothing but move a tensor where there is a GPU: `if x.is_cuda: steps = steps.cuda()`."""
    statement = module.statement(move)
    above = module.parents.get(statement)
    match statement, above:
        case ast.Assign(targets=[ast.Name()]), ast.If(test=test, body=[_], orelse=[]) if _asks_for_gpu(test):
            return above if isinstance(above, ast.If) else None
    return None


def _asks_for_gpu(test: ast.expr) -> bool:
    match test:
        case ast.Call(func=func, args=[]):
            return ast.unparse(func) == "torch.cuda.is_available"
        case ast.Attribute(attr="is_cuda"):
            return True
    return isinstance(test, (ast.Name, ast.Attribute)) and value_names.is_about_gpu(last_name(test))


def _binding(module: Module, name: str, statement: ast.stmt) -> ast.Assign | None:
    """The plain assignment to a name above a statement, in its block."""
    place = inside.block_of(module, statement)
    bound = place[0].before(name, place[1]) if place is not None else []
    above = place[0].statements[bound[-1][0]] if place is not None and bound else None
    return above if isinstance(above, ast.Assign) and above.targets == bound[-1][1][:1] else None


def _fills(analysis: Analysis, module: Module, statement: ast.stmt, name: str, rank: int | None) -> bool:
    """Whether a statement puts a number into a part of a tensor and does nothing else with it."""
    match statement:
        case (
            ast.Assign(targets=[ast.Subscript() as part], value=value)
            | ast.AugAssign(target=ast.Subscript() as part, value=value)
        ):
            given = [value]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Subscript() as part, attr=attr), args=given)):
            if attr not in _FILLING:
                return False
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(), attr=attr), args=given)):
            return attr in _FILLING and all(analysis.value(each, module).kind == "number" for each in given)
        case _:
            return False
    if any(analysis.value(each, module).kind != "number" for each in given) or not isinstance(part.value, ast.Name):
        return False
    return part.value.id == name and _is_part(analysis, module, part.slice, rank)


def _is_part(analysis: Analysis, module: Module, index: ast.expr, rank: int | None) -> bool:
    """Whether an index of slices and numbers takes more than one element."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    numbers = 0
    for each in parts:
        if isinstance(each, ast.Slice) or (isinstance(each, ast.Constant) and each.value in (None, ...)):
            continue
        if analysis.value(each, module).kind != "number":
            return False
        numbers += 1
    return numbers < len(parts) or (rank is not None and numbers < rank)


def holds_at(module: Module, node: ast.expr, place: ast.stmt) -> bool:
    """Whether an expression stands for the same at an earlier statement of its block: what it names is not bound since."""
    function = module.function_of(node)
    here, there = inside.block_of(module, module.statement(node)), inside.block_of(module, place)
    if here is None or there is None or here[0] is not there[0]:
        return False
    last, since = _last_bound(module, here[0]), there[1]
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) or (isinstance(inner, ast.Attribute) and last.get(inner.attr, -1) >= since):
            return False
        if isinstance(inner, ast.Name) and (
            last.get(inner.id, -1) >= since or not _is_bound_before(function, inner.id, place)
        ):
            return False
    return True


@once
def _last_bound(_: Module, block: inside.Block) -> dict[str, int]:
    """By name, also of attributes, the number of the last statement of a block that binds it."""
    found: dict[str, int] = {}
    for number, statement in enumerate(block.statements):
        for node in walk(statement):
            if isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
                found[node.id if isinstance(node, ast.Name) else node.attr] = number
    return found


def _is_bound_before(function: Function, name: str, place: ast.stmt) -> bool:
    """Whether a name that a function binds is bound above a statement; what it does not bind is."""
    stores = function.scope.stores.get(name)
    return not stores or any(
        getattr(store, "lineno", 0) < place.lineno or isinstance(store, ast.arg) for store in stores
    )
