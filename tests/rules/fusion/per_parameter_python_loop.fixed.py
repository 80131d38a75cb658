# doc: A moving average of the weights
class Average:
    def __init__(self, model: nn.Module, ema: nn.Module, decay: float):
        self.model, self.ema, self.decay = model, ema, decay

    @torch.no_grad()
    def update(self):
        torch._foreach_mul_(list(self.ema.parameters()), self.decay)
        torch._foreach_add_(list(self.ema.parameters()), list(self.model.parameters()), alpha=1 - self.decay)


# case: other ways to average
class Shadow:
    def __init__(self, parameters, decay: float):
        self.shadow_params = [p.clone().detach() for p in parameters]
        self.decay = decay

    @torch.no_grad()
    def step(self, parameters):
        for s_param, param in zip(self.shadow_params, parameters):
            if param.requires_grad:
                s_param.sub_((1 - self.decay) * (s_param - param))
            else:
                s_param.copy_(param)


def update_average(target: nn.Module, source: nn.Module, tau: float):
    torch._foreach_mul_([t.data for t, s in zip(target.parameters(), source.parameters())], 1.0 - tau)
    torch._foreach_add_([t.data for t, s in zip(target.parameters(), source.parameters())], [s.data for t, s in zip(target.parameters(), source.parameters())], alpha=tau)


def update_lerp(ema: nn.Module, model: nn.Module, beta: float):
    torch._foreach_lerp_(list(ema.parameters()), list(model.parameters()), 1 - beta)


def accumulate(first: nn.Module, second: nn.Module, decay: float):
    theirs, ours = dict(second.named_parameters()), dict(first.named_parameters())
    for v, w in zip(first.state_dict().values(), second.state_dict().values()):
        v.data = v.data * decay + w.data * (1 - decay)
    return theirs, ours


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


# case: gradients that were gathered in lists, a factor that is moved on the way, a target that follows at every so many steps
def scale_gathered(parameters, experts, factor):
    gradients = [p.grad.detach() for p in parameters if p.grad is not None]
    others = [p.grad for p in experts]
    for g in gradients + others:
        g.mul_(factor)
    for p in parameters:
        if p.grad is not None:
            if torch.is_tensor(factor):
                factor = factor.to(p.grad.device)
            p.grad.data.mul_(factor)


def learn(model: nn.Module, target: nn.Module, loader, optimizer, every: int, tau: float):
    for step, x in enumerate(loader):
        model(x.cuda()).sum().backward()
        optimizer.step()
        if step % every == 0:
            torch._foreach_mul_([t.data for p, t in zip(model.parameters(), target.parameters())], 1 - tau)
            torch._foreach_add_([t.data for p, t in zip(model.parameters(), target.parameters())], [p.data for p, t in zip(model.parameters(), target.parameters())], alpha=tau)


# case: an average needs no operation that came later
# set: target-torch = "1.9"
def average_in_newer_torch(ema: nn.Module, model: nn.Module):
    torch._foreach_mul_([e.data for e, p in zip(ema.parameters(), model.parameters())], 0.9)
    torch._foreach_add_([e.data for e, p in zip(ema.parameters(), model.parameters())], [p.data for e, p in zip(ema.parameters(), model.parameters())], alpha=0.1)


# case: an average as it is written most: the weights of both add up to one
# set: target-torch = "2.1"
def update_target(target: nn.Module, source: nn.Module, tau: float):
    torch._foreach_mul_([t.data for t, s in zip(target.parameters(), source.parameters())], 1 - tau)
    torch._foreach_add_([t.data for t, s in zip(target.parameters(), source.parameters())], [s.data for t, s in zip(target.parameters(), source.parameters())], alpha=tau)


def update_other(target: nn.Module, source: nn.Module, keep: float, tau: float):
    for t, s in zip(target.parameters(), source.parameters()):
        t.data.copy_(keep * t.data + tau * s.data)
