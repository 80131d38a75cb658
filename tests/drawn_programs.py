"""Whole programs, drawn from what people write with torch, that run: for what a fix must not change.

A program is a module whose `forward` is drawn, and a loop that trains it. Statements know the kinds of values they take
and give, so that what is drawn mostly runs; what does not must raise the same before and after. Any value may be written
to, bound anew, kept under a second name or handed on, in loops, branches, `with` blocks and functions within: the
circumstances on which it depends whether a fix keeps what the program does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]

HEAD: Final = """\
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, factor: float = 0.5):
        super().__init__()
        self.factor = factor
        self.weight = nn.Parameter(torch.linspace(-1, 1, 4))
        self.register_buffer("limits", torch.tensor([0.5, 1.5, 2.5, 80.0]))

    def forward(self, x: torch.Tensor, labels: torch.Tensor):
"""
LOOP: Final = """

def train(inputs: torch.Tensor, labels: torch.Tensor):
    torch.manual_seed(3)
    model = Net().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loader = list(zip(inputs.split(2), labels.split(2)))
"""

# Kinds: x floats of n rows and 4 columns, r floats of n, m a mask like x, k a mask of n, i indices of n, h floats on the host,
# u bytes there, s a tensor without dimensions, f a number of Python, l a list.
START: Final = (
    ("x", "x", "x.float() * 1.0"),
    ("x", "fresh", "torch.zeros_like(x.detach()) + x.detach()"),
    ("r", "flat", "x.detach().flatten()"),
    ("m", "mask", "x > 0.5"),
    ("u", "image", "torch.randint(0, 255, (len(x), 4), dtype=torch.uint8)"),
)
"""What many a program begins with."""
MADE: Final = (
    ("x", "torch.zeros({x}.shape[0], 4).to({x}.device)"),
    ("x", "torch.ones(len({x}), 4).cuda()"),
    ("x", "torch.full((len({x}), 4), 0.5).to({x}.device)"),
    ("x", "torch.zeros(len({x}), 4).to({x})"),
    ("x", "torch.ones({x}.shape).to({x}.device, {x}.dtype)"),
    ("x", "torch.arange(4).to({x}.device).expand(len({x}), 4) * 1.0"),
    ("x", "torch.eye(len({x}), 4).type_as({x})"),
    ("x", "torch.rand(len({x}), 4).cuda()"),
    ("r", "torch.arange(len({x})).to({x}.device).float()"),
    ("r", "torch.linspace(0, 1, len({x})).cuda()"),
    ("s", "torch.tensor(0.5, device={x}.device)"),
    ("s", "torch.tensor(2).to({x}.device)"),
    ("s", "torch.tensor(-1.5).to({x}.device, {x}.dtype)"),
    ("s", "torch.tensor(self.factor, device={x}.device)"),
    ("s", "{x}.new_tensor(3.0)"),
    ("x", "torch.arange(len({x}) * 4, dtype=torch.uint8).view(-1, 4).float().cuda()"),
    ("u", "torch.arange(len({x}) * 4, dtype=torch.uint8).view(-1, 4)"), ("x", "{u}.float().to({x}.device)"), ("x", "{u}.float().cuda()"),
    ("x", "torch.randint(0, 255, (len({x}), 4), dtype=torch.uint8).float().to({x}.device)"),
    ("x", "(torch.arange(4) > 1).expand(len({x}), 4).half().cuda()"),
    ("x", "{x}.detach().float() + 1"), ("x", "torch.zeros_like({x}.detach()) + {x}.detach()"), ("x", "torch.rand_like({x})"),
    ("r", "{x}.flatten()"), ("r", "{x}.detach().flatten()"), ("r", "torch.zeros(len({x}), device={x}.device)"),
    ("x", "torch.zeros(len({x}), 4, device={x}.device)"), ("x", 'torch.ones(len({x}), 4, device="cuda")'),
    ("x", "{x} * {x}"), ("x", "{x} + 1"), ("x", "{x} * self.weight"), ("x", "{x}.float()"), ("x", "{x}.clone()"),
    ("x", "{x}.detach()"), ("x", "{x}"), ("x", "{x}.view(-1, 4)"), ("x", "{x}.contiguous()"), ("x", "{x} / {s}"),
    ("x", "torch.where({m}, {x}, {s})"), ("x", "torch.relu({x})"), ("x", "{x} - {x}.mean()"), ("x", "torch.stack([{r}] * 4, 1)"),
    ("r", "{x}.sum(1)"), ("r", "{x}[:, 0]"), ("r", "{r} * 2"), ("r", "{r}.detach() + 0.5"), ("s", "{x}.sum()"), ("s", "{r}.max()"),
    ("m", "{x} > 0"), ("m", "torch.isnan({x})"), ("m", "~{m}"), ("m", "{m} & ({x} < 1)"), ("m", "{x} > {s}"),
    ("k", "{r} < 1"), ("k", "{m}.any(1)"), ("k", "labels > 1"), ("i", "labels"), ("i", "{k}.nonzero().flatten()"),
    ("i", "torch.nonzero({k}, as_tuple=True)[0]"), ("i", "torch.arange(len({x}), device={x}.device)"),
    ("f", "len({x}) * 0.5"), ("f", "{s}.item()"), ("f", "float({x}.sum())"), ("f", "self.factor"), ("f", "0.25"),
    ("l", "[float(v) for v in {r}]"), ("l", "[v.item() for v in {r} if v > 0]"), ("l", "{r}.tolist()"),
    ("l", "[round(v.item(), 2) for v in {x}.flatten()]"), ("l", "[float({r}[j]) for j in range(len({r}))]"),
    ("l", "dict(enumerate(v.item() for v in {r}))"), ("l", "list(zip(range(9), [v.item() for v in {r}.flatten()]))"),
    ("h", "{x}.detach().to('cpu', non_blocking=True)"), ("h", "{x}.to('cpu', non_blocking=True)"), ("x", "{h} + 1"),
    ("l", "{h}.flatten().tolist()"), ("l", "[float({h}[0, 0])]"), ("r", "{h}.sum(1)"),
)  # fmt: skip
"""What a kind is made of: `name = ...`."""
DONE: Final = (
    "if ({x} > 80).any():\n    {x}[{x} > 80] = 80",
    "if torch.isnan({x}).any():\n    {x}[torch.isnan({x})] = 0.0",
    "if {m}.any():\n    {x}[{m}] = 0",
    "if {m}.sum() > 0:\n    {x} = {x}.masked_fill({m}, -1.0)",
    "if {m}.any():\n    # only where there are any\n    {x}[{m}] = 0.5",
    "{x}[{m}] = 0.25",
    "{x}[torch.nonzero({m}, as_tuple=True)] = 1.0",
    "{x}[torch.where({m})] = 0",
    "{x}[{k}] = 2.0",
    "{x}[{k}.nonzero()] = 0",
    "{r}[torch.where({k})] = 0.5",
    "{x}[0, 0] = 1.0",
    "{x}[{i}, 0] = 0.5",
    "{x}[{i}] = {f}",
    "{x} += 1",
    "{x}.mul_(2)",
    "{r}[0] = 3",
    "for v in {r}:\n    seen.append(v.item())",
    "for v in {r}.flatten():\n    seen.append(float(v) * 2)",
    "seen.append({x})",
    "seen.append({h}.numpy().sum())",
    "{h}.add_(1)",
    "kept = {x}",
    "kept = {x}.view(-1)",
    "seen.append(len({i}))",
)  # fmt: skip
"""What is done with values."""
AROUND: Final = (
    "if len({x}) > 1:",
    "for _ in range(2):",
    "with torch.no_grad():",
    "if self.training:",
    "if {f} < 2:",
    "def inner():",
    "try:",
)
FORWARD: Final = tuple("xrmkihusfl")
TOTALS: Final = (
    "total += loss",
    "total += loss.item()",
    "total = total + loss * len(x)",
    "total += loss.detach()",
    "losses.append(loss)",
    "losses.append(loss.item())",
    "total += float(loss) / len(loader)",
    "correct += (out.argmax(1) == y).sum().item()",
    "seen += len(x)",
    "if step % 2 == 0:\n    print(loss.item(), end='')",
    "scale = torch.tensor(0.5).cuda()",
    "x = x * torch.ones(len(x), 4).to(x.device)",
)
"""What a loop keeps of its losses, and does besides."""
ENDS: Final = (
    "total",
    "float(total)",
    "total / len(loader)",
    "total.item() if isinstance(total, torch.Tensor) else total",
)


@dataclass(slots=True)
class Body:
    """Statements, and the names that are bound where they end, by kind."""

    draw: Draw
    names: dict[str, list[str]]
    count: int = 0
    lines: list[str] = field(default_factory=list)

    def block(self, depth: int, indent: str) -> None:
        for _ in range(self.draw(st.integers(1, 4))):
            if depth and self.draw(st.integers(0, 4)) == 0:
                self.compound(depth - 1, indent)
            elif self.draw(st.booleans()):
                self.add(self.filled(self.draw(st.sampled_from(DONE))), indent)
            else:
                self.make(indent)

    def compound(self, depth: int, indent: str) -> None:
        head = self.draw(st.sampled_from(AROUND))
        self.add(self.filled(head), indent)
        outside = {kind: list(names) for kind, names in self.names.items()}
        if head.startswith("def"):
            self.count += 1
            self.add(f"z{self.count} = {self.filled('{x}')} + 0", indent + "    ")
            self.names = {kind: [] for kind in self.names} | {"x": [f"z{self.count}"]}
        self.block(depth, indent + "    ")
        if head.startswith("def"):
            self.add(f"return {self.filled('{x}')}", indent + "    ")
        self.names = outside  # what is bound in there may not be bound behind it
        if head.startswith("try"):
            self.add("finally:\n    seen.append(1)", indent)
        elif head.startswith("def"):
            self.add("seen.append(inner())", indent)

    def make(self, indent: str, kind: str = "") -> str:
        forms = [form for form in MADE if not kind or form[0] == kind]
        kind, form = self.draw(st.sampled_from(forms))
        value = self.filled(form)
        bound = [*self.names[kind], ""]
        name = self.draw(st.sampled_from(bound)) if kind != "i" else ""
        if not name or name in ("x", "labels"):
            self.count += 1
            name = f"{kind}{self.count}"
        self.add(f"{name} = {value}", indent)
        if name not in self.names[kind]:
            self.names[kind].append(name)
        return name

    def filled(self, form: str) -> str:
        """A form with a name of each kind that it takes; a kind that is missing is written out."""
        spare = {
            "r": "x[:, 1]", "m": "(x > 0.5)", "k": "(labels > 0)", "i": "labels", "s": "x.sum()", "f": "0.75", "x": "x",
            "h": "x.cpu()", "l": "[]",
            "u": "torch.ones(len(x), 4, dtype=torch.uint8)",
        }  # fmt: skip
        chosen = {}
        for kind in FORWARD:
            if "{" + kind + "}" in form:
                names = self.names[kind]
                chosen[kind] = self.draw(st.sampled_from(names)) if names else spare[kind]
        return form.format(**chosen)

    def add(self, statement: str, indent: str) -> None:
        self.lines += [indent + line for line in statement.split("\n")]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program; `forward` and `train` give back all that they have seen."""
    body = Body(draw, {kind: [] for kind in FORWARD} | {"x": ["x"], "i": ["labels"]})
    body.add("seen = []\nkept = None", " " * 8)
    for kind, name, value in START:
        if draw(st.booleans()):
            body.add(f"{name} = {value}", " " * 8)
            body.names[kind] = [*body.names[kind], name] if name != "x" else ["x"]
    body.block(2, " " * 8)
    names = [name for kind in FORWARD for name in body.names[kind]]
    body.add(f"return x.float().sum() * self.weight.sum(), [{', '.join(names)}], seen, kept", " " * 8)
    start, end = (
        draw(st.sampled_from(("0.0", "torch.zeros(())", "torch.zeros(()).cuda()"))),
        draw(st.sampled_from(ENDS)),
    )
    loop = [f"    total, correct, seen, losses, step = {start}, 0, 0, [], 0", "    for x, y in loader:"]
    before = ["x, y = x.cuda(), y.cuda()", "out = x.float() * model.weight", "loss = out.square().mean()"]
    after = ["optimizer.zero_grad()", "loss.backward()", "optimizer.step()", "step += 1"]
    extra = [line for each in draw(st.lists(st.sampled_from(TOTALS), max_size=4)) for line in each.split("\n")]
    loop += [" " * 8 + line for line in (*before, *after, *extra)]
    loop.append(f"    return {end}, correct, seen, [float(each) for each in losses], list(model.parameters())")
    return HEAD + "\n".join(body.lines) + "\n" + LOOP + "\n".join(loop) + "\n"
