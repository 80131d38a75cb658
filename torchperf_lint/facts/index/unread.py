"""Names that nobody reads. Knows syntax alone."""

from __future__ import annotations

import ast
from bisect import bisect_left

from torchperf_lint.facts.index import blocks, definitions, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import place_of


def is_only_bound(module: Module, name: ast.Name) -> bool:
    """Whether nobody reads what a name is bound to, nor does what binds it next."""
    return is_never_read(module, name) and not _is_changed_after(module, name)


def is_never_read(module: Module, name: ast.Name) -> bool:
    """Whether nobody reads what a name is bound to."""
    function = module.function_of(name)
    if (
        function.is_module
        or name.id in function.scope.outer
        or name.id in function.inner_reads
        or "locals" in module.calls
    ):
        return False
    if definitions.reads_after(module, name):
        return False
    loop, read = blocks.loop(module, name), reads(module, (function, name.id))
    return loop is None or bisect_left(read, place_of(loop)) == bisect_left(read, place_of(name))


@once
def reads(_: Module, asked: tuple[Function, str]) -> list[tuple[int, int]]:
    """Where a function reads a name, in the order of the source."""
    function, name = asked
    return sorted(place_of(each) for each in function.scope.loads.get(name, ()))


def _is_changed_after(module: Module, name: ast.Name) -> bool:
    """Whether the next that binds a name changes what it holds (`x += 1`), or stands on one of several ways alone."""
    following = definitions.next_below(module, name)
    if following is None:
        return False
    statement = module.statement(following)
    if isinstance(statement, (ast.AugAssign, ast.Delete)):
        return True
    return inside.block_of(module, statement) is None or not _same_block(module, statement, module.statement(name))


def _same_block(module: Module, one: ast.stmt, other: ast.stmt) -> bool:
    places = inside.block_of(module, one), inside.block_of(module, other)
    return places[0] is not None and places[1] is not None and places[0][0] is places[1][0]
