"""What benches are made of: the device, a loader that keeps the host busy, small models.

What `arrange` makes depends on the parameters and the seed alone, which is set before each call.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.verify.bench import Choice, Parameter, Size

if TYPE_CHECKING:
    import torch

STEPS: Final = 5
"""The training steps of one call."""
STEP: Final[Mapping[str, Parameter]] = {
    "batch": Size(1024, small=4, most=1 << 16, shrinks=True),
    "width": Size(2048, small=16, least=2, most=1 << 14, shrinks=True),
    "depth": Size(8, small=2, most=64),
}
"""What a training step is made of, where the place of a finding does not tell: a few milliseconds of a large GPU."""
COMPILED: Final[Mapping[str, Parameter]] = {
    "batch": Size(64, small=4, most=1 << 16, shrinks=True),
    "width": Size(512, small=16, least=2, most=1 << 14, shrinks=True),
    "depth": Size(8, small=2, most=64),
}
"""The same of what is compiled to spare the host: small enough that its share shows, and that a CPU steps in milliseconds."""
ATTENTION: Final[Mapping[str, Parameter]] = {
    "batch": Size(8, small=2, most=1 << 12, shrinks=True),
    "heads": Size(12, small=2, most=256),
    "length": Size(1024, small=4, most=1 << 16, shrinks=True),
    "width": Size(64, small=8, most=256),
    "dtype": Choice("bfloat16", ("bfloat16", "float16", "float32")),
}
"""What attention is made of: the width is that of a head."""


_NET: Final = """
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.rest = nn.Sequential(*(layer for _ in range(depth - 1) for layer in (nn.ReLU(), nn.Linear(width, width))))
#made
    def forward(self, x: torch.Tensor):
        x = self.first(x)
#lines
        return self.rest(x)


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""


def in_forward(lines: str, *, made: str = "") -> str:
    """A training step whose model does something between its layers; `made` is what its constructor makes for that.

    Both are lines as they stand in the methods, behind an empty one.
    """
    return _NET.replace("#made\n", made.removeprefix("\n") + "\n").replace("#lines\n", lines.removeprefix("\n"))


@dataclass(frozen=True, slots=True)
class Stage:
    """Where and how a program runs."""

    device: torch.device
    program: ModuleType
    """What the text of the program defines besides `run`."""
    host_work: float = 0.0
    """Milliseconds for which the host is busy with each batch, as it is with decoding and augmenting."""
    rank: int = 0
    """Which of the processes this is, where several run the program together."""

    def loader(self, batches: Sequence[Any]) -> Loader:
        """Batches that are on the device already, each after the host's work."""
        return Loader(batches, self.host_work)

    def batches(self, count: int, batch: int, width: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Inputs and one of `width` classes for each; the last class is always among them."""
        import torch

        made = []
        for _ in range(count):
            classes = torch.randint(0, width, (batch,), device=self.device)
            classes[-1:] = width - 1
            made.append((torch.randn(batch, width, device=self.device), classes))
        return made

    def own_batches(self, count: int, batch: int, width: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """The same, with numbers that no other rank has: only then does it show whether gradients are averaged."""
        import torch

        made = self.batches(count, batch, width)
        draw = torch.Generator(self.device).manual_seed(1 + self.rank)
        return [(torch.randn(x.shape, generator=draw, device=self.device), y) for x, y in made]

    def training(self, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
        """A model, `Net` where the program has one, its optimizer, a loader and the device."""
        import torch

        if hasattr(self.program, "Net"):
            with self.device:  # where drawing the weights takes no time
                model = self.program.Net(width, depth)
            model = model.to(self.device)
        else:
            model = self.mlp(width, depth)
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
        return model, optimizer, self.loader(self.batches(STEPS, batch, width)), self.device

    def mlp(self, width: int, depth: int) -> torch.nn.Module:
        """Linear layers and ReLU, as many as asked for."""
        from torch import nn

        with self.device:
            layers = [layer for _ in range(depth) for layer in (nn.Linear(width, width), nn.ReLU())]
        return nn.Sequential(*layers[:-1])


class Loader:
    """Hands batches out, each after the host has been busy for a while."""

    def __init__(self, batches: Sequence[Any], work: float) -> None:
        self.batches = batches
        self.work = work / 1000

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[Any]:
        for batch in self.batches:
            if self.work:
                end = time.perf_counter() + self.work
                while time.perf_counter() < end:
                    pass
            yield batch
