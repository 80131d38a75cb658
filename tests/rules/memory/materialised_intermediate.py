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
    def forward(self, i: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
        table = torch.rand(7, 8, device="cuda")
        rows = torch.matmul(F.one_hot(i, 7).to(table.dtype), table)  # expect: TPL504 @ torch.matmul(F.one_hot(i, 7).to(table.dtype), table)
        far = torch.sqrt(((a.unsqueeze(1) - b.unsqueeze(0)) ** 2).sum(-1))  # expect: TPL504 @ torch.sqrt(((a.unsqueeze(1) - b.unsqueeze(0)) ** 2).sum(-1))
        difference = a[:, None, :] - b[None, :, :]
        near = difference.pow(2).sum(dim=2).sqrt()  # expect: TPL504 @ difference.pow(2).sum(dim=2).sqrt()
        return rows, far, near


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
