"""Parts of one length that are cut out of a tensor one by one, as `split` cuts them in one call.

    parts = [x[i * n : (i + 1) * n] for i in range(k)]              x.split(n)

The gradient of each slice is as large as the whole tensor, and zero but for the slice; that of `split` is one tensor for all.
Knows syntax, and what is a tensor.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def are_cut(facts: Facts, node: ast.ListComp) -> bool:
    """Whether a list is made of parts of a tensor, each of the same length and behind the one before."""
    match node:
        case ast.ListComp(
            elt=ast.Subscript(value=whole, slice=place),
            generators=[ast.comprehension(target=ast.Name(id=turn), iter=counted, ifs=[])],
        ):
            pass
        case _:
            return False
    if not (isinstance(counted, ast.Call) and isinstance(counted.func, ast.Name) and counted.func.id == "range"):
        return False
    indices = place.elts if isinstance(place, ast.Tuple) else [place]
    parts = [each for each in indices if not _is_whole(each)]
    if len(parts) != 1 or len(counted.args) != 1 or not _is_part(parts[0], turn):
        return False
    return isinstance(whole, (ast.Name, ast.Attribute)) and facts.analysis.value(whole, facts.module).kind == "tensor"


def _is_whole(index: ast.expr) -> bool:
    if isinstance(index, ast.Slice):
        return index.lower is index.upper is index.step is None
    return isinstance(index, ast.Constant) and index.value is ...


def _is_part(index: ast.expr, turn: str) -> bool:
    """`i * n : (i + 1) * n`, `n * i : n * i + n`."""
    match index:
        case ast.Slice(lower=ast.BinOp(op=ast.Mult()) as start, upper=ast.BinOp() as end, step=None):
            pass
        case _:
            return False
    length = _factor(start, turn)
    if length is None:
        return False
    match end:
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return {ast.dump(left), ast.dump(right)} == {ast.dump(start), ast.dump(length)}
    following = ast.parse(f"{turn} + 1", mode="eval").body
    factors = [ast.dump(each) for each in (end.left, end.right)] if isinstance(end.op, ast.Mult) else []
    return sorted(factors) == sorted((ast.dump(following), ast.dump(length)))


def _factor(product: ast.BinOp, turn: str) -> ast.expr | None:
    """What the turn is multiplied by."""
    for one, other in ((product.left, product.right), (product.right, product.left)):
        if isinstance(one, ast.Name) and one.id == turn:
            return other
    return None
