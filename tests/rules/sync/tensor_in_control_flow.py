import torch
from torch import nn
import torch.nn.functional as F


# doc: A loss is skipped when it is not finite
def train(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        loss = F.cross_entropy(model(x), y)
        if not torch.isfinite(loss):  # expect: TPL103 @ not torch.isfinite(loss)
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: a choice between two tensors inside forward
class Gate(nn.Module):
    def forward(self, x, y):
        return x * 2 if x.mean() > 0 else y  # expect: TPL103 @ x.mean() > 0


# case: an assertion and a loop inside forward
class Checked(nn.Module):
    def forward(self, x):
        assert (x >= 0).all()  # expect: TPL103 @ (x >= 0).all()
        while x.norm() > 1:  # expect: TPL103 @ x.norm() > 1
            x = x * 0.5
        return x


# case: `and` asks for the truth of its left side, a chained comparison for its first part
class Both(nn.Module):
    def forward(self, x, y):
        if x.max() > 3 and y.max() > 3:  # expect: TPL103 @ x.max() > 3 and y.max() > 3
            x = x / 2
        if 0 < x.sum() < 3:  # expect: TPL103 @ 0 < x.sum() < 3
            x = x * 2
        return x


# ok: what a tensor is made of is known to the host
class Metadata(nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = x.masked_fill(mask, 0)
        if x.shape[0] > 3 and x.requires_grad and x.is_floating_point():
            x = x * 2
        if x.numel() and len(x) > 2 and x.is_cuda:
            x = x + 1
        return x


# ok: the values live on the CPU
def augment(images):
    out = []
    for image in images:
        if torch.rand(1) < 0.5:
            image = image.flip(-1)
        out.append(image)
    return out


# ok: once every so many steps
def train(model, loader, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            if torch.isnan(loss):
                raise FloatingPointError
        if step == 0:
            assert loss > 0


# ok: a flag of Python
class Flagged(nn.Module):
    def __init__(self, use_bias=True):
        super().__init__()
        self.use_bias = use_bias
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        if self.use_bias and self.training:
            x = x + 1
        return self.fc(x) if self.use_bias else x


# ok: code that is traced or scripted alone
class Exported(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            assert (x > 0).all()
        return x
