"""Code that runs on the host for a data loader: datasets, samplers, collate functions, and what only those call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import module_setup
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.knowledge import moves

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def runs_on_host(analysis: Analysis, function: Function, depth: int = 3) -> bool:
    """Whether a function works on the host for a data loader: datasets, samplers, collate functions, and what is seen to
    be called by nothing else."""
    for at in function.around():
        if at.owner is not None and analysis.kind(at.owner) in ("dataset", "sampler"):
            return not _is_for_program(analysis, at)
        if _is_collate(at):
            return True
    if module_setup.holder(analysis, function) == "module":
        return False
    sites = analysis.sites(function) if depth and not function.is_module else []
    return bool(sites) and all(runs_on_host(analysis, function.module.function_of(each), depth - 1) for each in sites)


def _is_for_program(analysis: Analysis, method: Function) -> bool:
    """Whether a method of a dataset is none that a loader comes to: a replay buffer's `sample`, which places what it gives on a
    device, and which no method of the class asks."""
    if method.name.startswith("_"):
        return False
    module = method.module
    if not _places_something(module, method.node):
        return False
    return all(module.function_of(site).owner is not method.owner for site in analysis.sites(method))


@once
def _places_something(module: Module, method: ast.AST) -> bool:
    return any(_places(call) for call in inside.calls(module, method))


def _places(call: ast.Call) -> bool:
    """Whether a call is told a device: `x.to(device)`, `torch.as_tensor(x, device=self.device)`."""
    if any(keyword.arg == "device" for keyword in call.keywords):
        return True
    return isinstance(call.func, ast.Attribute) and call.func.attr in moves.TO_GPU


def _is_collate(function: Function) -> bool:
    """Whether a function is given to a loader as its `collate_fn` or `worker_init_fn`, or named for it."""
    if function_names.is_collate(function.name):
        return True
    if function.owner is not None and function.name == "__call__" and function_names.is_collator(function.owner.name):
        return True
    for call in function.module.calls.get("DataLoader", ()):
        for keyword in call.keywords:
            if (
                keyword.arg in ("collate_fn", "worker_init_fn")
                and isinstance(keyword.value, ast.Name)
                and keyword.value.id == function.name
            ):
                return True
    return False
