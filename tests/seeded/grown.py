"""Gathers the outputs of a model by growing a tensor, and tidies up memory at every step."""

import torch
from torch import nn


@torch.no_grad()
def predict(model: nn.Module, loader):
    model.eval()
    outputs = torch.empty(0, 3, device="cuda")
    for x in loader:
        outputs = torch.cat([outputs, model(x.cuda())])  # planted: TPL502
        torch.cuda.empty_cache()  # planted: TPL501
    return outputs


def run():
    torch.manual_seed(9)
    model = nn.Linear(4, 3).cuda()
    return predict(model, [torch.randn(5, 4) for _ in range(6)])
