"""What a `DataLoader(...)` is told, and what its dataset does to give an item.

    DataLoader(Subset(Images(root), picked), batch_size=8)      settings: batch_size 8, dataset: `Images.__getitem__`

What is given by way of a dictionary, `**settings`, counts as far as it is known. Knows values; nothing of torch's datasets
but their names.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.knowledge import data_loading

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def made(analysis: Analysis, module: Module, call: ast.Call) -> Value | None:
    """The loader of torch that a call makes, where all that it is told is in sight."""
    loader = analysis.value(call, module)
    is_one = loader.kind == "loader" and loader.ref == data_loading.LOADER
    return loader if is_one and not is_open(analysis, module, call) else None


def is_open(analysis: Analysis, module: Module, call: ast.Call) -> bool:
    """Whether a call may be given more than can be seen."""
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    hidden = (each.value for each in call.keywords if each.arg is None)
    return starred or any(not isinstance(analysis.value(each, module).items, dict) for each in hidden)


def setting(loader: Value, name: str) -> Value | None:
    """What a loader is told, by the name of the argument; None where it is not told."""
    items = loader.items if isinstance(loader.items, dict) else {}
    found, places = items.get(name), data_loading.PLACES
    return found if found is not None else items.get(str(places.index(name)) if name in places else "")


def is_shuffled(loader: Value) -> bool:
    """Whether a loader shuffles, as those of trainings do."""
    told = setting(loader, "shuffle")
    return told is not None and told.const is True


def is_for_training(loader: Value) -> bool:
    """Whether a loader is one that trainings have: it shuffles, or drops what an evaluation could not do without."""
    told = setting(loader, "drop_last")
    return is_shuffled(loader) or (told is not None and told.const is True)


def shown(dataset: Value | None) -> Value | None:
    """The dataset whose items another one shows."""
    at, showing = dataset, data_loading.SHOWING
    while at is not None and isinstance(at.ref, str) and at.ref.endswith(showing) and isinstance(at.items, dict):
        at = at.items.get("dataset", at.items.get("0"))
    return at


def getter(analysis: Analysis, dataset: Value | None, name: str = "__getitem__") -> Function | None:
    """The method that gives an item of a dataset of the program."""
    made = shown(dataset)
    owner = made.ref if made is not None and isinstance(made.ref, Class) else None
    return classes.find_method(analysis, owner, name) if owner is not None else None
