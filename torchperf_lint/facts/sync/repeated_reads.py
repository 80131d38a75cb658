"""Whether the host has asked for the same value before: a number that is used ten times is one thing to say.

Knows the waits of expressions and where names are bound and read.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import place_of, walk
from torchperf_lint.facts.sync import host_wait

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def before(analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...]) -> bool:
    """Whether all names for which a node waits were waited for further up in the function, with no binding between."""
    scene = host_wait.Scene(analysis, module, target)
    inside = [node.slice] if isinstance(node, ast.Subscript) else [*getattr(node, "args", ())]
    names = [each for part in inside for each in walk(part) if isinstance(each, ast.Name)]
    sought = [each for each in names if _crosses(scene, each)]
    return bool(sought) and all(_was_asked(analysis, module, name, target) for name in sought)


def _crosses(scene: host_wait.Scene, name: ast.Name) -> bool:
    """Whether a name holds a number of the GPU that the host needs, or an index of the host that the GPU needs."""
    value = scene.look(name)
    return (
        value.kind in ("list", "ndarray")
        or (value.rank == 0 and scene.cuda(value))
        or (value.rank != 0 and scene.host(value))
    )


def _was_asked(analysis: Analysis, module: Module, name: ast.Name, target: tuple[int, ...]) -> bool:
    scope = module.function_of(name).scope
    stores = [place_of(each) for each in scope.stores.get(name.id, ()) if place_of(each) < place_of(name)]
    since = max(stores, default=(0, 0))
    earlier = [load for load in scope.loads.get(name.id, ()) if since < place_of(load) < place_of(name)]
    return any(_waits(analysis, module, load, target) for load in earlier)


def _waits(analysis: Analysis, module: Module, load: ast.Name, target: tuple[int, ...]) -> bool:
    """Whether the host waits for the name itself, in the index, the bound or the size that it is a part of."""
    below: ast.AST = load
    for above in module.ancestors(load):
        if isinstance(above, ast.stmt):
            return False
        if isinstance(above, ast.Subscript) and below is above.value:
            return False
        if isinstance(above, (ast.Call, ast.Subscript)):
            return host_wait.wait(analysis, module, above, target).known
        below = above
    return False
