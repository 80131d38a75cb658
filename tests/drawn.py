"""Inputs that are drawn for the calls of `# run:` marks, and all that can be seen of such a call.

    # run: clean(floats("..."))                     any number of dimensions, any size
    # run: Rows()(floats("n 4"), integers("n", 0, 4))     n rows of 4, and n numbers from 0 to 3
    # run: fill(anything("n c"), bools("n c"))      a mask of the same shape, of anything from bool to float64

A mark is an expression of Python. `floats`, `integers`, `bools` and `anything` give a tensor of a shape: each word is the
size of a dimension, a number or a letter, and `...` is any number of further ones; a letter means one size in all of a
mark. What is drawn besides: the dtype, the numbers (NaN, infinities, both zeros; empty and full masks), sizes of 0 and 1,
the strides (dense, permuted, with gaps, expanded), and whether the tensor is a leaf with gradients, was made from one,
or has none. `floats("n", grad=False)` rules gradients out, `dtype=torch.float32` draws no dtype.

An expanded tensor shares its numbers between rows, so a mark draws none where the section writes into what it is given
and PyTorch leaves open what becomes of that: `dense=True`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy
import torch
from hypothesis import strategies as st
from torch import Tensor, nn

FLOATS: Final = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
INTEGERS: Final = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
NUMBERS: Final = (0.0, -0.0, 0.5, 1.0, -1.0, 2.5, -3.0, 90.0, float("nan"), float("inf"), float("-inf"))
SIZES: Final = (3, 2, 1, 0, 5)
LAYOUTS: Final = ("dense", "permuted", "gaps", "expanded")
SEED: Final = 20

Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that says how to make a tensor, so that it can be made once more."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    numbers: tuple[float, ...]
    layout: str
    grad: str
    """`none`, `leaf`, or `made`: from a leaf."""

    def make(self) -> tuple[Tensor, Tensor]:
        """The tensor, and what gathers its gradient."""
        leaf = self._laid_out(torch.tensor(self.numbers, dtype=torch.float64).to(self.dtype).reshape(self.shape))
        leaf.requires_grad_(self.grad != "none")
        return (leaf.view_as(leaf) if self.layout == "expanded" else leaf.mul(1)) if self.grad == "made" else leaf, leaf

    def _laid_out(self, tensor: Tensor) -> Tensor:
        if not self.shape:
            return tensor
        if self.layout == "permuted":
            return tensor.movedim(0, -1).contiguous().movedim(-1, 0)
        if self.layout == "gaps":
            return torch.stack((tensor, tensor), -1).flatten(-2)[..., ::2]
        if self.layout == "expanded" and self.shape[0]:
            return tensor[:1].expand(self.shape)
        return tensor


@dataclass(slots=True)
class Inputs:
    """What the tensors of a mark are made from: drawn when it is evaluated first, and the same from then on."""

    draw: Draw
    recipes: list[Recipe] = field(default_factory=list)
    sizes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    leaves: list[Tensor] = field(default_factory=list)
    given: list[Tensor] = field(default_factory=list)

    def names(self) -> dict[str, Any]:
        """What a mark may call, for one evaluation of it."""
        self.leaves, self.given = [], []
        return {"floats": self.floats, "integers": self.integers, "bools": self.bools, "anything": self.anything}

    def floats(self, shape: str, *, grad: bool = True, **fixed: Any) -> Tensor:
        return self._next(shape, FLOATS, st.sampled_from(NUMBERS), grad, **fixed)

    def integers(self, shape: str, low: int = 0, high: int = 100, **fixed: Any) -> Tensor:
        return self._next(shape, INTEGERS, st.integers(low, high - 1), False, **fixed)

    def bools(self, shape: str, **fixed: Any) -> Tensor:
        return self._next(shape, (torch.bool,), st.booleans(), False, **fixed)

    def anything(self, shape: str, *, grad: bool = True, **fixed: Any) -> Tensor:
        return self._next(shape, (*FLOATS, *INTEGERS, torch.bool), None, grad, **fixed)

    def _next(
        self,
        shape: str,
        dtypes: tuple[torch.dtype, ...],
        numbers: st.SearchStrategy[Any] | None,
        grad: bool,
        *,
        dtype: torch.dtype | None = None,
        dense: bool = False,
    ) -> Tensor:
        if len(self.given) == len(self.recipes):
            made = dtype or self.draw(st.sampled_from(dtypes))
            layouts = LAYOUTS[:-1] if dense else LAYOUTS
            modes = ("none", "leaf", "made") if grad and made.is_floating_point else ("none",)
            size = self._size(shape)
            self.recipes.append(
                Recipe(
                    made,
                    size,
                    self._numbers(torch.Size(size).numel(), numbers or _held(made)),
                    self.draw(st.sampled_from(layouts)),
                    self.draw(st.sampled_from(modes)),
                )
            )
        tensor, leaf = self.recipes[len(self.given)].make()
        self.given.append(tensor)
        self.leaves.append(leaf)
        return tensor

    def _numbers(self, count: int, numbers: st.SearchStrategy[Any]) -> tuple[float, ...]:
        """Each drawn for itself, or one for all, which makes masks empty or full."""
        if self.draw(st.booleans()):
            return (float(self.draw(numbers)),) * count
        return tuple(map(float, self.draw(st.lists(numbers, min_size=count, max_size=count))))

    def _size(self, shape: str) -> tuple[int, ...]:
        sizes: list[int] = []
        for word in shape.split():
            if word.isdigit():
                sizes.append(int(word))
                continue
            if word not in self.sizes:
                free = self.draw(st.lists(st.sampled_from(SIZES), max_size=3)) if word == "..." else None
                self.sizes[word] = tuple(free) if free is not None else (self.draw(st.sampled_from(SIZES)),)
            sizes += self.sizes[word]
        return tuple(sizes)


def _held(dtype: torch.dtype) -> st.SearchStrategy[Any]:
    """Numbers that a dtype has."""
    if dtype.is_floating_point:
        return st.sampled_from(NUMBERS)
    return st.booleans() if dtype is torch.bool else st.integers(0 if dtype is torch.uint8 else -100, 100)


# ---- what is seen of a call


def seen(text: str, call: str, inputs: Inputs) -> dict[str, Any]:
    """What a call in a program comes to: result, gradients, what became of its inputs, random numbers, the error."""
    namespace: dict[str, Any] = {"__name__": "section"}
    # That of the CPU alone: `torch.manual_seed` formats a stack for each other device.
    torch.default_generator.manual_seed(SEED)
    found: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "section.py", "exec"), namespace)
        try:
            result = eval(call, namespace | inputs.names())
            found["result"] = _bits(result)
            _backward(result, inputs)
        except Exception as error:
            found["error"] = type(error)
    found["inputs"] = [_bits(each) for each in inputs.given]
    found["gradients"] = [_bits(each.grad) for each in inputs.leaves]
    found["random"] = _bits(torch.get_rng_state())
    return found


def _backward(result: Any, inputs: Inputs) -> None:
    """Gradients of what came out and of what was changed in place, each number with a weight of its own."""
    tensors = [each for each in (*_tensors(result), *inputs.given) if each.requires_grad and each.grad_fn is not None]
    total = sum((each.double() * _weights(each)).sum() for each in tensors)
    if isinstance(total, Tensor):
        total.backward()


def _weights(tensor: Tensor) -> Tensor:
    return torch.linspace(0.5, 1.5, tensor.numel(), dtype=torch.float64).view(tensor.shape)


def _tensors(value: Any) -> list[Tensor]:
    match value:
        case Tensor():
            return [value]
        case dict():
            return [found for each in value.values() for found in _tensors(each)]
        case list() | tuple() | set():
            return [found for each in value for found in _tensors(each)]
    return []


def _bits(value: Any) -> Any:
    """A value as something that is equal only to what has the same type and the same bits."""
    match value:
        case Tensor():
            dense = value.detach().flatten().clone(memory_format=torch.contiguous_format)
            data = dense.view(torch.uint8).numpy().tobytes()
            return value.dtype, tuple(value.shape), value.stride(), value.requires_grad, value.is_leaf, data
        case nn.Module():
            return _bits(value.state_dict())
        case dict():
            return [(_bits(key), _bits(item)) for key, item in value.items()]
        case list() | tuple():
            return [type(value), *map(_bits, value)]
        case set():
            return sorted(map(repr, map(_bits, value)))
        case numpy.generic() | numpy.ndarray():
            return value.dtype, value.shape, value.tobytes()
        case float():
            return float, value.hex()
        case _:
            return type(value), value
