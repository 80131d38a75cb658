import torch
import torch.nn.functional as F
from torch import nn


# doc: Labels are relabelled through indices, and a loss dropped where there is but one label
class Loss(nn.Module):
    def __init__(self, background: int = 9):
        super().__init__()
        self.background = background

    def forward(self, pred: torch.Tensor, target: torch.Tensor):
        places = torch.nonzero(target == self.background, as_tuple=True)  # expect: TPL111 @ torch.nonzero(target == self.background, as_tuple=True)
        target[places] = -1  # expect: TPL111 @ target[places]
        labels = torch.unique(target)  # expect: TPL111 @ torch.unique(target)
        alone = torch.numel(labels) < 2
        loss = F.cross_entropy(pred, target, ignore_index=-1)
        if alone:
            loss = 0.0 * loss
        return loss


# case: at the place itself, proven to be the same
# run: fill(anything("..."))
# run: fill(floats("n m"))
# run: fill(floats("n", dense=True))
def fill(given: torch.Tensor):
    x = given.flatten()
    low = x < -1
    x[torch.where(x < 0)] = 0.5  # expect: TPL111 @ torch.where(x < 0) && TPL111 @ x[torch.where(x < 0)]
    x[torch.where(low)] = -1.0  # expect: TPL111 @ torch.where(low) && TPL111 @ x[torch.where(low)]
    x[(~torch.isfinite(x) | (x > 2)).nonzero(as_tuple=True)] = 0  # expect: TPL111 @ (~torch.isfinite(x) | (x > 2)).nonzero(as_tuple=True) && TPL111 @ x[(~torch.isfinite(x) | (x > 2)).nonzero(as_tuple=True)]
    return x


# case: a tensor that may have no dimensions, which indices do not take
# run: bounded(anything("..."))
def bounded(x: torch.Tensor):
    x[torch.where(x < 0)] = 0.5  # expect: TPL111 @ torch.where(x < 0) && TPL111 @ x[torch.where(x < 0)]
    rows = x.reshape(-1, 1)
    rows[(rows > 2).nonzero(as_tuple=True)] = 1  # expect: TPL111 @ (rows > 2).nonzero(as_tuple=True) && TPL111 @ rows[(rows > 2).nonzero(as_tuple=True)]
    return x


# case: nobody knows whether the mask covers the tensor, or is one
class Unknown(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.BoolTensor, weight: torch.Tensor):
        index = torch.where(mask)  # expect: TPL111 @ torch.where(mask)
        x[index] = 0  # expect: TPL111 @ x[index]
        x[torch.where(weight)] = 1.0  # expect: TPL111 @ torch.where(weight) && TPL111 @ x[torch.where(weight)]
        return x


# case: a count that meets tensors alone
class Average(nn.Module):
    def forward(self, x: torch.Tensor, valid: torch.BoolTensor):
        mask = x > 0
        total = torch.where(mask, x, 0).sum()
        mean = total / len(x[x > 0])  # expect: TPL111 @ x[x > 0]
        rest = x[mask]  # expect: TPL111 @ x[mask]
        count = rest.numel()
        rows = x[valid].shape[0] * mean  # expect: TPL111 @ x[valid]
        rows = rows + torch.nonzero(x).size(0)  # expect: TPL111 @ torch.nonzero(x)
        return mean, total / count, rows - len(mask.nonzero())  # expect: TPL111 @ mask.nonzero()


# case: other ways to count distinct values
class Ways(nn.Module):
    def forward(self, loss: torch.Tensor, target: torch.Tensor):
        if len(target.unique()) == 1:  # expect: TPL111 @ target.unique()
            loss *= 0
        number = torch.unique_consecutive(target).shape[0]  # expect: TPL111 @ torch.unique_consecutive(target)
        if number < 3:
            loss = loss * 0.5
        return loss


# ok: the cures
class Cured(nn.Module):
    def forward(self, loss: torch.Tensor, target: torch.Tensor):
        target[target == 9] = -1
        number = target.flatten().sort().values.diff().count_nonzero() + 1
        loss = torch.where(number < 2, 0.0 * loss, loss)
        return loss / (target != -1).sum()


# ok: the indices are needed: they are read, moved, put in order, or given to somebody
class Indices(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.BoolTensor):
        rows, columns = torch.where(mask)
        x[rows, columns] = 0
        places = torch.nonzero(mask, as_tuple=True)
        x[places] = 0
        kept = torch.where(mask)
        x[kept[0]] = 1
        matrix = torch.nonzero(mask)
        x[matrix] = 0
        return x, places, matrix


# ok: what is read under the mask waits as well
class Read(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        index = torch.where(x > 0)
        x[index] = y[index]
        chosen = torch.nonzero(y > 0, as_tuple=True)
        return x[chosen]


# ok: the values are used, or their number must be known to Python
class Values(nn.Module):
    def forward(self, x: torch.Tensor, target: torch.Tensor, mask: torch.BoolTensor):
        labels = target.unique()
        count = len(labels)
        sums = [x[target == label].sum() for label in labels]
        kept = x[mask]
        if len(kept) == 0:
            return x.sum() * 0
        padding = torch.zeros(count, len(torch.unique(x)))
        values, inverse = torch.unique(target, return_inverse=True)
        few = len(torch.unique(target, dim=0)) < 2
        if few:
            x = x * 0
        return sums, kept, padding, values, inverse


# ok: choosing between `where` with three arguments and NumPy's functions
import numpy as np


def lookalikes(x: torch.Tensor, path):
    array = np.load(path)
    array[np.where(array > 3)] = 0
    array[array.nonzero()] = 1
    if len(np.unique(array)) < 2:
        x = x * 0
    x = torch.where(x > 0, x, 0)
    return x, array


# ok: on the host there is no wait
def on_host(path):
    labels = torch.from_numpy(path)
    labels[torch.where(labels == 3)] = 0
    if len(labels.unique()) < 2:
        labels = labels * 0
    return labels


# ok: once an epoch, and what is called from there
def best(scores: torch.Tensor, mask: torch.BoolTensor):
    scores[torch.where(mask)] = 0
    return scores


def train(model, loader, optimizer, scores: torch.Tensor, mask: torch.BoolTensor):
    for epoch in range(10):
        for x, y in loader:
            loss = model(x.cuda(), y.cuda())
            loss.backward()
            optimizer.step()
        best(scores, mask)
        scores[torch.where(mask)] = 0



# missed: indices of one dimension, taken out of the tuple
class OneDimension(nn.Module):
    def forward(self, x: torch.Tensor):
        flat = x.flatten()
        index = torch.where(flat > 0)[0]
        flat[index] = 0
        return flat


# case: the choice does not start from what the tensor was, and a count that goes elsewhere: no fix
class Fresh(nn.Module):
    def forward(self, pred: torch.Tensor, target: torch.Tensor):
        loss = F.cross_entropy(pred, target)
        if len(target.unique()) < 2:  # expect: TPL111 @ target.unique()
            loss = pred.sum() * 0
        return loss


# case: how many are selected, for a running count
def accuracy(model: nn.Module, loader: torch.utils.data.DataLoader):
    seen = 0
    for images, labels in loader:
        labels = labels.cuda()
        known = labels.ne(-1)
        seen += len(labels[known])  # expect: TPL111 @ labels[known]
    return seen
