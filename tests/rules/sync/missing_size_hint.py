import torch
import torch.nn.functional as F
from torch import Tensor, nn


# doc: Labels as vectors, in a loss
class SoftDice(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.num_classes = num_classes

    def forward(self, logits, target):
        probabilities = logits.softmax(dim=1)
        wanted = F.one_hot(target).permute(0, 3, 1, 2)  # expect: TPL112 @ F.one_hot(target)
        overlap = (probabilities * wanted).sum(dim=(2, 3))
        return 1 - (2 * overlap / (probabilities + wanted).sum(dim=(2, 3))).mean()


# case: in a training loop, with the number of classes as a parameter
def train(model, loader, optimizer, num_classes):
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        wanted = F.one_hot(y).float()  # expect: TPL112 @ F.one_hot(y)
        loss = F.binary_cross_entropy_with_logits(model(x), wanted)
        loss.backward()
        optimizer.step()


# case: two names could be meant, so there is no fix
class Both(nn.Module):
    def __init__(self, num_classes, num_labels):
        super().__init__()
        self.num_classes = num_classes
        self.num_labels = num_labels

    def forward(self, x, labels):
        return x * torch.nn.functional.one_hot(labels)  # expect: TPL112 @ torch.nn.functional.one_hot(labels)


# case: a name that is bound further down cannot be used
class Late(nn.Module):
    def forward(self, x, labels):
        wide = F.one_hot(labels)  # expect: TPL112 @ F.one_hot(labels)
        num_classes = wide.shape[-1]
        return x * wide, num_classes


# case: repeats that come from the GPU
class Regulator(nn.Module):
    def forward(self, x, durations: Tensor):
        return torch.repeat_interleave(x, durations, dim=0)  # expect: TPL112 @ torch.repeat_interleave(x, durations, dim=0)


# case: repeats that are made of a list of numbers
class Packed(nn.Module):
    def forward(self, x: Tensor, lengths: list[int]):
        repeats = torch.tensor(lengths, device=x.device)
        return x.repeat_interleave(repeats, dim=0)  # expect: TPL112 @ x.repeat_interleave(repeats, dim=0)


# case: a name in scope holds the sum, and no name is made up where none does
class Unrolled(nn.Module):
    def forward(self, x, durations: Tensor, lengths: list[int]):
        frames = int(durations.sum())
        steps = sum(lengths)
        wide = x.repeat_interleave(durations, dim=1)  # expect: TPL112 @ x.repeat_interleave(durations, dim=1)
        counts = torch.as_tensor(lengths, device=x.device)
        again = x.repeat_interleave(counts, dim=0)  # expect: TPL112 @ x.repeat_interleave(counts, dim=0)
        return wide, again, frames, steps


# case: a sum that is a tensor, of other repeats, or of what they were before, says nothing
class Unknown(nn.Module):
    def forward(self, x, durations: Tensor, others: Tensor, flag):
        total = durations.sum()
        frames = int(others.sum())
        y = x.repeat_interleave(durations, dim=1)  # expect: TPL112 @ x.repeat_interleave(durations, dim=1)
        others = others + 1
        z = x.repeat_interleave(others, dim=1)  # expect: TPL112 @ x.repeat_interleave(others, dim=1)
        if flag:
            count = int(durations.sum())
        w = x.repeat_interleave(durations, dim=1)  # expect: TPL112 @ x.repeat_interleave(durations, dim=1)
        return y, z, w, total, frames, count


# case: the range of a histogram
class Observer(nn.Module):
    def forward(self, x):
        self.counts = torch.histc(x, bins=64)  # expect: TPL112 @ torch.histc(x, bins=64)
        return x


# ok: the size is said
class Said(nn.Module):
    def forward(self, x, labels, repeats: Tensor, total: int):
        a = F.one_hot(labels, 10)
        b = F.one_hot(labels, num_classes=x.shape[-1])
        c = x.repeat_interleave(repeats, dim=0, output_size=total)
        d = torch.histc(x, 10, -3, 3)
        e = torch.histc(x, bins=10, min=0, max=1)
        return a, b, c, d, e


# ok: repeats that are one number of Python
class Heads(nn.Module):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, k, v):
        k = k.repeat_interleave(self.groups, dim=1)
        v = torch.repeat_interleave(v, self.groups, dim=1)
        n = torch.repeat_interleave(v, 2, 0)
        return k, v, v.repeat_interleave(v.size(-3) // n.size(-3), -3)


# ok: repeats and labels of the host
class Samples(torch.utils.data.Dataset):
    def __getitem__(self, index):
        label = F.one_hot(self.labels[index])
        return self.images[index], label


def batches(loader, model):
    for x, y in loader:
        wanted = F.one_hot(y)
        model(x.cuda(), wanted.cuda())


# ok: once, before the loop
def prepare(labels: Tensor, model, loader):
    table = F.one_hot(labels.cuda())
    for x, y in loader:
        model(x.cuda(), table[y.cuda()])


# ok: behind a gate
def watch(model, loader, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            counts = F.one_hot(y.cuda()).sum(0)


# ok: methods of others that share the name
def frames(model, loader, series):
    for x in loader:
        model(x.cuda(), series.one_hot(), series.histc(10))
