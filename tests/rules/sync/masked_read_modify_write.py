import torch
from torch import nn


# doc: Angles are brought into range, and low scores replaced
class Match(nn.Module):
    def forward(self, first, second, score, fallback):
        angle = second - first
        angle[angle < -180] += 360  # expect: TPL110 @ angle[angle < -180]
        angle[angle > 180] -= 360  # expect: TPL110 @ angle[angle > 180]
        weak = score < 0.5
        kept = score * 1.0
        kept[weak] = kept[weak] * 0.1  # expect: TPL110 @ kept[weak]
        return angle, kept


# case: the tensor belongs to somebody else as well, so it is overwritten in place
class Shared(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("state", torch.zeros(size, size))

    def forward(self, x: torch.Tensor, update: torch.Tensor):
        low = x < 0
        x[low] = -x[low]  # expect: TPL110 @ x[low]
        view = x.view(-1)
        mirror = x * 2
        alias = mirror
        mirror[mirror > 3] *= 0.5  # expect: TPL110 @ mirror[mirror > 3]
        moved = self.state > 1
        self.state[moved] = self.state[moved] - 1  # expect: TPL110 @ self.state[moved]
        return view, alias, mirror


# case: what is infinite where the mask is false must not be multiplied by a gradient of zero
def steep(x):
    y = x.cuda() * 2
    mask = y > 0
    y[mask] = torch.sqrt(y[mask])  # expect: TPL110 @ y[mask]
    y[mask] = 1 / y[mask] + 2  # expect: TPL110 @ y[mask]
    with torch.no_grad():
        z = x.cuda() + 1
        z[z > 0] = z[z > 0].log()  # expect: TPL110 @ z[z > 0]
    return y, z


# case: a mask that is written twice gets a name
class Off(nn.Module):
    def forward(self, x, weight):
        diff = (torch.mm(x, x.t()) - torch.eye(x.size(0), device=x.device)).pow(2)
        diff[~torch.eye(x.size(0), device=x.device).bool()] *= weight.mean()  # expect: TPL110 @ diff[~torch.eye(x.size(0), device=x.device).bool()]
        return diff.sum()


# case: the backward pass wants a copy of what is overwritten
class Kept(nn.Module):
    def forward(self, x):
        low = x < 0
        x[low] = x[low].abs()  # expect: TPL110 @ x[low]
        return x


# case: a mask of rows, and one value for each of them
def rows(n: int):
    x = torch.randn(n, 16, device="cuda")
    token = torch.ones(16, device="cuda")
    empty = x.sum(-1) == 0
    x[empty] = token  # expect: TPL110 @ x[empty]
    x[empty] *= 2  # expect: TPL110 @ x[empty]
    x[empty] = x.mean()  # expect: TPL110 @ x[empty]
    return x


# case: where the shapes are not known, the cure is only shown
class Blind(nn.Module):
    def forward(self, x, y, mask: torch.BoolTensor):
        x[mask] = y[mask]  # expect: TPL110 @ x[mask]
        return x


# case: what fills under a mask says that it is one
class Imputed(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.guess = nn.Linear(width, width)

    def forward(self, x, missing):
        guess = self.guess(x.masked_fill(missing, 0.0))
        x = x.clone()
        x[missing] = guess[missing]  # expect: TPL110 @ x[missing]
        return x


# case: a parameter for each place that is masked out
class Masked(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.token = nn.Parameter(torch.Tensor(size).uniform_())

    def forward(self, hidden: torch.Tensor, mask: torch.BoolTensor):
        hidden[mask] = self.token.to(hidden.dtype)  # expect: TPL110 @ hidden[mask]
        return hidden


# ok: a number goes under a mask without a wait
class Filled(nn.Module):
    def forward(self, x, mask: torch.BoolTensor):
        x[mask] = 0
        x[~mask] = float("-inf")
        x[x > 3] = 3.0
        return x


# ok: the mask shrinks work that looks at all rows together, or costs much
class Routed(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.expert = nn.Linear(size, size)

    def forward(self, x, mask: torch.BoolTensor):
        x[mask] = self.expert(x[mask])
        x[mask] = x[mask].softmax(-1)
        x[mask] = torch.sort(x[mask]).values
        return x


# ok: a list of values, one for each element that is selected
class Scattered(nn.Module):
    def forward(self, x: torch.Tensor, values, mask: torch.BoolTensor):
        embeds = torch.zeros_like(x)
        embeds[mask] = values.reshape(-1)
        embeds[mask] += values
        return embeds


# ok: integer indices are no mask
class Indexed(nn.Module):
    def forward(self, x, y, index: torch.LongTensor):
        x[index] = y[index]
        x[index] *= y[index]
        x[2:] += 1
        x[0] = y[0]
        return x


# ok: masks and tensors of the host
import numpy as np


def on_host(path):
    array = np.load(path)
    array[array > 3] *= 2
    frame = torch.from_numpy(array)
    frame[frame < 0] = -frame[frame < 0]
    frame[torch.isnan(frame)] = frame.mean()
    return frame, array


# ok: the other way around, and what reads under another mask
class Other(nn.Module):
    def forward(self, x, y, first: torch.BoolTensor, second: torch.BoolTensor):
        x = torch.where(first, y, x)
        x[first] = y[second]
        return x


# ok: once every so many steps
def train(model, loader, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = model(x.cuda(), y.cuda())
        loss.mean().backward()
        optimizer.step()
        if step % 100 == 0:
            loss[loss < 0] *= 0


# ok: once an epoch, and what is called from there
def best(scores: torch.Tensor, mask: torch.BoolTensor):
    scores[mask] = scores[mask] * 2
    return scores


def train(model, loader, optimizer, scores: torch.Tensor, mask: torch.BoolTensor):
    for epoch in range(10):
        for x, y in loader:
            loss = model(x.cuda(), y.cuda())
            loss.backward()
            optimizer.step()
        best(scores, mask)
        scores[mask] *= 0.5



# case: a condition that asks the host about the mask does not wait
class Optional(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.BoolTensor = None):
        if mask is not None:
            x[mask] *= 2  # expect: TPL110 @ x[mask]
        return x


# ok: behind the question whether there is anything, which has waited already
class Asked(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        mask = x > 0
        if mask.any():
            x[mask] = y[mask]
        if not mask.all():
            x[~mask] = y[~mask]
        low = x < 0
        if low.sum() > 100:
            return y
        x[low] = y[low]
        return x


# ok: the same mask selects for heavier work as well, so its indices are needed anyway
class Also(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.expert = nn.Linear(size, size)

    def forward(self, x: torch.Tensor, y: torch.Tensor, mask: torch.BoolTensor):
        x[mask] = y[mask]
        return x, self.expert(y[mask])


# missed: a mask beside other indices
class Columns(nn.Module):
    def forward(self, x, mask: torch.BoolTensor):
        x[mask, 0] = x[mask, 0] * 2
        return x


# missed: the selection has a name of its own
class Named(nn.Module):
    def forward(self, x, mask: torch.BoolTensor):
        chosen = x[mask]
        x[mask] = chosen * 2
        return x


# case: at each turn of a loop; once more behind it is no news
def restored(model, state: torch.Tensor, kept: torch.BoolTensor, times: int):
    start = state.clone()
    for t in range(times):
        state[kept] = start[kept]  # expect: TPL110 @ state[kept]
        state = model.step(state, t, times)
    state[kept] = start[kept]
    return state


# case: a number that was made into a tensor: under a mask, the number itself does not wait
class Clamped(nn.Module):
    def __init__(self):
        super().__init__()
        self.eps = 1e-8

    def forward(self, x: torch.Tensor):
        mask = x > 0
        x[mask] = torch.tensor(0.5, device=x.device)  # expect: TPL110 @ x[mask]
        x[x < -1] = torch.tensor(float("-inf")).to(x.device)  # expect: TPL110 @ x[x < -1]
        x[mask] = torch.tensor(self.eps, dtype=x.dtype, device=x.device)  # expect: TPL110 @ x[mask]
        x[mask] = x.new_tensor(0.5)  # expect: TPL110 @ x[mask]
        x[mask] = torch.full((), 0.5, device=x.device)  # expect: TPL110 @ x[mask]
        return x


# ok: nothing names a GPU, and nothing in sight runs it often
class Circles:
    def log_density(self, z: torch.Tensor):
        angle = torch.atan2(z[:, 0], -z[:, 1])
        angle[angle > 3] -= 6
        return angle.square().sum()
