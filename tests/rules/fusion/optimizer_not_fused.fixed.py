# doc: A training script that also runs without a GPU
def train(dataset, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10)).to(device)
    optimizer = optim.AdamW(model.parameters(), lr=1e-3, fused=torch.cuda.is_available())
    loader = DataLoader(dataset, batch_size=256, pin_memory=True, num_workers=4)
    for epoch in range(epochs):
        for images, labels in loader:
            images = images.to(device, non_blocking=True)
            labels = labels.to(device, non_blocking=True)
            loss = F.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


# case: on the GPU for certain
from torch.optim import SGD


def descend(width: int, loader):
    model = nn.Linear(width, width).cuda()
    optimizer = SGD(model.parameters(), 0.1, momentum=0.9, fused=True)
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).sum().backward()
        optimizer.step()


# case: groups, filters, names, two models
class Trainer:
    def __init__(self, lr):
        self.net = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
        self.net.to("cuda")
        self.head = nn.Linear(8, 2).cuda()
        decayed = [p for name, p in self.net.named_parameters() if p.ndim > 1]
        others = [p for name, p in self.net.named_parameters() if p.ndim <= 1]
        self.first = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
            lr=lr,
            fused=True,
        )
        wanted = filter(lambda p: p.requires_grad, self.net.parameters())
        self.second = torch.optim.Adam(wanted, lr=lr, fused=True)
        both = list(self.net.parameters()) + list(self.head.parameters())
        self.third = torch.optim.Adam(both, lr=lr, fused=True)


# case: somebody has switched the default off
def slow(model: nn.Module):
    model = model.cuda()
    return torch.optim.Adam(model.parameters(), fused=True, lr=0.1)


# case: where `torch` goes by another name
import torch as th

device = "cuda" if th.cuda.is_available() else "cpu"
network = nn.Linear(4, 4).to(device)
adam = th.optim.Adam(network.parameters(), lr=1e-3, fused=torch.cuda.is_available())


# case: it steps in a loop, or somebody else gets it
def repeat(rank: int, turns: int, run):
    model = nn.Linear(10, 5).to(rank)
    optimizer = optim.Adam(model.parameters(), lr=0.001, fused=True)
    for turn in range(turns):
        model(torch.randn(20, 10, device=rank)).sum().backward()
        optimizer.step()
    other = optim.Adam(model.parameters(), fused=True)
    other.step()
    run(model, other)


# case: the GPU is the default, or the device is a setting
def fit(loader, device="cuda"):
    model = nn.Linear(512, 512).to(device)
    optimizer = torch.optim.Adam(model.parameters(), fused=next(model.parameters()).is_cuda)
    for x in loader:
        model(x.to(device)).mean().backward()
        optimizer.step()


class Runner:
    def __init__(self, config, make):
        self.device = config.device
        self.model: nn.Module = make(config).to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.1, fused=next(self.model.parameters()).is_cuda)
