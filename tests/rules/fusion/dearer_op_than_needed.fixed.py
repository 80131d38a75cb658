# doc: Half of what `max` gives is thrown away, and a mask is counted
class Head(nn.Module):
    def forward(self, image: torch.Tensor):
        image = image.view(8, 3, 224, 224)
        highest = image.amax(-3)
        lowest = image.amin(-3)
        found = (image > 1).any()
        return highest - lowest, found


layers = nn.ModuleList(Head() for _ in range(12))


# case: further halves
class Pool(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.view(8, 64, 56, 56)
        a = x.amax(dim=1, keepdim=True)
        b = x.amin(2)
        return a, b


layers = nn.ModuleList(Pool() for _ in range(12))


# case: whether there is one
# run: layers[0](torch.tensor([[1.0, 2.0], [0.0, 0.5]])), layers[1](torch.zeros(2, 2)), layers[2](torch.zeros(0, 2))
class Any(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.reshape(-1, 1, 1, 2)
        mask = x > 1
        return (x > 1).any(), mask.any(0), ~mask.any()


layers = nn.ModuleList(Any() for _ in range(12))


# case: only where the largest element is
class Route(nn.Module):
    def forward(self, x: torch.Tensor):
        logits = x.exp().view(4, 8, -1)
        first = logits.argmax(1 - 2 + 2)
        probabilities = torch.softmax(logits, 1)
        _, routes = torch.max(probabilities, 1)
        return first, routes


layers = nn.ModuleList(Route() for _ in range(12))


# case: everything is put in order
class Best(nn.Module):
    def forward(self, x: torch.Tensor, k: int):
        first = x.topk(min(k, x.shape[-1]))[0]
        second = x.topk(min(5, x.shape[-1]))[1]
        third = x[:, 4].topk(min(k, x[:, 4].shape[-1]), largest=False)[1]
        return first, second, third


# case: two passes where one will do
class Fill(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        x = x.float().view(8, 64, 56, 56)
        low = torch.full_like(x, -1000000000.0)
        return mask, low


layers = nn.ModuleList(Fill() for _ in range(12))


# case: matrices that need not be made
class Scale(nn.Module):
    def forward(self, x: torch.Tensor, v: torch.Tensor, a: torch.Tensor):
        x, a = x.view(8, 8), a.view(8, 8)
        scaled = (v.unsqueeze(-1) * x)
        similar = (x * a.mT).sum(-1)
        return scaled, similar


# case: formulas for which there is one operation
class Blend(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, gate: torch.Tensor, weight: float):
        x, y = x.float(), y.float()
        share = torch.rand_like(x)
        a = torch.lerp(y, x, share)
        b = torch.lerp(x, y, weight)
        c = x.clamp(min=0)
        d = y.clamp(max=weight)
        most = torch.ones_like(x)
        return a, b, c, d, x.clamp(max=1)


layers = nn.ModuleList(Blend() for _ in range(12))


# case: `lerp` raises where a gate comes out of a layer under autocast, or an average is wider than the weights: no fix
class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(64, 64)

    def forward(self, x: torch.Tensor, target: torch.Tensor, average: torch.Tensor):
        target = target.float()
        gate = self.score(target).sigmoid()
        a = target * gate + (1 - gate) * target.exp()
        b = x * gate + target * (1 - gate)
        average.mul_(0.9).add_(x.detach(), alpha=0.1)
        mean = torch.zeros(64, 64, device="cuda")
        mean.lerp_(target, 0.1)
        return a, b, average, mean


layers = nn.ModuleList(Gated() for _ in range(12))


# case: a tensor that nobody reads
class Reduce(nn.Module):
    def forward(self, x: torch.Tensor, parts: list[torch.Tensor]):
        for part in parts:
            total = part.exp()
            x = x + total
        return x


layers = nn.ModuleList(Reduce() for _ in range(12))


# case: what is cut is joined again, and weights to draw from are all the same
class Regroup(nn.Module):
    def forward(self, x: torch.Tensor, n: int, p: float):
        halves = x.unflatten(0, (2, -1))
        rows = x.unflatten(0, (-1, 8))
        flat = x.flatten(1, 2)
        parts = x.unbind(0)
        same = x
        return halves, rows, flat, same


class Draw(nn.Module):
    def forward(self, x: torch.Tensor, p: float, n: int):
        a = torch.bernoulli(torch.full_like(x, p))
        rate = x.new_full((n,), p)
        b = rate.bernoulli()
        c = torch.multinomial(torch.ones(n, device=x.device), 8)
        return a, b, c


# case: one of several parts, and a norm by hand
class Parts(nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        first = torch.split(x, n, dim=-1)[0]
        last = x.chunk(2, 1)[-1]
        lengths = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        squares = x.pow(2)
        norms = torch.linalg.vector_norm(x, dim=1)
        return first, last, lengths, norms


layers = nn.ModuleList(Parts() for _ in range(12))


# case: whole tensors are copied to the host for one number
class Means(nn.Module):
    def forward(self, x: torch.Tensor, labels: torch.Tensor, scores: torch.Tensor):
        x, labels, scores = x.view(8, 64, 56, 56), labels.view(8, 56, 56), scores.view(8, 56, 56)
        mean = x.detach().mean().cpu()
        hits = (x.argmax(1) == labels).to("cpu").float().sum()
        worst = scores.cpu().numpy().max()
        return mean, hits, worst


# case: places that are looked for by comparing all with all
class Spline(nn.Module):
    def forward(self, t: torch.Tensor, knots: torch.Tensor, rows: torch.Tensor):
        knots = knots.view(-1)
        below = torch.searchsorted(knots.sort()[0], t)
        within = torch.searchsorted(knots.sort()[0], t, right=True)
        above = rows[:, None, :] > t.view(4, -1)[:, :, None]
        return below, within, above.sum(-1)


# case: bounds that are filled, by a number or by way of a device, for what is worked out of one
class Bounds(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, limit: float):
        a = x.clamp(max=limit)
        b = (x - y).clamp(min=0)
        c = x.clamp(min=0)
        return a, b, c, (0.9 * torch.min(x, y)).clamp(max=1)


bounded = nn.ModuleList(Bounds() for _ in range(12))


# case: the dimension that is reduced shows an image
class Shown(nn.Module):
    def forward(self, image: torch.Tensor):
        return image.amax(-3) + image.amin(3)


layers = nn.ModuleList(Shown() for _ in range(12))


# case: a comparison that is cast to be multiplied
class Masked(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        x = x.float()
        kept = x * (y > 0)
        low = (y < 0) * x.sigmoid()
        both = (x > 0) * (y > 0).float()
        return kept, low, both


layers = nn.ModuleList(Masked() for _ in range(12))


# case: a layer that is made for one call
class Made(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        weights = F.softmax(x, dim=-1)
        pooled = F.avg_pool2d(y, 2, stride=1)
        loss = F.mse_loss(weights, y, reduction='sum')
        total = nn.CrossEntropyLoss(weights)(x, y)
        return pooled, loss, total


layers = nn.ModuleList(Made() for _ in range(12))


# case: two dimensions, one after the other, in each of several layers
class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.gates = nn.ModuleList(Pooled() for _ in range(12))

    def forward(self, x: torch.Tensor):
        return [gate(x) for gate in self.gates]


class Pooled(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.view(8, 64, 32, 32)
        p = x.mean((2, 3))
        q = x.sum((-2, -1), keepdim=True)
        r = x.mean((1, 2))
        rows = x.mean(-1)
        return p, q, r, rows.mean(-1)


# case: the largest of absolute values
class Scale(nn.Module):
    @torch.no_grad()
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        whole = torch.linalg.vector_norm(x, float("inf"))
        rows = torch.linalg.vector_norm(x - y, float("inf"), dim=-1, keepdim=True)
        size = x.abs()
        return whole, rows, size.amax((0, 1))
