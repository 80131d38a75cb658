# doc: A moving average of the weights
class Average:
    def __init__(self, model: nn.Module, ema: nn.Module, decay: float):
        self.model, self.ema, self.decay = model, ema, decay

    @torch.no_grad()
    def update(self):
        torch._foreach_mul_(list(self.ema.parameters()), self.decay)
        torch._foreach_add_(list(self.ema.parameters()), list(self.model.parameters()), alpha=1 - self.decay)


# case: gradients are scaled, weights are stepped
def train(model: nn.Module, loader, scale: float, lr: float):
    model.cuda()
    for x in loader:
        model(x.cuda()).sum().backward()
        torch._foreach_div_([p.grad for p in model.parameters() if p.grad is not None], scale)
        with torch.no_grad():
            torch._foreach_add_(list(model.parameters()), [p.grad for p in model.parameters()], alpha=-lr)
        for p in model.parameters():
            p.data.clamp_(-0.01, 0.01)
        model.zero_grad()


# case: an average needs no operation that came later
# set: target-torch = "1.9"
def average_in_newer_torch(ema: nn.Module, model: nn.Module):
    torch._foreach_mul_([e.data for e, p in zip(ema.parameters(), model.parameters())], 0.9)
    torch._foreach_add_([e.data for e, p in zip(ema.parameters(), model.parameters())], [p.data for e, p in zip(ema.parameters(), model.parameters())], alpha=0.1)
