import torch
from torch import nn


# doc: Nothing between two layers, and a gate of two
class Head(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.head = nn.Sequential(nn.Linear(512, 1024), nn.Linear(1024, 10))  # expect: TPL610 @ nn.Linear(512, 1024)
        self.value, self.gate = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor):
        return self.head(torch.sigmoid(self.gate(x)) * self.value(x))  # expect: TPL610 @ torch.sigmoid(self.gate(x)) * self.value(x)


# case: in steps
class GatedLinearUnit(nn.Module):
    def __init__(self, width: int, dropout: float | None):
        super().__init__()
        self.dropout = nn.Dropout(dropout) if dropout is not None else None
        self.fc1 = nn.Linear(width, width)
        self.fc2 = nn.Linear(width, width)
        self.sigmoid = nn.Sigmoid()

    def forward(self, x: torch.Tensor):
        if self.dropout is not None:
            x = self.dropout(x)
        sig = self.sigmoid(self.fc1(x))
        x = self.fc2(x)
        return torch.mul(sig, x)  # expect: TPL610 @ torch.mul(sig, x)


# ok: something between, a bottleneck, sizes that nobody knows
def layers(width: int, rank: int):
    return nn.Sequential(
        nn.Linear(512, 1024),
        nn.ReLU(),
        nn.Linear(1024, 16),
        nn.Linear(16, 512),
        nn.BatchNorm1d(512),
        nn.Linear(width, rank),
        nn.Linear(rank, width),
    )


# ok: two inputs, one layer twice, another operation
class Others(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.a, self.b = nn.Linear(width, width), nn.Linear(width, width)
        self.conv = nn.Conv1d(width, width, 3)

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        one = torch.sigmoid(self.a(x)) * self.b(y)
        two = torch.sigmoid(self.a(x)) * self.a(x)
        three = torch.sigmoid(self.a(x)) + self.b(x)
        four = torch.sigmoid(self.conv(x)) * self.b(x)
        g = torch.sigmoid(self.a(x))
        x = x + 1
        return one, two, three, four, g * self.b(x), torch.sigmoid(self.a(x)) * x


# ok: the gate is kept
class Kept(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.a, self.b = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor):
        gate = torch.sigmoid(self.a(x))
        return gate * self.b(x) + (1 - gate) * x
