# doc: A table that the module leaves behind
class Rotary(nn.Module):
    def __init__(self, width, length):
        super().__init__()
        self.proj = nn.Linear(width, width)
        angles = torch.outer(torch.arange(length).float(), 1.0 / 10000 ** (torch.arange(0, width, 2) / width))
        self.register_buffer("angles", torch.cat([angles, angles], dim=-1), persistent=False)

    def forward(self, x):
        angles = self.angles[: x.shape[1]]
        cos = self.angles.cos()
        return self.proj(x) * cos + angles.shape[0]


# case: all forms of a move, in several methods
class Normalized(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, 8, 3)
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1), persistent=False)  # of ImageNet
        self.register_buffer("std", torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("steps", torch.arange(10), persistent=False)
        self.register_buffer("scale", torch.ones(3), persistent=False)

    def normalize(self, x):
        return (x - self.mean.to(x.dtype)) / self.std.to(x.dtype)

    def forward(self, x: torch.Tensor):
        steps = self.steps
        scale = self.scale.to(x.dtype)
        return self.conv(self.normalize(x)) * scale.sum() + steps.sum() + self.std.numel()


# case: a module without parameters is moved by nobody, so the move stays
class Weighted(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.register_buffer("weight", torch.linspace(0.5, 1.0, classes), persistent=False)

    def forward(self, x, y):
        return nn.functional.cross_entropy(x, y, weight=self.weight.to(x.device))


# case: one that moves its parts itself is moved by nobody else, so the move stays
class Placed(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = torch.device("cuda")
        self.net = nn.Conv2d(3, 8, 3)
        self.net.to(self.device)
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1), persistent=False)

    def forward(self, x):
        x = x.to(self.device)
        return self.net(x - self.mean.to(self.device))


# case: only a part of it is moved
class Parted(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("grid", torch.arange(n), persistent=False)
        self.proj = nn.Linear(n, n)

    def forward(self, x):
        return self.proj(x) + self.grid[: x.shape[1]]
