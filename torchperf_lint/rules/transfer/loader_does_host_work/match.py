"""Datasets that do no more than to pick the rows of what they hold in memory, and loaders that ask them item by item."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.idioms import datasets
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_ROWS: Final = "torch.utils.data.TensorDataset"
_OTHERWISE: Final = ("sampler", "batch_sampler", "collate_fn", "num_workers")
"""What says that batches are made in another way, or by others."""
_CONVERTING: Final = (
    "torch.tensor",
    "torch.as_tensor",
    "torch.from_numpy",
    "torch.FloatTensor",
    "torch.LongTensor",
    "torch.Tensor",
)
_CASTING: Final = ("float", "long", "int", "double", "half", "bool")


def picks_one_by_one(facts: Facts, call: ast.AST) -> bool:
    """Whether a call makes a loader that asks for the rows of tensors, one after the other."""
    assert isinstance(call, ast.Call)
    loader = datasets.made(facts.analysis, facts.module, call)
    if loader is None or any(_is_told(datasets.setting(loader, name)) for name in _OTHERWISE):
        return False
    size = datasets.setting(loader, "batch_size")
    if size is None or size.const in (None, 0, 1):
        return False
    return _only_picks(facts.analysis, datasets.setting(loader, "dataset"))


def is_for_training(facts: Facts, call: ast.AST) -> bool:
    """Whether a loader is told what those of trainings are."""
    return datasets.is_for_training(facts.analysis.value(call, facts.module))


def rows(facts: Facts, call: ast.AST) -> int | None:
    """How many rows a batch has, where the source shows it."""
    size = datasets.setting(facts.analysis.value(call, facts.module), "batch_size")
    return size.const if size is not None and type(size.const) is int else None


def _is_told(setting: Value | None) -> bool:
    return setting is not None and setting.const not in (None, 0)


def _only_picks(analysis: Analysis, dataset: Value | None) -> bool:
    """Whether a dataset gives rows of tensors, and nothing else."""
    if dataset is None or dataset.ref == _ROWS:
        return dataset is not None
    owner = dataset.ref
    if dataset.kind != "dataset" or not isinstance(owner, Class):
        return False
    getter = classes.find_method(analysis, owner, "__getitem__")
    if (
        getter is None
        or classes.find_method(analysis, owner, "__getitems__") is not None
        or len(getter.positional) != 2
    ):
        return False
    given = _given(getter)
    return bool(given) and all(_is_picked(analysis, owner, getter, each) for each in given)


def _given(getter: Function) -> list[ast.expr]:
    """The parts of an item, where the method is no more than a `return`."""
    body = getter.node.body if isinstance(getter.node, ast.FunctionDef) else []
    match [each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]:
        case [ast.Return(value=ast.Tuple(elts=parts) | ast.List(elts=parts))]:
            return parts
        case [ast.Return(value=ast.Dict(values=parts))]:
            return parts
        case [ast.Return(value=ast.expr() as part)]:
            return [part]
    return []


def _is_picked(analysis: Analysis, owner: Class, getter: Function, part: ast.expr) -> bool:
    """`self.x[index]`, perhaps as a tensor, or of another dtype, of a tensor or an array that the dataset holds."""
    receiver, index = getter.positional
    match part:
        case ast.Call(func=func, args=[inner, *_]) if names.dotted(getter, func) in _CONVERTING:
            return _is_picked(analysis, owner, getter, inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=[]) if attr in _CASTING:
            return _is_picked(analysis, owner, getter, inner)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=held), attr=attr), slice=ast.Name(id=asked)):
            kept = analysis.class_attribute(owner, attr) if (held, asked) == (receiver, index) else None
            return kept is not None and kept.kind in ("tensor", "ndarray") and kept.rank != 0
    return False
