"""A sampler that shuffles over ranks, and the loop over epochs that its loader runs in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import epoch_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.knowledge.distributed import DRIVERS as DRIVERS

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

SAMPLERS: Final = frozenset(("torch.utils.data.distributed.DistributedSampler", "torch.utils.data.DistributedSampler"))
SHUFFLE: Final = 3
"""The position of `shuffle` among the arguments."""


@dataclass(frozen=True, slots=True)
class Epochs:
    """The loop over epochs in which a sampler is used."""

    first: ast.stmt
    """Its first statement."""
    number: str
    """The name of the epoch."""
    sampler: str | None
    """The name of the sampler where the loop can use it, and where it is bound once."""


def shuffles(facts: Facts, call: ast.AST) -> bool:
    """Whether a call makes a sampler over ranks that shuffles."""
    assert isinstance(call, ast.Call)
    if names.dotted(facts.module.function_of(call), call.func) not in SAMPLERS or any(
        each.arg is None for each in call.keywords
    ):
        return False
    told = next((each.value for each in call.keywords if each.arg == "shuffle"), None)
    if told is None and len(call.args) > SHUFFLE:
        told = call.args[SHUFFLE]
    return told is None or (isinstance(told, ast.Constant) and told.value is True)


def epochs(facts: Facts, call: ast.AST) -> Epochs | None:
    """The loop over epochs that a loader with this sampler trains in; None where the file shows none."""
    module = facts.module
    name, is_alone = _bound(module, call)
    said = {each.id for each in _around(module, call) if isinstance(each, ast.Name)}
    if not _is_for_a_loader(module, call, name) or any(map(epoch_names.is_of_evaluation, said)):
        return None
    loops = _loops(module, module.tree)
    if "backward" not in module.attributes or not loops:
        return None
    loop = loops[0]
    assert isinstance(loop.target, ast.Name)
    is_near = module.function_of(loop) is module.function_of(call) and call.lineno < loop.lineno  # type: ignore[attr-defined]
    return Epochs(loop.body[0], loop.target.id, name if is_near and is_alone and len(loops) == 1 else None)


@once
def _loops(_: Module, tree: ast.AST) -> list[ast.For]:
    """Loops over epochs."""
    loops = (node for node in walk(tree) if isinstance(node, ast.For))
    return [each for each in loops if isinstance(each.target, ast.Name) and epoch_names.is_epoch(each.target.id)]


def _bound(module: Module, call: ast.AST) -> tuple[str | None, bool]:
    """The name that a sampler is bound to, and whether nothing else is bound to it, such as None on one GPU."""
    above = module.parents.get(call)
    is_one_of_two = isinstance(above, ast.IfExp)
    if is_one_of_two:
        above = module.parents.get(above)  # type: ignore[arg-type]
    if not isinstance(above, ast.Assign) or len(above.targets) != 1 or not isinstance(above.targets[0], ast.Name):
        return None, False
    name = above.targets[0].id
    stores = module.function_of(call).scope.stores.get(name, ())
    return name, len(stores) == 1 and not is_one_of_two


def _around(module: Module, call: ast.AST) -> Iterator[ast.AST]:
    """The statement that makes a sampler."""
    statement = call
    while not isinstance(statement, ast.stmt):
        statement = module.parents[statement]
    return walk(statement)


def _is_for_a_loader(module: Module, call: ast.AST, name: str | None) -> bool:
    """Whether a sampler is given to a loader, there or by its name."""
    above = module.parents.get(call)
    if isinstance(above, ast.keyword):
        return above.arg in ("sampler", "batch_sampler")
    return name is not None and name in _given(module, module.function_of(call))


@once
def _given(_: Module, function: Function) -> frozenset[str]:
    """The names of what a function gives to loaders as their sampler."""
    given = (node.value for node in walk(function.node) if isinstance(node, ast.keyword) and node.arg == "sampler")
    return frozenset(each.id for each in given if isinstance(each, ast.Name))
