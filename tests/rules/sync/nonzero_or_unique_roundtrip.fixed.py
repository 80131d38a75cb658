# doc: Labels are relabelled through indices, and a loss dropped where there is but one label
class Loss(nn.Module):
    def __init__(self, background: int = 9):
        super().__init__()
        self.background = background

    def forward(self, pred: torch.Tensor, target: torch.Tensor):
        places = target == self.background
        target[places] = -1
        labels = target.flatten().sort().values
        alone = labels.diff().count_nonzero() + 1 < 2
        loss = F.cross_entropy(pred, target, ignore_index=-1)
        loss = torch.where(alone, 0.0 * loss, loss)
        return loss


# case: at the place itself, proven to be the same
# run: fill(anything("..."))
# run: fill(floats("n m"))
# run: fill(floats("n", dense=True))
def fill(given: torch.Tensor):
    x = given.flatten()
    low = x < -1
    x[x < 0] = 0.5
    x[low] = -1.0
    x[~torch.isfinite(x) | (x > 2)] = 0
    return x


# case: a tensor that may have no dimensions, which indices do not take
# run: bounded(anything("..."))
def bounded(x: torch.Tensor):
    x[x < 0] = 0.5
    rows = x.reshape(-1, 1)
    rows[rows > 2] = 1
    return x


# case: nobody knows whether the mask covers the tensor, or is one
class Unknown(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.BoolTensor, weight: torch.Tensor):
        index = mask
        x[index] = 0
        x[weight.bool()] = 1.0
        return x


# case: a count that meets tensors alone
class Average(nn.Module):
    def forward(self, x: torch.Tensor, valid: torch.BoolTensor):
        mask = x > 0
        total = torch.where(mask, x, 0).sum()
        mean = total / (x > 0).count_nonzero()
        count = mask.count_nonzero()
        rows = valid.count_nonzero() * mean
        rows = rows + x.count_nonzero()
        return mean, total / count, rows - mask.count_nonzero()


# case: other ways to count distinct values
class Ways(nn.Module):
    def forward(self, loss: torch.Tensor, target: torch.Tensor):
        loss = torch.where(target.flatten().sort().values.diff().count_nonzero() + 1 == 1, loss * 0, loss)
        number = target.flatten().diff().count_nonzero() + 1
        loss = torch.where(number < 3, loss * 0.5, loss)
        return loss
