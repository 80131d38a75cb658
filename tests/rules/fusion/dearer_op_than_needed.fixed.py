# doc: Half of what `max` gives is thrown away, and a mask is counted
class Head(nn.Module):
    def forward(self, image: torch.Tensor):
        highest = image.amax(-3)
        lowest = image.amin(-3)
        found = (image > 1).any()
        return highest - lowest, found


# case: further halves
class Pool(nn.Module):
    def forward(self, x: torch.Tensor):
        a = x.amax(dim=1, keepdim=True)
        b = x.amin(2)
        return a, b


# case: whether there is one
# run: any_of(torch.tensor([[1.0, 2.0], [0.0, 0.5]])), any_of(torch.zeros(2, 2)), any_of(torch.zeros(0, 2))
def any_of(x: torch.Tensor):
    mask = x > 1
    return (x > 1).any(), mask.any(0), ~mask.any()


# case: only where the largest element is
def predict(model: nn.Module, loader):
    model.cuda().eval()
    with torch.no_grad():
        for x in loader:
            logits = model(x.cuda())
            yield logits.argmax(1 - 2 + 2)
            probabilities = torch.softmax(logits, 1)
            _, classes = torch.max(probabilities, 1)
            yield classes


# case: everything is put in order
class Best(nn.Module):
    def forward(self, x: torch.Tensor, k: int):
        first = x.topk(k)[0]
        second = x.topk(5)[1]
        return first, second


# case: two passes where one will do
class Fill(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        x = x.float()
        low = torch.full_like(x, -1000000000.0)
        return mask, low


# case: matrices that need not be made
class Scale(nn.Module):
    def forward(self, x: torch.Tensor, v: torch.Tensor, a: torch.Tensor):
        x, a = x.view(8, 8), a.view(8, 8)
        scaled = (v.unsqueeze(-1) * x)
        similar = (x * a.mT).sum(-1)
        return scaled, similar


# case: a tensor that nobody reads
class Reduce(torch.optim.Optimizer):
    def step(self):
        for group in self.param_groups:
            params: list[torch.Tensor] = group["params"]
            for p in params:
                grad = p.grad
                p.add_(grad, alpha=-0.1)
