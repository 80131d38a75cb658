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
