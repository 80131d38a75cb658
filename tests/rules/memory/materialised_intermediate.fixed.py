# doc: Rows picked by a product, and distances by way of all differences
class Lookup(nn.Module):
    def __init__(self, classes: int, width: int):
        super().__init__()
        self.table = nn.Parameter(torch.rand(classes, width))
        self.classes = classes

    def forward(self, i: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
        rows = F.embedding(i, self.table)
        far = torch.cdist(a, b)
        return rows, far


# case: other ways to write it
class Others(nn.Module):
    def forward(self, i: torch.Tensor, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor):
        table = torch.rand(7, 8, device="cuda")
        rows = F.embedding(i, table)
        far = torch.cdist(a, b)
        difference = a[:, None, :] - c[None, :, :]
        near = torch.cdist(a, c)
        return rows, far, near


# case: a product of matrices, element by element
class Similar(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, w: torch.Tensor):
        last = torch.matmul(a, b.transpose(-2, -1))
        first = torch.matmul(a, w.transpose(-2, -1))
        each = torch.matmul(a, c.transpose(-2, -1))
        products = torch.mul(b.unsqueeze(-2), c.unsqueeze(-3))
        return last, first, each, torch.matmul(b, c.transpose(-2, -1))
