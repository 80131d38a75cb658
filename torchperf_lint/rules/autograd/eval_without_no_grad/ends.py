"""Where all that becomes of a value ends: at `detach()`, at an index or a number, or anywhere else.

    first, second = critic(state)           two names
    least = torch.min(first, second)        both go on
    target = reward + least.detach()        the one end: no gradient comes through
    print(least.mean().item())              another

Goes forward through the names of a function, each up to where it is bound anew. Knows syntax alone.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index import blocks, definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import parts, place_of
from torchperf_lint.rules.autograd.eval_without_no_grad import leaving

_DEEP: Final = 8
_MANY: Final = 100
"""A name that is bound and read more often in a function is not followed: each binding would be held against all others."""
_BRANCHES: Final = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)


@once
def are_cuts(module: Module, call: ast.Call) -> bool:
    """Whether no gradient comes back to a call: all that reads what it gives, through names, is cut off."""
    return _are_cuts(module, call, _DEEP, set())


def _are_cuts(module: Module, node: ast.expr, deep: int, seen: set[ast.AST]) -> bool:
    """The same of an expression; of names that were seen before somebody else tells."""
    at: ast.AST = node
    while deep:
        above = module.parents.get(at)
        match above:
            case ast.Call() if at is not above.func and leaving.is_cut(above):
                return True
            case ast.Attribute(attr=attr) if attr in leaving.ATTRIBUTES:
                return True
            case ast.Attribute():
                called = module.parents.get(above)
                if isinstance(called, ast.Call) and called.func is above and leaving.is_cut(called):
                    return True
            case ast.Compare():
                return True
            case ast.Assign(targets=targets):
                return all(_is_cut_off(module, part, deep - 1, seen) for target in targets for part in parts(target))
            case ast.Call() | ast.keyword() | ast.BinOp() | ast.UnaryOp() | ast.Tuple() | ast.List() | ast.Starred():
                pass
            case ast.Subscript(value=value) if value is at:
                pass
            case _:
                return False
        at = above
    return False


def _is_cut_off(module: Module, bound: ast.expr, deep: int, seen: set[ast.AST]) -> bool:
    """Whether all that reads a name, from where it is bound on, is cut off."""
    if bound in seen:
        return True
    if not isinstance(bound, ast.Name):
        return False
    seen.add(bound)
    scope = module.function_of(bound).scope
    if len(scope.stores.get(bound.id, ())) + len(scope.loads.get(bound.id, ())) > _MANY:
        return False
    function = module.function_of(bound)
    if bound.id in function.inner_reads or bound.id in function.scope.outer or function.is_module:
        return False
    return all(_are_cuts(module, read, deep, seen) for read in _reads(module, bound))


def _reads(module: Module, bound: ast.Name) -> list[ast.Name]:
    """What may read a name where it is bound: up to the next binding, or all behind it where a branch may leave that out."""
    function = module.function_of(bound)
    around = set(module.ancestors(bound))
    stores = [each for each in function.scope.stores.get(bound.id, ()) if place_of(each) > place_of(bound)]
    is_left_out = any(
        isinstance(above, _BRANCHES) and above not in around for each in stores for above in module.ancestors(each)
    )
    every = function.scope.loads.get(bound.id, ())
    behind = [each for each in every if place_of(each) > place_of(bound)]
    loop = blocks.loop(module, bound)
    again = [each for each in every if loop is not None and place_of(loop) < place_of(each) < place_of(bound)]
    return [*(behind if is_left_out else definitions.reads_after(module, bound)), *again]
