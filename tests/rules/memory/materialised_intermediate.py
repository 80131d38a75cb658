import torch
import torch.nn.functional as F
from torch import nn


# doc: Rows picked by a product, and distances by way of all differences
class Lookup(nn.Module):
    def __init__(self, classes: int, width: int):
        super().__init__()
        self.table = nn.Parameter(torch.rand(classes, width))
        self.classes = classes

    def forward(self, i: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
        rows = F.one_hot(i, self.classes).float() @ self.table  # expect: TPL504 @ F.one_hot(i, self.classes).float() @ self.table
        far = torch.norm(a[:, None] - b[None], dim=-1)  # expect: TPL504 @ torch.norm(a[:, None] - b[None], dim=-1)
        return rows, far


# case: other ways to write it
class Others(nn.Module):
    def forward(self, i: torch.Tensor, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor):
        table = torch.rand(7, 8, device="cuda")
        rows = torch.matmul(F.one_hot(i, 7).to(table.dtype), table)  # expect: TPL504 @ torch.matmul(F.one_hot(i, 7).to(table.dtype), table)
        far = torch.sqrt(((a.unsqueeze(1) - b.unsqueeze(0)) ** 2).sum(-1))  # expect: TPL504 @ torch.sqrt(((a.unsqueeze(1) - b.unsqueeze(0)) ** 2).sum(-1))
        difference = a[:, None, :] - c[None, :, :]
        near = difference.pow(2).sum(dim=2).sqrt()  # expect: TPL504 @ difference.pow(2).sum(dim=2).sqrt()
        return rows, far, near


# case: a product of matrices, element by element
class Similar(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, w: torch.Tensor):
        last = (a.unsqueeze(-2) * b.unsqueeze(-3)).sum(-1)  # expect: TPL504 @ (a.unsqueeze(-2) * b.unsqueeze(-3)).sum(-1)
        first = (w[None] * a[:, None]).sum(dim=2)  # expect: TPL504 @ (w[None] * a[:, None]).sum(dim=2)
        each = torch.sum(a.unsqueeze(2) * c.unsqueeze(1), 3)  # expect: TPL504 @ torch.sum(a.unsqueeze(2) * c.unsqueeze(1), 3)
        products = torch.mul(b.unsqueeze(-2), c.unsqueeze(-3))
        return last, first, each, products.sum(-1)  # expect: TPL504 @ products.sum(-1)


# ok: a sum of rows with weights, and a vector for each matrix: nothing is gained in training
class Attend(nn.Module):
    def forward(self, rows: torch.Tensor, scores: torch.Tensor, query: torch.Tensor):
        weights = scores.softmax(-1)
        a = (weights.unsqueeze(-1) * rows).sum(-2)
        b = (rows * weights.unsqueeze(2)).sum(dim=1)
        c = (rows * query[..., None, :]).sum(-1)
        return a, b, c, torch.sum(rows * query.unsqueeze(1), dim=2)


# ok: products that are read besides, other sums, other dimensions, masks, whole numbers
class Elements(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor, attention_mask: torch.Tensor, n: int):
        pooled = (b * attention_mask.unsqueeze(-1)).sum(-2)
        read = a.unsqueeze(-2) * b.unsqueeze(-3)
        all_of_it = (a.unsqueeze(-2) * b.unsqueeze(-3)).sum()
        middle = (a.unsqueeze(-2) * b.unsqueeze(-3)).sum(-2)
        kept = (a.unsqueeze(-2) * b.unsqueeze(-3)).sum(-1, keepdim=True)
        same = (a.unsqueeze(1) * b.unsqueeze(1)).sum(-1)
        scaled = (a.unsqueeze(-2) * n).sum(-1)
        masked = ((a > 0).unsqueeze(-1) * b).sum(-2)
        counted = (a.long().unsqueeze(-2) * b.long().unsqueeze(-3)).sum(-1)
        channels = (a.unsqueeze(1) * b.view(2, 3, 4, 5)).sum(-1)
        alike = (a * b).sum(-1)
        return pooled, read, read.sum(-1), all_of_it, middle, kept, same, scaled, masked, counted, channels, alike


# ok: the one-hot vectors are used for more, or pick nothing
class Kept(nn.Module):
    def forward(self, i: torch.Tensor, x: torch.Tensor, w: torch.Tensor):
        hot = F.one_hot(i, 7).float()
        counts = F.one_hot(i, 7).float().t() @ w
        scaled = F.one_hot(i, 7) * x
        return hot, hot @ torch.rand(7, 8, device="cuda"), counts, scaled, F.one_hot(i, 7).float() @ w


# ok: other lengths, differences that are read, pairs that are none
class Lengths(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor):
        manhattan = torch.norm(a[:, None] - b[None], p=1, dim=-1)
        squared = ((a[:, None] - b[None]) ** 2).sum(-1)
        difference = a[:, None] - b[None]
        far = difference.norm(dim=-1)
        row = torch.norm(a - b, dim=-1)
        middle = torch.norm(a[:, None] - b[None], dim=1)
        kept = torch.norm(a[:, None] - b[None], dim=-1, keepdim=True)
        line = torch.arange(4.0, device="cuda")
        flat = torch.norm(line[:, None] - line[None], dim=-1)
        return flat, manhattan, squared, difference / far[..., None], row, middle, kept, torch.norm(a[:, None] - b, dim=-1)


# ok: on the host
def host(a, b):
    x, y = torch.rand(3, 2), torch.rand(4, 2)
    return torch.norm(x[:, None] - y[None], dim=-1)
