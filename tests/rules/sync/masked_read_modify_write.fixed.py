# doc: Angles are brought into range, and low scores replaced
class Match(nn.Module):
    def forward(self, first, second, score, fallback):
        angle = second - first
        angle = torch.where(angle < -180, angle + 360, angle)
        angle = torch.where(angle > 180, angle - 360, angle)
        weak = score < 0.5
        kept = score * 1.0
        kept = torch.where(weak, kept * 0.1, kept)
        return angle, kept


# case: the tensor belongs to somebody else as well, so it is overwritten in place
class Shared(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("state", torch.zeros(size, size))

    def forward(self, x: torch.Tensor, update: torch.Tensor):
        low = x < 0
        x.copy_(torch.where(low, -x, x))
        view = x.view(-1)
        mirror = x * 2
        alias = mirror
        mirror.copy_(torch.where(mirror > 3, mirror * 0.5, mirror))
        moved = self.state > 1
        self.state.copy_(torch.where(moved, self.state - 1, self.state))
        return view, alias, mirror


# case: what is infinite where the mask is false must not be multiplied by a gradient of zero
def steep(x):
    y = x.cuda() * 2
    mask = y > 0
    y = torch.where(mask, torch.sqrt(torch.where(mask, y, 1)), y)
    y = torch.where(mask, 1 / torch.where(mask, y, 1) + 2, y)
    with torch.no_grad():
        z = x.cuda() + 1
        z = torch.where(z > 0, z.log(), z)
    return y, z


# case: a mask that is written twice gets a name
class Off(nn.Module):
    def forward(self, x, weight):
        diff = (torch.mm(x, x.t()) - torch.eye(x.size(0), device=x.device)).pow(2)
        mask = ~torch.eye(x.size(0), device=x.device).bool()
        diff = torch.where(mask, torch.where(mask, diff, 1) * weight.mean(), diff)
        return diff.sum()


# case: the backward pass wants a copy of what is overwritten
class Kept(nn.Module):
    def forward(self, x):
        low = x < 0
        x.copy_(torch.where(low, torch.where(low, x, 1).abs(), x))
        return x


# case: a mask of rows, and one value for each of them
def rows(n: int):
    x = torch.randn(n, 16, device="cuda")
    token = torch.ones(16, device="cuda")
    empty = x.sum(-1) == 0
    x = torch.where(empty[..., None], token, x)
    x = torch.where(empty[..., None], x * 2, x)
    x = torch.where(empty[..., None], x.mean(), x)
    return x


# case: a number that was made into a tensor: under a mask, the number itself does not wait
class Clamped(nn.Module):
    def __init__(self):
        super().__init__()
        self.eps = 1e-8

    def forward(self, x: torch.Tensor):
        mask = x > 0
        x[mask] = 0.5
        x[x < -1] = float("-inf")
        x[mask] = self.eps
        x[mask] = 0.5
        x[mask] = 0.5
        return x
