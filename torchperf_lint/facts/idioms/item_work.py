"""How much Python does for each item of a dataset: it decodes and transforms, or takes a row out of what is in memory.

    def __getitem__(self, index):
        image = Image.open(self.paths[index])      heavy: milliseconds
        return self.transform(image)
    def __getitem__(self, index):
        return self.xs[index], self.ys[index]      light
    def __getitem__(self, index):
        for word in self.words[index]:             unknown: how many there are nobody can see
            ids.append(self.vocabulary[word])

Knows values, and the names of what decodes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import item_names
from torchperf_lint.facts.idioms import datasets
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.knowledge import data_loading

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

Work = Literal["heavy", "light", "unknown"]

_READING: Final = frozenset(("load", "read", "get"))
_DECODING: Final = frozenset(
    f"torchvision.datasets.{name}"
    for name in (
        "ImageFolder", "DatasetFolder", "ImageNet", "CIFAR10", "CIFAR100", "STL10", "SVHN", "CocoDetection", "VOCDetection", "LSUN",
        "VOCSegmentation", "Cityscapes", "CelebA", "MNIST", "FashionMNIST", "EMNIST", "KMNIST", "OxfordIIITPet", "Flowers102", "Food101",
    )
)  # fmt: skip
"""Datasets that make an image of Pillow for each item, and transform it."""
_TINY: Final = frozenset(
    f"torchvision.datasets.{name}" for name in ("MNIST", "FashionMNIST", "EMNIST", "KMNIST", "QMNIST", "USPS")
)
"""Datasets whose pictures are so small that the networks for them are too: a GPU is done with a step when the host is."""
_PUT_TOGETHER: Final = frozenset("append extend random randint choice".split())
"""What is called in a loop that makes an item element by element; one over the few parts of an item has none of it."""
_DEVICES: Final = ("cuda", "device", "pin_memory")


def of(analysis: Analysis, loader: Value) -> Work:
    """How much Python does for each item of the dataset that a loader is given."""
    dataset = datasets.setting(loader, "dataset")
    made = datasets.shown(dataset)
    if made is None:
        return "unknown"
    if isinstance(made.ref, str):
        if made.ref == data_loading.TENSORS:
            return "light"
        return "heavy" if made.ref in _DECODING and _is_transformed(made) else "unknown"
    getter = datasets.getter(analysis, dataset)
    if getter is None or file_traits.definition_mentions(made, _DEVICES):
        return "light" if getter is not None else "unknown"
    if _reads_heavily(analysis.module, getter):
        return "heavy"
    return "unknown" if _is_put_together(analysis.module, getter) else "light"


def is_of_tiny_pictures(loader: Value) -> bool:
    """Whether a loader gives pictures of some 28 by 28."""
    made = datasets.shown(datasets.setting(loader, "dataset"))
    return made is not None and made.ref in _TINY


def _is_transformed(dataset: Value) -> bool:
    return isinstance(dataset.items, dict) and bool({"transform", "transforms"} & dataset.items.keys())


@once
def methods(module: Module, getter: Function) -> list[Function]:
    """The method that gives an item, and the methods of its class that it calls, or they."""
    found = {getter: None}
    waiting = [getter]
    while waiting:
        called = dict.fromkeys(each for each in _called(module, waiting.pop()) if each not in found)
        found |= called
        waiting += called
    return list(found)


def _called(module: Module, function: Function) -> Iterator[Function]:
    """The methods of the same class that one calls."""
    owner = function.owner
    if owner is None:
        return
    for call in inside.calls(module, function.node):
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if function.positional[:1] == (name,):
                called = owner.methods.get(attr)
                if called is not None:
                    yield called


@once
def _reads_heavily(module: Module, getter: Function) -> bool:
    """Whether a method decodes, transforms or tokenises, itself or in a method of the same class that it calls."""
    return any(_is_heavy(call) for each in methods(module, getter) for call in inside.calls(module, each.node))


def _is_heavy(call: ast.Call) -> bool:
    name = last_name(call.func)
    return item_names.takes_long(name) or (name in _READING and _reads(call))


@once
def _is_put_together(_: Module, getter: Function) -> bool:
    """Whether a method makes an item element by element."""
    loops = (each for each in walk(getter.node, into_scopes=False) if isinstance(each, (ast.For, ast.While)))
    calls = (each for loop in loops for each in walk(loop, into_scopes=False) if isinstance(each, ast.Call))
    return any(last_name(each.func) in _PUT_TOGETHER for each in calls)


def _reads(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and item_names.has_files(call.func.value.id)
    )
