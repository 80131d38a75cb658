"""Whether two programs do the same: outputs, gradients, what they change, random numbers, errors.

Both run on inputs that are made from one seed, then on inputs that are meant to break things. A SAFE fix must give the
same bits. Of another, a result may be off by what rounding in its dtype comes to; where it is off by more, both are held
against a float64 run, and it may be a little farther from that than the original is. What the original does not repeat
itself is its noise, and no difference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import torch
from torch import Tensor

from torchperf_lint.verify.observe import SEED, Case, Change, Seen, Subject, observe

__all__ = ["SEED", "Case", "Parity", "Subject", "cases", "compare"]

OWN: Final = "the inputs"
TOLERANCE: Final = {torch.float64: 1e-11, torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 2e-2}
"""By how much a result may be off, as a share of the norm of the float64 result."""
WORSE: Final = 3.0
"""A result may be so many times as far from the float64 result as the original is."""


@dataclass(slots=True)
class Parity:
    """What the comparison came to."""

    same: bool = True
    difference: float = 0.0
    """The largest difference of any number."""
    reason: str | None = None
    """What differs, and on which inputs."""
    skipped: dict[str, str] = field(default_factory=dict)
    """Inputs on which results differ by intention, and why."""
    compared: int = 0
    broken: str | None = None
    """The error of either on their own inputs."""
    unsteady: bool = False
    """Whether the original gives other results from run to run."""

    def differs(self, reason: str) -> None:
        if self.same:
            self.same, self.reason = False, reason


def compare(
    before: Subject,
    after: Subject,
    cases: list[Case],
    *,
    exact: bool,
    unlike: Mapping[str, str],
    double: bool = True,
) -> Parity:
    """Hold two programs against each other on all cases; without `double`, none is run in float64, and each run is a fixed
    number of calls, as it must be where other processes take part in them."""
    found = Parity()
    for case in cases:
        if case.name in unlike:
            found.skipped[case.name] = unlike[case.name]
            continue
        _compare(before, after, case, exact, double, found)
    return found


def _compare(before: Subject, after: Subject, case: Case, exact: bool, double: bool, found: Parity) -> None:
    old, again, new = observe(before, case), observe(before, case), observe(after, case)
    where = f" on {case.name}" if case.name != OWN else ""
    if case.name == OWN:
        found.broken = old.error or new.error
    if old.error == again.error == new.error and old.error is not None:
        return  # it breaks both in the same way
    if old.error != new.error:
        found.differs(f"{_raised(old)} before, {_raised(new)} after{where}")
        return
    found.compared += 1
    if len(old.random) != len(new.random) or not all(map(torch.equal, old.random, new.random)):
        found.differs(f"other random numbers are drawn{where}")
    if exact and old.aliases != new.aliases:
        found.differs(f"results share memory with other arguments{where}")
    wrong = _differing(old, again, new, None, exact, found)
    if wrong and double and not exact:  # by more than rounding makes them; but the original may be as far off itself
        exactly = observe(before, case, double=True)
        if exactly.error is None:
            wrong = _differing(old, again, new, exactly, exact, found)
    for said in wrong:
        found.differs(f"{said}{where}")


def _differing(old: Seen, again: Seen, new: Seen, exactly: Seen | None, exact: bool, found: Parity) -> list[str]:
    """What differs of two runs; with the float64 run, by how far each is from it."""
    wrong = []
    for name in dict.fromkeys((*old.leaves, *new.leaves)):
        reference = exactly.leaves.get(name) if exactly is not None else None
        said = _leaf(old.leaves.get(name), again.leaves.get(name), new.leaves.get(name), reference, exact, found)
        if said is not None:
            wrong.append(f"`{name}`: {said}")
    return wrong


def _raised(seen: Seen) -> str:
    return f"raises {seen.error}" if seen.error else "no error"


# ---- one number against another


def _leaf(old: Any, again: Any, new: Any, reference: Any, exact: bool, found: Parity) -> str | None:
    """What is wrong with a result; None where nothing is."""
    if not isinstance(old, Tensor) or not isinstance(new, Tensor):
        zero = [each for each in (old, new) if isinstance(each, Tensor) and not exact and not each.any()]
        return None if zero or (type(old) is type(new) and old == new) else f"{_shown(old)} before, {_shown(new)} after"
    if old.shape != new.shape:
        return f"shape {tuple(old.shape)} before, {tuple(new.shape)} after"
    if old.dtype != new.dtype and (exact or old.is_floating_point() != new.is_floating_point()):
        return f"{old.dtype} before, {new.dtype} after"
    if old.numel() == 0:
        return None
    one, other = _wide(old), _wide(new).to(old.device)
    if not torch.equal(one.isnan(), other.isnan()):
        return "NaN in one and not in the other"
    difference = _distance(one, other, math.inf)
    found.difference = max(found.difference, difference)
    noise = _distance(one, _wide(again), math.inf) if isinstance(again, Tensor) and again.shape == old.shape else 0.0
    found.unsteady |= noise > 0
    if exact:
        same = difference <= 4 * noise if noise else difference == 0 and _same_signs(one, other)
        return None if same else _off(difference)
    if not old.is_floating_point():
        return None if difference == 0 or difference <= 4 * noise else _off(difference)
    allowed = TOLERANCE.get(min(old.dtype, new.dtype, key=lambda dtype: torch.finfo(dtype).bits), 1e-2)
    usable = isinstance(reference, Tensor) and reference.shape == old.shape and reference.is_floating_point()
    exactly = _wide(reference).to(old.device) if usable else one
    scale = float(exactly.nan_to_num(0, 0, 0).norm()) or 1.0
    mine, theirs = _distance(one, exactly, 2.0) / scale, _distance(other, exactly, 2.0) / scale
    if theirs <= max(allowed, WORSE * mine) or difference <= 4 * noise:
        return None
    return _off(difference)


def _wide(tensor: Tensor) -> Tensor:
    dense = tensor.to_dense() if tensor.layout is not torch.strided else tensor
    return dense.double()


def _distance(one: Tensor, other: Tensor, order: float) -> float:
    """The norm of what two tensors differ by; where both are infinite in the same way, or NaN, they do not."""
    gap = torch.where((one == other) | (one.isnan() & other.isnan()), 0.0, one - other)
    return float(torch.linalg.vector_norm(gap.nan_to_num(math.inf, math.inf, math.inf), order))


def _same_signs(one: Tensor, other: Tensor) -> bool:
    """Whether zeros have the same sign."""
    return torch.equal(one.signbit() & ~one.isnan(), other.signbit() & ~other.isnan())


def _off(difference: float) -> str:
    return f"off by up to {difference:.3g}"


def _shown(value: Any) -> str:
    return "a tensor" if isinstance(value, Tensor) else repr(value)


# ---- inputs that are meant to break things


def cases(settings: Mapping[str, Any], small: Mapping[str, Any], extremes: Mapping[str, tuple[int, ...]]) -> list[Case]:
    """The inputs of the bench; then, small, other numbers, other strides, and sizes of 0 and 1."""
    found = [Case(OWN, settings), Case("small inputs", small)]
    found += [Case(name, small, change) for name, change in CHANGES.items()]
    for name, values in extremes.items():
        found += [Case(f"{name} = {value}", {**small, name: value}) for value in values if small[name] != value]
    return found


def _with(value: float) -> Change:
    def change(tensor: Tensor) -> Tensor:
        if not tensor.is_floating_point() or tensor.numel() == 0:
            return tensor
        changed = tensor.clone()
        changed.view(-1)[:: max(1, tensor.numel() // 3)] = value
        return changed

    return change


def _all(value: bool) -> Change:
    return lambda tensor: torch.full_like(tensor, value) if tensor.dtype is torch.bool else tensor


def _strided(tensor: Tensor) -> Tensor:
    """The same numbers, in another order in memory, or with gaps between them."""
    if tensor.dim() < 2:
        return tensor.repeat_interleave(2, -1)[::2] if tensor.dim() else tensor
    return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)


def _expanded(tensor: Tensor) -> Tensor:
    """One row, which stands for all of them; what is an integer stays, for it may be an index."""
    return tensor[:1].expand_as(tensor) if tensor.dim() > 1 and tensor.is_floating_point() else tensor


CHANGES: Final[Mapping[str, Change]] = {
    "NaN": _with(math.nan),
    "infinity": _with(math.inf),
    "zeros": lambda tensor: torch.zeros_like(tensor) if tensor.is_floating_point() else tensor,
    "full masks": _all(True),
    "empty masks": _all(False),
    "strides": _strided,
    "expanded inputs": _expanded,
}
