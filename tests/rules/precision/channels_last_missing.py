import torch
import torchvision
from torch import nn


# doc: A ResNet in half precision
def main(loader, device: torch.device):
    model = torchvision.models.resnet50(num_classes=10)
    model = model.to(device)  # expect: TPL310 @ model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        with torch.autocast("cuda", torch.bfloat16):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main([], torch.device("cuda"))


# case: a network of the file
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Conv2d(3, 64, 3), nn.Conv2d(64, 64, 3), nn.Conv2d(64, 64, 3)

    def forward(self, x: torch.Tensor):
        return self.c(self.b(self.a(x)))


def train(loader, device: torch.device, scaler: torch.amp.GradScaler):
    net = Net().cuda()  # expect: TPL310 @ Net().cuda()
    for x in loader:
        scaler.scale(net(x.to(device)).sum()).backward()


if __name__ == "__main__":
    train([], torch.device("cuda"), torch.amp.GradScaler())


# ok: in float32
def single(loader, device: torch.device):
    model = torchvision.models.resnet50().to(device)
    for x in loader:
        model(x.to(device)).sum().backward()


if __name__ == "__main__":
    single([], torch.device("cuda"))


# ok: it is there, in the inputs or the model
def there(loader, device: torch.device):
    model = torchvision.models.resnet50().to(device)
    for x in loader:
        with torch.autocast("cuda"):
            model(x.to(device, memory_format=torch.channels_last)).sum().backward()


if __name__ == "__main__":
    there([], torch.device("cuda"))


# ok: no convolutions, other kinds, a detector, a library
class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor):
        return self.a(x)


def others(loader, device: torch.device):
    mlp, vit = Mlp().to(device), torchvision.models.vit_b_16().to(device)
    detector = torchvision.models.detection.fasterrcnn_resnet50_fpn().to(device)
    for x in loader:
        with torch.autocast("cuda"):
            (mlp(x.to(device)) + vit(x) + detector(x)).sum().backward()


if __name__ == "__main__":
    others([], torch.device("cuda"))


# ok: nothing runs here
def library(loader, device: torch.device):
    model = torchvision.models.resnet50().to(device)
    with torch.autocast("cuda"):
        model(loader).sum().backward()
