"""The smallest programs whose findings once depended on an order, by what it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

HEAD: Final = """\
import torch
import torch.nn.functional as F
from torch import nn

import elsewhere


class Net(nn.Module):
    def forward(self, x, v):
"""


def _arms(then: str, *arms: str) -> tuple[str, str]:
    """A hot method with branches, as they stand and backwards, and what follows."""
    return _written(then, arms), _written(then, arms[::-1])


def _written(then: str, arms: Sequence[str]) -> str:
    lines = []
    for number, arm in enumerate(arms):
        test = f"elif elsewhere.chosen({number}):" if number else "if elsewhere.chosen(0):"
        lines += ["else:" if number == len(arms) - 1 else test, "    " + arm]
    return HEAD + "".join(f"        {line}\n" for line in [*lines, then])


_CALLED: Final = """\
def f0(x, v=None):
    return Net()(v, x)


class Net(nn.Module):
"""
_FORWARD: Final = """\
    def forward(self, x, v=None):
        v = f0(x.cuda(), v + x)
        v = self.m0(v, nn.Linear(2, 3))
        return self.forward(x)

"""
_M0: Final = """\
    def m0(self, x, v=None):
        v = f0(x.cuda(), True)
        return self.forward(x)

"""


def _called(first: str, others: str) -> str:
    """A function that many call, the first of them with something else than the others."""
    calls = "".join(f"def f{number}(x):\n    return _read({others if number else first})\n\n\n" for number in range(14))
    return f"import torch\n\n\ndef _read(v):\n    return v.item()\n\n\n{calls}"


def _turned(text: str) -> str:
    """The same with its functions in the other order."""
    head, *functions = text.strip().split("\n\n\n")
    return "\n\n\n".join([head, *functions[::-1]]) + "\n"


_MANY: Final = _called("x.cuda()", "torch.rand(3)")

DIFFERED: Final = {
    "more than a dozen callers": (_MANY, _turned(_MANY)),
    "read in another branch": _arms("pass", "v = unknown(x)", "v.item(); v.relu(); self.scale = v.cpu()"),
    "methods that call each other": (_CALLED + _FORWARD + _M0, _CALLED + _M0 + _FORWARD),
    "evidence of a tensor": _arms("v.item()", "v = torch.tensor(1)", "v = F.relu(v)"),
    "a pinned tensor or a function": _arms("v = unknown(v)", "v = x.cpu().pin_memory()", "v = F.relu"),
    "a size or nothing": _arms("v.nonzero()", "pass", "pass", "pass", "v = x.shape"),
    "a tuple or nothing": _arms("print(v)", "pass", "pass", "pass", "v = (x, 1)"),
    "copied or a list": _arms("self.scale = v", "v = x.cpu()", "v = []"),
    "copied or unknown": _arms("v.item()", "v = unknown(x)", "v = x.cpu()"),
    "copied or moved": _arms("v.item()", "v = x.to(device)", "v = x.cpu()"),
    "pinned or not": _arms("y = x.cuda()", "x = torch.rand(3).pin_memory()", "x = torch.rand(3)"),
}
"""By what they are about: a program, and the same with its branches or methods in the other order."""

REMEMBERED: Final = {
    "two that call each other": """\
class Net(nn.Module):
    def m0(self, x, v: torch.Tensor = None):
        v = self.m2(v, x.to("mps"))

    def m2(self, x, v: torch.Tensor = None):
        y = self.m0(x.cuda(), x.shape)
""",
    "a property of a class": """\
class State:
    def __init__(self, state: torch.Tensor):
        self._state = state.to("cpu")

    @property
    def state(self):
        return self._state


class Tracker(Base):
    def set(self, state: torch.Tensor):
        self.handle.set_rng_state(state.to("cpu"))

    @contextlib.contextmanager
    def distribute(self, spec: Spec, generator: torch.Generator | None = None):
        state = State(self.get())
        try:
            pass
        finally:
            self.offset(state, spec, old)
        self.set(state.state)

    def offset(self, state: State, spec: Spec, old: torch.Tensor) -> None:
        _, end = self.compute(spec)

    def compute(self, spec: Spec) -> tuple[int, int]:
        one, two = info(place, spec)


def info(place: list[int], spec: Spec) -> tuple[list[int], list[int]]:
    for at, size in zip(coordinates, shards):
        one = one * size + at
    two.append(total)
""",
    "a buffer that grows": """\
class Personalization(_Metric):
    def __init__(self, k: int) -> None:
        self.register_buffer("total", torch.tensor(0), persistent=False)

    def update(self, prediction: Tensor, index: Tensor | tuple[Tensor, Tensor], weight: Tensor | None = None) -> None:
        remaining = int(self.most - self.total)
        self.total += prediction.size(0)

    def compute(self) -> Tensor:
        device = self.total.device
        i = max(int(left.max()), int(right.max())) + 1
""",
}
"""Programs of which the rules, asked in reverse, once said something else, as answers that were not finished were kept."""
