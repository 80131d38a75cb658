"""A wait that stays beside another one: whoever mends that one alone waits here all the same.

    for each in parameters:
        if each.grad.isnan().any(): ...    stays: the host waits here at each turn
        total += each.grad.norm().item()   so this costs what the host has to do in between, and that is little

Copies do not count as waits that stay: from pinned memory the host goes on. Knows the waits of statements.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import how_often
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, walk
from torchperf_lint.facts.sync import just_waited

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_STAYING: Final = just_waited.DRAINING - {"copy"}
_STAYS: Final = "the host waits here too each time, and nothing shows that it has much to do in between"


def of(
    analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...], mended: frozenset[ast.stmt]
) -> Evidence | None:
    """A wait that stays in the loop or the function of another one, whatever becomes of those in statements that are mended."""
    place = how_often.place_of(module, node)
    stays = _each_time(analysis, (place, target, mended | {module.statement(node)}))
    return Evidence(stays, _STAYS, module.path) if stays is not None else None


@once
def _each_time(
    analysis: Analysis, asked: tuple[ast.AST | Function, tuple[int, ...], frozenset[ast.stmt]]
) -> ast.AST | None:
    """A wait that control comes to each time, in no statement that is mended."""
    place, target, mended = asked
    blocks = [place.body] if isinstance(place, (*LOOPS, Function)) else []
    for block in blocks:
        for statement in block:
            if isinstance(statement, (ast.With, ast.AsyncWith)):
                blocks.append(statement.body)
            part = just_waited.asked(statement)
            if part is None or statement in mended:
                continue
            nodes = (statement, *walk(part, into_scopes=False))
            found = just_waited.wait_in(analysis, analysis.module, nodes, target, of=_STAYING)
            if found is not None:
                return found
    return None
