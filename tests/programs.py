"""Programs as people write them, for the tests of all that reads a text: layout and comments of many kinds.

What only newer Pythons read is apart, under the version that it needs.
"""

from __future__ import annotations

TRAINING = '''\
#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Train a small network.

Usage: train.py [--epochs N]
"""
from __future__ import annotations, print_function

import argparse, os
import torch.nn.functional as F
from typing import (
    Any,  # for the config
    Callable,
    Optional,
)
from . import models
from ..data import (loaders as ld, transforms)

BATCH: int = 64
LIMITS: dict[str, Any]
RATE = WARM = 1e-3; MOMENTUM = .9

@torch.no_grad()
@register("accuracy", top=(1, 5))
def accuracy(output, target, /, topk=(1,), *, reduce: bool = True, **rest) -> list[float]:
    """Share of right answers."""
    maxk = max(topk)
    _, pred = output.topk(maxk, 1, True, True)
    correct = (pred.t() == target.view(1, -1)).expand_as(pred)
    return [correct[:k].reshape(-1).float().sum(0) * 100. / len(target) for k in topk if k > 0 if not rest]


class Net(nn.Module, metaclass=Meta):

    # the depth of the network
    depth = 3

    def __init__(self, *sizes: int, dropout: float = 0.5, act: Optional[Callable] = None,):
        super().__init__()
        self.layers = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])  # all of them
        self.act = act or (lambda x, *a, k=1, **kw: F.relu(x) ** k)

    def forward(self, x):
        if self.training and x.dim() > 2 and not torch.jit.is_scripting() or self.depth == 0:
            x = x[..., ::2, 1:-1, None]
        elif (n := x.size(0)) >= 1 != 2 is not None:
            x[0], x[1] = x[1], x[0]
        else: x += 1; x @= x
        for i, layer in enumerate(self.layers):
            x = self.act(layer(x)) if i < len(self.layers) - 1 else layer(x)
            continue
        else:
            pass
        return x,


async def serve(queue):
    async with queue.open() as channel, lock:
        async for item in channel:
            yield await item
            result = yield
            data = [y async for y in item if await y]
    await queue.close()


def train(loader, model, optimizer, device="cuda" if torch.cuda.is_available() else "cpu"):
    global STEP
    losses = {**defaults, 'a': 1, "b": {x: y for x, y in pairs}, **other}
    with open("log.txt", 'w') as log, \\
            torch.autocast(device, dtype=torch.bfloat16):
        for step, (images, labels, *others) in enumerate(loader):
            try:
                loss = F.cross_entropy(model(images.to(device)), labels)
                loss.backward()
            except (RuntimeError, ValueError) as error:
                raise SystemExit(1) from error
            except KeyboardInterrupt: break
            else:
                optimizer.step()
            finally:
                optimizer.zero_grad()
            if step % 10 == 0:
                print(f"step {step:>4d} loss {loss.item():.{digits}f} {rate=} {'a' 'b'!r:^{width}}", file=log)
    assert losses, "nothing" " was" \\
        " trained"
    del losses["a"], others[:], (x, y)
    while True:
        def closure():
            nonlocal step
            return step ^ 1 | 2 & ~3 << 4 >> 5 // 6 % 7 - -8 + +9
        if closure(): break
    return -1 if step else not (yield from generate(step))
'''

WINDOWS = '"""Doc."""\r\nimport os\r\n\r\nif os.name == "nt":\r\n\tx = """one\r\n\ttwo"""\r\n\ty = [1,\r\n\t\t2]\r\n'

METHODS = '''\
@a
class A(
    B, c=(d),  # (
):  # e
    # f
    @(
    g)
    @h
    def i(self, j=k):
        for l in m:
            n
            # deep
        # less
# zero

  # odd
    x: int = y; z

    async def o(self): p; q
    # last
    def r(self):
        s = """
t
""" + f'{u}'
        if s: return \\
 v
        else:
            pass
            # end

w = A()
'''

PLACES = {
    "methods": METHODS,
    "tabs": "if a:\n\tif b:\n\t\tc = 1 ; d = 2\n\t# deep\n\te()\n",
    "form feed": "import a\n\x0c\ndef f():\n    return 1\n\x0c\nx = f()\n",
    "no last newline": "def f():\n    x = 1\n    return x  # end",
    "carriage returns": "a = 1\rif a:\r    b = 2\r",
    "not ascii": 'größe = "é" + ñ.größe("名", x=naïve)  # ü\nprint(größe, "🎉", größe)\n',
    "backslashes": "x = 1 + \\\n    2\nassert x, \\\n    y\nif x and \\\n   y: z()\n",
    "shared lines": "a; b;c\nif a: b; c\nelse: d\nclass E: x = 1; y = 2\nfor i in a: pass\n",
    "comments": "# first\n\n# second\na = 1  # third\n\n    # odd\nb = 2\n# last\n",
    "only comments": "# nothing\n\n# at all\n",
    "empty": "",
    "a newline": "\n",
    "string over lines": "x = \"\"\"\n  a\n\"\"\" ; y = 1\nz = '''\n'''\n",
    "brackets": "((a))\nf((b))\n(c)[(d)]\n((e, f))\n(g,)\n((yield))\nx = (  # why\n    h\n)\n",
}

NEWER = {
    (3, 11): "try:\n    a()\nexcept* (ValueError, TypeError) as group:\n    b(group)\nx[*y, 1] = z[*y]\n"
    "def f(*args: *Ts): pass\n",
    (3, 12): "def first[T: int, *Ts, **P](items: list[T]) -> T:\n    return items[0]\n"
    "class Box[T](Base[T]):\n    x: T\ntype Pair[A] = tuple[A, A]\n"
    'y = f"{\', \'.join(f"{n}" for n in names)} {x[\'a\'] + "\\n"}"\n',
    (3, 13): "def f[T = int, *Ts = *tuple[int]](x: T): return x\n",
    (3, 14): "try:\n    a()\nexcept ValueError, TypeError:\n    b()\nx = t'{name!r:>{width}} is {age}'\n",
}
"""What a Python older than the key refuses."""
