"""Checkpoints that are loaded to where they were saved from, in a file that saves them from a model on a GPU.

    torch.save({"model": model.state_dict()}, path)          the tensors of a model on a GPU
    state = torch.load(path)                                 onto that GPU again, beside the model
    model.load_state_dict(state["model"])                    copied from there

Knows syntax and names alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions, inside, names
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_LOAD: Final = "torch.load"
_SAVE: Final = "torch.save"
_TO_GPU: Final = ("cuda", "to", "DataParallel", "DistributedDataParallel")
_TO_HOST: Final = frozenset(("cpu", "numpy", "to"))
_TAKING: Final = "load_state_dict"


def is_back_on_gpu(facts: Facts, call: ast.AST) -> bool:
    """Whether a load says nothing of where, a module or an optimizer takes what it gives, and the file saves such from a GPU."""
    module = facts.module
    if not isinstance(call, ast.Call) or names.dotted(module.function_of(call), call.func) != _LOAD:
        return False
    if len(call.args) != 1 or any(each.arg in ("map_location", "mmap", None) for each in call.keywords):
        return False
    return _saves_from_gpu(module, module.tree) and _is_taken(module, call)


@once
def _saves_from_gpu(module: Module, _: ast.Module) -> bool:
    """Whether a file moves something to a GPU, and saves states without a move to the host."""
    if "state_dict" not in module.calls or not any(name in module.calls for name in _TO_GPU):
        return False
    saves = [
        each for each in module.calls.get("save", ()) if names.dotted(module.function_of(each), each.func) == _SAVE
    ]
    around = [module.function_of(each).node for each in saves]
    return bool(saves) and not any(
        last_name(each.func) in _TO_HOST
        for node in around
        if not isinstance(node, ast.Module)
        for each in inside.calls(module, node)
    )


def _is_taken(module: Module, node: ast.expr) -> bool:
    """Whether an expression, or a part of it, is what `load_state_dict` takes, itself or by the name that it is bound to."""
    above = module.parents.get(node)
    while isinstance(above, ast.Subscript) and above.value is node:
        node, above = above, module.parents.get(above)
    match above:
        case ast.Call(func=ast.Attribute(attr=name), args=[given, *_]):
            return name == _TAKING and given is node
        case ast.Assign(targets=[ast.Name() as bound]):
            return any(_is_taken(module, each) for each in definitions.reads_after(module, bound))
    return False
