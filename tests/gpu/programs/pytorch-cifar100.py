"""weiaicunzai/pytorch-cifar100 at 11d8418f415b261e4ae3cb1ffe20d06ec95b98e4"""

from types import SimpleNamespace

import torch

stand_in("torchvision", "torchvision.transforms", "torchvision.datasets")
import train
from utils import WarmUpLR, get_network

train.args = SimpleNamespace(gpu=DEVICE == "cuda", b=32, warm=1, net="resnet18")
train.net = get_network(train.args)
data = torch.utils.data.TensorDataset(torch.randn(128, 3, 32, 32), torch.randint(0, 100, (128,)))
train.cifar100_training_loader = torch.utils.data.DataLoader(data, 32)
train.cifar100_test_loader = torch.utils.data.DataLoader(data, 32)
train.loss_function = torch.nn.CrossEntropyLoss()
train.optimizer = torch.optim.SGD(train.net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
train.warmup_scheduler = WarmUpLR(train.optimizer, 4)
train.writer = Writer()
train.train(1)
for epoch in range(2):
    train.eval_training(epoch)
    step()
for name in ("googlenet", "mobilenetv2", "shufflenet", "stochasticdepth18", "seresnet18", "densenet121"):
    train.args.net = name
    net = get_network(train.args)
    for _ in range(2):
        net(torch.randn(8, 3, 32, 32).to(DEVICE)).sum().backward()
        step()
