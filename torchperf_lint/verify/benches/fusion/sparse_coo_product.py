"""Training steps of a graph network of two layers, its graph a matrix of coordinates, and one of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size
from torchperf_lint.verify.benches.stage import STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, indices: torch.Tensor, weights: torch.Tensor, nodes: int, width: int):
        super().__init__()
        self.graph = torch.sparse_coo_tensor(indices, weights, (nodes, nodes))
        self.first = nn.Linear(width, width, bias=False)
        self.second = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor):
        x = torch.relu(torch.sparse.mm(self.graph, self.first(x)))
        return torch.sparse.mm(self.graph, self.second(x))


def run(model: Net, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""


def arrange(stage: Stage, *, nodes: int, edges: int, width: int) -> tuple[Any, ...]:
    import torch

    with stage.device:
        places = torch.randint(0, nodes * nodes, (nodes * edges,)).unique()
        places = places[torch.randperm(len(places))]
        indices = torch.stack((places // nodes, places % nodes))
        model = stage.program.Net(indices, torch.rand(len(places)) / edges, nodes, width).to(stage.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    return model, optimizer, stage.loader(stage.batches(STEPS, nodes, width)), stage.device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "nodes": Size(20_000, small=8, most=1 << 18, shrinks=True),
        "edges": Size(10, small=2, most=100),
        "width": Size(64, small=4, most=1 << 12),
    },
    sweep=({"nodes": 2700, "edges": 5}, {"nodes": 160_000, "edges": 14, "width": 256}),
    steps=STEPS,
    waits=True,
)
