import torch
from torch import nn


# doc: A language model whose vocabulary has the size that the tokenizer gave
class Model(nn.Module):
    def __init__(self, width=1024, vocabulary=50257):
        super().__init__()
        self.width = width
        self.words = nn.Embedding(vocabulary, width)
        self.inner = nn.Linear(width, 4 * width)
        self.outer = nn.Linear(4 * width, width)
        self.head = nn.Linear(self.width, vocabulary, bias=False)  # expect: TPL308 @ vocabulary

    def forward(self, tokens):
        x = self.words(tokens)
        return self.head(x + self.outer(self.inner(x).relu()))


def train(model, loader, optimizer):
    for tokens, target in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(tokens.cuda()).flatten(0, 1), target.cuda().flatten())
        loss.backward()
        optimizer.step()


# case: constants, arithmetic, attributes and the defaults of a dataclass
from dataclasses import dataclass

WIDTH = 1023


@dataclass
class Config:
    width: int = 1030
    hidden: int = 3 * 1001


class Block(nn.Module):
    def __init__(self, config: Config, ratio: float = 2.5):
        super().__init__()
        self.config = config
        self.inner = int(1002 * ratio) + 1
        self.a = nn.Linear(1024, WIDTH)  # expect: TPL308 @ WIDTH
        self.b = nn.Linear(WIDTH, 1024)  # expect: TPL308 @ WIDTH
        self.c = nn.Linear(config.width, 2048)  # expect: TPL308 @ config.width
        self.d = nn.Linear(2048, out_features=self.config.hidden)  # expect: TPL308 @ self.config.hidden
        self.e = nn.Linear(in_features=2048, out_features=self.inner)  # expect: TPL308 @ self.inner
        self.f = nn.Linear(16 * 7 * 7 + 1, 4096)  # expect: TPL308 @ 16 * 7 * 7 + 1


# case: what a class is given in sight is better known than its default
class Head(nn.Module):
    def __init__(self, width=1000, words=32000):
        super().__init__()
        self.score = nn.Linear(width, words)  # expect: TPL308 @ words


def build():
    return Head(words=32001).half().cuda()


# case: in TF32 a multiple of 4 will do
torch.set_float32_matmul_precision("high")
layers = nn.Sequential(
    nn.Linear(4096, 4097),  # expect: TPL308 @ 4097
    nn.Linear(4097, 4100),  # expect: TPL308 @ 4097
    nn.Linear(4100, 4096),
)


# case: the heads of an attention
attention = nn.MultiheadAttention(600, 8, batch_first=True)  # expect: TPL308 @ 8


# case: all sizes, where one asks for them
# set: alignment-min-dim = 1
class Small(nn.Module):
    def __init__(self, features, classes=10):
        super().__init__()
        self.a = nn.Linear(15, 64)  # expect: TPL308 @ 15
        self.b = nn.Linear(features, 33)  # expect: TPL308 @ 33
        self.c = nn.Linear(64, classes)  # expect: TPL308 @ classes
        self.d = nn.Linear(64, 128)
        self.e = nn.Linear(features, features)


# case: all sizes in TF32 and in int8
# set: alignment-min-dim = 1
import bitsandbytes as bnb

torch.backends.cuda.matmul.allow_tf32 = True
layers = nn.Sequential(nn.Linear(12, 20), nn.Linear(20, 30), bnb.nn.Linear8bitLt(24, 32))  # expect: TPL308 @ 30 && TPL308 @ 24


# ok: the classes and layers of a course: at this size nothing is lost, whatever they are divisible by
data = torch.randn(128, 15)

model = nn.Sequential(
    nn.Linear(128, 64),
    nn.Linear(64, 32),
    nn.Linear(32, 16),
    nn.Linear(16, 8),
    nn.Linear(8, 4),
    nn.Linear(4, 5),
).cuda()
with torch.autocast("cuda"):
    model(data.cuda())


# ok: rows are free: the last batch of 123 rows has 59, and 4095 rows are as good as 4096
from torch.utils.data import DataLoader

rows = torch.randn(123, 16)
loader = DataLoader(rows, batch_size=64)
model = nn.Sequential(nn.Linear(16, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 16)).cuda().half()
for batch in loader:
    model(batch.cuda().half())
model[2](torch.randn(4095, 4096, device="cuda", dtype=torch.half))


# ok: aligned, or small on one side
class Net(nn.Module):
    def __init__(self, features=784, classes=1001, labels=1003, rank=513, tags=2051):
        super().__init__()
        self.a = nn.Linear(features, 1024)
        self.b = nn.Linear(1024, 10)
        self.c = nn.Linear(15, 1024)
        self.d = nn.Linear(1024, 50304)
        self.e = nn.Linear(511, 4096)
        self.attention = nn.MultiheadAttention(768, 12)

        # given by the task, the data or the method
        self.f = nn.Linear(1024, classes)
        self.g = nn.Linear(1024, labels)
        self.h = nn.Linear(1024, rank)
        self.i = nn.Linear(1024, tags)


# ok: a size that nobody knows
class Free(nn.Module):
    def __init__(self, width, config, *sizes, **options):
        super().__init__()
        self.a = nn.Linear(width, 1001)
        self.b = nn.Linear(config.width, 1001)
        self.c = nn.Linear(*sizes)
        self.d = nn.Linear(1024, **options)
        self.e = nn.Linear(1024, sizes[0])


# ok: a program in float32, in which tensor cores have no part
def main():
    model = nn.Linear(4096, 4095).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in range(3):
        loss = model(torch.randn(8, 4096, device="cuda")).sum()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()


# ok: float32 because one says so
torch.set_float32_matmul_precision("highest")
layer = nn.Linear(4096, 4095)


# ok: compiled, and the compiler pads
layer = torch.compile(nn.Linear(4096, 4095).cuda().bfloat16())


# ok: weights that others trained have the shapes that they have
class Pretrained(nn.Module):
    def __init__(self, width=768, vocabulary=50257):
        super().__init__()
        self.head = nn.Linear(width, vocabulary, bias=False)

    @classmethod
    def from_pretrained(cls, name):
        model = cls()
        model.load_state_dict(torch.hub.load_state_dict_from_url(name))
        return model


# ok: weights that a class knows how to load, wherever it finds them
class Published(nn.Module):
    def __init__(self, width=1280, inner=3420):
        super().__init__()
        self.up = nn.Linear(width, inner)

    @classmethod
    def from_pretrained(cls, path):
        model = cls()
        model.load_state_dict(torch.load(path, map_location="cpu"))
        return model


# ok: the file says how to load the weights of others into it
class Tower(nn.Module):
    def __init__(self, width=1280, hidden=3421):
        super().__init__()
        self.up = nn.Linear(width, hidden)

    @classmethod
    def from_pretrained(cls, path):
        tower = cls()
        tower.load_state_dict(torch.load(path), strict=True)
        return tower


# ok: layers of others, and of tests
from elsewhere import Linear


def test_odd_sizes():
    layer = nn.Linear(4096, 4095).cuda().half()
    assert layer(torch.ones(1, 4096, device="cuda").half()).shape == (1, 4095)


other = Linear(4096, 4095)


# missed: a product without a layer
weight = torch.randn(4096, 4095, device="cuda", dtype=torch.bfloat16)
product = torch.randn(8, 4096, device="cuda", dtype=torch.bfloat16) @ weight
