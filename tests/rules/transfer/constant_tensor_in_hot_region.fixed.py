# doc: Constants of a layer, made at every call
class Normalized(nn.Module):
    def __init__(self, floor):
        super().__init__()
        self.floor = float(floor)
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]), persistent=False)

    def forward(self, x):
        mean = self.mean
        floor = torch.full((), self.floor, device=x.device)
        one = torch.full((), 1.0, device=x.device)
        return torch.maximum((x - mean) * self.scale, floor) / (one + x.abs())


# case: numbers of all kinds, in all forms
def exact(model, loader, optimizer):
    for x, y in loader:
        x = x.cuda()
        a = torch.full((), 0, device="cuda")
        b = torch.full((), True, device=x.device)
        c = torch.full((), -1e-6, dtype=torch.float16, device=x.device)
        d = torch.full((1,), 0.0, device="cuda", requires_grad=True)
        e = torch.full((3,), 7, device="cuda")
        f = torch.full((), 2.5, device="cuda")
        g = torch.full((), 2.5, device=x.device).to(x.dtype)
        h = torch.full((), 2.5, device="cuda").to(torch.float64)
        loss = model(x, a, b, c, d, e, f, g, h)
        loss.backward()
        optimizer.step()


# case: like another tensor
class Padded(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.width = width

    def forward(self, x: torch.Tensor):
        half = x.float()
        return half.new_full((), 0.5) + x.new_full((), 3)


# case: only the name of `tensor` was imported
from torch import tensor


def bare(model, loader):
    for x, y in loader:
        model(x.cuda(), torch.full((), 1.0, device="cuda")).backward()
