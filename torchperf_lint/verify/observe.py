"""One run of a program, and everything that can be seen of it: results, gradients, what it changes, random numbers.

What is made and run is told to start from one seed, so that another run, or another program, can be held against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor, nn

SEED: Final = 20

Run = Callable[..., Any]
Arrange = Callable[[Mapping[str, Any]], tuple[Any, ...]]
"""Makes the arguments at some settings."""
Change = Callable[[Tensor], Tensor]
Leaves = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Subject:
    """A program that is compared: what runs, and what makes its arguments."""

    run: Run
    arrange: Arrange


@dataclass(frozen=True, slots=True)
class Case:
    """Inputs on which two programs are compared."""

    name: str
    settings: Mapping[str, Any]
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything that can be seen of one run."""

    error: str | None
    leaves: Leaves
    random: tuple[Tensor, ...]
    aliases: tuple[tuple[str, str], ...]


def observe(subject: Subject, case: Case, *, double: bool = False) -> Seen:
    torch.manual_seed(SEED)
    try:
        arguments = subject.arrange(case.settings)
    except torch.cuda.OutOfMemoryError:
        raise
    except Exception as error:
        return Seen(f"{type(error).__name__} while it is set up", {}, (), ())
    if case.change is not None or double:
        change = case.change or (lambda tensor: tensor)
        arguments = tuple(_changed(each, change, double) for each in arguments)
    before = dict(_tensors("argument", arguments))
    torch.manual_seed(SEED + 1)
    try:
        value = subject.run(*arguments)
        leaves = dict(_leaves("result", value))
        _backward(leaves, before)
        _synchronize(before)
    except torch.cuda.OutOfMemoryError:
        raise
    except Exception as error:
        return Seen(type(error).__name__, {}, _random(before), ())
    aliases = tuple(
        (name, other)
        for name, leaf in leaves.items()
        for other, argument in before.items()
        if isinstance(leaf, Tensor) and _same_memory(leaf, argument)
    )
    for name, leaf in dict(_tensors("argument", arguments)).items():
        leaves[name] = leaf.detach()
        if leaf.requires_grad and leaf.is_leaf:
            leaves[f"gradient of {name}"] = leaf.grad
    return Seen(None, {name: _kept(leaf) for name, leaf in leaves.items()}, _random(before), aliases)


def _backward(leaves: Leaves, arguments: Mapping[str, Tensor]) -> None:
    """Gradients of what came out, where it has any and the program took none itself."""
    outputs = [leaf for leaf in leaves.values() if isinstance(leaf, Tensor) and leaf.requires_grad and leaf.grad_fn]
    inputs = [tensor for tensor in arguments.values() if tensor.requires_grad and tensor.is_leaf]
    if outputs and inputs and all(tensor.grad is None for tensor in inputs):
        total = sum((each.double() * _weights(each)).sum() for each in outputs)
        assert isinstance(total, Tensor)
        total.backward()


def _weights(tensor: Tensor) -> Tensor:
    """What makes each number of a result count differently."""
    flat = torch.linspace(0.5, 1.5, max(tensor.numel(), 1), dtype=torch.float64, device=tensor.device)
    return flat[: tensor.numel()].view(tensor.shape)


def _kept(leaf: Any) -> Any:
    return leaf.detach().clone() if isinstance(leaf, Tensor) else leaf


def _synchronize(arguments: Mapping[str, Tensor]) -> None:
    if any(tensor.is_cuda for tensor in arguments.values()):
        torch.cuda.synchronize()


def _random(arguments: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
    on_cuda = any(tensor.is_cuda for tensor in arguments.values())
    return (torch.get_rng_state(), *((torch.cuda.get_rng_state(),) if on_cuda else ()))


def _same_memory(one: Tensor, other: Tensor) -> bool:
    if one.layout is not torch.strided or other.layout is not torch.strided:
        return False
    start = one.untyped_storage().data_ptr()
    return start != 0 and start == other.untyped_storage().data_ptr()


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The numbers and tensors of a result, by where they are."""
    match value:
        case dict():
            for key, item in value.items():
                yield from _leaves(f"{name}[{key!r}]", item)
        case list() | tuple():
            for index, item in enumerate(value):
                yield from _leaves(f"{name}[{index}]", item)
        case bool() | int() | float():
            yield name, torch.tensor(float(value), dtype=torch.float64)
        case Tensor() | None | str():
            yield name, value


def _tensors(name: str, value: Any) -> Iterator[tuple[str, Tensor]]:
    """The tensors of arguments: those that modules and optimizers save too."""
    match value:
        case Tensor():
            yield name, value
        case nn.Module():
            for key, tensor in value.state_dict(keep_vars=True).items():
                yield f"{name}.{key}", tensor
        case torch.optim.Optimizer():
            for index, state in enumerate(value.state.values()):
                for key, item in state.items():
                    if isinstance(item, Tensor):
                        yield f"{name} state {index} {key}", item
        case dict():
            for key, item in value.items():
                yield from _tensors(f"{name}[{key!r}]", item)
        case list() | tuple():
            for index, item in enumerate(value):
                yield from _tensors(f"{name}[{index}]", item)
        case _ if hasattr(value, "batches"):
            yield from _tensors(name, value.batches)
        case _ if _is_ours(value):
            for key, item in vars(value).items():
                yield from _tensors(f"{name}.{key}", item)


def _is_ours(value: Any) -> bool:
    """Whether the program that is compared has defined what a value is."""
    return type(value).__module__.startswith("torchperf_lint_") and hasattr(value, "__dict__")


def _changed(value: Any, change: Change, double: bool) -> Any:
    """Arguments with other numbers in their tensors; with `double`, in float64. What trains keeps its parameters."""
    match value:
        case Tensor():
            made = change(value.detach())
            if double and made.is_floating_point():
                made = made.double()
            return made.requires_grad_(value.requires_grad) if made.is_floating_point() else made
        case nn.Module():
            return value.double() if double else value
        case dict():
            return {key: _changed(item, change, double) for key, item in value.items()}
        case list() | tuple():
            return type(value)(_changed(item, change, double) for item in value)
        case _ if hasattr(value, "batches"):
            value.batches = _changed(value.batches, change, double)
        case _ if _is_ours(value):
            for key, item in vars(value).items():
                setattr(value, key, _changed(item, change, double))
    return value
