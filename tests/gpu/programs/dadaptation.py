"""dadaptation 3.2"""

import dadaptation
import torch
from torch import nn

made = {
    "adagrad": lambda p: dadaptation.DAdaptAdaGrad(p, log_every=2, momentum=0.9, weight_decay=0.01), "adam": lambda p: dadaptation.DAdaptAdam(p, log_every=2, weight_decay=0.01), "adamw": lambda p: dadaptation.DAdaptAdam(p, decouple=True, use_bias_correction=True, weight_decay=0.01, growth_rate=1.02),
    "sgd": lambda p: dadaptation.DAdaptSGD(p, momentum=0.9, log_every=2, weight_decay=0.01), "adan": lambda p: dadaptation.DAdaptAdan(p, log_every=2), "adan plain": lambda p: dadaptation.DAdaptAdan(p, no_prox=True), "lion": lambda p: dadaptation.DAdaptLion(p, log_every=2, weight_decay=0.01),
}
for name, make in made.items():
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(DEVICE)
    optimizer = make(net.parameters())
    for at in range(8):
        try:
            nn.functional.cross_entropy(net(torch.randn(16, 8, device=DEVICE)), torch.randint(0, 3, (16,), device=DEVICE)).backward()
            optimizer.step()
            optimizer.zero_grad()
        except Exception as no:
            if at == 0:
                print(name, type(no).__name__, str(no)[:150])
for at in range(4):
    words = nn.Embedding(50, 8, sparse=True).to(DEVICE)
    optimizer = dadaptation.DAdaptAdaGrad(words.parameters())
    for _ in range(2):
        try:
            words(torch.randint(0, 50, (12,), device=DEVICE)).sum().backward()
            optimizer.step()
        except Exception as no:
            if at == 0:
                print("sparse", type(no).__name__, str(no)[:150])
