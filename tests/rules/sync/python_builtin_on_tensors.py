import torch
from torch import nn


# doc: Python compares two tensors
class Loss(nn.Module):
    def forward(self, prediction: torch.Tensor, target: torch.Tensor):
        first, second = (prediction - target).abs().mean(), (prediction - target).square().mean()
        kept = (target >= 0).sum()
        return max(first, second) / max(1, kept)  # expect: TPL105 @ max(first, second) && TPL105 @ max(1, kept)


# case: a library, and nothing shows how often it runs
def mean_of_kept(losses: list[torch.Tensor], targets: torch.Tensor):
    kept = (targets.cuda() != -1).sum()
    return torch.cat(losses).sum() / max(1, kept)  # expect: TPL105 @ max(1, kept)


# ok: numbers of Python
class Sizes(nn.Module):
    def forward(self, x: torch.Tensor, count: int):
        return x[:, : max(x.shape[1], count)], min(len(x), 3), sorted([count, 2])


# ok: on the CPU
def lengths(items: list[str]):
    found = torch.tensor([len(each) for each in items])
    return max(found.sum(), found.max())


# ok: behind a gate
def train(model: nn.Module, loader, optimizer):
    best = torch.zeros((), device="cuda")
    for step, x in enumerate(loader):
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            best = max(best, loss.detach())
    return best


# ok: of torch
class Largest(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return torch.max(x, y), x.max(), torch.maximum(x, y)


# ok: their sizes are compared
def longest(parts: list[torch.Tensor]):
    return max(parts, key=len), sorted(parts, key=len)


# case: the host needs the result in any case, so a fix on the GPU would move the wait
def shifted(x: torch.Tensor, device: torch.device):
    shift = torch.rand((), device=device) * 3
    left = shift.round().to(torch.int64)
    start = max(left, 0)  # expect: TPL105 @ max(left, 0)
    if start > 2:
        return x
    return x[:, start : x.shape[1] + min(left, 0)]  # expect: TPL105 @ min(left, 0)


# case: Python goes through a mask
class Checked(nn.Module):
    def forward(self, x: torch.Tensor):
        if any(x.view(-1) < 0):  # expect: TPL105 @ any(x.view(-1) < 0)
            x = x + 1
        is_high = all(x[:, 0] > 0)  # expect: TPL105 @ all(x[:, 0] > 0)
        return x, is_high


# ok: torch's own, of a list, of what Python works out, of one number, on the CPU
class Asked(nn.Module):
    def forward(self, x: torch.Tensor, sizes: list[int]):
        listed = any([x.sum() > 0, x.mean() < 0]), all(each > 0 for each in sizes)
        host = any(torch.zeros(3) > 0)
        return (x < 0).any(), (x > 0).all(), listed, host, any(isinstance(each, int) for each in x)


# case: one tensor is gone through, where a length is needed, and a bound of a mask
class Padded(nn.Module):
    def forward(self, x: torch.Tensor, lengths: torch.Tensor, scores: torch.Tensor):
        x = x[:, : max(lengths.cuda())]  # expect: TPL105 @ max(lengths.cuda())
        least = scores.cuda()[3]
        threshold = max(least, 0.9)  # expect: TPL105 @ max(least, 0.9)
        return x, scores[scores < threshold]


# ok: Dynamo makes `clamp` and `torch.maximum` of it
class Averaged(nn.Module):
    def forward(self, x: torch.Tensor, valid: torch.Tensor):
        return (x * valid).sum() / max(valid.sum(), 1), min(x.sum(), valid.sum())


averaged = torch.compile(Averaged().cuda())
