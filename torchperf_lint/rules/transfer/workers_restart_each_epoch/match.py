"""Loaders whose workers are started anew at each pass, and whether there is more than one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import call_names, epoch_names, value_names
from torchperf_lint.facts.idioms import datasets, loaders
from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_CALLERS: Final = 3
"""So many functions that call each other are followed."""


def restarts(facts: Facts, call: ast.AST) -> bool:
    """Whether a call makes a loader that may have workers, and does not keep them."""
    if not isinstance(call, ast.Call):
        return False
    loader = datasets.made(facts.analysis, facts.module, call)
    if loader is None:
        return False
    workers = datasets.setting(loader, "num_workers")
    may_have = workers is not None and workers.kind in ("number", "unknown") and workers.const != 0
    return may_have and datasets.setting(loader, "persistent_workers") is None and not _is_told(call)


def _is_told(call: ast.Call) -> bool:
    return any(each.arg in ("persistent_workers", "worker_init_fn") for each in call.keywords)


def workers(facts: Facts, call: ast.AST) -> Value | None:
    """How many workers a loader is told to have."""
    return datasets.setting(facts.analysis.value(call, facts.module), "num_workers")


def is_passed_often(facts: Facts, call: ast.AST) -> bool:
    """Whether a loader is gone through in a loop, or each time that an object of its own is gone through."""
    return any(_is_repeated(facts, call, each) for each in _passes(facts.analysis, facts.module).get(call, ()))


@once
def _passes(analysis: Analysis, module: Module) -> dict[ast.AST, list[ast.AST]]:
    """By the call that makes a loader, the loops that go through it."""
    found: dict[ast.AST, list[ast.AST]] = {}
    for kind in (ast.For, ast.YieldFrom):
        for node in module.by_type.get(kind, ()):
            given = node.iter if isinstance(node, ast.For) else getattr(node, "value", None)
            for made in dict.fromkeys(loaders.origins(analysis, module, given)) if isinstance(given, ast.expr) else ():
                if made is not None:
                    found.setdefault(made, []).append(node)
    return found


def _is_repeated(facts: Facts, call: ast.AST, node: ast.AST) -> bool:
    """Whether a loop over a loader stands in another one, in which the loader is not made; or in a function that is called
    in one, or that goes through an object."""
    module, function = facts.module, facts.module.function_of(node)
    loop = blocks.loop(module, node)
    if loop is not None:
        return not inside.is_inside(module, call, loop)
    if module.function_of(call) is function:
        return False
    return function.name == "__iter__" or _is_called_often(facts, call, function, _CALLERS)


def _is_called_often(facts: Facts, call: ast.AST, function: Function, deep: int) -> bool:
    """Whether a function is called in a loop in which the loader is not made, by way of others too; where nothing calls it, its
    name has to say that it is an epoch."""
    sites = facts.analysis.sites(function)
    if not sites or not deep:
        return epoch_names.says_epoch(function.name)
    for site in sites:
        loop = blocks.loop(function.module, site)
        if loop is not None and not inside.is_inside(facts.module, call, loop):
            return True
        caller = function.module.function_of(site)
        is_maker = caller.is_module or inside.is_inside(facts.module, call, caller.node)
        if loop is None and not is_maker and _is_called_often(facts, call, caller, deep - 1):
            return True
    return False


def is_changed(facts: Facts) -> bool:
    """Whether the file changes datasets between passes."""
    return _changes(facts.module, facts.module.tree)


@once
def _changes(module: Module, _: ast.AST) -> bool:
    for name, calls in module.calls.items():
        for call in calls if call_names.changes_data(name) else ():
            if isinstance(call.func, ast.Attribute) and value_names.is_dataset(ast.unparse(call.func.value)):
                return True
    targets = (target for node in module.by_type.get(ast.Assign, ()) for target in getattr(node, "targets", ()))
    return any(
        isinstance(each, ast.Attribute) and value_names.is_dataset(ast.unparse(each.value))
        for target in targets
        for each in walk(target)
    )
