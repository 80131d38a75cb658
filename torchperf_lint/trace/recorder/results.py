"""What the program computes in its first steps: the values of which it takes gradients, and its parameters after them.

Reading them waits for the GPU, so steps in which this is done are not timed.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence
from typing import Any

import torch


class Results:
    """Writes down the losses of so many steps, and checksums of the parameters after the last of them."""

    def __init__(self, steps: int, *, nudged: bool = False) -> None:
        self.steps = steps
        self._nudged = nudged
        self.losses: list[tuple[int, float]] = []
        self.parameters: list[tuple[float, float]] = []
        """Of each a checksum, and the sum of its absolute values, against which a difference is small or not."""
        self._optimizers: list[weakref.ref[torch.optim.Optimizer]] = []
        self._step = 0
        self.is_over = False
        """Whether all is written down."""

    def watch(self) -> None:
        """Hear of each backward pass and of each optimizer."""
        backward: Any = torch.autograd.backward

        @functools.wraps(backward)
        def heard(tensors: Any, *args: Any, **kwargs: Any) -> Any:
            self._note(tensors)
            return backward(tensors, *args, **kwargs)

        setattr(torch.autograd, "backward", heard)  # noqa: B010 - as data, for type checkers
        made: Any = torch.optim.Optimizer.__init__

        @functools.wraps(made)
        def known(optimizer: Any, *args: Any, **kwargs: Any) -> None:
            made(optimizer, *args, **kwargs)
            self._optimizers.append(weakref.ref(optimizer))

        setattr(torch.optim.Optimizer, "__init__", known)  # noqa: B010

    def step(self) -> bool:
        """A step is over; the answer is whether it was the last one."""
        self._step += 1
        if self._nudged and not self.is_over:
            self._nudge()
        if self._step >= self.steps and not self.is_over:
            self.is_over = True
            self.parameters = [(_sum(each), _sum(each.detach().abs())) for each in self._parameters()]
        return self.is_over

    def _note(self, tensors: Any) -> None:
        if self.is_over or torch.compiler.is_compiling():
            return
        several = tensors if isinstance(tensors, Sequence) else [tensors]
        self.losses += [(self._step, _sum(each)) for each in several if isinstance(each, torch.Tensor)]

    def _nudge(self) -> None:
        """Move every other number of each parameter by its last digit, as an optimizer that rounds otherwise would.

        What the program makes of that in its next steps is what rounding alone can do to its results.
        """
        sign = 1 if self._step % 4 < 2 else -1
        for each in self._parameters():
            if type(each) in (torch.Tensor, torch.nn.Parameter) and each.is_floating_point():
                # not as autograd sees it: a graph may be alive that has saved this parameter
                numbers = each.data.flatten() if each.is_contiguous() else each.data
                numbers[self._step % 2 :: 2].mul_(1 + sign * torch.finfo(each.dtype).eps)

    def _parameters(self) -> list[torch.Tensor]:
        alive = [optimizer for each in self._optimizers if (optimizer := each()) is not None]
        found = {id(each): each for one in alive for group in one.param_groups for each in group["params"]}
        return list(found.values())


def _sum(tensor: torch.Tensor) -> float:
    """A number that changes with a tensor: its weighted sum, so that what changes places shows as well."""
    flat = tensor.detach().flatten()
    if flat.is_complex():
        flat = torch.view_as_real(flat).flatten()
    wide = flat.double()
    if wide.numel() > 1:
        wide = wide * torch.linspace(1, 2, wide.numel(), dtype=torch.float64, device=wide.device)
    return float(wide.sum())
