# doc: A loss over the pixels that have depth
class DepthLoss(nn.Module):
    def forward(self, pred: torch.Tensor, depth: torch.Tensor):
        error = (pred - depth).abs()
        large = error > 0.1
        return torch.where(large, error, 0).sum() / large.sum() + 0.1 * torch.where(error > 10, error, 0).sum()


# case: operations on each element may stand between
class Between(nn.Module):
    def forward(self, x: torch.Tensor):
        y = x * 2
        mask = x > 0
        first = torch.where(mask, (torch.where(mask, x, 1) - torch.where(mask, y, 1)).pow(2), 0).sum() / mask.sum()
        second = torch.where(mask, torch.log(torch.where(mask, x, 1)), 0).sum() / mask.sum()
        third = torch.where(mask, x, 0).sum() * 2
        fourth = -(torch.where(mask, (x == y).float(), 0).sum() / mask.sum())
        return first, second, third, fourth


# case: other reductions
class Reductions(nn.Module):
    def forward(self, x: torch.Tensor):
        mask, bad = x > 0, torch.isnan(x)
        chosen = torch.where(mask, bad, False).any()
        every = torch.where(mask, x > 3, True).all()
        top = x.float()
        return chosen, every, torch.where(mask, top, float("-inf")).max(), torch.where(mask, top, float("inf")).min()


# case: a mask of rows
def rows(n: int):
    x = torch.randn(n, 16, device="cuda")
    valid = x.sum(-1) > 0
    total = torch.where(valid[..., None], x, 0).sum()
    center = torch.where(valid[..., None], x, 0).sum(0) / valid.sum()
    spread = (x - center)[valid].mean()
    return total, center, spread
