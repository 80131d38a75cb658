import torch
from torch import nn


# doc: A network that was pruned to odd widths
class Net(nn.Module):
    def __init__(self, width=100):
        super().__init__()
        self.stem = nn.Conv2d(3, 64, 7, stride=2)
        self.down = nn.Conv2d(64, width, 3, padding=1)  # expect: TPL309 @ width
        self.block = nn.Conv2d(width, width, 3, padding=1)  # expect: TPL309 @ width && TPL309 @ width
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        return self.head(self.block(self.down(self.stem(x))))


def predict(model, images):
    model = model.cuda().to(memory_format=torch.channels_last)
    with torch.no_grad(), torch.autocast("cuda"):
        return model(images.cuda())


# case: constants, arithmetic and keywords
BASE = 42
scaler = torch.amp.GradScaler("cuda")


class Decoder(nn.Module):
    def __init__(self, levels: int = 3):
        super().__init__()
        self.width = BASE * levels
        self.a = nn.Conv2d(in_channels=self.width, out_channels=256, kernel_size=1)  # expect: TPL309 @ self.width
        self.b = nn.Conv2d(63, 64, 3, groups=1)  # expect: TPL309 @ 63
        self.c = nn.Conv2d(64, 60, 2, 2)  # expect: TPL309 @ 60


# case: all sizes, where one asks for them
# set: alignment-min-dim = {"conv": 1}
layers = nn.Sequential(
    nn.Conv2d(3, 16, 3),  # expect: TPL309 @ 3
    nn.Conv2d(16, 10, 3),  # expect: TPL309 @ 10
    nn.Conv2d(10, 10, 3, groups=10),
    nn.Linear(1023, 1023),
)


# ok: the network of a course: three channels in and one out cost nothing, and 26 times 26 pixels are as good as any
from torch.utils.data import DataLoader

images, masks = torch.randn(1024, 3, 26, 26), torch.randn(1024, 1, 26, 26)
loader = DataLoader(list(zip(images, masks)), batch_size=64, drop_last=True)

model = nn.Sequential(
    nn.Conv2d(3, 64, kernel_size=3),
    nn.ReLU(),
    nn.Conv2d(64, 128, kernel_size=3),
    nn.ReLU(),
    nn.Conv2d(128, 64, kernel_size=3),
    nn.ReLU(),
    nn.Conv2d(64, 1, kernel_size=3),
    nn.Sigmoid(),
).cuda()
for image, mask in loader:
    with torch.autocast("cuda"):
        predicted = model(image.cuda())


# ok: depthwise and grouped convolutions, or what may be one
class Groups(nn.Module):
    def __init__(self, options, groups):
        super().__init__()
        self.a = nn.Conv2d(100, 100, 3, groups=100)
        self.b = nn.Conv2d(100, 100, 3, 1, 1, 1, 4)
        self.c = nn.Conv2d(100, 100, 3, groups=groups)
        self.d = nn.Conv2d(100, 100, 3, **options)


# ok: what the task gives, what nobody knows, and other convolutions, of which nothing was measured
class Heads(nn.Module):
    def __init__(self, width, num_classes=150, anchors=9):
        super().__init__()
        self.a = nn.Conv2d(64, num_classes, 1)
        self.b = nn.Conv2d(64, 5 * anchors, 1)
        self.c = nn.Conv2d(width, 100, 1)
        self.d = nn.Conv1d(100, 100, 1)
        self.e = nn.Conv3d(100, 100, 1)
        self.f = nn.ConvTranspose2d(100, 1024, 4, 1, 0)


# ok: a cell of 8 by 8 pixels, or none: what the last layer gives, the task says
class Corners(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Conv2d(128, 256, 3)
        self.scores = nn.Conv2d(256, 65, 1)

    def forward(self, x):
        scores = self.scores(self.inner(x).relu())
        return nn.functional.pixel_shuffle(scores.softmax(dim=1)[:, :-1], 8)


# ok: nothing in the file asks for half precision
class Segment(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(100, 100, 3)
        self.second = nn.Conv2d(100, 100, 3)

    def forward(self, x):
        return self.second(self.first(x)).cuda()


# ok: sizes of a trial at the end of the file
class Trial(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.first = nn.Conv2d(width, width, 3)
        self.second = nn.Conv2d(width, width, 3)

    @torch.autocast("cuda")
    def forward(self, x):
        return self.second(self.first(x))


if __name__ == "__main__":
    print(Trial(100).cuda()(torch.zeros(1, 100, 8, 8, device="cuda")).shape)


# case: what it gives goes on
scaler = torch.amp.GradScaler("cuda")


class Corner(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Conv2d(128, 65, 3)  # expect: TPL309 @ 65
        self.scores = nn.Conv2d(65, 64, 1)  # expect: TPL309 @ 65

    def forward(self, x):
        return self.scores(self.inner(x).relu())


# ok: a program in float32, whose convolutions run in TF32
def main():
    model = nn.Conv2d(100, 100, 3).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.randn(8, 100, 32, 32, device="cuda")).sum()
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()


# ok: compiled, pretrained, and in a test
@torch.compile
def run(x):
    return nn.Conv2d(100, 100, 3).cuda().half()(x)


def test_odd_channels():
    layer = nn.Conv2d(100, 100, 3).cuda().half()
    assert layer(torch.ones(1, 100, 8, 8, device="cuda").half()).shape[1] == 100


# missed: the same by the functional form
weight = torch.randn(100, 100, 3, 3, device="cuda", dtype=torch.half)
image = nn.functional.conv2d(torch.randn(1, 100, 8, 8, device="cuda", dtype=torch.half), weight)
