"""Devices: where a tensor is made, where it goes, and where the result of an operation is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.domain.join import any_item
from torchperf_lint.facts.domain.value import CPU, CUDA, HOST_OR_UNKNOWN, MAYBE, OTHER, PINNED, Value
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.knowledge import device_names

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run


DERIVED: Final = "made of tensors of the GPU"
"""How a value says that a function out of sight made it of such."""


def named(text: str) -> str | None:
    """The device that a string names: "cuda:0", "cpu"; None for other strings."""
    return device_names.NAMES.get(text.partition(":")[0])


def of(value: Value | None) -> tuple[str | None, bool]:
    """The device that an argument stands for, and whether it is one at all (None and absent are not)."""
    if value is None or value.kind == "none":
        return None, False
    if value.kind == "number":
        return CUDA if value.dtype == "int" else None, True
    if value.kind in ("device", "string", "tensor", "tensor_tree"):
        return value.device, True
    return None, True


def joined(values: list[Value]) -> tuple[str | None, Evidence | None]:
    """Where the result of an operation on tensors is.

    All operands with dimensions are on one device or torch raises, so one that is known tells it for all; a 0-dim
    tensor of the host may join any other and tells nothing. What a function out of sight made of tensors of the GPU
    may lie anywhere: beside a tensor of the host it is not on the GPU.
    """
    host: Value | None = None
    point: Value | None = None
    doubtful: Value | None = None
    unknown = False
    is_beside_host = any(value.device in (CPU, PINNED) and value.rank != 0 for value in values)
    for value in values:
        if value.device in (CUDA, MAYBE, OTHER):
            if is_beside_host and value.why is not None and value.why.message == DERIVED:
                unknown = True
                continue
            return value.device, value.where
        if value.device in (CPU, PINNED):
            if value.rank == 0 or value.kind == "tensor_tree":
                point = value
            elif value.rank is None and host is None:
                point = point or value
            else:
                host = value
        elif value.device == HOST_OR_UNKNOWN:
            doubtful = value
        else:
            unknown = True
    if host is not None:
        return CPU, host.where
    if doubtful is not None and (doubtful.rank or not unknown):
        return HOST_OR_UNKNOWN, doubtful.where
    if unknown:  # one of the host that may have dimensions makes it unlikely that the others are on the GPU
        return (HOST_OR_UNKNOWN, point.where) if point is not None and point.rank is None else (None, None)
    return (CPU, point.where) if point is not None else (None, None)


def tensors_in(values: list[Value]) -> list[Value]:
    """The tensors among some operands and inside the lists among them."""
    found = []
    for value in values:
        if value.kind in ("tensor", "tensor_tree") or (value.kind == "unknown" and value.device is not None):
            found.append(value)
        elif value.kind in ("list", "tuple", "iterator"):
            items = value.items if isinstance(value.items, tuple) else ()
            found += [item for item in items if item.kind in ("tensor", "tensor_tree")]
            if not items:
                item = any_item(value)
                if item.kind in ("tensor", "tensor_tree"):
                    found.append(item)
    return found


def beside(result: Value, given: list[Value]) -> Value:
    """What a function gives that is handed tensors of the host, and none of the GPU, with which they could not go together."""
    if result.kind not in ("tensor", "tuple", "list"):
        return result
    tensors = tensors_in(given)
    is_off = any(not each.maybe_cuda for each in tensors) and not any(each.device in (CUDA, MAYBE) for each in tensors)
    return _not_on_cuda(result) if is_off else result


def as_called(value: Value, name: str) -> Value:
    """What a parameter holds, by its name: `points_host` and `x_cpu` are not on the GPU, as far as nothing else is known."""
    return _not_on_cuda(value) if value_names.is_on_host(name) else value


def _not_on_cuda(value: Value) -> Value:
    """A value whose tensors are not on the GPU, as far as nothing else is known of them."""
    if value.kind == "tensor":
        return value.but(device=HOST_OR_UNKNOWN) if value.device is None else value
    if value.kind in ("tuple", "list") and isinstance(value.items, tuple):
        return value.but(items=tuple(_not_on_cuda(item) for item in value.items))
    if value.kind in ("tuple", "list") and value.elem is not None:
        return value.but(elem=_not_on_cuda(value.elem))
    return value


def wherever(value: Value) -> Value:
    """What holds tensors that some have on the host: others may have theirs elsewhere."""
    if value.kind == "tensor":
        return value.but(device=None, where=None) if value.on_host else value
    if value.kind in ("tuple", "list") and isinstance(value.items, tuple):
        return value.but(items=tuple(wherever(item) for item in value.items))
    if value.kind in ("tuple", "list", "iterator") and value.elem is not None:
        return value.but(elem=wherever(value.elem))
    if value.kind == "dict" and isinstance(value.items, dict):
        return value.but(items={name: wherever(item) for name, item in value.items.items()})
    return value


def default(run: Run) -> str | None:
    """Where a tensor is made that names no device."""
    return run.device or file_traits.default_device(run.module)


def are_numbers(bound: dict[str, Value]) -> bool:
    """Whether a function of torch is given numbers for tensors: `torch.div(channels, 2)`."""
    held = [bound[name] for name in ("self", "input", "other") if name in bound]
    return len(held) > 1 and all(each.kind == "number" for each in held)
