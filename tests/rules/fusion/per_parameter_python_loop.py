import torch
from torch import nn


# doc: A moving average of the weights
class Average:
    def __init__(self, model: nn.Module, ema: nn.Module, decay: float):
        self.model, self.ema, self.decay = model, ema, decay

    @torch.no_grad()
    def update(self):
        for e, p in zip(self.ema.parameters(), self.model.parameters()):  # expect: TPL607 @ zip(self.ema.parameters(), self.model.parameters())
            e.mul_(self.decay).add_(p, alpha=1 - self.decay)


# case: other ways to average
class Shadow:
    def __init__(self, parameters, decay: float):
        self.shadow_params = [p.clone().detach() for p in parameters]
        self.decay = decay

    @torch.no_grad()
    def step(self, parameters):
        for s_param, param in zip(self.shadow_params, parameters):  # expect: TPL607 @ zip(self.shadow_params, parameters)
            if param.requires_grad:
                s_param.sub_((1 - self.decay) * (s_param - param))
            else:
                s_param.copy_(param)


def update_average(target: nn.Module, source: nn.Module, tau: float):
    for t, s in zip(target.parameters(), source.parameters()):  # expect: TPL607 @ zip(target.parameters(), source.parameters())
        t.data.copy_(t.data * (1.0 - tau) + s.data * tau)


def update_lerp(ema: nn.Module, model: nn.Module, beta: float):
    for e, p in zip(ema.parameters(), model.parameters()):  # expect: TPL607 @ zip(ema.parameters(), model.parameters())
        e.copy_(p.lerp(e, beta))


def accumulate(first: nn.Module, second: nn.Module, decay: float):
    theirs, ours = dict(second.named_parameters()), dict(first.named_parameters())
    for v, w in zip(first.state_dict().values(), second.state_dict().values()):  # expect: TPL607 @ zip(first.state_dict().values(), second.state_dict().values())
        v.data = v.data * decay + w.data * (1 - decay)
    return theirs, ours


# case: norms and clipping by hand
def clip(parameters, most: float):
    total = 0
    parameters = [p for p in parameters if p.grad is not None]
    for p in parameters:  # expect: TPL607 @ parameters
        param_norm = p.grad.data.norm(2)
        total += param_norm**2
    factor = most / (total.sqrt() + 1e-6)
    for p in parameters:  # expect: TPL607 @ parameters
        p.grad.data.mul_(factor)


# case: norms that are added up in place
def norm_of(parameters, kind: float):
    total = torch.zeros(())
    for p in parameters:  # expect: TPL607 @ parameters
        norm = p.grad.data.norm(kind) ** kind
        total.add_(norm)
    return total ** (1 / kind)


# case: averages by a function that is handed over, and in place, by the names of the weights
class Average(nn.Module):
    def update(self, model: nn.Module, update_fn, device=None):
        for ours, theirs in zip(self.module.state_dict().values(), model.state_dict().values()):  # expect: TPL607 @ zip(self.module.state_dict().values(), model.state_dict().values())
            if device is not None:
                theirs = theirs.to(device)
            update_fn(ours, theirs)

    def update_named(self, model: nn.Module, decay: float):
        weights = model.state_dict()
        for name, ours in self.module.state_dict().items():  # expect: TPL607 @ self.module.state_dict().items()
            if ours.dtype.is_floating_point:
                ours *= decay
                ours += (1 - decay) * weights[name].detach()


# ok: a function of one weight, one that is called something else, numbers that are counted, weights of models that are merged
def others(model: nn.Module, other: nn.Module, update_fn, compare):
    count = 0
    for name, weight in model.state_dict().items():
        update_fn(weight)
    for one, two in zip(model.parameters(), other.parameters()):
        compare(one, two)
    for weight in model.parameters():
        count += weight.numel()
    for _, weight in model.state_dict().items():
        weight *= 0.5
    for name, weight in model.state_dict().items():
        weight += other.state_dict()[name]
    return count


