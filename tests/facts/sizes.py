from dataclasses import dataclass

from torch import nn

WIDTH = 1024
HEADS = WIDTH // 65
changed = 3
changed += 1


@dataclass
class Config:
    vocabulary: int = 50257
    ratio: float = 2.5
    unset: int | None = None


class Base(nn.Module):
    depth = 12


class Net(Base):
    def __init__(self, config: Config, width=WIDTH, inner: int = 3 * 11, *, classes=10, free=None):
        super().__init__()
        self.config = config
        self.inner = inner if inner else inner
        self.twice = 1
        self.twice = 2
        print(width)  # fact: width => size 1024
        print(width * 2 - 1)  # fact: width * 2 - 1 => size 2047
        print(inner)  # fact: inner => size 33
        print(classes)  # fact: classes => size 11
        print(free)  # fact: free => no size
        print(self.inner)  # fact: self.inner => size 33
        print(self.twice)  # fact: self.twice => no size
        print(self.depth)  # fact: self.depth => size 12
        print(self.config.vocabulary)  # fact: self.config.vocabulary => size 50257
        print(int(config.ratio * 4))  # fact: int(config.ratio * 4) => size 10
        print(config.ratio)  # fact: config.ratio => no size
        print(config.unset)  # fact: config.unset => no size
        print(config.missing)  # fact: config.missing => no size
        print(max(inner, 64))  # fact: max(inner, 64) => size 64
        print(inner // 0)  # fact: inner // 0 => no size


net = Net(Config(), classes=11)
print(HEADS)  # fact: HEADS => size 15
print(changed)  # fact: changed => no size
print(True)  # fact: True => no size
