# doc: Activations and a norm, written out
class Block(nn.Module):
    def forward(self, x: torch.Tensor, eps: float):
        h = F.gelu(x)
        g = F.silu(x)
        n = F.rms_norm(x, x.shape[-1:], eps=eps)
        return h + g + n


# case: other activations
class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.sigmoid = nn.Sigmoid()

    def forward(self, x: torch.Tensor):
        a = F.gelu(x, approximate="tanh")
        cdf = 0.5 * (1.0 + torch.erf(x * 0.7071067811865476))
        b = x * cdf
        c = F.silu(x)
        d = x.mul_(x.sigmoid())
        return a, b, c, d


class Mish(nn.Module):
    def forward(self, x: torch.Tensor):
        return F.mish(x)


# case: logarithms
class Logarithms(nn.Module):
    def forward(self, x: torch.Tensor):
        p = F.softmax(x, dim=-1)
        q = F.softplus(-x)
        return torch.log(p), F.log_softmax(x, -1), q


# case: norms in steps
class Norms(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), 1e-6

    def forward(self, x: torch.Tensor):
        dtype = x.dtype
        x = x.to(torch.float32)
        variance = x.pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(variance + self.eps)
        u = x.mean(-1, keepdim=True)
        s = (x - u).pow(2).mean(-1, keepdim=True)
        y = (x - u) / torch.sqrt(s + self.eps)
        return self.weight * y.to(dtype)


class Whole(nn.Module):
    def forward(self, x: torch.Tensor):
        return F.layer_norm(x, x.shape[-1:], eps=1e-05)


# case: a sigmoid by hand, beside one of torch's
class Gates(nn.Module):
    def forward(self, x: torch.Tensor, slope: float):
        return F.sigmoid(x), torch.sigmoid(slope * x)
