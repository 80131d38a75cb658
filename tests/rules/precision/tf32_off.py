import torch
from torch import nn


# doc: A program that trains linear layers
def train(loader):
    model = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 8)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()


if __name__ == "__main__":  # expect: TPL302 @ __name__ == "__main__"
    train(torch.rand(10, 64, 512))


# missed: a script without a guard
model = nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.rand(10, 4, 8):
    model(x.cuda()).sum().backward()
    optimizer.step()


# ok: it is allowed
torch.set_float32_matmul_precision("high")


def train_allowed(loader):
    model = nn.Linear(8, 8).cuda()
    for x in loader:
        model(x.cuda()).sum().backward()


if __name__ == "__main__":
    train_allowed(torch.rand(10, 4, 8))


# ok: in half precision
def train_half(loader):
    model = nn.Linear(8, 8).cuda()
    for x in loader:
        with torch.autocast("cuda", torch.bfloat16):
            loss = model(x.cuda()).sum()
        loss.backward()


if __name__ == "__main__":
    train_half(torch.rand(10, 4, 8))


# ok: convolutions alone, for which it is on
def train_images(loader):
    model = nn.Conv2d(3, 8, 3).cuda()
    for x in loader:
        model(x.cuda()).sum().backward()


if __name__ == "__main__":
    train_images(torch.rand(10, 4, 3, 8, 8))


# ok: convolutions and a head, which are another model's to make
def train_masks(model, loader):
    for part in model.cuda().modules():
        if isinstance(part, nn.Linear):
            part.bias.requires_grad_(False)
    for x in loader:
        model(x.cuda()).sum().backward()


if __name__ == "__main__":
    train_masks(nn.Sequential(nn.Conv2d(3, 8, 3), nn.Conv2d(8, 8, 3)), torch.rand(10, 4, 3, 8, 8))


# ok: a head on a model of torchvision
def train_head(loader):
    from torchvision.models import resnet50

    body, head = resnet50().cuda(), nn.Linear(2048, 10).cuda()
    for x in loader:
        head(body(x.cuda())).sum().backward()


if __name__ == "__main__":
    train_head(torch.rand(10, 4, 3, 8, 8))


# ok: a library, of which nobody knows who uses it
class Step:
    def __call__(self, model: nn.Linear, x: torch.Tensor):
        model(x.cuda()).sum().backward()


# ok: it wants all digits
def solve(loader):
    model = nn.Linear(8, 8).cuda()
    total = torch.zeros((), dtype=torch.float64)
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
    return total


if __name__ == "__main__":
    solve(torch.rand(10, 4, 8))


# ok: it never leaves the CPU
def train_on_host(loader):
    model = nn.Linear(8, 8)
    for x in loader:
        model(x).sum().backward()


if __name__ == "__main__":
    train_on_host(torch.rand(10, 4, 8))


# ok: what stands behind the guard shows that a module runs
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return self.linear(x)


if __name__ == "__main__":
    head = Head().cuda()
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    loss = head(torch.randn(2, 8).cuda()).sum()
    loss.backward()
    optimizer.step()


# ok: before torch 1.12 TF32 is on for products, and nothing is there to call
# set: target-torch = "1.11"
def train_with_an_old_torch(loader):
    model = nn.Linear(2048, 2048).cuda()
    for x in loader:
        model(x.cuda()).sum().backward()


if __name__ == "__main__":
    train_with_an_old_torch(torch.rand(10, 4, 2048))
