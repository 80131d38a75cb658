"""Writes `schemas.json` from the torch that is installed: `python -m torchperf_lint.facts.knowledge.generate`.

Run it for a new release of torch, read the diff, run the tests. Signatures come from the stubs that torch ships, from
its Python sources where those are annotated, from operator schemas for `torch.linalg`, `torch.fft` and `torch.special`,
which have no stubs, and from `additions` where all are silent. This is the only file here that imports torch.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import torch

from torchperf_lint.facts.knowledge import reexports, schema_additions, shared_names, stubs
from torchperf_lint.facts.knowledge.public_names import canonical
from torchperf_lint.facts.knowledge.schema import Overload, write

Signatures = dict[str, tuple[Overload, ...]]

HERE: Final = Path(__file__).parent
TORCH: Final = Path(torch.__file__).parent

ANNOTATED: Final = (
    "torch.amp", "torch.autograd", "torch.cuda", "torch.distributed", "torch.func", "torch.nested",
    "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn", "torch.random", "torch.signal.windows",
    "torch.sparse", "torch.utils.checkpoint",
)  # fmt: skip
"""Modules of plain Python, whose return kinds come from their annotations."""

SCHEMATIC: Final = {"torch.linalg": "linalg_", "torch.fft": "fft_", "torch.special": "special_"}
"""Modules without stubs, and how the names of their operators begin."""

PUBLIC: Final = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils.rnn",
    "torch.nn.utils.parametrizations", "torch.nn.utils", "torch.nn.attention", "torch.nn.parallel",
    "torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.utils.data",
    "torch.utils.data.distributed", "torch.utils.checkpoint", "torch.cuda", "torch.cuda.amp", "torch.amp",
    "torch.autograd", "torch.autograd.functional", "torch.distributions", "torch.distributed",
    "torch.distributed.fsdp", "torch.func", "torch.jit", "torch.profiler", "torch.sparse",
)  # fmt: skip
"""Where people import from; of several such places the first gives a thing its name."""

DEEP: Final = (
    "torch.amp", "torch.autograd", "torch.cuda", "torch.distributions", "torch.nn", "torch.optim",
    "torch.utils.data",
)  # fmt: skip
"""Packages whose private modules people import from as well."""

PREFERRED: Final = {"torch.GradScaler": "torch.amp.GradScaler"} | {
    f"torch.{name}": f"torch.nn.functional.{name}"
    for name, value in vars(torch.nn.functional).items()
    if inspect.isbuiltin(value) and getattr(torch, name, None) is value and not name.startswith("has_torch_function")
}
"""Where another than the first is the one that the documentation uses."""

SKIPPED: Final = re.compile(r"\b_(?!utils)|quantiz|qat|intrinsic|backports|\btest|\bgen_pyi$")
"""Modules that nobody imports from, or that need what is not installed."""


def named_tuples() -> stubs.Fields:
    """The items of each named tuple of `torch.return_types`, in their order."""
    kinds = {name: kind for name, kind in vars(torch.return_types).items() if isinstance(kind, type)}
    fields = {
        name: [item for item, field in vars(kind).items() if inspect.ismemberdescriptor(field)]
        for name, kind in kinds.items()
    }
    return {name.lstrip("_"): tuple(items) for name, items in fields.items()}


def functions(named: stubs.Fields) -> Signatures:
    """Every public function, by its canonical name."""
    stub = stubs.functions(stubs.parse(TORCH / "_C/_VariableFunctions.pyi").body, named)
    core = stubs.functions(stubs.parse(TORCH / "_C/__init__.pyi").body, named)
    source = stubs.functions(stubs.parse(TORCH / "functional.py").body, named) | {
        name: overloads
        for name, overloads in stubs.functions(stubs.parse(TORCH / "__init__.py").body, named).items()
        if not name.startswith("_")
    }
    neural = stubs.functions(stubs.parse(TORCH / "nn/functional.pyi").body, named)
    hidden = stubs.functions(stubs.parse(TORCH / "_C/_nn.pyi").body, named)
    found: Signatures = {}
    for name in _public(torch):
        known = stub.get(name) or source.get(name) or core.get(name)
        if known:
            found[f"torch.{name}"] = known
    for name in _public(torch.nn.functional):
        alias = {"logsigmoid": "log_sigmoid"}.get(name, name)
        known = neural.get(name) or hidden.get(alias) or stub.get(name)
        if known:
            found[f"torch.nn.functional.{name}"] = known
    found |= {f"torch.{name}": overloads for name, overloads in stub.items() if name.startswith("_foreach_")}
    for module, prefix in SCHEMATIC.items():
        found |= _schematic(importlib.import_module(module), prefix)
    for module in ANNOTATED:
        found |= {
            name: each for name, each in _annotated(importlib.import_module(module), named).items() if name not in found
        }
    return {name: _current(overloads) for name, overloads in found.items()}


def _public(module: ModuleType) -> list[str]:
    """The functions that a module offers; classes and private names left out."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and not isinstance(value, type)
        and not isinstance(value, ModuleType)
    ]


