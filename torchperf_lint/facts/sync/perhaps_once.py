"""A wait of which it is not known that there are several in a step, or that the host has work to do meanwhile.

    def forward(self, x):              nothing shows how many such layers there are:
        x = x / x.max().item()         eight waits a step were measured, one may cost nothing

    for x, y in batches:               nothing shows who makes these
        loss = train(x, y)
        if loss > worst: ...           stays: the host waits here anyway
        total += loss.item()           so this costs what the host has to do in between, and that may be nothing

Copies of the batch do not count as waits that stay: pinned memory lets the host go on. Knows what happens once in a step,
and the waits of statements.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import how_often, once_a_step
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, walk
from torchperf_lint.facts.sync import just_waited

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_STAYING: Final = just_waited.DRAINING - {"copy"}
_STAYS: Final = "the host waits here too in each turn, and nothing shows that it has much to do in between"


def alone(analysis: Analysis, module: Module, node: ast.AST) -> Evidence | None:
    """The function that a wait stands in, where nothing shows how often a step runs it."""
    place = how_often.place_of(module, node)
    if not isinstance(place, Function) or once_a_step.count(analysis, node) != "unknown":
        return None
    return Evidence(place.node, once_a_step.SHOWN, module.path)


def beside(
    analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...], spoken: frozenset[ast.stmt]
) -> Evidence | None:
    """A wait that stays in the loop of another one, whatever becomes of those in statements that are spoken of."""
    place = how_often.place_of(module, node)
    if isinstance(place, Function) or once_a_step.count(analysis, node) != "perhaps":
        return None
    stays = _wait_in_each_turn(analysis, (place, target, spoken))
    return Evidence(stays, _STAYS, module.path) if stays is not None else None


@once
def _wait_in_each_turn(
    analysis: Analysis, asked: tuple[ast.AST, tuple[int, ...], frozenset[ast.stmt]]
) -> ast.AST | None:
    """A wait that every turn of a loop comes to, in no statement of which anything is spoken of."""
    loop, target, spoken = asked
    blocks = [loop.body] if isinstance(loop, LOOPS) else []
    for block in blocks:
        for statement in block:
            if isinstance(statement, (ast.With, ast.AsyncWith)):
                blocks.append(statement.body)
            part = just_waited.asked(statement)
            if part is None or statement in spoken:
                continue
            nodes = (statement, *walk(part, into_scopes=False))
            found = just_waited.wait_in(analysis, analysis.module, nodes, target, of=_STAYING)
            if found is not None:
                return found
    return None
