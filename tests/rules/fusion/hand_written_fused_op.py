import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


# doc: Activations and a norm, written out
class Block(nn.Module):
    def forward(self, x: torch.Tensor, eps: float):
        h = 0.5 * x * (1.0 + torch.erf(x / math.sqrt(2.0)))  # expect: TPL601 @ 0.5 * x * (1.0 + torch.erf(x / math.sqrt(2.0)))
        g = x * torch.sigmoid(x)  # expect: TPL601 @ x * torch.sigmoid(x)
        n = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)  # expect: TPL601 @ x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
        return h + g + n


# case: other activations
class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.sigmoid = nn.Sigmoid()

    def forward(self, x: torch.Tensor):
        a = 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * torch.pow(x, 3))))  # expect: TPL601 @ 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * torch.pow(x, 3))))
        cdf = 0.5 * (1.0 + torch.erf(x * 0.7071067811865476))
        b = x * cdf  # expect: TPL601 @ x * cdf
        c = self.sigmoid(x) * x  # expect: TPL601 @ self.sigmoid(x) * x
        d = x.mul_(x.sigmoid())  # expect: TPL601 @ x.mul_(x.sigmoid())
        return a, b, c, d


class Mish(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * F.softplus(x).tanh()  # expect: TPL601 @ x * F.softplus(x).tanh()


# case: logarithms
class Logarithms(nn.Module):
    def forward(self, x: torch.Tensor):
        p = F.softmax(x, dim=-1)
        q = torch.log(1 + torch.exp(-x))  # expect: TPL601 @ torch.log(1 + torch.exp(-x))
        return torch.log(p), torch.log(torch.softmax(x, -1)), q  # expect: TPL601 @ torch.log(p) && TPL601 @ torch.log(torch.softmax(x, -1))


# case: norms in steps
class Norms(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), 1e-6

    def forward(self, x: torch.Tensor):
        dtype = x.dtype
        x = x.to(torch.float32)
        variance = x.pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(variance + self.eps)  # expect: TPL601 @ x * torch.rsqrt(variance + self.eps)
        u = x.mean(-1, keepdim=True)
        s = (x - u).pow(2).mean(-1, keepdim=True)
        y = (x - u) / torch.sqrt(s + self.eps)  # expect: TPL601 @ (x - u) / torch.sqrt(s + self.eps)
        return self.weight * y.to(dtype)


class Whole(nn.Module):
    def forward(self, x: torch.Tensor):
        return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5)  # expect: TPL601 @ (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5)


# ok: a gate of something else, another scale, another function
class Gates(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        quick = x * torch.sigmoid(1.702 * x)
        gate = y * torch.sigmoid(x)
        bell = 0.25 * x * (1 + torch.erf(x / math.sqrt(2)))
        other = y * 0.5 * (1 + torch.erf(x / math.sqrt(2)))
        shifted = torch.log(2 + torch.exp(x)) + torch.log(1 - torch.exp(x))
        safe = torch.log(F.softmax(x, dim=-1) + 1e-8)
        x, z = y, x
        return quick, gate, bell, other, shifted, safe, x * torch.sigmoid(z)


# ok: other norms
class OtherNorms(nn.Module):
    def forward(self, x: torch.Tensor, eps: float):
        mean, std = x.mean(-1, keepdim=True), x.std(-1, keepdim=True)
        a = (x - mean) / (std + eps)
        b = (x - mean) / torch.sqrt(x.var(-1, keepdim=True) + eps)
        u = x.mean(1, keepdim=True)
        s = (x - u).pow(2).mean(1, keepdim=True)
        c = (x - u) / torch.sqrt(s + eps)
        d = x * torch.rsqrt(x.pow(2).sum(-1, keepdim=True) + eps)
        e = x * torch.rsqrt(u.pow(2).mean(-1, keepdim=True) + eps)
        return a, b, c, d, e


# ok: the probabilities are used as well, so only their logarithm is one pass more
class Both(nn.Module):
    def forward(self, x: torch.Tensor):
        p = F.softmax(x, dim=-1)
        return -(p * torch.log(p)).sum(-1)


# ok: the file has the fused operation too
def activate(x: torch.Tensor):
    return F.silu(x) if hasattr(F, "silu") else x * torch.sigmoid(x)


# ok: it is compiled, or a decorator puts a kernel in its place
@torch.compile
def compiled(x: torch.Tensor):
    return x * torch.sigmoid(x)


@jit_fuser
def fused(x: torch.Tensor):
    return x * torch.sigmoid(x)


@use_kernel_forward_from_hub("RMSNorm")
class Replaced(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


# ok: its author wrote the backward pass
class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0]
        s = torch.sigmoid(x)
        return grad * (s * (1 + x * (1 - s)))


# ok: on the host
def on_host(loader):
    for x in loader:
        n = x.numpy()
        yield n * (1 / (1 + np.exp(-n))), np.log(1 + np.exp(n))
        weight = torch.rand(3, device="cpu")
        yield weight * torch.sigmoid(weight)


# case: a sigmoid by hand, beside one of torch's
class Gates(nn.Module):
    def forward(self, x: torch.Tensor, slope: float):
        return 1.0 / (1.0 + torch.exp(-x)), torch.sigmoid(slope * x)  # expect: TPL601 @ 1.0 / (1.0 + torch.exp(-x))


# ok: other fractions
class Fractions(nn.Module):
    def forward(self, x: torch.Tensor):
        return 2 / (1 + torch.exp(-x)), 1 / (2 + torch.exp(-x)), 1 / (1 + torch.exp(x)), 1 - (1 + torch.exp(-x))


# ok: written so for an export, and the file has torch's own for all else
class SiLU(nn.Module):
    """A form of nn.SiLU() that can be exported."""

    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x)


# ok: who uses torch's own has a reason for another
class Swish(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


def activation(name: str):
    return nn.SiLU(inplace=True) if name == "silu" else Swish()


# ok: what a trace for an export takes
class Exported(nn.Module):
    def forward(self, x):
        if torch._C._get_tracing_state():
            return x * torch.sigmoid(x)
        return Function.apply(x)


class Other(nn.Module):
    def forward(self, x):
        if torch._C._get_tracing_state() is not None:
            x = x * torch.sigmoid(x)
        return x
