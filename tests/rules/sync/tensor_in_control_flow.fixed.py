# case: a choice between two tensors inside forward
class Gate(nn.Module):
    def forward(self, x, y):
        return torch.where(x.mean() > 0, x * 2, y)


# case: a count decides which tensor goes on
class Count(nn.Module):
    def forward(self, x, mask: torch.Tensor):
        return torch.where((mask > 0).sum() != 0, x * 2, x)


# case: a name that is bound under a condition and to nothing else
class Scaled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x, y):
        x = torch.where(torch.isnan(x).any(), torch.nan_to_num(x), x)
        if x.sum():
            z = x * 2
        else:
            z = y.clamp(min=0)
        if y.mean() > 0:
            y = self.fc(y)
        elif y.mean() < -1:
            y = -y
        return y.norm() if torch.equal(x, y) else z


# case: a loss that is switched off, and one that decides which tensor goes on
def train(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss = torch.where(torch.isnan(loss), torch.zeros_like(loss), loss)
        if bool(loss > 100):
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
