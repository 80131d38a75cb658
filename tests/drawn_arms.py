"""Programs, drawn, in which a name is bound in several branches and used behind them: for what the order of branches changes.

They need not run: `unknown` is nobody's function, and an arm may give whatever the others do not.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

HEAD: Final = """\
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from elsewhere import chosen, unknown


"""
VALUES: Final = (
    "x.cuda()", "3", "unknown(x)", "None", "x.cpu()", "0.0", "x", "x.sum()", "torch.zeros(4)", "torch.zeros(2, 3, device='cuda')",
    "torch.tensor(1)", "x.cpu().pin_memory()", "x.to(device)", "x.to('mps')", "x.half()", "x.long()", "x.detach()", "x > 0",
    "x.cpu().numpy()", "np.zeros(3)", "True", "'text'", "[x]", "[]", "(x, 1)", "(1, x)", "(x.cuda(),)", "[1, 2]", "{'a': x}",
    "{'b': x.cuda(), 'a': 1}", "{}", "nn.Linear(2, 3)", "nn.Linear(2, 3).cuda()", "F.relu", "torch.sigmoid", "torch.float16",
    "torch.device('cuda')", "x.shape", "x.shape[0]", "len(x)", "x.tolist()", "x.item()", "(each for each in x)", "set(x)",
    "lambda y: y.cuda()", "F.relu(v)", "v", "v.cuda()", "v + 1", "v + x", "[v]", "(v, x)", "self.scale", "self.table", "self.helper(x)",
)  # fmt: skip
"""What an arm may bind `v` to: a parameter before."""
USES: Final = (
    "v.item()", "print(v)", "float(v)", "v.cpu()", "v[0]", "v.sum().item()", "v.cuda()", "self.seen.append(v)", "total += v",
    "total += v.item()", "if v:\n    pass", "if v.any():\n    pass", "for each in v:\n    print(each)", "x[v]", "x[v > 0] = 0",
    "y = v(x)\ny.item()", "y, z = v\ny.item()", "y = v['a']\nfloat(y)", "v.to(x.device)", "torch.full((2,), v)", "x.repeat(v)",
    "y = torch.tensor(v).cuda()", "y = v + x\ny.tolist()", "np.asarray(v)",
    "x * v.to('cuda')", "v.numpy()", "v.nonzero()", "range(v)", "torch.zeros(v).cuda()",
    "y = v.float().cuda()", "y = v.to(torch.float16)", "for each in v.tolist():\n    float(each)",
    "w = v if chosen(0) else x.cuda()\nw.item()", "v = unknown(v)", "x = v", "self.scale = v", "self.table['a'] = v", "return v",
)  # fmt: skip
"""What is done with `v` then."""

_value = st.sampled_from(VALUES)
_use = st.sampled_from(USES)


@st.composite
def branching(draw: st.DrawFn) -> str:
    """A module with a hot method that binds `v` in arms, uses it, and a loop that trains."""
    lines = ["class Net(nn.Module):", "    def __init__(self, scale=None):", "        super().__init__()"]
    lines += [
        f"        self.scale = {draw(st.sampled_from(('scale', '0.5', 'torch.ones(3)', 'torch.ones(3).cuda()')))}"
    ]
    lines += ["        self.table, self.seen = {}, []", "", "    def helper(self, x, v=None):"]
    lines += _chain(draw, ["return " + each for each in draw(st.lists(_value, min_size=2, max_size=3))])
    lines += ["", "    def forward(self, x, v, device):", "        total = 0.0"]
    if draw(st.booleans()):
        lines.append("        x = x.cuda()")
    for number in range(draw(st.integers(0, 3))):
        lines.append(f"        {'vyz'[number]} = {draw(_value)}")
    block: list[str] = []
    for _ in range(draw(st.integers(1, 2))):
        block += _chain(draw, [_arm(draw) for _ in range(draw(st.integers(2, 4)))])
        block += [" " * 8 + line for use in draw(st.lists(_use, min_size=1, max_size=3)) for line in use.split("\n")]
    if draw(st.booleans()):
        block = ["        for _ in range(3):", *("    " + line for line in block)]
    lines += [*block, "        return x, total"]
    train = ["", "", "def train(loader, optimizer, device):", "    model = Net().cuda()", "    for x, v in loader:"]
    train += [
        "        optimizer.zero_grad()",
        f"        loss = model(x.cuda(), {draw(_value).replace('self', 'model')}, device)[0].sum()",
    ]
    train += ["        loss.backward()", "        optimizer.step()"]
    return HEAD + "\n".join([*lines, *train]) + "\n"


def _arm(draw: st.DrawFn) -> str:
    """Bindings of an arm: `v`, seldom nothing, seldom a way out."""
    kind = draw(st.integers(0, 9))
    if kind == 9:
        return draw(st.sampled_from(("pass", "return x, total", "raise ValueError(v)", "x = x.cpu()", "v.add_(1)")))
    return f"v = {draw(_value)}"


def _chain(draw: st.DrawFn, bodies: list[str]) -> list[str]:
    heads = [f"if chosen({number}):" if number == 0 else f"elif chosen({number}):" for number in range(len(bodies))]
    if len(bodies) > 1:
        heads[-1] = "else:"
    return [line for head, body in zip(heads, bodies, strict=True) for line in (" " * 8 + head, " " * 12 + body)]
