import math

import torch
import torch.nn.functional as F
from torch import nn


# doc: Attention that is written out
class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.heads, self.dropout = heads, nn.Dropout(0.1)

    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        b, n, c = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(mask == 0, -1e9)
        weights = self.dropout(F.softmax(scores, dim=-1))  # expect: TPL602 @ F.softmax(scores, dim=-1)
        return (weights @ v).transpose(1, 2).reshape(b, n, c)


# case: other ways to write it
class Bert(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.attend, self.drop = nn.Softmax(dim=-1), nn.Dropout(0.1)
        self.query, self.key, self.value = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor, attention_mask: torch.Tensor):
        query, key, value = self.query(x), self.key(x), self.value(x)
        attention_scores = torch.matmul(query, key.transpose(-1, -2))
        attention_scores = attention_scores / math.sqrt(64)
        if attention_mask is not None:
            attention_scores = attention_scores + attention_mask
        attention_probs = nn.Softmax(dim=-1)(attention_scores)  # expect: TPL602 @ nn.Softmax(dim=-1)(attention_scores)
        attention_probs = self.drop(attention_probs)
        return torch.matmul(attention_probs, value)


class Kernels(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.Softmax(dim=-1)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float):
        att = ((q * scale) @ (k.transpose(2, 3) * scale)).softmax(3)  # expect: TPL602 @ ((q * scale) @ (k.transpose(2, 3) * scale)).softmax(3)
        y = att @ v
        dots = torch.einsum("bhid,bhjd->bhij", q, k) * scale
        attn = self.attend(dots)  # expect: TPL602 @ self.attend(dots)
        z = torch.einsum("bhij,bhjd->bhid", attn, v)
        sim = torch.bmm(q, k.mT)
        sim *= scale
        w = sim.softmax(dim=-1).to(v.dtype)  # expect: TPL602 @ sim.softmax(dim=-1)
        return y + z + torch.bmm(w, v)


# ok: the weights are returned, or kept
class Shown(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        weights = F.softmax(q @ k.mT, dim=-1)
        self.kept = F.softmax(q @ k.mT, dim=-1)
        return weights @ v, weights, self.kept @ v


class ShownIfAsked(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, output_attentions: bool):
        weights = F.softmax(q @ k.mT, dim=-1)
        out = weights @ v
        if not output_attentions:
            weights = None
        return out, weights


# ok: no attention: a mixture, a classifier, a softmax over something else
class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.experts = nn.Parameter(torch.rand(8, 4)), nn.Parameter(torch.rand(4, 8))
        self.over_queries = nn.Softmax(dim=-2)

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        mixed = F.softmax(x @ self.gate, dim=-1) @ self.experts
        probabilities = F.softmax(x, dim=-1)
        columns = F.softmax(x @ y.mT, dim=0) @ y
        others = nn.Softmax(dim=-2)(x @ y.mT) @ y + self.over_queries(x @ y.mT) @ y
        return mixed, probabilities @ y, columns, others


# ok: scores that go through more
class Capped(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        scores = torch.tanh(q @ k.mT / 50) * 50
        return F.softmax(scores, dim=-1) @ v


# ok: the fused way stands beside it
class Either(nn.Module):
    def __init__(self):
        super().__init__()
        self.fused = hasattr(F, "scaled_dot_product_attention")

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        if self.fused:
            return F.scaled_dot_product_attention(q, k, v)
        return F.softmax(q @ k.mT, dim=-1) @ v


# ok: so does a flag for another fused one
class Chosen(nn.Module):
    def __init__(self, use_flash_attn=True):
        super().__init__()
        self.attend = self.fast if use_flash_attn else self.naive

    def naive(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        return F.softmax(q @ k.mT, dim=-1) @ v

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        return self.attend(q, k, v)


# ok: attention over channels, of which there are few
class CrossCovariance(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        q = q.transpose(-2, -1)
        k = k.transpose(-2, -1)
        v = v.transpose(-2, -1)
        q = F.normalize(q, dim=-1)
        scores = q @ k.transpose(-2, -1)
        return scores.softmax(dim=-1) @ v


# ok: it is compiled
@torch.compile
def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    return F.softmax(q @ k.mT, dim=-1) @ v


# case: a bias that is trained is added to the scores: what the fused way gains is lost to its gradient
class Windowed(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(169, 4))
        self.register_buffer("where", torch.zeros(49, 49, dtype=torch.long))

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        scores = q @ k.transpose(-2, -1)
        bias = self.table[self.where].permute(2, 0, 1)
        scores = scores + bias.unsqueeze(0)
        return scores.softmax(dim=-1) @ v  # expect: TPL602 @ scores.softmax(dim=-1)


class Distances(nn.Module):
    def __init__(self):
        super().__init__()
        self.biases = nn.Linear(1, 4)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, far: torch.Tensor):
        scores = q @ k.mT / 8
        scores += self.biases(far[..., None]).movedim(-1, 1)
        return F.softmax(scores, dim=-1) @ v  # expect: TPL602 @ F.softmax(scores, dim=-1)


# case: a bias that is fixed
class Sloped(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("slopes", torch.zeros(4, 1, 64))

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        return F.softmax(q @ k.mT / 8 + self.slopes, dim=-1) @ v  # expect: TPL602 @ F.softmax(q @ k.mT / 8 + self.slopes, dim=-1)


def layers():
    return [Windowed() for _ in range(9)], [Distances() for _ in range(9)], [Sloped() for _ in range(9)]


# ok: one query, so one row of scores
class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.ask, self.key = nn.Linear(64, 64), nn.Linear(64, 64)

    def forward(self, x: torch.Tensor):
        q = self.ask(x[:, 0]).unsqueeze(1)
        q = q * 0.125
        scores = q @ self.key(x).transpose(-2, -1)
        return scores.softmax(dim=-1) @ x


# case: all queries, which stand beside the keys
class Stacked(nn.Module):
    def forward(self, qk: torch.Tensor, v: torch.Tensor):
        q, k = qk[:, 0], qk[:, 1]
        first = q
        return (first @ k.mT / 8).softmax(dim=-1) @ v  # expect: TPL602 @ (first @ k.mT / 8).softmax(dim=-1)


# case: five dimensions, and columns that nothing splits into heads: hints
class Tiles(nn.Module):
    def forward(self, x: torch.Tensor, b: int, n: int):
        q, k, v = x.reshape(b, n, 49, 4, 16), x.reshape(b, n, 49, 4, 16), x.reshape(b, n, 49, 4, 16)
        return (q @ k.mT / 4).softmax(dim=-1) @ v  # expect: TPL602 @ (q @ k.mT / 4).softmax(dim=-1)


class Columns(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        weights = F.softmax(q.bmm(k.transpose(2, 1)) / 8, dim=-1)  # expect: TPL602 @ F.softmax(q.bmm(k.transpose(2, 1)) / 8, dim=-1)
        return weights.bmm(v)


def more():
    pooled = [Pooled() for _ in range(9)], [Stacked() for _ in range(9)]
    return pooled, [Tiles() for _ in range(9)], [Columns() for _ in range(9)]


# ok: who wrote it knows the fused way
class Careful(nn.Module):
    def forward(self, x: torch.Tensor, heads: int):
        # scaled_dot_product_attention() may give other digits here
        if heads != 0:
            q, k, v = x.unbind(3)
            x = (q @ k.mT / 8).softmax(dim=-1) @ v
        return x


def careful():
    return [Careful() for _ in range(9)]
