"""Checkpoints that are loaded to where they were saved from, in a file that saves them from a model on a GPU.

    torch.save({"model": model.state_dict()}, path)          the tensors of a model on a GPU
    state = torch.load(path)                                 onto that GPU again, beside the model
    model.load_state_dict(state["model"])                    copied from there

Where another file saves them, an optimizer that takes its state tells that the checkpoint is one of this program.

Knows syntax and names alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import definitions, inside, names
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_LOAD: Final = "torch.load"
_SAVE: Final = "torch.save"
_TO_GPU: Final = ("cuda", "to", "DataParallel", "DistributedDataParallel")
_TO_HOST: Final = frozenset(("cpu", "numpy", "to"))
_TAKING: Final = "load_state_dict"
_OF_SEVERAL: Final = ("DistributedDataParallel", "init_process_group", "FullyShardedDataParallel")
"""Signs of a program of several processes, which all load onto one GPU."""
_DEEP: Final = 4
"""So many names are followed."""


def is_back_on_gpu(facts: Facts, call: ast.AST) -> bool:
    """Whether a load says nothing of where, a module or an optimizer takes what it gives, and the file saves such from a GPU."""
    module = facts.module
    if not isinstance(call, ast.Call) or names.dotted(module.function_of(call), call.func) != _LOAD:
        return False
    if len(call.args) != 1 or any(each.arg in ("map_location", "mmap", None) for each in call.keywords):
        return False
    taking = list(_taking(module, call, _DEEP))
    if _is_freed_at_once(module, call) and not facts.mentions(*_OF_SEVERAL):
        return False
    saves = _saves(module, module.tree)
    return bool(taking) and (_come_from_gpu(facts, saves) if saves else _is_resumed(facts, taking))


def _is_freed_at_once(module: Module, call: ast.Call) -> bool:
    """Whether no name holds what is loaded: the GPU has it twice for as long as a copy takes."""
    below: ast.AST = call
    above = module.parents.get(call)
    while isinstance(above, ast.Subscript) and above.value is below:
        below, above = above, module.parents.get(above)
    return isinstance(above, ast.Call) and last_name(above.func) == _TAKING


def _is_resumed(facts: Facts, taking: list[ast.expr]) -> bool:
    """Whether an optimizer takes a part: the checkpoint is one of the program's own trainings, which another file saves."""
    return (
        any(_is_optimizer(facts, each) for each in taking)
        and facts.project_mentions("state_dict")
        and facts.project_mentions("cuda")
    )


@once
def _saves(module: Module, _: ast.Module) -> tuple[ast.Call, ...]:
    """The calls by which a file saves tensors."""
    every = module.calls.get("save", ())
    return tuple(each for each in every if names.dotted(module.function_of(each), each.func) == _SAVE)


def _come_from_gpu(facts: Facts, saves: tuple[ast.Call, ...]) -> bool:
    """Whether a file moves something to a GPU, and saves states without a move to the host."""
    module = facts.module
    if "state_dict" not in module.calls or not any(name in module.calls for name in _TO_GPU):
        return False
    around = (module.function_of(each).node for each in saves)
    calls = (each for node in around if not isinstance(node, ast.Module) for each in inside.calls(module, node))
    return not any(last_name(each.func) in _TO_HOST and not _moves_one_tensor(facts, each) for each in calls)


def _moves_one_tensor(facts: Facts, call: ast.Call) -> bool:
    """Whether a call moves a tensor that an object has, as the count of its steps: `self.steps.cpu()`."""
    match call.func:
        case ast.Attribute(value=ast.Attribute(value=ast.Name()) as held):
            return facts.analysis.value(held, facts.module).kind == "tensor"
    return False


def _is_optimizer(facts: Facts, node: ast.expr) -> bool:
    kind = facts.analysis.value(node, facts.module).kind
    return kind == "optimizer" or (kind == "unknown" and value_names.is_optimizer(last_name(node)))


def _taking(module: Module, node: ast.expr, deep: int) -> Iterator[ast.expr]:
    """Whose `load_state_dict` takes an expression, or a part of it, itself or by the name that it is bound to."""
    above = module.parents.get(node)
    while isinstance(above, ast.Subscript) and above.value is node:
        node, above = above, module.parents.get(above)
    match above:
        case ast.Call(func=ast.Attribute(value=taker, attr=name), args=[given, *_]):
            if name == _TAKING and given is node:
                yield taker
        case ast.Assign(targets=[ast.Name() as bound]) if deep:
            for each in definitions.reads_after(module, bound):
                yield from _taking(module, each, deep - 1)
