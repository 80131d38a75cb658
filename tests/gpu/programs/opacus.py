"""opacus 1.6.0"""

import torch
from torch import nn

stand_in("scipy", "scipy.stats", "scipy.special", "opt_einsum", "opt_einsum.contract")
import opacus
from opacus.layers import DPLSTM
from opacus.utils.batch_memory_manager import BatchMemoryManager
from opacus.validators import ModuleValidator
from torch.utils.data import DataLoader, TensorDataset


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.lstm, self.head = nn.Embedding(50, 16), DPLSTM(16, 16, batch_first=True), nn.Linear(16, 10)

    def forward(self, words):
        return self.head(self.lstm(self.embedding(words))[0].mean(1))


def images():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10)
    )


def learn(model, data, **given):
    model = ModuleValidator.fix(model).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    engine = opacus.PrivacyEngine(accountant="rdp")
    loader = DataLoader(TensorDataset(*data), batch_size=16)
    made = engine.make_private(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        noise_multiplier=1.0,
        max_grad_norm=[1.0] * len(list(model.parameters())) if given.get("clipping") == "per_layer" else 1.0,
        **({"criterion": criterion} if given.get("grad_sample_mode") == "ghost" else {}),
        **given,
    )
    model, optimizer, *rest, loader = made
    criterion = rest[0] if rest else criterion
    with BatchMemoryManager(data_loader=loader, max_physical_batch_size=8, optimizer=optimizer) as parts:
        for x, y in parts:
            optimizer.zero_grad()
            criterion(model(x.to(DEVICE)), y.to(DEVICE)).backward()
            optimizer.step()
            step()


answers = torch.randint(0, 10, (96,))
learn(images(), (torch.randn(96, 3, 16, 16), answers))
learn(images(), (torch.randn(96, 3, 16, 16), answers), clipping="per_layer")
learn(images(), (torch.randn(96, 3, 16, 16), answers), clipping="adaptive", target_unclipped_quantile=0.5, clipbound_learning_rate=0.2, max_clipbound=10.0, min_clipbound=0.1, unclipped_num_std=1.0)
learn(images(), (torch.randn(96, 3, 16, 16), answers), grad_sample_mode="ghost")
learn(Reader(), (torch.randint(0, 50, (96, 12)), answers))
