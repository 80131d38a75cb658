"""What a file does with gradients between the backward pass and the next: it steps, clears, or reads them.

Syntax and names alone; knows nothing of values.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import Final

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.module import Module, last_name, walk
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once

_CLEARING: Final = frozenset(("zero_", "fill_", "detach_", "requires_grad_"))


def steps_compiled(module: Module) -> bool:
    """Whether the step of an optimizer is compiled: it is handed to `torch.compile`, or stands in what is."""
    steps = module.calls.get("step", ())
    if any(modes.compiled(module, step) is not None for step in steps):
        return True
    around = {module.function_of(step).name for step in steps}
    for call in module.calls.get("compile", ()):
        if dotted(module.function_of(call), call.func) == "torch.compile":
            for given in call.args[:1]:
                if (isinstance(given, ast.Attribute) and given.attr in {"step", *around}) or (
                    isinstance(given, ast.Name) and given.id in around
                ):
                    return True
    return False


def steps_once(module: Module, made: ast.AST) -> bool:
    """Whether an optimizer steps but once in its life: its function keeps it to itself, and calls `step` in no loop."""
    match module.parents.get(made):
        case ast.Assign(targets=[ast.Name(id=name)]):
            function = module.function_of(made)
        case _:
            return False
    if name in function.inner_reads:
        return False
    reads = [module.parents.get(load) for load in function.scope.loads.get(name, ())]
    steps = [read for read in reads if isinstance(read, ast.Attribute) and read.attr == "step"]
    home = blocks.loop(module, made)
    return (
        bool(steps)
        and all(isinstance(read, ast.Attribute) for read in reads)
        and all(blocks.loop(module, step) is home for step in steps)
    )


def reads_gradients(module: Module) -> bool:
    """Whether the file reads `.grad` as a tensor: not to clear it, and not to see whether it is None."""
    if "grad" not in module.names:
        return False
    found = (node for node in walk(module.tree) if isinstance(node, ast.Attribute) and node.attr == "grad")
    return any(isinstance(node.ctx, ast.Load) and _is_read(module, node) for node in found)


def _is_read(module: Module, node: ast.Attribute) -> bool:
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


def clears_all(loop: ast.For, weight: str) -> bool:
    """Whether a loop over weights clears the gradient of each: it looks at nothing but the weight to choose."""
    tests = [node.test for node in walk(loop) if isinstance(node, (ast.If, ast.IfExp))]
    return all(node.id == weight for test in tests for node in ast.walk(test) if isinstance(node, ast.Name))


def before_step(module: Module, node: ast.AST) -> bool:
    """Whether the step comes behind a node, and the backward pass before it: what is cleared there is not to be used."""
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
