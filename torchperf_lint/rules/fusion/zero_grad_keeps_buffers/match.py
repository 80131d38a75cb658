"""What a file does with gradients between the backward pass and the next: it steps, clears, or reads them.

Syntax and names alone; knows nothing of values.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_CLEARING: Final = frozenset(("zero_", "fill_", "detach_", "requires_grad_"))


def reads_gradients(facts: Facts, _: ast.AST) -> bool:
    """Whether the file reads `.grad` as a tensor, or adds to it: not to clear it, and not to see whether it is None."""
    module = facts.module
    if "grad" not in module.names:
        return False
    found = (node for node in walk(module.tree) if isinstance(node, ast.Attribute) and node.attr == "grad")
    return any(_is_read(module, node) for node in found)


def _is_read(module: Module, node: ast.Attribute) -> bool:
    if not isinstance(node.ctx, ast.Load):
        return isinstance(module.parents.get(node), ast.AugAssign)  # `p.grad += noise` needs what is there
    if dotted(module.function_of(node), node) == "torch.autograd.grad":
        return False
    parent = module.parents.get(node)
    if isinstance(parent, ast.Attribute) and parent.attr == "data":
        parent = module.parents.get(parent)
    match parent:
        case ast.Attribute(attr=attr):
            return attr not in _CLEARING
        case ast.Compare(comparators=[ast.Constant(value=None)]):
            return False
        case ast.If(test=test) if test is node:
            return False
    return True


def clears_all(_: Facts, loop: ast.AST, weight: str) -> bool:
    """Whether a loop over weights clears the gradient of each: it looks at nothing but the weight to choose."""
    tests = [node.test for node in walk(loop) if isinstance(node, (ast.If, ast.IfExp))]
    return all(node.id == weight for test in tests for node in ast.walk(test) if isinstance(node, ast.Name))


def is_before_step(facts: Facts, node: ast.AST) -> bool:
    """Whether the step comes behind a node, and the backward pass before it: what is cleared there is not to be used."""
    module = facts.module
    for block, number in inside.blocks_around(module, node):
        done = _done(module, block)
        before = bisect_left(done, number, key=lambda each: each[0])
        is_passed = before > 0 and done[before - 1][1][-1] == "backward"
        if is_passed and _last_step(module, block) > number:
            return True
    return False


@once
def _done(_: Module, block: inside.Block) -> list[tuple[int, list[str]]]:
    """The statements of a block, by their number, that do a backward pass or a step; and which, in their order."""
    found = []
    for number, statement in enumerate(block.statements):
        called = [last_name(node.func) for node in walk(statement) if isinstance(node, ast.Call)]
        kinds = [name for name in called if name in ("backward", "step")]
        if kinds:
            found.append((number, kinds))
    return found


@once
def _last_step(module: Module, block: inside.Block) -> int:
    """The number of the last statement of a block that does a step; -1 where none does."""
    return max((number for number, kinds in _done(module, block) if "step" in kinds), default=-1)
