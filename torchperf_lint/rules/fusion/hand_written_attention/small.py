"""Attention of which the fused way gains little: of one query, or of tensors that its kernels do not take.

    q = self.q(x[:, 0]).unsqueeze(1)        one row of scores
    scores = x.bmm(y.transpose(2, 1))       three dimensions, and no heads

Knows syntax, and the ranks of values.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions, inside
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_SPLITTING: Final = frozenset("view reshape permute rearrange unflatten split chunk unbind flatten".split())
_TAKEN: Final = 4
"""The rank that fused kernels take."""
_DEEP: Final = 4


def is_of_one_query(facts: Facts, softmax: ast.AST) -> bool:
    """Whether the queries are those of one position, `x[:, 0]` or `x[:, :1]`."""
    return any(_is_of_one(facts, query, _DEEP) for query in _queries(facts, softmax))


def is_of_odd_rank(facts: Facts, softmax: ast.AST) -> bool:
    """Whether queries have more dimensions than fused kernels take, or fewer and no heads."""
    module = facts.module
    queries = _queries(facts, softmax)
    if any((facts.analysis.value(each, module).rank or _TAKEN) > _TAKEN for each in queries):
        return True
    above = (module.parents.get(each) for each in queries)
    is_plain = any(isinstance(each, ast.Attribute) and each.attr == "bmm" for each in above)
    calls = inside.calls(module, module.function_of(softmax).node)
    return is_plain and not any(last_name(each.func) in _SPLITTING for each in calls)


def _queries(facts: Facts, softmax: ast.AST) -> list[ast.expr]:
    """The left factors of the products that a softmax is taken of."""
    module = facts.module
    found: list[ast.expr] = []
    waiting: list[ast.AST] = [softmax]
    for _ in range(_DEEP):
        named = [each for part in waiting for each in walk(part) if isinstance(each, ast.Name)]
        for node in (each for part in waiting for each in walk(part)):
            match node:
                case ast.BinOp(left=left, op=ast.MatMult()):
                    found.append(left)
                case ast.Call(func=ast.Attribute(value=of, attr="bmm" | "matmul"), args=[left, *rest]):
                    found.append(left if rest else of)
        if found:
            return found
        waiting = [made for each in named if (made := definitions.definition(module, each)) is not None]
    return found


def _is_of_one(facts: Facts, query: ast.AST, deep: int) -> bool:
    module = facts.module
    for node in walk(query):
        match node:
            case ast.Subscript(value=of, slice=index) if _takes_one(index) and not _takes_next(module, of):
                return True
            case ast.Name(ctx=ast.Load()) if deep:
                made = definitions.definition(module, node)
                if made is not None and _is_of_one(facts, made, deep - 1):
                    return True
    return False


def _takes_one(index: ast.expr) -> bool:
    """`[:, 0]` and `[:, :1]`: the second dimension of a batch is that of the positions."""
    match index:
        case ast.Tuple(elts=[ast.Slice(lower=None, upper=None), ast.Constant(value=0)]):
            return True
        case ast.Tuple(elts=[ast.Slice(lower=None, upper=None), ast.Slice(lower=None, upper=ast.Constant(value=1))]):
            return True
    return False


def _takes_next(module: Module, of: ast.expr) -> bool:
    """Whether a function takes what stands next to it as well: `q, k = qk[:, 0], qk[:, 1]`."""
    around, text = module.function_of(of).node, ast.unparse(of)
    return any(
        isinstance(each.slice, ast.Tuple)
        and isinstance(each.slice.elts[-1], ast.Constant)
        and each.slice.elts[-1].value == 1
        and ast.unparse(each.value) == text
        for each in walk(around)
        if isinstance(each, ast.Subscript)
    )
