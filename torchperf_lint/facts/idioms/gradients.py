"""What a file does with gradients between the backward pass and the next: it steps, clears, or reads them.

Syntax and names alone; knows nothing of values.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.idioms import neighbours
from torchperf_lint.facts.index.module import Module, last_name, walk
from torchperf_lint.facts.index.names import dotted

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
    if any(name in inner.scope.loads for inner in function.inner):
        return False
    reads = [module.parents.get(load) for load in function.scope.loads.get(name, ())]
    steps = [read for read in reads if isinstance(read, ast.Attribute) and read.attr == "step"]
    home = neighbours.loop(module, made)
    return (
        bool(steps)
        and all(isinstance(read, ast.Attribute) for read in reads)
        and all(neighbours.loop(module, step) is home for step in steps)
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
    below: ast.AST = node
    for above in module.ancestors(node):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and below in block:
                index = block.index(below)
                made = [_last_of(statement) for statement in block[:index]]
                passed = [kind for kind in made if kind is not None]
                if passed and passed[-1] == "backward" and any(map(_steps, block[index + 1 :])):
                    return True
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return False
        below = above
    return False


def _last_of(statement: ast.AST) -> str | None:
    """Which of backward and step a statement does last."""
    calls = [node for node in walk(statement) if isinstance(node, ast.Call)]
    names = [last_name(call.func) for call in calls if last_name(call.func) in ("backward", "step")]
    return names[-1] if names else None


def _steps(statement: ast.AST) -> bool:
    return any(isinstance(node, ast.Call) and last_name(node.func) == "step" for node in walk(statement))
