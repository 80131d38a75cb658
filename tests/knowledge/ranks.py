"""What the words of `knowledge.operations` for ranks, devices and gradients promise for a call. Imports torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from knowledge.binding import Call, UnknownError, is_number
from knowledge.dtypes import category, named

if TYPE_CHECKING:
    from collections.abc import Callable


def rank(word: Any, call: Call) -> int:
    """The rank that a word promises."""
    if word is None:
        raise UnknownError
    if isinstance(word, int):
        return word
    if word.startswith("@"):
        return named(word, call).dim()
    if word == "loss-1":
        return max(0, call.first.dim() - 1) if _loss(call) else 0
    base, shift = (word[:-2], int(word[-2:])) if word[-2:] in ("+1", "-1", "-2") else (word, 0)
    if shift < 0 and call.given.get("keepdim"):
        shift = 0
    return max(0, _RANKS[base](call) + shift)


def _reduce(call: Call) -> int:
    dim = call.given.get("dim")
    if call.given.get("keepdim"):
        return call.first.dim()
    if dim is None or dim == () or dim == []:
        return 0
    return max(0, call.first.dim() - (1 if isinstance(dim, int) else len(dim)))


def _broadcast(call: Call) -> int:
    return max(tensor.dim() for tensor in call.tensors)


def _items(call: Call, least: int) -> int:
    return max([least, *(tensor.dim() for tensor in call.tensors)])


def _size(call: Call) -> int:
    for name in ("size", "shape", "sizes", "repeats", "dims"):
        if name in call.given:
            value = call.given[name]
            return 1 if isinstance(value, int) else len(value)
    raise UnknownError


def _view(call: Call) -> int:
    return call.first.dim() if isinstance(call.given.get("dtype"), torch.dtype) else _size(call)


def _nest(data: Any) -> int:
    if isinstance(data, torch.Tensor):
        return data.dim()
    if isinstance(data, (list, tuple)):
        return 1 + (_nest(data[0]) if data else 0)
    if is_number(data):
        return 0
    raise UnknownError


def _legacy(call: Call) -> int:
    return _size(call) if "size" in call.given else _nest(next(value for name, value in call.given.items() if name))


def _flatten(call: Call, least: int) -> int:
    n = call.first.dim()
    start, end = call.given.get("start_dim", least), call.given.get("end_dim", -1)
    if not isinstance(start, int) or not isinstance(end, int):
        raise UnknownError
    return max(1, n - (end % n - start % n)) if n else 1


def _unflatten(call: Call) -> int:
    return call.first.dim() + len(call.given["sizes"]) - 1


def _quantile(call: Call) -> int:
    q = call.given["q"]
    return _reduce(call) + (q.dim() if isinstance(q, torch.Tensor) else 0)


def _matmul(call: Call) -> int:
    a, b = call.first.dim(), call.other.dim()
    return 0 if a == b == 1 else b - 1 if a == 1 else a - 1 if b == 1 else max(a, b)


def _inner(call: Call) -> int:
    a, b = call.first.dim(), call.other.dim()
    return max(a, b) if 0 in (a, b) else a + b - 2


def _tensordot(call: Call) -> int:
    dims = call.given.get("dims", 2)
    if isinstance(dims, torch.Tensor):
        raise UnknownError
    return call.first.dim() + call.other.dim() - 2 * (dims if isinstance(dims, int) else len(dims[0]))


def _einsum(call: Call) -> int:
    equation = call.given["equation"].replace(" ", "")
    if "." in equation:
        raise UnknownError
    left, arrow, right = equation.partition("->")
    return len(right) if arrow else sum(left.count(letter) == 1 for letter in set(left) - {","})


def _loss(call: Call) -> int:
    reduction = call.given.get("reduction", "mean")
    if call.given.get("size_average") is not None or call.given.get("reduce") is not None:
        raise UnknownError
    return -1 if reduction == "none" else 0


def _loss_or(otherwise: Callable[[Call], int]) -> Callable[[Call], int]:
    return lambda call: otherwise(call) if _loss(call) else 0


def _no(_: Call) -> int:
    raise UnknownError


_RANKS: dict[str, Callable[[Call], int]] = {
    "same": lambda call: call.first.dim(),
    "reduce": _reduce,
    "minmax": lambda call: _broadcast(call) if isinstance(call.given.get("other"), torch.Tensor) else _reduce(call),
    "quantile": _quantile,
    "broadcast": _broadcast,
    "cat": lambda call: _items(call, 0),
    "hstack": lambda call: _items(call, 1),
    "vstack": lambda call: _items(call, 2),
    "dstack": lambda call: _items(call, 3),
    "atleast": lambda call: max(int(call.name[-2]), call.first.dim()),
    "size": _size,
    "legacy": _legacy,
    "nest": lambda call: _nest(next(value for name, value in call.given.items() if name)),
    "view": _view,
    "tile": lambda call: max(_size(call), call.first.dim()),
    "flat": lambda call: 1 if call.given.get("dim") is None else call.first.dim(),
    "flatten": lambda call: _flatten(call, 0),
    "flatten1": lambda call: _flatten(call, 1),
    "unflatten": _unflatten,
    "squeeze": _no,
    "nonzero": lambda call: 1 if call.given.get("as_tuple") else 2,
    "where": lambda call: _broadcast(call) if len(call.given) > 1 else 1,
    "diag": lambda call: {1: 2, 2: 1}[call.first.dim()],
    "matmul": _matmul,
    "inner": _inner,
    "tensordot": _tensordot,
    "einsum": _einsum,
    "count": lambda call: len(call.tensors),
    "loss": _loss_or(_broadcast),
    "loss0": _loss_or(_no),
}


def device(word: str | None, call: Call) -> torch.device:
    """The device that a word promises, with the CPU as default."""
    given = call.given.get("device")
    if word is None:
        raise UnknownError
    if word in ("cpu", "cuda"):
        return torch.device(word)
    if word.startswith("arg") or word == "data":
        if given is not None:
            return torch.device(given)
        if word == "arg":
            return torch.device("cpu")
        return _common(call) if call.tensors else torch.device("cpu")
    if word == "to":
        other = call.given.get("other")
        return (
            other.device
            if isinstance(other, torch.Tensor)
            else torch.device(given)
            if given is not None
            else call.first.device
        )
    return _common(call)


def _common(call: Call) -> torch.device:
    ranked = sorted(call.tensors, key=lambda tensor: tensor.dim() == 0 and tensor.device.type == "cpu")
    if not ranked:
        raise UnknownError
    return ranked[0].device


def grad(word: str | None, call: Call, result: torch.Tensor) -> bool:
    """Whether a result requires a gradient."""
    if word is None:
        raise UnknownError
    if word == "no":
        return bool(call.given.get("requires_grad", False))
    if word == "set":
        return bool(call.given.get("requires_grad", True))
    if word == "view" and "dtype" in call.given:
        return False
    if word == "first":
        return call.first.requires_grad and category(result.dtype) > 1
    return any(tensor.requires_grad for tensor in call.tensors) and category(result.dtype) > 1
