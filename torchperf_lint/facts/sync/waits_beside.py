"""A wait that stays beside another one: whoever mends that one alone waits here all the same.

    for each in parameters:
        if each.grad.isnan().any(): ...    stays: the host waits here at each turn
        total += each.grad.norm().item()   so this costs what the host has to do in between, and that is little

So does one in a loop of the same turn, in a function of the file that is called each time, and behind a switch of the environment
that is off. Of copies only those count of what was made on the host right there, `torch.from_numpy(scale).cuda()`: of other
tensors, from pinned memory, the host goes on. Knows the waits of statements.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeGuard

from torchperf_lint.facts.context import compiled_calls, how_often
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, last_name, walk
from torchperf_lint.facts.knowledge import moves
from torchperf_lint.facts.sync import just_waited

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_STAYING: Final = (just_waited.DRAINING - {"copy"}) | {"library"}
_COPY: Final = frozenset(("copy",))
_MOVING: Final = moves.TO_GPU | {"float", "double", "half", "long", "int", "bool", "unsqueeze", "view", "reshape"}
_DEEP: Final = 2
"""So many calls deep it is asked what waits."""
_STAYS: Final = "the host waits here too each time, and nothing shows that it has much to do in between"


def of(
    analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...], mended: frozenset[ast.stmt]
) -> Evidence | None:
    """A wait that stays in the loop or the function of another one, whatever becomes of those in statements that are mended."""
    place, statement = how_often.place_of(module, node), module.statement(node)
    # As a rule it is one of them: asked with the same set, what stays in a place is worked out once for all.
    apart = mended if statement in mended else mended | {statement}
    stays = _each_time(analysis, (place, target, apart, _DEEP))
    return Evidence(stays, _STAYS, module.path) if stays is not None else None


@once
def _each_time(
    analysis: Analysis, asked: tuple[ast.AST | Function, tuple[int, ...], frozenset[ast.stmt], int]
) -> ast.AST | None:
    """A wait that control comes to each time, in no statement that is mended."""
    place, target, mended, deep = asked
    blocks = [place.body] if isinstance(place, (*LOOPS, Function)) else []
    for block in blocks:
        for statement in block:
            if isinstance(statement, (ast.With, ast.AsyncWith, ast.For)) or _is_switch(statement):
                blocks.append(statement.body)
            part = just_waited.asked(statement)
            if part is None or statement in mended:
                continue
            nodes = (statement, *walk(part, into_scopes=False))
            found = just_waited.wait_in(analysis, analysis.module, nodes, target, of=_STAYING)
            found = found or _fresh_copy(analysis, part, target)
            if found is not None:
                return found
            if deep and (called := _called(analysis, (part, target, mended, deep - 1))) is not None:
                return called
    return None


def _is_switch(statement: ast.stmt) -> TypeGuard[ast.If]:
    """Whether a statement is done unless somebody says otherwise: `if "DEBUG" not in os.environ`."""
    match statement:
        case ast.If(
            test=ast.Compare(ops=[ast.NotIn()]) | ast.BoolOp(values=[ast.Compare(ops=[ast.NotIn()]), *_]) as test
        ):
            return any(isinstance(each, ast.Attribute) and each.attr == "environ" for each in walk(test))
    return False


def _fresh_copy(analysis: Analysis, part: ast.AST, target: tuple[int, ...]) -> ast.AST | None:
    """A copy to the GPU of what was made on the host right there."""
    calls = (
        each for each in walk(part, into_scopes=False) if isinstance(each, ast.Call) and _moves_fresh(analysis, each)
    )
    return just_waited.wait_in(analysis, analysis.module, calls, target, of=_COPY)


def _moves_fresh(analysis: Analysis, call: ast.Call) -> bool:
    at: ast.expr = call
    while isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute) and at.func.attr in _MOVING:
        at = at.func.value
    made = (
        names.dotted(analysis.module.function_of(call), at.func)
        if isinstance(at, ast.Call) and at is not call
        else None
    )
    return made is not None and made.startswith("torch.")


def _called(analysis: Analysis, asked: tuple[ast.AST, tuple[int, ...], frozenset[ast.stmt], int]) -> ast.Call | None:
    """The call of a function of the file that waits each time."""
    part, target, mended, deep = asked
    for call in walk(part, into_scopes=False):
        if not isinstance(call, ast.Call) or last_name(call.func) in _MOVING:
            continue
        for function, _ in compiled_calls.run_by(analysis, analysis.module, call.func):
            if (
                function.module is analysis.module
                and _each_time(analysis, (function, target, mended, deep)) is not None
            ):
                return call
    return None
