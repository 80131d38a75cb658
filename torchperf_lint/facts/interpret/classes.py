"""The classes of the program: where they bind their attributes, and what their instances are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import Kind
from torchperf_lint.facts.index.module import Class, Function, last_name
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.interpret.ancestry import LONGEST, ancestry, bases

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

Site = tuple[Function, ast.AST]
"""A place that binds an attribute, and the function it stands in."""

STEPS: Final = frozenset(("training_step", "validation_step", "test_step", "predict_step"))
"""Methods that Lightning calls with each batch."""
LOSSES: Final = frozenset(("loss", "compute_loss", "get_loss", "calculate_loss"))
"""Methods of a module that its training calls beside `forward`."""

_BASES: Final[dict[str, Kind]] = {
    "torch.nn.Module": "module", "torch.nn.Sequential": "module", "torch.nn.ModuleList": "module", "torch.nn.ModuleDict": "module",
    "torch.utils.data.Dataset": "dataset", "torch.utils.data.IterableDataset": "dataset", "torch.optim.Optimizer": "optimizer",
    "torch.utils.data.TensorDataset": "dataset", "torchvision.datasets.VisionDataset": "dataset",
    "torch.utils.data.Sampler": "sampler", "torch.utils.data.BatchSampler": "sampler", "torch.distributions.Distribution": "distribution",
    "lightning.pytorch.LightningModule": "module", "transformers.PreTrainedModel": "module", "diffusers.ModelMixin": "module",
    "torchmetrics.Metric": "module", "lightning.LightningModule": "module", "torch.Tensor": "tensor", "torch.nn.Parameter": "tensor",
}  # fmt: skip
"""What an instance of a class is, by the base that it derives from."""


def sites(owner: Class) -> dict[str, list[Site]]:
    """By attribute, every place of a class that binds it; those of `__init__` first."""
    if owner.sites is None:
        owner.sites = _sites(owner)
    return owner.sites


def _sites(owner: Class) -> dict[str, list[Site]]:
    found: dict[str, list[Site]] = {}
    methods = sorted(owner.methods.values(), key=lambda method: method.name != "__init__")
    for statement in owner.node.body:
        for target in _targets(statement):
            found.setdefault(target.id, []).append((owner.within, target))
    for method in methods:
        if method.is_static or not method.positional:
            continue
        receiver = method.positional[0]
        for function in _with_inner(method):
            for node in function.sets:
                if isinstance(node.value, ast.Name) and node.value.id == receiver:
                    found.setdefault(node.attr, []).append((function, node))
    for call in (*owner.module.calls.get("register_buffer", ()), *owner.module.calls.get("register_parameter", ())):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name()), args=[ast.Constant(value=str(attr)), _, *_]):
                function = owner.module.function_of(call)
                if function.owner is owner:
                    found.setdefault(attr, []).append((function, call))
    return found


def _with_inner(function: Function) -> Iterator[Function]:
    yield function
    for inner in function.inner:
        yield from _with_inner(inner)


def _targets(statement: ast.stmt) -> Iterator[ast.Name]:
    if isinstance(statement, ast.Assign):
        yield from (target for target in statement.targets if isinstance(target, ast.Name))
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target


def kind(analysis: Analysis, owner: Class) -> Kind:
    """What an instance of a class is: a module, a dataset, ... or just an instance."""
    known = analysis.class_kinds.get(owner)
    if known is not None:
        return known
    analysis.class_kinds[owner] = found = _kind(analysis, owner)
    return found


def _kind(analysis: Analysis, owner: Class) -> Kind:
    for each in ancestry(analysis, owner):
        named = _named(each)
        if named is not None:
            return named
    if any("forward" in each.methods for each in ancestry(analysis, owner)) and _has_unseen_base(analysis, owner):
        return "module"  # the base is out of sight; nobody but a module has a `forward`
    return "instance"


def _named(owner: Class) -> Kind | None:
    """What an instance of a class is by the names of its bases alone."""
    for base in owner.node.bases:
        name = dotted(owner.within, base)
        if name in _BASES:
            return _BASES[name]
        if name is not None and (name.startswith(("torch.nn.", "torchvision.models.")) or name.endswith("Module")):
            return "module"
        if name is not None and name.endswith("Dataset"):
            return "dataset"
    return None


_ROOTS: Final = frozenset(("object", "ABC", "Generic", "Protocol"))
"""Bases that make nothing of a class."""


def _has_unseen_base(analysis: Analysis, owner: Class) -> bool:
    """Whether a class has a base, or one of its bases has, that the program does not define, or that lies too far up."""
    line = list(ancestry(analysis, owner))
    for each in line:
        named = [base.value if isinstance(base, ast.Subscript) else base for base in each.node.bases]
        if sum(last_name(base) not in _ROOTS for base in named) > len(bases(analysis, each)):
            return True
    return len(line) == LONGEST


def find_method(analysis: Analysis, owner: Class, name: str) -> Function | None:
    """A method of a class or of its bases in the program."""
    for each in ancestry(analysis, owner):
        if name in each.methods:
            return each.methods[name]
    return None


def fields(owner: Class) -> list[str]:
    """The fields of a dataclass or NamedTuple, in their order."""
    return [t.id for s in owner.node.body if isinstance(s, ast.AnnAssign) for t in _targets(s)]


def constructor(analysis: Analysis, method: Function) -> Function | None:
    """The `__init__` that the class of another method has itself, if the class is a module."""
    owner = method.owner
    if owner is None or kind(analysis, owner) != "module":
        return None
    made = owner.methods.get("__init__")
    return made if made is not method else None
