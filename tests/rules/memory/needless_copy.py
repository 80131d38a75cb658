import torch
import torch.nn.functional as F
from torch import nn


# doc: What is repeated for an operation that broadcasts, and a copy for a product
class Pairs(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        each = x.unsqueeze(1).repeat(1, y.shape[0], 1)  # expect: TPL503 @ x.unsqueeze(1).repeat(1, y.shape[0], 1)
        return each * y, x @ y.t().contiguous()  # expect: TPL503 @ y.t().contiguous()


# case: other operations
class Others(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, index: torch.Tensor, n: int):
        a = torch.gather(x, 1, index.unsqueeze(-1).repeat(1, 1, n))  # expect: TPL503 @ index.unsqueeze(-1).repeat(1, 1, n)
        b = torch.where(x > 0, x, y[:, None].repeat(1, n, 1))  # expect: TPL503 @ y[:, None].repeat(1, n, 1)
        c = y[None].repeat(n, 1, 1) + x  # expect: TPL503 @ y[None].repeat(n, 1, 1)
        d = torch.matmul(x, y.transpose(-1, -2).contiguous())  # expect: TPL503 @ y.transpose(-1, -2).contiguous()
        e = x.gather(1, index[:, :, None].repeat(1, 1, n))  # expect: TPL503 @ index[:, :, None].repeat(1, 1, n)
        return a, b, c, d, e, F.linear(x, y.mT.contiguous())  # expect: TPL503 @ y.mT.contiguous()


# ok: the copy is viewed, written, returned, kept
class Kept(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: int):
        viewed = x.unsqueeze(1).repeat(1, n, 1).view(-1, 4)
        written = x.unsqueeze(1).repeat(1, n, 1)
        written[:, 0] = 0
        both = x.unsqueeze(1).repeat(1, n, 1)
        z = both + y
        self.kept = x.unsqueeze(0).repeat(n, 1, 1)
        other = x.unsqueeze(1).repeat(1, n, 1)
        other += y
        joined = torch.cat([y, x.unsqueeze(1).repeat(1, n, 1)], dim=-1)
        return joined, viewed, written + y, both.view(-1), z, x.unsqueeze(1).repeat(1, n, 1), other


# ok: more than the new dimension is repeated, or one that has more than one element
class Tiled(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: int):
        a = x.unsqueeze(1).repeat(1, n, 2) + y
        b = x.repeat(n, 1) + y
        c = x[:, 0:1].repeat(1, n) * y
        d = x.unsqueeze(2).repeat(1, n, 1) * y
        return a, b, c, d, x[0].repeat(n, 1) * y


# ok: dense for something else than a product
class Dense(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        flat = x.transpose(1, 2).contiguous().view(x.shape[0], -1)
        heads = x.permute(0, 2, 1, 3).contiguous() @ y
        batch = x.transpose(0, 1).contiguous() @ y
        return flat, heads, batch, x.contiguous() @ y


# ok: a comment says why
class Explained(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return x @ y.transpose(-2, -1).contiguous()  # contiguous() fixes a bug of the compiler


# ok: on the host, and once
def host(n: int):
    x = torch.rand(3, 4)
    y = torch.rand(3, n, 4)
    return x.unsqueeze(1).repeat(1, n, 1) * y


# ok: the counts are those of the last dimensions, and a new one comes before them
def more_counts_than_dimensions(y: torch.Tensor, n: int):
    x = torch.arange(10, device="cuda")
    return x.unsqueeze(1).repeat(1, n, 1) * y
