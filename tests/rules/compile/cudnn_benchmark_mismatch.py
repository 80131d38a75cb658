import random

import numpy as np
import torch
import torch.backends.cudnn as cudnn
import torch.nn.functional as F
import torchvision
from torch import nn


# doc: Images of a size that is drawn
def train(model: nn.Module, loader, optimizer):
    torch.backends.cudnn.benchmark = True  # expect: TPL704 @ torch.backends.cudnn.benchmark = True
    for x in loader:
        size = random.choice([320, 384, 448])
        x = F.interpolate(x.cuda(), size=(size, size))
        model(x).sum().backward()
        optimizer.step()


# case: other ways to draw it
def scaled(model: nn.Module, loader):
    cudnn.benchmark = True  # expect: TPL704 @ cudnn.benchmark = True
    for x in loader:
        factor = np.random.uniform(0.5, 1.5)
        model(F.interpolate(x.cuda(), None, factor)).sum().backward()


# case: a detector
def detect(loader):
    cudnn.benchmark = True  # expect: TPL704 @ cudnn.benchmark = True
    model = torchvision.models.detection.fasterrcnn_resnet50_fpn().cuda()
    return [model(x) for x in loader]


# ok: one size
def fixed(model: nn.Module, loader):
    cudnn.benchmark = True
    for x in loader:
        model(F.interpolate(x.cuda(), size=(224, 224))).sum().backward()


# ok: it is off, or somebody chooses
def chosen(model: nn.Module, loader, search: bool):
    cudnn.benchmark = False
    cudnn.benchmark = search
    for x in loader:
        model(F.interpolate(x.cuda(), size=random.randrange(200, 300))).sum().backward()


# ok: something else is drawn, and another `benchmark`
def other(model: nn.Module, loader, settings):
    settings.benchmark = True
    cudnn.deterministic = True
    for x in loader:
        if random.random() < 0.5:
            x = x.flip(-1)
        model(F.interpolate(x.cuda(), size=224)).sum().backward()