# case: gradients are scaled, weights are stepped
def train(model: nn.Module, loader, scale: float, lr: float):
    model.cuda()
    for x in loader:
        model(x.cuda()).sum().backward()
        for p in model.parameters():  # expect: TPL607 @ model.parameters()
            if p.grad is not None:
                p.grad /= scale
        with torch.no_grad():
            for p in model.parameters():  # expect: TPL607 @ model.parameters()
                p.add_(p.grad, alpha=-lr)
        for p in model.parameters():  # expect: TPL607 @ model.parameters()
            p.data.clamp_(-0.01, 0.01)
        model.zero_grad()


# case: gradients that were gathered in lists, a factor that is moved on the way, a target that follows at every so many steps
def scale_gathered(parameters, experts, factor):
    gradients = [p.grad.detach() for p in parameters if p.grad is not None]
    others = [p.grad for p in experts]
    for g in gradients + others:  # expect: TPL607 @ gradients + others
        g.mul_(factor)
    for p in parameters:  # expect: TPL607 @ parameters
        if p.grad is not None:
            if torch.is_tensor(factor):
                factor = factor.to(p.grad.device)
            p.grad.data.mul_(factor)


def learn(model: nn.Module, target: nn.Module, loader, optimizer, every: int, tau: float):
    for step, x in enumerate(loader):
        model(x.cuda()).sum().backward()
        optimizer.step()
        if step % every == 0:
            for p, t in zip(model.parameters(), target.parameters()):  # expect: TPL607 @ zip(model.parameters(), target.parameters())
                t.data.copy_(tau * p.data + (1 - tau) * t.data)


# ok: it runs once
def init_weights(model: nn.Module, other: nn.Module):
    for p, q in zip(model.parameters(), other.parameters()):
        p.data.mul_(0.5).add_(q.data, alpha=0.5)


def load_from(model: nn.Module, other: nn.Module):
    for p, q in zip(model.parameters(), other.parameters()):
        p.data.copy_(q.data)


# ok: a copy or a change of the weights, and nothing shows that it is done often
def synchronize_target(target: nn.Module, source: nn.Module):
    for t, s in zip(target.parameters(), source.parameters()):
        t.data.copy_(s.data)


# ok: every so many steps
def average_at_times(ema: nn.Module, model: nn.Module, loader, optimizer):
    for step, x in enumerate(loader):
        model(x.cuda()).sum().backward()
        optimizer.step()
        if step % 100 == 0:
            for e, p in zip(ema.parameters(), model.parameters()):
                e.data.mul_(0.9).add_(p.data, alpha=0.1)


# ok: lists of something else, and norms that are logged at every so many steps
def blur(frames, masks, kernel):
    blurred = [frame.detach() for frame in frames]
    for each in blurred + masks:
        each.mul_(kernel)


def log_norms(model: nn.Module, loader, every: int):
    for step, x in enumerate(loader):
        model(x.cuda()).sum().backward()
        if step % every == 0:
            total = 0
            for p in model.parameters():
                total += p.grad.norm() ** 2
            print(total)


# ok: a program that never leaves the CPU
def main(loader):
    model, ema = nn.Linear(3, 3), nn.Linear(3, 3)
    for x in loader:
        model(x).sum().backward()
        for e, p in zip(ema.parameters(), model.parameters()):
            e.data.mul_(0.9).add_(p.data, alpha=0.1)


if __name__ == "__main__":
    main(torch.rand(10, 4, 3))


# ok: each parameter is treated in a way of its own
def perturb(model: nn.Module, radius: float):
    moved = {}
    for name, p in model.named_parameters():
        if p.grad is not None:
            moved[name] = radius * torch.randn_like(p) * p.grad.sign()
            p.data.add_(moved[name])
    return moved


# ok: no parameters
def smooth(frames, weights):
    total = 0
    for frame in frames:
        total += frame.norm()
    for frame, w in zip(frames, weights):
        print(frame, w)
    return total


# ok: counted, switched, collected: nothing is computed
def count(model: nn.Module):
    total = 0
    for p in model.parameters():
        total += p.numel()
    for p in model.parameters():
        p.requires_grad = False
    return total, [p.grad for p in model.parameters()]


# ok: once in an epoch
def train_epochs(model: nn.Module, ema: nn.Module, loader, optimizer):
    for _ in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()
        for e, p in zip(ema.parameters(), model.parameters()):
            e.data.mul_(0.9).add_(p.data, alpha=0.1)


