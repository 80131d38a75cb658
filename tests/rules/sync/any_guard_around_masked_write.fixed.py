# doc: Values out of range are only set where there are any
class Guarded(nn.Module):
    def forward(self, depth: torch.Tensor, valid: torch.BoolTensor):
        outliers = depth > 80
        depth[outliers] = 80.0
        depth = depth.masked_fill(~valid, 0.0)
        return depth


# case: proven to change nothing
# run: clean(anything("..."))
def clean(values: torch.Tensor):
    x = torch.zeros_like(values.detach(), dtype=torch.float32) + values.detach().float()
    bad = torch.isnan(x)
    x[bad] = 0.0
    # as low as it gets
    x[x < -1] = -1.0
    return x


# case: proven for numbers that are new, and for no others: of some, autograd has kept what they were
# run: capped(anything("..."), floats("..."))
# run: capped(floats("n"), floats("n"))
def capped(values: torch.Tensor, weight: torch.Tensor):
    counts = torch.ones_like(values, dtype=torch.int16) + 1
    low = counts < 3
    counts.masked_fill_(low, 3)
    fresh = values.detach().float() + 1
    fresh[fresh > 80] = 80
    same = values.detach().float()
    same[same > 80] = 80
    kept = values.detach().float() * 2.0
    weighted = weight * kept
    kept[kept > 80] = 80
    return counts, fresh, same, weighted, kept


# case: other questions, other writes
class Questions(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        low = x < 0
        x.masked_fill_(low, 0)
        y[low] = 1
        x = torch.where(low, 0.0, x)
        high = x > 3
        found = high.sum()
        x[high] = 3
        return x, y


# case: what is inverted is a mask, whatever its annotation leaves open
class Inverted(nn.Module):
    def forward(self, depth: torch.Tensor, seen: torch.Tensor):
        unseen = ~seen
        depth[unseen] = 0
        return depth


# case: a write over several lines keeps its form
def clip(x: torch.Tensor, low: float, high: float):
    for _ in range(100):
        x = x.cuda() * 2
        mask = x > high
        x[mask] = max(
            low,
            high,
        )
    return x
