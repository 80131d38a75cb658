import torch
import torch.nn.functional as F
from torch import nn


# doc: Half of what `max` gives is thrown away, and a mask is counted
class Head(nn.Module):
    def forward(self, image: torch.Tensor):
        image = image.view(8, 3, 224, 224)
        highest, _ = image.max(-3)  # expect: TPL612 @ image.max(-3)
        lowest, where_lowest = image.min(-3)  # expect: TPL612 @ image.min(-3)
        found = (image > 1).sum() > 0  # expect: TPL612 @ (image > 1).sum() > 0
        return highest - lowest, found


layers = nn.ModuleList(Head() for _ in range(12))


# case: further halves
class Pool(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.view(8, 64, 56, 56)
        a = torch.max(x, dim=1, keepdim=True)[0]  # expect: TPL612 @ torch.max(x, dim=1, keepdim=True)
        b = x.min(2).values  # expect: TPL612 @ x.min(2)
        return a, b


layers = nn.ModuleList(Pool() for _ in range(12))


# case: whether there is one
# run: layers[0](torch.tensor([[1.0, 2.0], [0.0, 0.5]])), layers[1](torch.zeros(2, 2)), layers[2](torch.zeros(0, 2))
class Any(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.reshape(-1, 1, 1, 2)
        mask = x > 1
        return (x > 1).sum() > 0, mask.sum(0) > 0, mask.sum() == 0  # expect: TPL612 @ (x > 1).sum() > 0 && TPL612 @ mask.sum(0) > 0 && TPL612 @ mask.sum() == 0


layers = nn.ModuleList(Any() for _ in range(12))


# case: only where the largest element is
class Route(nn.Module):
    def forward(self, x: torch.Tensor):
        logits = x.exp().view(4, 8, -1)
        first = F.softmax(logits, dim=1).argmax(1 - 2 + 2)  # expect: TPL612 @ F.softmax(logits, dim=1).argmax(1 - 2 + 2)
        probabilities = torch.softmax(logits, 1)
        _, routes = torch.max(probabilities, 1)  # expect: TPL612 @ torch.max(probabilities, 1)
        return first, routes


layers = nn.ModuleList(Route() for _ in range(12))


# case: everything is put in order
class Best(nn.Module):
    def forward(self, x: torch.Tensor, k: int):
        first = x.sort(descending=True)[0][:, :k]  # expect: TPL612 @ x.sort(descending=True)
        second = torch.argsort(x, dim=-1, descending=True)[..., :5]  # expect: TPL612 @ torch.argsort(x, dim=-1, descending=True)
        third = x[:, 4].argsort()[:k]  # expect: TPL612 @ x[:, 4].argsort()
        return first, second, third


# case: no fix where a fix would compute twice, or takes all but some
class Rest(nn.Module):
    def forward(self, x: torch.Tensor, k: int):
        first = x.exp().sort(descending=True)[0][:, :k]  # expect: TPL612 @ x.exp().sort(descending=True)
        second = x.argsort()[:-1]  # expect: TPL612 @ x.argsort()
        return first, second


# case: two passes where one will do
class Fill(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        x = x.float().view(8, 64, 56, 56)
        low = torch.ones_like(x) * -1e9  # expect: TPL612 @ torch.ones_like(x) * -1e9
        return mask, low


layers = nn.ModuleList(Fill() for _ in range(12))


# case: matrices that need not be made
class Scale(nn.Module):
    def forward(self, x: torch.Tensor, v: torch.Tensor, a: torch.Tensor):
        x, a = x.view(8, 8), a.view(8, 8)
        scaled = torch.diag(v) @ x  # expect: TPL612 @ torch.diag(v) @ x
        similar = torch.diagonal(x @ a)  # expect: TPL612 @ torch.diagonal(x @ a)
        return scaled, similar


# case: formulas for which there is one operation
class Blend(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, gate: torch.Tensor, weight: float):
        x, y = x.float(), y.float()
        share = torch.rand_like(x)
        a = x * share + y * (1 - share)  # expect: TPL612 @ x * share + y * (1 - share)
        b = (1.0 - weight) * x + weight * y  # expect: TPL612 @ (1.0 - weight) * x + weight * y
        c = torch.max(x, torch.zeros_like(x))  # expect: TPL612 @ torch.max(x, torch.zeros_like(x))
        d = torch.minimum(torch.full_like(y, weight), y)  # expect: TPL612 @ torch.minimum(torch.full_like(y, weight), y)
        most = torch.ones_like(x)
        return a, b, c, d, x.min(most)  # expect: TPL612 @ x.min(most)


layers = nn.ModuleList(Blend() for _ in range(12))


# case: `lerp` raises where a gate comes out of a layer under autocast, or an average is wider than the weights: no fix
class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(64, 64)

    def forward(self, x: torch.Tensor, target: torch.Tensor, average: torch.Tensor):
        target = target.float()
        gate = self.score(target).sigmoid()
        a = target * gate + (1 - gate) * target.exp()  # expect: TPL612 @ target * gate + (1 - gate) * target.exp()
        b = x * gate + target * (1 - gate)  # expect: TPL612 @ x * gate + target * (1 - gate)
        average.mul_(0.9).add_(x.detach(), alpha=0.1)  # expect: TPL612 @ average.mul_(0.9).add_(x.detach(), alpha=0.1)
        mean = torch.zeros(64, 64, device="cuda")
        mean.mul_(0.9).add_(target, alpha=0.1)  # expect: TPL612 @ mean.mul_(0.9).add_(target, alpha=0.1)
        return a, b, average, mean


layers = nn.ModuleList(Gated() for _ in range(12))


# ok: one number a channel
class Norm(nn.Module):
    def forward(self, x: torch.Tensor, momentum: float):
        x = x.float().view(8, 64)
        mean, before = x.mean(0), torch.zeros(64, device="cuda")
        return before * (1 - momentum) + mean * momentum


# ok: other formulas, whole numbers, numbers of Python, a tensor of another shape
class Formulas(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, gate: torch.Tensor, a: float, b: float, mask: torch.Tensor):
        other = x * gate + y * (1 - mask)
        number = a * gate + b * (1 - gate)
        twice = x * gate + y * (2 - gate)
        hard = mask.long()
        cut = x.long() * hard + y.long() * (1 - hard)
        shape = torch.max(x, torch.zeros_like(y))
        typed = torch.max(x, torch.zeros_like(x, dtype=torch.float64))
        scalar = a * b + 3 * (1 - a)
        kl_loss, ce_loss = x.sigmoid(), y.sigmoid()
        mixed = a * x.sum() + (1 - a) * y.sum(), a * kl_loss + (1 - a) * ce_loss
        return other, number, twice, cut, shape, typed, scalar, mixed, torch.max(x, y)


# case: a tensor that nobody reads
class Reduce(nn.Module):
    def forward(self, x: torch.Tensor, parts: list[torch.Tensor]):
        total = torch.empty_like(x)  # expect: TPL612 @ torch.empty_like(x)
        for part in parts:
            total = part.exp()
            x = x + total
        return x


layers = nn.ModuleList(Reduce() for _ in range(12))


# ok: a row that is filled twice
class Row(nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        return x + torch.ones(n, device=x.device) * 5, x * (torch.zeros_like(x) + 0.5)


# ok: both halves are read
class Both(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.view(8, 64, 56, 56)
        values, places = x.max(1)
        named = x.min(1)
        return values + named.values, places, named.indices


# ok: the places alone, all elements, or two tensors
class Places(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        x, y = x.view(8, 64, 56, 56), y.view(8, 64, 56, 56)
        _, places = x.max(1)
        return places, x.max(1)[1], x.max(), torch.max(x, y)[0]


# ok: an array, a list, on the CPU
class Host(nn.Module):
    def forward(self, values, table):
        import numpy as np

        counted = (np.asarray(values) > 1).sum() > 0
        x = torch.zeros(3, 4, 5, 6)
        highest, _ = x.max(1)
        rows = table.max(1)[0]
        return counted, highest, rows


# ok: nobody knows how large it is
class Unknown(nn.Module):
    def forward(self, x: torch.Tensor, anchors: torch.Tensor):
        ratio = x[:, :, 4:6] / anchors[:, None]
        worst = torch.max(ratio, 1 / ratio).max(2)[0]
        return x.max(1)[0], worst, (ratio > 1).sum() > 0, x.softmax(-1).argmax(-1)


# ok: nothing in sight runs it with every batch
def largest(x: torch.Tensor):
    x = x.cuda().view(8, 64, 56, 56)
    return x.max(1)[0], x.sort(descending=True)[0][..., :3], (x > 1).sum() > 0


# ok: how many there are is wanted
class Count(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.view(8, 64, 56, 56)
        mask = x > 1
        return mask.sum() > 3, mask.sum(), x.sum() > 0, mask.sum() == 1


# ok: the probabilities are read as well, or are along something else
class Probabilities(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.view(4, 8, 16)
        p = F.softmax(x, dim=1)
        q = F.softmax(x, dim=2).argmax(1)
        best, classes = F.softmax(x, dim=1).max(1)
        return p.argmax(1), p, q, best, classes


# ok: all of the order, its end, or another dimension
class Order(nn.Module):
    def forward(self, x: torch.Tensor, k: int):
        return x.sort(dim=0)[0][:, :k], x.argsort()[k:], torch.argsort(x), x.sort(stable=True)[0][:, :k]


# ok: a tensor that is filled by a tensor, or in another type
class Fills(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, mask: torch.Tensor):
        return torch.ones_like(x) * y, torch.zeros_like(x) + y, torch.where(mask, x, torch.zeros_like(x))


# ok: a diagonal that is taken out; what gains nothing: a product with an inverse, a sum of exponentials
class Vectors(nn.Module):
    def forward(self, x: torch.Tensor, a: torch.Tensor):
        return torch.diag(x @ a), torch.diagonal(x @ a)


class Inverse(nn.Module):
    def forward(self, x: torch.Tensor, a: torch.Tensor):
        inverse = torch.inverse(a)
        total = torch.log(torch.sum(torch.exp(x), dim=1))
        return torch.diag(a), inverse @ x, torch.inverse(x) @ a, total


# ok: the tensor is read, at a later turn too
class Kept(nn.Module):
    def forward(self, xs: list[torch.Tensor]):
        last = torch.zeros(3).cuda()
        for x in xs:
            last = last + x
        out = torch.zeros_like(last)
        out = out + last if len(xs) > 3 else out
        return out


# ok: bound anew on one way, and read on another
class Ways(nn.Module):
    def forward(self, x: torch.Tensor, masked: bool):
        if masked:
            mask = torch.zeros_like(x)
        else:
            mask = torch.ones_like(x)
        low = torch.zeros_like(x)
        for _ in range(3):
            low = low + mask
        top = torch.zeros_like(x)
        for each in x:
            top = each
        return mask, low, top


# case: what is put in order has a name, and nobody reads more than its beginning
class Ranked(nn.Module):
    def forward(self, x: torch.Tensor, k: int):
        x = x.view(8, -1)
        scores, order = x.sort(descending=True)  # expect: TPL612 @ x.sort(descending=True)
        best, places = scores[:, :k], order[:, :k]
        low = torch.sort(x, dim=-1).values  # expect: TPL612 @ torch.sort(x, dim=-1)
        flat = x[0].argsort()  # expect: TPL612 @ x[0].argsort()
        return best, places, low[..., :3], x[1][flat[:k]]


# ok: more of it is read, of some rows, or of another length
class Whole(nn.Module):
    def forward(self, x: torch.Tensor, k: int, n: int):
        x = x.view(8, -1)
        scores, order = x.sort(descending=True)
        values = x.sort().values
        rows = x.argsort()
        kept = x.sort(stable=True).values
        columns = x.sort(dim=0).values
        told, places = x.sort()
        print(places.shape)
        return scores[:, :k], order[:, :n], values[:, k:], rows[:k], kept[:, :k], columns[:, :k], told[:, :k]


class Kept(nn.Module):
    def forward(self, x: torch.Tensor, k: int):
        found = x.view(-1).argsort()
        self.found = found
        most = x.view(-1).argsort()
        return found[:k], [most[:k] for _ in range(2)], lambda: most


# case: what is cut is joined again, and weights to draw from are all the same
class Regroup(nn.Module):
    def forward(self, x: torch.Tensor, n: int, p: float):
        halves = torch.stack(x.chunk(2, dim=0), 0)  # expect: TPL612 @ torch.stack(x.chunk(2, dim=0), 0)
        rows = torch.stack(torch.split(x, 8))  # expect: TPL612 @ torch.stack(torch.split(x, 8))
        flat = torch.cat(x.unbind(1), dim=1)  # expect: TPL612 @ torch.cat(x.unbind(1), dim=1)
        parts = x.unbind(0)
        same = torch.stack(parts)  # expect: TPL612 @ torch.stack(parts)
        return halves, rows, flat, same


class Draw(nn.Module):
    def forward(self, x: torch.Tensor, p: float, n: int):
        a = torch.bernoulli(torch.full_like(x, p))  # expect: TPL612 @ torch.bernoulli(torch.full_like(x, p))
        rate = x.new_full((n,), p)
        b = rate.bernoulli()  # expect: TPL612 @ rate.bernoulli()
        c = torch.multinomial(torch.ones(n, device=x.device), 8)  # expect: TPL612 @ torch.multinomial(torch.ones(n, device=x.device), 8)
        return a, b, c


# ok: another dimension, parts that are used, another order, another operation between, weights that differ
class Regrouped(nn.Module):
    def forward(self, x: torch.Tensor, p: torch.Tensor):
        heads = torch.cat(x.chunk(4, 2), 0)
        first, second = x.chunk(2)
        swapped = torch.cat((second, first))
        parts = x.unbind(0)
        kept = torch.stack(parts), parts[0]
        turned = F.softmax(x.t(), dim=1).t()  # slower along the other dimension
        return heads, swapped, kept, turned, torch.bernoulli(p), torch.multinomial(p.exp(), 3)


# case: one of several parts, and a norm by hand
class Parts(nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        first = torch.split(x, n, dim=-1)[0]  # expect: TPL612 @ torch.split(x, n, dim=-1)
        last = x.chunk(2, 1)[-1]  # expect: TPL612 @ x.chunk(2, 1)
        lengths = torch.sqrt((x * x).sum(dim=-1, keepdim=True))  # expect: TPL612 @ torch.sqrt((x * x).sum(dim=-1, keepdim=True))
        squares = x.pow(2)
        norms = torch.sum(squares, 1).sqrt()  # expect: TPL612 @ torch.sum(squares, 1).sqrt()
        return first, last, lengths, norms


layers = nn.ModuleList(Parts() for _ in range(12))


# ok: all parts, parts by a number that varies, roots of something else
class Others(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, number: int, text: str):
        a, b = x.chunk(2)
        c = x.split(3)[number]
        name = text.split("/")[0]
        root = torch.sqrt((x * x).sum(-1) + 1e-6), (x * y).sum(-1).sqrt(), (x**3).sum(-1).sqrt(), (x * x).mean(-1).sqrt()
        pairs = ((x[:, None] - y[None]) ** 2).sum(-1).sqrt()
        return a, b, c, name, root, pairs


# case: whole tensors are copied to the host for one number
class Means(nn.Module):
    def forward(self, x: torch.Tensor, labels: torch.Tensor, scores: torch.Tensor):
        x, labels, scores = x.view(8, 64, 56, 56), labels.view(8, 56, 56), scores.view(8, 56, 56)
        mean = x.detach().cpu().mean()  # expect: TPL612 @ x.detach().cpu().mean()
        hits = (x.argmax(1) == labels).to("cpu").float().sum()  # expect: TPL612 @ (x.argmax(1) == labels).to("cpu").float().sum()
        worst = scores.cpu().numpy().max()  # expect: TPL612 @ scores.cpu().numpy().max()
        return mean, hits, worst


# ok: nothing shows more than the few hits of a batch
class Hits(nn.Module):
    def forward(self, x: torch.Tensor, labels: torch.Tensor, scores):
        rows = x.view(8, 10)
        return (x.argmax(1) == labels).cpu().sum(), rows.argmax(1).eq(labels).cpu().float().mean(), scores.cpu().numpy().max()


# ok: one number as it is, a copy that is read again, along a dimension, on the host, now and then, arguments
class Copies(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x: torch.Tensor, kl_loss: torch.Tensor, path):
        total = x.sum().cpu().max()
        host = x.cpu()
        rows = x.cpu().mean(0), x.cpu().sum(dim=1), x.to("cuda").mean(), x.to(torch.float16).sum()
        self.seen.append(host)
        drawn = torch.rand(64, 64).cpu().mean()
        return total, host.mean(), host.std(), kl_loss.detach().cpu().mean(), rows, drawn, path.cpu(3).mean()


# ok: nothing in sight runs it with every batch
def average(x: torch.Tensor):
    return x.cuda().exp().cpu().mean()


# case: the inverse of a triangle, to be multiplied
class Whitened(nn.Module):
    def forward(self, covariance: torch.Tensor, x: torch.Tensor):
        chol = torch.linalg.cholesky(covariance)
        white = torch.inverse(chol) @ x  # expect: TPL612 @ torch.inverse(chol) @ x
        eye = torch.eye(x.shape[0], device=x.device)
        inverse = torch.linalg.solve_triangular(chol, eye, upper=False)
        whiter = inverse.matmul(x)  # expect: TPL612 @ inverse.matmul(x)
        return white, whiter


# ok: an inverse that is used twice, or is of no triangle; a solve of something else
class Inverted(nn.Module):
    def forward(self, covariance: torch.Tensor, x: torch.Tensor, y: torch.Tensor):
        chol = torch.linalg.cholesky(covariance)
        inverse = chol.inverse()
        solved = torch.linalg.solve_triangular(chol, x, upper=False)
        return inverse @ x, inverse @ y, covariance.inverse() @ x, solved @ y


# case: places that are looked for by comparing all with all
class Spline(nn.Module):
    def forward(self, t: torch.Tensor, knots: torch.Tensor, rows: torch.Tensor):
        knots = knots.view(-1)
        below = (t.unsqueeze(-1) > knots).sum(-1)  # expect: TPL612 @ (t.unsqueeze(-1) > knots).sum(-1)
        within = (t[..., None] >= knots).long().sum(dim=-1)  # expect: TPL612 @ (t[..., None] >= knots).long().sum(dim=-1)
        above = rows[:, None, :] > t.view(4, -1)[:, :, None]
        return below, within, above.sum(-1)  # expect: TPL612 @ above.sum(-1)


# ok: a number, all of them, other dimensions, two columns, which are the same, the comparison is read as well
class Compared(nn.Module):
    def forward(self, t: torch.Tensor, knots: torch.Tensor):
        column = t.unsqueeze(-1)
        table = t.unsqueeze(-1) > knots
        positive = (column > 0).sum(-1), (t[:, None] > 1.5).sum(-1)
        every = (t.unsqueeze(-1) > knots).sum(), (t.unsqueeze(-1) > knots).sum(0)
        alike = (t.unsqueeze(-1) == knots).sum(-1), (t.unsqueeze(1) > knots).sum(-1)
        columns = (t.unsqueeze(-1) > knots.unsqueeze(-1)).sum(-1)
        return positive, every, alike, columns, table.sum(-1), table


# case: averages in two passes
class Codes(nn.Module):
    def __init__(self, decay: float, share: float):
        super().__init__()
        self.decay, self.share = decay, share

    @torch.no_grad()
    def forward(self, x: torch.Tensor, kept: torch.Tensor, old: torch.Tensor, new: torch.Tensor):
        decay, share = self.decay, self.share
        kept.mul_(decay).add_(x, alpha=1 - decay)  # expect: TPL612 @ kept.mul_(decay).add_(x, alpha=1 - decay)
        old.mul_(decay).add_(1 - decay, x)  # expect: TPL612 @ old.mul_(decay).add_(1 - decay, x)
        new.mul_(1.0 - share).add_(x, alpha=share)  # expect: TPL612 @ new.mul_(1.0 - share).add_(x, alpha=share)
        x.data.mul_(0.99).add_(new, alpha=0.01)  # expect: TPL612 @ x.data.mul_(0.99).add_(new, alpha=0.01)


layers = nn.ModuleList(Codes(0.9, 0.1) for _ in range(12))


# ok: one of the launches that an optimizer by hand makes for each weight
class Averages(torch.optim.Optimizer):
    @torch.no_grad()
    def step(self, decay: float = 0.9):
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["mean"].mul_(decay).add_(p.grad, alpha=1 - decay)


# ok: a launch or a pass less, and nothing shows that a step has many of them
class Once(nn.Module):
    def forward(self, image: torch.Tensor, kept: torch.Tensor):
        image = image.float().view(8, 3, 224, 224)
        highest, _ = image.max(-3)
        weights = nn.Softmax(dim=-1)(image)
        low = torch.ones_like(image) * -1e9
        kept.mul_(0.9).add_(image, alpha=0.1)
        masked = image * (weights > 0).float()
        bounded = torch.max(image, torch.zeros_like(image))
        return highest, low, masked, bounded, (image > 1).sum() > 0, image.chunk(2, 1)[-1]


# case: the rest of an average as a product
class Shadow(nn.Module):
    def update(self, mean: torch.Tensor, x: torch.Tensor, momentum: float):
        mean.mul_(momentum).add_((1 - momentum) * x.detach())  # expect: TPL612 @ mean.mul_(momentum).add_((1 - momentum) * x.detach())
        mean.mul_(1 - momentum).add_(x.detach() * momentum)  # expect: TPL612 @ mean.mul_(1 - momentum).add_(x.detach() * momentum)

    def forward(self, x: torch.Tensor, mean: torch.Tensor, momentum: float):
        self.update(mean, x, momentum)
        return x


shadows = nn.ModuleList(Shadow() for _ in range(12))


# case: bounds that are filled, by a number or by way of a device, for what is worked out of one
class Bounds(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, limit: float):
        a = torch.min(limit * torch.ones_like(x).detach(), x)  # expect: TPL612 @ torch.min(limit * torch.ones_like(x).detach(), x)
        b = torch.max(x - y, torch.zeros_like(x).to(x.device))  # expect: TPL612 @ torch.max(x - y, torch.zeros_like(x).to(x.device))
        c = torch.maximum(x, torch.tensor(0, device=x.device))  # expect: TPL612 @ torch.maximum(x, torch.tensor(0, device=x.device))
        return a, b, c, torch.min(torch.ones_like(x), 0.9 * torch.min(x, y))  # expect: TPL612 @ torch.min(torch.ones_like(x), 0.9 * torch.min(x, y))


bounded = nn.ModuleList(Bounds() for _ in range(12))


# ok: a bound that may be larger than what it bounds, or is no number; a part, and a product of matrices
class Larger(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, limit: torch.Tensor):
        a = torch.min(3 * torch.ones_like(x), y)
        b = torch.min(limit * torch.ones_like(x), x)
        c = torch.max(x[0] - y, torch.zeros_like(x))
        d = torch.max(x @ y, torch.zeros_like(x))
        e = torch.max(x, torch.tensor([0.0, 1.0], device=x.device))
        return a, b, c, d, e, torch.max(x, torch.tensor(limit))


larger = nn.ModuleList(Larger() for _ in range(12))


# ok: momentum, weights that add up to something else, a number, another operation in between
class Momentum(torch.optim.Optimizer):
    @torch.no_grad()
    def step(self, decay: float = 0.9):
        for group in self.param_groups:
            damp = group["dampening"]
            for p in group["params"]:
                state = self.state[p]
                state["a"].mul_(decay).add_(p.grad)
                state["b"].mul_(decay).add_(p.grad, alpha=1 - damp)
                state["c"].mul_(0.9).add_(p.grad, alpha=0.2)
                state["d"].mul_(decay).add_(1 - decay)
                state["e"].mul_(decay).addcmul_(p.grad, p.grad, value=1 - decay)
                state["f"].mul_(decay).neg_().add_(p.grad, alpha=1 - decay)


# case: the dimension that is reduced shows an image
class Shown(nn.Module):
    def forward(self, image: torch.Tensor):
        return image.max(-3)[0] + image.min(3).values  # expect: TPL612 @ image.max(-3) && TPL612 @ image.min(3)


layers = nn.ModuleList(Shown() for _ in range(12))


# ok: of a row, or of a table
class Row(nn.Module):
    def forward(self, image: torch.Tensor):
        return image.max(-1)[0] + image.min(1).values


# case: tables of ones and zeros that are passed through once more
class Classes(nn.Module):
    def forward(self, labels: torch.Tensor, x: torch.Tensor):
        x = x.float()
        planes = F.one_hot(labels, 19).permute(0, 3, 1, 2).float()  # expect: TPL612 @ F.one_hot(labels, 19)
        rows = F.one_hot(labels, num_classes=8).to(x.dtype)  # expect: TPL612 @ F.one_hot(labels, num_classes=8)
        dense = F.one_hot(labels, 19).movedim(-1, 1).contiguous()  # expect: TPL612 @ F.one_hot(labels, 19)
        table = F.one_hot(labels, 5)  # expect: TPL612 @ F.one_hot(labels, 5)
        turned = table.transpose(1, 2)
        return planes, rows, dense, turned.type_as(x)


# ok: the table itself, in another shape, for another reader, a mask, a copy of what lies dense
class Tables(nn.Module):
    def forward(self, labels: torch.Tensor):
        table = F.one_hot(labels, 5)
        both = F.one_hot(labels, 6)
        floats = both.float()
        mask = F.one_hot(labels, 7).bool(), F.one_hot(labels, 7).to(torch.bool)
        return table.permute(0, 3, 1, 2), F.one_hot(labels, 4).contiguous(), floats, both.sum(), mask


# case: a comparison that is cast to be multiplied
class Masked(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        x = x.float()
        kept = x * (y > 0).float()  # expect: TPL612 @ x * (y > 0).float()
        low = (y < 0).to(x.dtype) * x.sigmoid()  # expect: TPL612 @ (y < 0).to(x.dtype) * x.sigmoid()
        both = (x > 0).float() * (y > 0).float()  # expect: TPL612 @ (x > 0).float() * (y > 0).float()
        return kept, low, both


layers = nn.ModuleList(Masked() for _ in range(12))


# ok: fractions that nobody knows to be such, whole numbers, a number, a sum
class Counted(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, scale: float):
        z = y.long()
        unknown = x * (y > 0).float()
        whole = z * (y > 0).long(), z * (y > 0).float()
        share = scale * (y > 0).float()
        return unknown, whole, share, (y > 0).float() + x.float()


# case: a layer that is made for one call
class Made(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        weights = nn.Softmax(dim=-1)(x)  # expect: TPL612 @ nn.Softmax(dim=-1)
        pooled = nn.AvgPool2d(2, stride=1)(y)  # expect: TPL612 @ nn.AvgPool2d(2, stride=1)
        loss = nn.MSELoss(reduction="sum")(weights, y)  # expect: TPL612 @ nn.MSELoss(reduction="sum")
        total = nn.CrossEntropyLoss(weights)(x, y)  # expect: TPL612 @ nn.CrossEntropyLoss(weights)
        return pooled, loss, total


layers = nn.ModuleList(Made() for _ in range(12))


# ok: layers that are kept, that have weights, or a state
class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Softmax(dim=-1)
        self.stages = [nn.ReLU()(nn.Linear(3, 3).weight)]

    def forward(self, x: torch.Tensor):
        act = nn.GELU()
        return self.act(x), act(act(x)), nn.Dropout(0.5)(x), nn.Sequential(nn.ReLU())(x)


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
        p = x.mean(3).mean(2)  # expect: TPL612 @ x.mean(3).mean(2)
        q = torch.sum(torch.sum(x, dim=-1, keepdim=True), dim=-2, keepdim=True)  # expect: TPL612 @ torch.sum(torch.sum(x, dim=-1, keepdim=True), dim=-2, keepdim=True)
        r = x.mean(1).mean(1)  # expect: TPL612 @ x.mean(1).mean(1)
        rows = x.mean(-1)
        return p, q, r, rows.mean(-1)  # expect: TPL612 @ rows.mean(-1)


# ok: once a step that saves a launch
class Head2(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.view(8, 64, 32, 32)
        return x.mean(3).mean(2)


# ok: another operation, a mean that is read, of all, one of which is kept, in another type, of a matrix
class Means2(nn.Module):
    def forward(self, x: torch.Tensor, table: torch.Tensor):
        x, table = x.view(8, 64, 32, 32), table.view(8, 64)
        rows = x.mean(3)
        kept = x.mean(3, keepdim=True).mean(2), x.sum(3, dtype=torch.float64).sum(2), x.mean(3).mean(-1)
        return x.sum(3).mean(2), rows, rows.mean(2), x.mean().mean(), x.mean((2, 3)).mean(1), kept, table.sum(0).sum(0)


# case: a softmax under a mask, by hand
class Weighted(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        weights = F.softmax(x * mask, dim=-1)
        weights = weights * mask
        first = weights / (weights.sum(dim=-1, keepdim=True) + 1e-13)  # expect: TPL612 @ weights.sum(dim=-1, keepdim=True)
        other = x.softmax(1) * mask.float()
        return first, other / other.sum(1, keepdim=True).clamp(min=1e-6)  # expect: TPL612 @ other.sum(1, keepdim=True)


# ok: weights of another kind, of which the sum is of another tensor, no softmax, the largest few
class Weights(nn.Module):
    def forward(self, x: torch.Tensor, scale: torch.Tensor, mask: torch.Tensor):
        scaled = x.softmax(-1) * scale
        masked = x.softmax(-1) * mask
        hidden = x.sigmoid() * mask
        best = x.softmax(-1).topk(3)[0]
        a = scaled / scaled.sum(-1, keepdim=True), masked / hidden.sum(-1, keepdim=True)
        return a, hidden / hidden.sum(-1, keepdim=True), best / best.sum(-1, keepdim=True), masked / masked.sum()


# case: numbers are scattered into zeros, and all are raised
class Smooth(nn.Module):
    def forward(self, x: torch.Tensor, labels: torch.Tensor):
        a = torch.zeros_like(x).scatter_(1, labels, 0.9) + 0.1  # expect: TPL612 @ torch.zeros_like(x).scatter_(1, labels, 0.9)
        hot = x.new_zeros(x.shape).scatter(1, labels, 1.0)  # expect: TPL612 @ x.new_zeros(x.shape).scatter(1, labels, 1.0)
        return a, 0.01 + hot


# ok: a table that is read again, into something else, a tensor is added
class Hot(nn.Module):
    def forward(self, x: torch.Tensor, labels: torch.Tensor, y: torch.Tensor):
        hot = torch.zeros_like(x).scatter_(1, labels, 0.9)
        low = x.scatter(1, labels, 0.9) + 0.1
        high = torch.zeros_like(x).scatter_(1, labels, 0.9)
        return hot + 0.1, hot, low, high + y, torch.zeros_like(x).scatter_(1, labels, 0.9) * 0.1


# case: a copy that is written beyond a bound
class Bounded(nn.Module):
    def forward(self, x: torch.Tensor):
        y = x.clone()  # expect: TPL612 @ x.clone()
        y[y < 0] = 0
        z = x.exp().clone()  # expect: TPL612 @ x.exp().clone()
        z[z >= 1.0] = 1
        w = x.clone()  # expect: TPL612 @ x.clone()
        w[x > 6] = 6
        return y, z, w


layers = nn.ModuleList(Bounded() for _ in range(12))


# ok: another number, another mask, more in between, a part
class Copied(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor, least: float):
        a = x.clone()
        a[a < 0] = 1
        b = x.clone()
        b[mask] = 0
        c = x.clone()
        d = x.exp()
        c[c < 0] = 0
        e = x.clone()
        e[e == 0] = 0
        f = x.clone()
        f[0] = 0
        g = x.clone()
        g[mask < 0] = 0
        return a, b, c, d, e, f, g


# case: parts that are selected one by one
class Subsets(nn.Module):
    def forward(self, x: torch.Tensor, places: torch.Tensor):
        a = torch.stack([x.index_select(-2, places[:, k]) for k in range(3)], dim=-3)  # expect: TPL612 @ torch.stack([x.index_select(-2, places[:, k]) for k in range(3)], dim=-3)
        parts = [torch.index_select(x, 0, each) for each in places]
        return a, torch.cat(parts)  # expect: TPL612 @ torch.cat(parts)


# ok: of several tensors, some of them, another operation, the parts are read
class Selected(nn.Module):
    def forward(self, xs: list[torch.Tensor], x: torch.Tensor, places: torch.Tensor):
        a = torch.stack([each.index_select(0, places) for each in xs])
        b = torch.cat([x.index_select(0, each) for each in places if len(each) > 3])
        parts = [x.index_select(0, each) for each in places]
        return a, b, torch.cat(parts), parts[0], torch.stack([x.exp() for _ in range(3)])


# case: one element of each row of what is in order, or the last few
class Quantiles(nn.Module):
    def forward(self, x: torch.Tensor, k: int):
        median = x.sort(dim=-1)[0][..., k]  # expect: TPL612 @ x.sort(dim=-1)
        low, _ = torch.sort(x.view(8, -1))  # expect: TPL612 @ torch.sort(x.view(8, -1))
        high = x.sort().values[..., -k:]  # expect: TPL612 @ x.sort()
        return median, low[:, 3], high


# ok: of one row, along another dimension, several, the places too, a row, an index of tensors
class Quantile(nn.Module):
    def forward(self, x: torch.Tensor, k: int, places: torch.Tensor):
        flat = x.view(-1).sort()[0]
        several = x.sort()[0]
        both, order = x.sort()
        rows = x.view(8, -1).sort().values
        each = x.sort()[0][..., places]
        return flat[..., k], x.sort(dim=0)[0][..., k], several[..., 0], several[..., 5], both[..., k], order, rows[k], each


# case: the largest of absolute values
class Scale(nn.Module):
    @torch.no_grad()
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        whole = x.abs().max()  # expect: TPL612 @ x.abs().max()
        rows = torch.amax(torch.abs(x - y), dim=-1, keepdim=True)  # expect: TPL612 @ torch.amax(torch.abs(x - y), dim=-1, keepdim=True)
        size = x.abs()
        return whole, rows, size.amax((0, 1))  # expect: TPL612 @ size.amax((0, 1))


# ok: with a backward pass the norm takes longer
class Learns(nn.Module):
    def forward(self, x: torch.Tensor):
        return x.abs().max(), x.abs().amax(dim=-1)


# ok: where it stands is read, the values are read again, the least, whole numbers, a number, of two tensors, written elsewhere
class Scales(nn.Module):
    @torch.no_grad()
    def forward(self, x: torch.Tensor, y: torch.Tensor, out: torch.Tensor):
        size = x.abs()
        top, place = x.abs().max(1)
        least, counts = x.abs().amin(), x.long().abs().max()
        one, both = x.sum().abs().max(), torch.max(x.abs(), y)
        torch.amax(x.abs(), 1, out=out)
        return size.amax(), size.mean(), top, place, least, counts, one, both


# case: a part of the way from one tensor to another, as `lerp` goes it
class Way(nn.Module):
    def forward(self, x: torch.Tensor, before: torch.Tensor, share: torch.Tensor):
        x, before = x.view(8, 64, 56), before.view(8, 64, 56)
        mixed = x + (before - x) * share  # expect: TPL612 @ x + (before - x) * share
        again = (0.5 * (mixed - before)) + before  # expect: TPL612 @ (0.5 * (mixed - before)) + before
        return mixed, again.sum(1)


layers = nn.ModuleList(Way() for _ in range(12))


# ok: once a step, or from another start
class Guided(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor, scale: float):
        guided = x + scale * (y - x)
        return guided, z + (y - x) * scale


# case: ones that change nothing
class Ones(nn.Module):
    def forward(self, x: torch.Tensor):
        signs = torch.ones_like(x) * torch.sign(x)  # expect: TPL612 @ torch.ones_like(x) * torch.sign(x)
        return signs, x.exp() * torch.ones_like(x)  # expect: TPL612 @ x.exp() * torch.ones_like(x)


# ok: they make the other one as large
class Spread(nn.Module):
    def forward(self, x: torch.Tensor, scale: torch.Tensor):
        return scale * torch.ones_like(x), torch.ones_like(x, dtype=torch.float64) * x.sign()


# case: the exponent is one number, kept in a tensor
class Cutoff(nn.Module):
    def __init__(self, p: int):
        super().__init__()
        self.register_buffer("p", torch.Tensor([p]))
        self.q = torch.tensor(3.0)

    def forward(self, x: torch.Tensor):
        first = torch.pow(x, self.p)  # expect: TPL612 @ torch.pow(x, self.p)
        return first, x.pow(2.0 * self.p + 1), x ** self.q  # expect: TPL612 @ x.pow(2.0 * self.p + 1) && TPL612 @ x ** self.q


# ok: it is trained, or there are several, or it is a number
class Trained(nn.Module):
    def __init__(self, n: int, powers):
        super().__init__()
        self.p = nn.Parameter(torch.tensor([3.0]))
        self.q = torch.Tensor(n)
        self.r = n
        self.register_buffer("s", torch.tensor(powers))

    def forward(self, x: torch.Tensor):
        return torch.pow(x, self.p), torch.pow(x, self.q), x.pow(self.r), x**self.s


# case: rows times columns, pair by pair
class Compare(nn.Module):
    def forward(self, x: torch.Tensor, bank: torch.Tensor):
        first = (x[:, None, None, :] @ bank[None, :, :, None]).squeeze(-1)  # expect: TPL612 @ x[:, None, None, :] @ bank[None, :, :, None]
        second = torch.matmul(x[:, None, None], bank[None, :, :, None])
        return first, second, torch.matmul(x[:, None, None, :], bank[None, :, :, None])  # expect: TPL612 @ torch.matmul(x[:, None, None, :], bank[None, :, :, None])


# ok: products of matrices, and rows with their own
class Apart(nn.Module):
    def forward(self, x: torch.Tensor, bank: torch.Tensor):
        return x[:, None, :, :] @ bank[None, :, :, :], x[:, :, None, :] @ bank[:, :, :, None]
