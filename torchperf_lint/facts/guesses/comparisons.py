"""What a comparison says of what stands in it: a step, a phase and a mode are numbers and words.

    if phase == 1: ...                             one of some ways to go
    if "mask" in batch: ...                        nobody looks for a word in a tensor
    if language in self.languages: ...             nor for a tensor among what a model knows
    if step < self.args.start + 100: ...           nobody measures a tensor by a setting

Knows syntax alone.
"""

from __future__ import annotations

import ast
from typing import Literal

from torchperf_lint.facts.guesses import value_names


def vote(node: ast.Compare, part: ast.AST, decides: bool) -> Literal["object", "string", "number"] | None:
    """What a part of a comparison must be to be compared so, where that decides which way to go and where not."""
    match node:
        case ast.Compare(left=ast.Constant(value=str()), ops=[ast.In() | ast.NotIn()]):
            return "object"
        case ast.Compare(left=left, ops=[op], comparators=[right]) if left is part:
            return _left(op, right, decides)
    return None


def _left(op: ast.cmpop, right: ast.expr, decides: bool) -> Literal["string", "number"] | None:
    match op, right:
        case (_, ast.Constant(value=str())) | ((ast.In() | ast.NotIn()), ast.Attribute()):
            return "string"
        case ((ast.Eq() | ast.NotEq()), ast.Constant(value=int())):
            return "number" if decides else None
        case ((ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()), _):
            return "number" if decides and _is_setting(right) else None
    return None


def _is_setting(node: ast.expr) -> bool:
    """Whether an expression is one setting, or computed from several."""
    match node:
        case ast.BinOp(left=left, right=right):
            settings = [_is_setting(each) for each in (left, right) if not isinstance(each, ast.Constant)]
            return bool(settings) and all(settings)
        case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name)):
            return value_names.is_settings(name)
    return False
