"""Code behind a `__main__` guard that nothing comes to: before it a class is made that calls what the file does not bind.

# from fast import Kernel
class Net(nn.Module):
    def __init__(self): self.kernel = Kernel()
if __name__ == "__main__":
    net = Net()                          ends with a NameError
"""

from __future__ import annotations

import ast
import builtins
from typing import Final

from torchperf_lint.facts.context import file_traits, looked_up
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.project import uses

_BUILTINS: Final = frozenset(dir(builtins))


def is_behind(module: Module, node: ast.AST) -> bool:
    """Whether a node stands behind the making of such a class."""
    if not module.function_of(node).is_module or not file_traits.are_guarded(module, [node]):
        return False
    above = [node, *module.ancestors(node)]
    guard = above[above.index(module.tree) - 1]
    if not isinstance(guard, ast.If):
        return False
    return next((at for at, each in enumerate(guard.body) if each in above), 0) > _ending(module, guard)


@once
def _ending(module: Module, guard: ast.If) -> int:
    """Which statement of a guard makes such a class; how many there are if none does."""
    for at, statement in enumerate(guard.body):
        if isinstance(statement, (ast.Assign, ast.Expr)):
            made = (each.func for each in walk(statement) if isinstance(each, ast.Call))
            if any(isinstance(each, ast.Name) and _cannot_be_made(module, each.id) for each in made):
                return at
    return len(guard.body)


def _cannot_be_made(module: Module, name: str) -> bool:
    """Whether the class of a name calls, while it is made, what nothing binds."""
    if module.stars or module.by_type.get(ast.Global) or looked_up.reflects(module, uses.LOOKING_UP):
        return False
    tops = (each for each in module.classes.values() if module.parents[each.node] is module.tree)
    made = [each for each in tops if each.name == name]
    begins = made[0].methods.get("__init__") if len(made) == 1 else None
    if begins is None or any(isinstance(each, ast.Try) for each in walk(begins.node)):
        return False
    bound = begins.scope.stores.keys() | module.body.scope.stores.keys() | _BUILTINS
    called = (each.func for each in walk(begins.node, into_scopes=False) if isinstance(each, ast.Call))
    return any(isinstance(each, ast.Name) and each.id not in bound for each in called)
