"""Copies that are written under a mask that a bound gives: `y = x.clone(); y[y < 0] = 0` is `x.clamp(min=0)`.

Knows syntax, and which expressions are numbers.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import inside
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def copied_to_bound(facts: Facts, node: ast.AST) -> Form | None:
    """A copy of which the next statement sets what lies beyond a bound to that bound."""
    copied = operation.of(facts.module, node)
    above = facts.module.parents.get(node)
    match above:
        case ast.Assign(targets=[ast.Name() as bound], value=value) if value is node:
            place = inside.block_of(facts.module, above)
        case _:
            return None
    if copied is None or copied.name != "clone" or copied.rest or copied.named or place is None:
        return None
    block, at = place
    following = block.statements[at + 1] if at + 1 < len(block.statements) else None
    found = _written(facts, following, (bound, copied.tensor))
    if found is None:
        return None
    side, number = found
    said = f"a copy is written beyond a bound, under a mask: `clamp({side}={ast.unparse(number)})` is one pass"
    return Form(copied.call, said, None, copied.tensor, needs_many=True)


def _written(
    facts: Facts, statement: ast.stmt | None, tensors: tuple[ast.Name, ast.expr]
) -> tuple[str, ast.expr] | None:
    """The side and the bound of a write such as `y[y < 0] = 0`, of one of two that are the same then."""
    match statement:
        case ast.Assign(
            targets=[
                ast.Subscript(value=ast.Name(id=written), slice=ast.Compare(left=left, ops=[op], comparators=[bound]))
            ],
            value=value,
        ) if written == tensors[0].id:
            pass
        case _:
            return None
    compared = (isinstance(left, ast.Name) and left.id == written) or operation.same(left, tensors[1])
    if not compared or facts.analysis.value(bound, facts.module).kind != "number":
        return None
    if ast.dump(bound) != ast.dump(value) and (
        (number := operation.number(facts, bound)) is None or number != operation.number(facts, value)
    ):
        return None
    side = {ast.Lt: "min", ast.LtE: "min", ast.Gt: "max", ast.GtE: "max"}.get(type(op))
    return (side, value) if side is not None else None
