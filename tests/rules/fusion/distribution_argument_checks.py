import torch
from torch import nn
from torch.distributions import Categorical, Distribution, Independent, Normal


# doc: A policy is sampled from at every step
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor):
        actions = Categorical(logits=self.body(x))  # expect: TPL614 @ Categorical(logits=self.body(x))
        action = actions.sample()
        return action, actions.log_prob(action)


# case: in the steps of a training
def train(policy: nn.Module, loader, optimizer):
    policy.cuda()
    for x, a in loader:
        mean, std = policy(x.cuda())
        loss = -torch.distributions.Normal(mean, std).log_prob(a.cuda()).mean()  # expect: TPL614 @ torch.distributions.Normal(mean, std)
        loss.backward()
        optimizer.step()


# ok: the checks are off
class Quick(nn.Module):
    def forward(self, mean: torch.Tensor, std: torch.Tensor):
        return Normal(mean, std, validate_args=False).rsample()


# case: what is around it has no arguments to check
class Joint(nn.Module):
    def forward(self, mean: torch.Tensor, std: torch.Tensor):
        each = Normal(mean, std)  # expect: TPL614 @ Normal(mean, std)
        return Independent(each, 1)


# ok: it is made once, or of numbers
def prior(model: nn.Module):
    fixed = Normal(torch.zeros(3).cuda(), torch.ones(3).cuda())
    return fixed, model


class Noise(nn.Module):
    def forward(self, x: torch.Tensor):
        return x + Normal(0.0, 1.0).sample(x.shape)


# ok: on the CPU
def act(loader):
    for x in loader:
        logits = torch.zeros(4, 3)
        yield Categorical(logits=logits).sample(), x


# ok: something else of that name
class Layer(nn.Module):
    def __init__(self, made):
        super().__init__()
        self.made = made

    def forward(self, x: torch.Tensor):
        return self.made.Normal(x, x)


# ok: off for the whole program
Distribution.set_default_validate_args(False)


class Free(nn.Module):
    def forward(self, x: torch.Tensor):
        return Categorical(logits=x).sample()


# ok: what is compiled has Dynamo switch them off for the whole process
fast = torch.compile(nn.Linear(8, 4))


class Beside(nn.Module):
    def forward(self, x: torch.Tensor):
        return Categorical(logits=x).sample()


# ok: no GPU can run it: noise of the CPU is multiplied with weights
class Bayesian(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(width, width))
        self.scale = nn.Parameter(torch.zeros(width, width))

    def forward(self, x: torch.Tensor):
        if x.dim() != 2:
            raise ValueError(x.shape)
        noise = Normal(0, 1).sample(self.mean.shape)
        weight = self.mean + self.scale.exp() * noise
        self.posterior = Normal(self.mean.data, self.scale.exp())
        return x @ weight


# case: what is mixed is one number, comes late, or only now and then
class Noisy(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(width, width))
        self.scale = nn.Parameter(torch.zeros(width, width))

    def forward(self, x: torch.Tensor):
        weight = self.mean * Normal(0, 1).sample()
        posterior = Normal(weight, self.scale.exp())  # expect: TPL614 @ Normal(weight, self.scale.exp())
        if not self.training:
            return posterior
        return posterior, weight + torch.zeros(4, 4)


class Sometimes(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(width, width))
        self.scale = nn.Parameter(torch.zeros(width, width))

    def forward(self, x: torch.Tensor):
        weight = self.mean + torch.zeros(4, 4) if x.is_cpu else self.mean
        return Normal(weight, self.scale.exp())  # expect: TPL614 @ Normal(weight, self.scale.exp())


# case: whoever makes tensors has them made on the GPU
torch.set_default_tensor_type("torch.cuda.FloatTensor")


class Default(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(width, width))

    def forward(self, x: torch.Tensor):
        weight = self.mean + torch.zeros(4, 4)
        return Normal(weight, self.mean.exp())  # expect: TPL614 @ Normal(weight, self.mean.exp())


# case: one within checks whatever it is told
class Choice(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.body = nn.Linear(width, width)

    def forward(self, x: torch.Tensor):
        return torch.distributions.OneHotCategorical(logits=self.body(x.cuda())).sample()  # expect: TPL614 @ torch.distributions.OneHotCategorical(logits=self.body(x.cuda()))


# ok: importing the file switches the checks off, for all distributions
Distribution.set_default_validate_args(False)


class Unchecked(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(width, width)

    def forward(self, x: torch.Tensor):
        return Categorical(logits=self.body(x)).sample()


# ok: what is drawn is read at once, and the host waits for that in any case
def generate_numbers(model: nn.Module, x: torch.Tensor, length: int):
    model, x, drawn = model.cuda(), x.cuda(), []
    with torch.no_grad():
        for _ in range(length):
            drawn.append(Categorical(logits=model(x)).sample().long().item())
    return drawn