def _schematic(module: ModuleType, prefix: str) -> Signatures:
    found: dict[str, list[Overload]] = {}
    schemas = [schema for schema in torch._C._jit_get_all_schemas() if schema.name.startswith(f"aten::{prefix}")]
    has_out = {schema.name for schema in schemas if "out" in schema.overload_name}
    public = set(_public(module))
    for schema in sorted(schemas, key=lambda each: (each.name, each.overload_name)):
        name = schema.name.removeprefix(f"aten::{prefix}")
        returned = [argument for argument in schema.arguments if argument.is_out]
        if name in public and not returned:
            overload = stubs.from_schema(str(schema), out=schema.name in has_out)
            found.setdefault(f"{module.__name__}.{name}", []).append(overload)
    return {name: tuple(overloads) for name, overloads in found.items()}


def _annotated(module: ModuleType, named: stubs.Fields) -> Signatures:
    found = {}
    for name in getattr(module, "__all__", None) or dir(module):
        function = getattr(module, name, None)
        if not name.startswith("_") and inspect.isfunction(function):
            text = inspect.getsource(inspect.unwrap(function))
            body = ast.parse(textwrap.dedent(text)).body
            read = stubs.functions(body, named)
            if read:
                found[f"{module.__name__}.{name}"] = next(iter(read.values()))
    return found


def _current(overloads: tuple[Overload, ...]) -> tuple[Overload, ...]:
    """Without overloads for named dimensions and for argument orders that are long deprecated."""
    kept = [
        overload
        for overload in overloads
        if not any(each.name == "names" and not each.default for each in overload.parameters)
        and [each.name for each in overload.parameters[:2]] not in (["self", "alpha"], ["self", "value"])
    ]
    return tuple(kept or overloads)


def methods(named: stubs.Fields) -> tuple[Signatures, dict[str, str]]:
    """The methods of a tensor, and its other attributes."""
    base = stubs.class_body(stubs.parse(TORCH / "_C/__init__.pyi"), "TensorBase")
    source = stubs.class_body(stubs.parse(TORCH / "_tensor.py"), "Tensor")
    found = stubs.functions(base, named, skip=1)
    for name, overloads in stubs.functions(source, named, skip=1).items():
        if name not in found or overloads[0].returns != "any":
            found[name] = overloads
    attributes = dict(stubs.attributes(base, named)) | dict(stubs.attributes(source, named))
    present = {name for name in dir(torch.Tensor) if not re.match(r"_[^_]", name)}
    return (
        {name: _current(each) for name, each in found.items() if name in present and name not in attributes},
        {name: kind for name, kind in attributes.items() if name in present},
    )


def names() -> dict[str, str]:
    """Private places, and what they are called in public."""
    public = {path: importlib.import_module(path) for path in PUBLIC}
    paths = [*DEEP, "torch.functional", "torch.random", "torch.serialization"]
    for package in DEEP:
        paths += [found.name for found in pkgutil.walk_packages(public[package].__path__, package + ".")]
    private = {path: importlib.import_module(path) for path in paths if path not in public and not SKIPPED.search(path)}
    return reexports.aliases("torch", public, private, PREFERRED)


def schemas() -> dict[str, Any]:
    """Everything that `schemas.json` holds."""
    named = named_tuples()
    of_tensor, attributes = methods(named)
    aliases = names()
    of_torch = {canonical(name, aliases): overloads for name, overloads in functions(named).items()}
    return {
        "torch": torch.__version__.partition("+")[0],
        "functions": _lines(of_torch) | schema_additions.lines(schema_additions.FUNCTIONS),
        "methods": _lines(of_tensor) | schema_additions.lines(schema_additions.METHODS),
        "attributes": attributes | schema_additions.lines(schema_additions.ATTRIBUTES),
        "names": aliases,
        "tensor_only": sorted(shared_names.only_of(dir(torch.Tensor), shared_names.WITH_TENSORS)),
        "module_only": sorted(shared_names.only_of(dir(torch.nn.Module), shared_names.WITH_MODULES)),
    }


def _lines(signatures: Signatures) -> dict[str, str]:
    return {name: write(overloads) for name, overloads in signatures.items()}


def text() -> str:
    """The file as it is written: sorted, one name a line."""
    return json.dumps(schemas(), indent=0, sort_keys=True) + "\n"


if __name__ == "__main__":
    (HERE / "schemas.json").write_text(text(), encoding="utf-8")
