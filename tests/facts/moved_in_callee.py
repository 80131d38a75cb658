"""Facts about what a loop gives that a method moves, or that a loop moves in its place: on the host before."""

import torch


class Trainer:
    def __init__(self, net, optimizer, device):
        self.device = device
        self.net = net
        self.optimizer = optimizer

    def fit(self, source):
        for _, image in enumerate(source):
            self._step(image)

    def _step(self, image):
        image = image.to(self.device)  # fact: image.to(self.device) => wait
        loss = self.net(image).mean()
        loss.backward()
        self.optimizer.step()


def in_place(labels, device: torch.device):
    parts = {"label": labels.cpu()}
    for name in parts:
        parts[name] = parts[name].long().to(device)  # fact: parts[name].long().to(device) => wait
    return parts
