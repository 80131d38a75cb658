"""What the linter knows of torch and the libraries around it: return kinds, effects, objects, names.

The interface of the knowledge base; the knowledge is data in the files beside it. `schemas.json` is generated from
torch's own schemas and stubs by `python -m torchperf_lint.facts.knowledge.generate`; `effects` and `objects` are
written by hand and held against the real torch by the tests. Each is read once, when it is first asked.
Knows nothing of the linted program, and never imports torch.

    function("torch.max")                 what it takes and returns, an `Overload` for each way to call it
    method("view"), attribute("shape")    the same for what a tensor has
    effect("torch.argmax", method=False)  what it does to dtype, rank, device and gradients
    canonical("torch.nn.modules.linear.Linear")   "torch.nn.Linear"
    constructs("torch.optim.AdamW")       "optimizer"
    instance("torch.Size")                "size"
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from torchperf_lint.disk.read import read_file
from torchperf_lint.facts.knowledge import autocast as _autocast
from torchperf_lint.facts.knowledge import objects, operations, public_names
from torchperf_lint.facts.knowledge.objects import ModuleRow
from torchperf_lint.facts.knowledge.operations import Effect
from torchperf_lint.facts.knowledge.schema import Overload, Parameter, read

__all__ = [
    "Effect", "ModuleRow", "Overload", "Parameter", "attribute", "autocast", "canonical", "constructs", "effect",
    "function", "instance", "made_from", "member", "method", "module", "module_only", "schemas", "tensor_only",
]  # fmt: skip


@cache
def schemas() -> dict[str, Any]:
    """The generated file; overloads are decoded as they are asked for."""
    loaded: dict[str, Any] = json.loads(read_file(Path(__file__).with_name("schemas.json")))
    return loaded


def made_from() -> str:
    """The version of torch that the schemas come from."""
    return str(schemas()["torch"])


@cache
def function(name: str) -> tuple[Overload, ...] | None:
    """What a function takes and returns, by its canonical dotted name; a few of other libraries are known too."""
    text = schemas()["functions"].get(name) or objects.function(name)
    return None if text is None else read(text)


@cache
def method(name: str) -> tuple[Overload, ...] | None:
    """What a method of a tensor takes and returns; the tensor is not among the parameters."""
    text = schemas()["methods"].get(name)
    return None if text is None else read(text)


def attribute(name: str) -> str | None:
    """The return kind of an attribute of a tensor that is no method: "size" for `shape`."""
    kind: str | None = schemas()["attributes"].get(name)
    return kind


@cache
def tensor_only() -> frozenset[str]:
    """Names that a tensor has and nothing else that is common in such programs: seeing `x.name` proves a tensor."""
    return frozenset(schemas()["tensor_only"])


@cache
def module_only() -> frozenset[str]:
    """The same for `nn.Module`."""
    return frozenset(schemas()["module_only"])


@cache
def canonical(name: str) -> str:
    """The one public name of what several dotted names stand for; a name that is not known stays as it is."""
    return public_names.canonical(name, schemas()["names"])


def effect(name: str, *, method: bool) -> Effect | None:
    """What an operation does to dtype, rank, device and gradients: `"view"` of a tensor, or `"torch.cat"`."""
    return operations.find(name, method=method)


def autocast(name: str, *, method: bool) -> str | None:
    """What autocast does to the dtype of a result: "lower", "float32", "widest", or nothing of its own."""
    return _autocast.find(name, method=method)


def module(name: str) -> ModuleRow | None:
    """What an instance of a class of `torch.nn` owns, and gives when it is called."""
    return objects.module(name)


def constructs(name: str) -> str | None:
    """The kind of thing that calling a class or a factory gives: "optimizer" for `torch.optim.AdamW`."""
    return objects.constructs(name)


def instance(name: str) -> str | None:
    """The kind of thing that an instance of a class is, and of what derives from it."""
    return objects.instance(name)


def member(kind: str, name: str) -> str | None:
    """The return kind of a method or attribute of an object, by the object's class or, if that is silent, its kind."""
    return objects.member(kind, name)
