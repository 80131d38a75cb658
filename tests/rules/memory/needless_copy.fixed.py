# doc: What is repeated for an operation that broadcasts, and a copy for a product
class Pairs(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        each = x.unsqueeze(1).expand(-1, y.shape[0], -1)
        return each * y, x @ y.t()


# case: other operations
class Others(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, index: torch.Tensor, n: int):
        a = torch.gather(x, 1, index.unsqueeze(-1).expand(-1, -1, n))
        b = torch.where(x > 0, x, y[:, None].expand(-1, n, -1))
        c = y[None].expand(n, -1, -1) + x
        d = torch.matmul(x, y.transpose(-1, -2))
        e = x.gather(1, index[:, :, None].expand(-1, -1, n))
        return a, b, c, d, e, F.linear(x, y.mT)