# ok: sharded weights
def average_shards(ema: nn.Module, model: nn.Module):
    for e, p in zip(ema.parameters(), model.parameters()):
        e.data.mul_(0.9).add_(p.full_tensor(), alpha=0.1)


# ok: what is written was worked out for this parameter alone
def clip_adaptively(parameters, most: float, unit_norm):
    for p in parameters:
        if p.grad is None:
            continue
        g = p.grad.detach()
        factor = unit_norm(p) * most / unit_norm(g)
        clipped = torch.where(factor < 1, g * factor, g)
        p.grad.detach().copy_(clipped)


# ok: the way for lists is there too
def average_in_either_way(ema: nn.Module, model: nn.Module, decay: float, has_lists: bool):
    if has_lists:
        torch._foreach_lerp_(list(ema.parameters()), list(model.parameters()), 1 - decay)
    else:
        for e, p in zip(ema.parameters(), model.parameters()):
            e.lerp_(p, 1 - decay)


# ok: parameters that are picked by their names, of which there are a few
def clamp_slopes(model: nn.Module, loader, optimizer):
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        for name, p in model.named_parameters():
            if "slope" in name:
                p.data = torch.clamp(p, max=3.5)


# ok: some large tensors, each of many parameters
from torch._utils import _flatten_dense_tensors


def flat(groups):
    return [nn.Parameter(_flatten_dense_tensors([p.detach().float() for p in group])) for group in groups]


class Halves:
    def __init__(self, model, groups):
        self.model = model.cuda()
        self.master_params = flat(groups)
        self.optimizer = torch.optim.SGD(self.master_params, lr=0.1, foreach=True)

    def train(self, loader):
        for x in loader:
            self.model(x.cuda()).sum().backward()
            for p in self.master_params:
                p.grad.mul_(0.5)
            self.optimizer.step()


# ok: looked up by name
def restore(model: nn.Module, initial: dict):
    for name, p in model.named_parameters():
        if name in initial:
            p.data.copy_(initial[name].data)


def set_back(model: nn.Module, initial: dict):
    for name, p in model.named_parameters():
        p.data.copy_(initial[name].data)


# ok: the project supports a torch without these operations
# set: target-torch = "1.8"
def average_in_old_torch(ema: nn.Module, model: nn.Module):
    for e, p in zip(ema.parameters(), model.parameters()):
        e.data.mul_(0.9).add_(p.data, alpha=0.1)


# ok: `_foreach_copy_` came with 2.1
# set: target-torch = "2.0"
def copy_in_old_torch(model: nn.Module, ema: nn.Module, loader, optimizer):
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        for e, p in zip(ema.parameters(), model.parameters()):
            e.data.copy_(p.data)


# case: an average needs no operation that came later
# set: target-torch = "1.9"
def average_in_newer_torch(ema: nn.Module, model: nn.Module):
    for e, p in zip(ema.parameters(), model.parameters()):  # expect: TPL607 @ zip(ema.parameters(), model.parameters())
        e.data.mul_(0.9).add_(p.data, alpha=0.1)


# case: an average as it is written most: the weights of both add up to one
# set: target-torch = "2.1"
def update_target(target: nn.Module, source: nn.Module, tau: float):
    for t, s in zip(target.parameters(), source.parameters()):  # expect: TPL607 @ zip(target.parameters(), source.parameters())
        t.data.copy_(tau * s.data + (1 - tau) * t.data)


def update_other(target: nn.Module, source: nn.Module, keep: float, tau: float):
    for t, s in zip(target.parameters(), source.parameters()):  # expect: TPL607 @ zip(target.parameters(), source.parameters())
        t.data.copy_(keep * t.data + tau * s.data)


# ok: the modules are sharded
from torch.distributed.fsdp import FSDPModule


class ShardedAverage:
    @torch.no_grad()
    def update(self, ema: nn.Module, model: nn.Module):
        if isinstance(model, FSDPModule):
            model.unshard()
        for e, p in zip(ema.parameters(), model.parameters()):
            e.mul_(0.9).add_(p, alpha=0.1)
