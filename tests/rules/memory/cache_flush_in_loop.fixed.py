# doc: The cache is emptied after every step
def train(model, dataset, optimizer):
    model.cuda()
    for x, y in DataLoader(dataset, batch_size=64):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        del x, y, loss


# case: garbage is collected as well, and both stand behind a check for a GPU
def train(model, loader, optimizer, device):
    for x, y in loader:
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


# case: between the parts of a forward pass
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        h = self.encoder(x)
        return self.head(h)


# case: the inference loop of a notebook, with an alias, and as the last of several statements
import torch as th

model = nn.Linear(4, 4).cuda().eval()
outputs = []
with th.no_grad():
    for batch in DataLoader(range(100)):
        outputs.append(model(batch.cuda()).cpu())


# case: a training comes there, too
class Trained(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor):
        if not self.training or x.ndim > 3:
            x = x * 2
        if self.training:
            x = x * 3
        return self.layer(x)
