import torch
from torch import nn


# doc: Tokens are generated one by one
@torch.no_grad()  # expect: TPL402 @ torch.no_grad()
def generate(model: nn.Module, tokens: torch.Tensor, count: int):
    for _ in range(count):
        logits = model(tokens)
        tokens = torch.cat([tokens, logits[:, -1:].argmax(-1)], dim=1)
    return tokens


# ok: it is in use
@torch.inference_mode()
def sample(model: nn.Module, tokens: torch.Tensor, count: int):
    for _ in range(count):
        tokens = model(tokens)
    return tokens


# ok: an evaluation, whose steps are large
@torch.no_grad()
def evaluate(model: nn.Module, loader):
    total = 0
    for x in loader:
        total += model(x.cuda()).sum()
    return total


# ok: gradients are taken of what comes out
class Learner(nn.Module):
    @torch.no_grad()
    def sample(self, x: torch.Tensor, count: int):
        for _ in range(count):
            x = self(x)
        return x

    def learn(self, x: torch.Tensor):
        self(self.sample(x, 3)).sum().backward()


# ok: a generator, or no loop
class Others(nn.Module):
    @torch.no_grad()
    def generate(self, x: torch.Tensor):
        while True:
            x = self(x)
            yield x

    @torch.no_grad()
    def sample(self, x: torch.Tensor):
        return self(x)
