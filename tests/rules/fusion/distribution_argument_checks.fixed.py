# doc: A policy is sampled from at every step
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor):
        actions = Categorical(logits=self.body(x), validate_args=False)
        action = actions.sample()
        return action, actions.log_prob(action)


# case: in the steps of a training
def train(policy: nn.Module, loader, optimizer):
    policy.cuda()
    for x, a in loader:
        mean, std = policy(x.cuda())
        loss = -torch.distributions.Normal(mean, std, validate_args=False).log_prob(a.cuda()).mean()
        loss.backward()
        optimizer.step()


# case: what is around it has no arguments to check
class Joint(nn.Module):
    def forward(self, mean: torch.Tensor, std: torch.Tensor):
        each = Normal(mean, std, validate_args=False)
        return Independent(each, 1)


# case: what is mixed is one number, comes late, or only now and then
class Noisy(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(width, width))
        self.scale = nn.Parameter(torch.zeros(width, width))

    def forward(self, x: torch.Tensor):
        weight = self.mean * Normal(0, 1).sample()
        posterior = Normal(weight, self.scale.exp(), validate_args=False)
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
        return Normal(weight, self.scale.exp(), validate_args=False)


# case: whoever makes tensors has them made on the GPU
torch.set_default_tensor_type("torch.cuda.FloatTensor")


class Default(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(width, width))

    def forward(self, x: torch.Tensor):
        weight = self.mean + torch.zeros(4, 4)
        return Normal(weight, self.mean.exp(), validate_args=False)
