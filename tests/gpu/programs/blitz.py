"""blitz-bayesian-pytorch 0.2.8"""

import torch
from blitz.losses import kl_divergence_from_nn
from blitz.modules import BayesianConv2d, BayesianEmbedding, BayesianGRU, BayesianLinear, BayesianLSTM
from blitz.utils import variational_estimator
from torch import nn


@variational_estimator
class Pictures(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = BayesianConv2d(1, 4, (3, 3)), BayesianLinear(4 * 10 * 10, 3)

    def forward(self, x):
        return self.last(self.first(x).relu().flatten(1))


@variational_estimator
class Words(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.words, self.over, self.last = BayesianEmbedding(30, 8), kind(8, 6), BayesianLinear(6, 3)

    def forward(self, x):
        out, _ = self.over(self.words(x))
        return self.last(out[:, -1])


labels = torch.arange(6, device=DEVICE) % 3
inputs = torch.randn(6, 1, 12, 12, device=DEVICE), torch.randint(0, 30, (6, 7), device=DEVICE)
for model, x in ((Pictures(), inputs[0]), (Words(BayesianLSTM), inputs[1]), (Words(BayesianGRU), inputs[1])):
    model.to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(4):
        optimizer.zero_grad()
        model.sample_elbo(inputs=x, labels=labels, criterion=nn.CrossEntropyLoss(), sample_nbr=2, complexity_cost_weight=1 / 6).backward()
        optimizer.step()
        kl_divergence_from_nn(model)
        model.mfvi_forward(x, sample_nbr=2)
        model.freeze_()
        model(x)
        model.unfreeze_()
