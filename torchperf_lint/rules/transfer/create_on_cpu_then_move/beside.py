"""What stands beside a tensor that is made on the host, and makes it worth less to speak of.

mask = torch.zeros(n, n).to(x)      nobody reads it: the next line binds the name anew
mask = a[:, None] & b[None]

for i in range(nx):                 the function goes through a table one element at a time: beside that, a copy is little
    for j in range(ny): ...

class Scheduler:
    def step(self, noise): ...      once for each of the few steps of a sampler, beside a whole run of the model
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import class_names, function_names
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import says, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_NEAR: Final = 8
"""So many statements behind a tensor its name is looked for."""


def is_dead(facts: Facts, move: ast.AST) -> bool:
    """Whether what is moved is bound to a name that is bound anew before anyone reads it."""
    module = facts.module
    match module.parents.get(move):
        case ast.Assign(targets=[ast.Name(id=name)]) as statement if place := inside.block_of(module, statement):
            block, number = place
        case _:
            return False
    for each in block.statements[number + 1 : number + 1 + _NEAR]:
        if not says(each, name):
            continue
        match each:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                return not says(value, name)
        return False
    return False


def is_beside_more(facts: Facts, move: ast.AST) -> bool:
    """Whether the function of a move works on single elements in nested loops, or takes one of the few steps of a sampler."""
    function = facts.module.function_of(move)
    owner = function.owner
    if (
        isinstance(owner, Class)
        and class_names.takes_samples(owner.name)
        and function_names.takes_sample(function.name)
    ):
        return True
    return _counts_elements(facts.module, function)


@once
def _counts_elements(_: Module, function: Function) -> bool:
    """Whether a function has a loop of numbers in a loop of numbers, or one that writes element by element:
    `for i in range(nx): for j in range(ny): ...`, `for i in range(n): mask[i, labels[i]] = 1`."""
    loops = [each for each in walk(function.node, into_scopes=False) if _counts(each)]
    inner = ((outer, each) for outer in loops for each in walk(outer, into_scopes=False))
    return any(each is not outer and (_counts(each) or _writes_element(each)) for outer, each in inner)


def _writes_element(node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=[ast.Subscript(slice=ast.Tuple(elts=parts))]):
            return not any(isinstance(each, (ast.Slice, ast.Constant, ast.Starred)) for each in parts)
    return False


def _counts(node: ast.AST) -> bool:
    match node:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"))):
            return True
    return False
