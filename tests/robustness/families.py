"""Families of programs: one shape, written as often as one asks. What the linter does must grow with it, not faster.

A family is a text by its number of repeats. Each is one that a file can hold, and one by which an early version of the linter
took the square of its length, or might have. `growth.py` among the benchmarks measures their seconds, `test_growth.py`
holds their steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

HEAD: Final = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
STEP: Final = "for x in loader:\n    loss = model(x.cuda())\n    loss.backward()\n"
"""The head of a loop of training, to be gone on with by lines of its body."""

GRAPH: Final = "g = torch.cuda.CUDAGraph()\nwith torch.cuda.graph(g):\n    y = x + 1\nfor b in range(9):\n"
"""A graph that is captured, and the head of a loop that may replay it."""

G: Final = "def g(x):\n"
ASKED: Final = "    return x.sum().item()\n"
"""The head of a function, and its end, which asks about what stands above."""
TAIL: Final = "for x in loader:\n    loss = model(x.cuda())\n    loss.backward()\n    optimizer.step()\n    total += loss.item()\n"
"""What makes the linter ask about all that stands above."""

Family = Callable[[int], str]


def each(form: str, head: str = "", foot: str = "") -> Family:
    """A form written n times, `{i}` being the number of the repeat and `{j}` that of the one before."""
    return lambda n: HEAD + head + "".join(form.format(i=i, j=max(i - 1, 0)) for i in range(n)) + (foot or TAIL)


def nested(form: str, inner: str, levels: int, head: str = "") -> Family:
    """A form, `{}` being what is in it, in itself: as deep as n, up to some levels, and then once more beside that."""

    def made(n: int) -> str:
        texts, left = [], n
        while left > 0:
            text = inner
            for _ in range(min(left, levels)):
                text = form.format(text)
            texts.append(f"x = {text}\n")
            left -= levels
        return HEAD + head + "".join(texts) + TAIL

    return made


def blocks(form: str, inner: str, levels: int, head: str = "") -> Family:
    """A line that opens a block, in its own block: up to some levels, and then once more beside that."""

    def made(n: int) -> str:
        texts, left, run = [], n, 0
        while left > 0:
            deep = min(left, levels)
            texts += [f"{' ' * at}{form.format(i=run + at)}\n" for at in range(deep)]
            texts.append(f"{' ' * deep}{inner.format(i=run)}\n")
            left, run = left - levels, run + levels
        return HEAD + head + "".join(texts) + TAIL

    return made


def chain(form: str, joint: str, head: str = "", foot: str = "") -> Family:
    """One expression of n parts."""
    return lambda n: HEAD + head + joint.join(form.format(i=i) for i in range(n)) + foot + "\n" + TAIL


def mutual(width: int) -> Family:
    """Functions each of which calls some others, and is called by some others."""
    return lambda n: (
        HEAD
        + "".join(
            f"def f{i}(x):\n"
            + "".join(f"    x = f{(i * 7 + k * 3 + 1) % n}(x)\n" for k in range(width))
            + "    return x + torch.ones(3).cuda().item()\n"
            for i in range(n)
        )
    )


def diamonds(n: int) -> str:
    """Classes in diamonds: twice as many ways up with each level."""
    levels = "".join(
        f"class L{i}(M{i - 1}):\n    pass\nclass R{i}(M{i - 1}):\n    pass\nclass M{i}(L{i}, R{i}):\n    pass\n"
        for i in range(1, n)
    )
    use = f"class Net(M{n - 1}):\n    def forward(self, x):\n        self.go()\n        return (self.nothing(x) + self.missing).item()\n"
    return f"{HEAD}class M0(nn.Module):\n    pass\n{levels}{use}"


def methods(n: int) -> str:
    """A class whose methods bind one attribute, and each reads what the one before it has bound."""
    each_one = "".join(
        f"    def m{i}(self, x):\n        self.h = self.h + x\n        self.a{i} = self.a{max(i - 1, 0)} * self.h.item()\n"
        for i in range(n)
    )
    return f"{HEAD}class Net(nn.Module):\n    def __init__(self):\n        self.h = torch.zeros(3)\n        self.a0 = 1\n{each_one}"


_PLAIN: Final[dict[str, Family]] = {
    # a loop of training, and what its body does n times
    "cat in a loop": each("    a{i} = torch.cat([a{i}, x])\n", STEP),
    "cat of one name": each("    a = torch.cat([a, x])\n", STEP),
    "item in a loop": each("    total{i} += loss.item()\n", STEP),
    "item of one name": each("    total += loss.item()\n", STEP),
    "print in a loop": each("    print(loss, {i})\n", STEP),
    "append in a loop": each("    losses{i}.append(loss)\n", STEP),
    "append to one list": each("    losses.append(loss.item())\n", STEP),
    "moves in a loop": each("    y{i} = torch.zeros(3).cuda()\n", STEP),
    "masks in a loop": each("    y{i} = x[x > {i}]\n    x[x < {i}] = 0\n", STEP),
    "carried from turn to turn": each("    a{i} = a{j} + 1\n", "a0 = torch.zeros(3)\n" + STEP),
    "carried backwards": lambda n: (
        HEAD + STEP + "".join(f"    b{i} = b{i + 1}\n" for i in range(n)) + f"    b{n} = x\n"
    ),
    # lines, one below the other
    "assignments": each("a{i} = torch.zeros(3) + {i}\n"),
    "assignments to one name": each("a = a + torch.zeros(3)\n"),
    "unpacked": each("a{i}, b{i} = b{j}, a{j}\n", "a0, b0 = torch.ones(2), 1\n"),
    "try in sequence": each("try:\n    a{i} = f{i}(x)\nexcept ValueError:\n    a{i} = None\n"),
    "try in a function": each("    try:\n        a{i} = f(x)\n    except ValueError:\n        a{i} = None\n", G, ASKED),
    "branches that join": each("    if x{i}:\n        a{i} = torch.zeros(3)\n    else:\n        a{i} = 1\n", G, ASKED),
    "branches that leave": each("    if x{i}:\n        return a{i}\n", G, ASKED),
    "branches on None": each("    if x.a{i} is None:\n        x.a{i} = torch.zeros(3)\n", G, ASKED),
    "elif": each("elif x == {i}:\n    a{i} = torch.ones(3)\n", "if x:\n    pass\n"),
    "match": lambda n: (
        HEAD
        + "def g(x):\n    match x:\n"
        + "".join(f"        case [{i}, a{i}]:\n            b = torch.zeros(3)\n" for i in range(n))
        + "    return b.item()\n"
    ),
    "cases that leave": lambda n: (
        HEAD
        + "def g(x):\n    for y in x:\n        match y:\n"
        + "".join(f"            case [{i}, a{i}]:\n                continue\n" for i in range(n))
        + "        y = torch.zeros(3)\n    return y.item()\n"
    ),
    "branches that go on": each(
        "        if y == {i}:\n            a{i} = torch.zeros(3)\n            continue\n",
        "def g(x):\n    for y in x:\n",
        "    return x.sum().item()\n",
    ),
    "branches that break": each(
        "        if y == {i}:\n            a{i} = torch.zeros(3)\n            break\n",
        "def g(x):\n    for y in x:\n",
        "    return x.sum().item()\n",
    ),
    "handlers": lambda n: (
        HEAD
        + "try:\n    y = f(x)\n"
        + "".join(f"except E{i} as e{i}:\n    a{i} = torch.zeros(3)\n" for i in range(n))
        + TAIL
    ),
    "matches": each("match x:\n    case [a{i}, *b]:\n        c{i} = torch.zeros(3)\n"),
    "loops": each("for i{i} in range(3):\n    a{i} = torch.zeros(3)\n"),
    "loops in a function": each("    for i{i} in x:\n        a{i} = a{j} + i{i}\n", f"{G}    a0 = 1\n", ASKED),
    "while loops": each("while a{i} < 3:\n    a{i} = a{i} + x.sum().item()\n"),
    "with": each("with torch.no_grad() as a{i}:\n    b{i} = model(x)\n"),
    "with of many": chain("open({i}) as a{i}", ", ", "with ", ":\n    pass"),
    "imports": each("import a{i}.b{i}\nfrom torch import zeros as z{i}\n"),
    "one import of many": chain("a{i} as b{i}", ", ", "from torch import "),
    "stars": each("from a{i} import *\n", foot="x = unknown + other\nprint(x.item())\n"),
    "dictionaries": each("d['k{i}'] = torch.zeros(3)\n", "d = {}\n"),
    "globals": each("def f{i}():\n    global a\n    a = torch.zeros(3)\n"),
    "deletes": each("a{i} = 1\ndel a{i}\n"),
    "asserts": each("    assert x{i} is not None and isinstance(x, torch.Tensor)\n", G, ASKED),
    "suppressions": each("a{i} = torch.zeros(3).cuda()  # tpl: ignore[TPL201]\n"),
    "unused suppressions": each("a{i} = 1  # tpl: ignore[TPL201]\n"),
    "strings": each('a{i} = f"{{x}} {{y:.2f}} {{torch.ones(3)}}"\n'),
    # functions and classes
    "a finding in each function": each("def f{i}(x):\n    y = torch.zeros(3).cuda()\n    return x + y\n\n"),
    "a step in each function": each(
        "def f{i}(loader):\n    for x in loader:\n        model(x).backward()\n        print(x.item())\n\n"
    ),
    "a loop that learns in each function": each(
        "def f{i}(model, loader):\n    total = 0\n    for x in loader:\n        loss = model(x)\n        loss.backward()\n"
        "        total += loss.item()\n    return total\n\n"
    ),
    "an evaluation in each function": each(
        "def evaluate{i}(model, loader):\n    model.eval()\n    for x in loader:\n        print(model(x))\n\n"
    ),
    "masks in forwards": each(
        "class N{i}(nn.Module):\n    def forward(self, x):\n        return x[x > {i}], x[x < {i}]\n\n"
    ),
    "unused functions of a file that compiles": each(
        "def f{i}(x):\n    eval('x')\n    return torch.compile(x.item)\n\n"
    ),
    "what a graph reads": each("    x = b\n    h(x)\n", GRAPH, "    g.replay()\n"),
    "replays": each("    x = b\n    g.replay()\n    out.append(y)\n", GRAPH),
    "optimizers": each("def f{i}(model):\n    return torch.optim.SGD(model.parameters(), lr=0.1)\n\n"),
    "functions in a row": each("def f{i}(x):\n    return f{j}(x).sum().item() + torch.ones(3)\n\n"),
    "functions in a row, forwards": lambda n: (
        HEAD + "".join(f"def f{i}(x):\n    return f{i + 1}(x).sum().item() + torch.ones(3)\n\n" for i in range(n))
    ),
    "functions that call each other": mutual(3),
    "functions called alike": each("f(x, {i})\n", "def f(x, n):\n    return (x + n).item()\n"),
    "functions called differently": each("f(x{i}, {i})\n", "def f(x, n):\n    return torch.zeros(n).cuda().item()\n"),
    "forwards": each("class N{i}(nn.Module):\n    def forward(self, x):\n        return x.sum().item()\n"),
    "closures": blocks("def f{i}(a{i}):", "return a{i} + torch.ones(3)", 32),
    "lambdas": each("f{i} = lambda x: f{j}(x) + torch.ones(3)\n"),
    "nested lambdas": nested("lambda a: {}", "torch.ones(3)", 32),
    "decorators": each("@torch.no_grad()\n", foot="def f(x):\n    return x.item()\n"),
    "decorated": each("@d{i}\ndef d{i}(f):\n    return f.item()\n"),
    "defaults": chain("a{i}=torch.ones({i})", ", ", "def f(", "):\n    return (a0 + a1).item()"),
    "parameters": lambda n: (
        HEAD
        + f"def f({', '.join(f'a{i}' for i in range(n))}):\n    return a0.item()\n"
        + f"f({', '.join(f'torch.ones({i})' for i in range(n))})\n"
    ),
    "returns": each("    if x == {i}:\n        return torch.ones({i})\n", "def f(x):\n", "y = f(1).item()\n"),
    "yields": each("    yield torch.ones({i})\n", "def f(x):\n", "y = list(f(1))[0].item()\n"),
    "classes in a chain": each(
        "class C{i}(C{j}):\n    def m{i}(self):\n        return self.m{j}().item()\n",
        "class C0(nn.Module):\n    a = 1\n",
    ),
    "classes in diamonds": diamonds,
    "classes of one base": each(
        "class C{i}(Base):\n    a{i} = 1\n    def f(self):\n        return (self.a{i} + self.b).item()\n",
        "class Base(nn.Module):\n    b = torch.ones(3)\n",
    ),
    "bases": chain("B{i}", ", ", "class C(", "):\n    def f(self):\n        return self.x.item()"),
    "methods that bind attributes": methods,
    "attributes": each(
        "        self.a{i} = nn.Linear({i}, 3)\n",
        "class Net(nn.Module):\n    def __init__(self):\n",
        "    def forward(self, x):\n        return self.a0(x).item()\n",
    ),
    "attributes of a name that is bound anew": each("    x.a{i} = torch.ones(3)\n    x = f(x.a{i})\n", G, ASKED),
    "a name that is bound anew among many": each("    a{i} = x\n    x.b = 1\n    x = f(a{i})\n", G, ASKED),
    "attributes that are read": lambda n: (
        HEAD
        + "class Net(nn.Module):\n    def __init__(self):\n"
        + "".join(f"        self.a{i} = nn.Linear({i}, 3)\n" for i in range(n))
        + "    def forward(self, x):\n"
        + "".join(f"        x = self.a{i}(x)\n" for i in range(n))
        + "        return x.item()\n"
    ),
    # one expression
    "ternaries": each("a{i} = torch.zeros(3) if x else a{j}\n"),
    "nested ternaries": nested("({} if x else 1)", "torch.zeros(3)", 32),
    "walrus": chain("(a{i} := torch.ones({i}))", ", ", "x = [", "]"),
    "walrus in conditions": each("if (a{i} := f(x)) and (b{i} := a{i}):\n    pass\n"),
    "walrus and": chain("(a{i} := f({i}))", " and ", "x = (", " )"),
    "or": chain("x{i}", " or ", "if ", ":\n    y = 1"),
    "comparisons": chain("x{i}", " < ", "y = "),
    "sums": nested("({} + a)", "torch.ones(3)", 32),
    "products": lambda n: "".join(f"x = {' * '.join(f'a{i}' for i in range(32))}\n" for _ in range(n // 32)).join(
        (HEAD, "")
    ),
    "attributes of attributes": nested("{}.a", "x", 32),
    "methods of methods": nested("{}.float()", "torch.ones(3)", 32),
    "items of items": nested("{}[0]", "x", 32),
    "calls of calls": nested("f({})", "torch.ones(3).cuda()", 32),
    "lists": chain("torch.ones({i})", ", ", "x = [", "]"),
    "lists of lists": nested("[{}]", "torch.ones(3)", 32),
    "a dictionary": chain("'a{i}': torch.ones({i})", ", ", "d = {", "}\ny = d['a3']"),
    "a dictionary read": lambda n: (
        HEAD
        + "d = {"
        + ", ".join(f"'a{i}': torch.ones({i})" for i in range(n))
        + "}\n"
        + "".join(f"y{i} = d['a{i}']\n" for i in range(n))
    ),
    "a tuple unpacked": lambda n: (
        HEAD + f"{', '.join(f'a{i}' for i in range(n))} = {', '.join(f'torch.ones({i})' for i in range(n))}\n"
    ),
    "comprehensions": each("a{i} = [b + torch.ones(3) for b in a{j}]\n"),
    "a comprehension of many": chain("for a{i} in b", " ", "x = [a0 ", "]"),
    "nested comprehensions": nested("[{} for a in b]", "torch.ones(3)", 32),
    "arguments": chain("torch.ones({i})", ", ", "f(", ")"),
    "keywords": chain("a{i}=torch.ones({i})", ", ", "f(", ")"),
    "f-strings": chain("{{x{i}}}", " ", 'a = f"', '"'),
    # blocks in blocks
    "nested loops": blocks("for i{i} in x{i}:", "y = torch.zeros(3).cuda()", 16),
    "nested branches": blocks("if x{i}:", "y = torch.zeros(3).cuda()", 32),
    "nested with": blocks("with torch.no_grad():", "y = model(x)", 16),
    "nested classes": blocks("class C{i}(nn.Module):", "x = torch.ones(3)", 32),
}


TRAIN: Final = "def train(model, loader, optimizer):\n    for x in loader:\n"
END: Final = (
    "        loss = model(x.cuda())\n        loss.backward()\n        optimizer.step()\n"
    "        print(loss.item(), a3.item())\n"
)


def hot(family: Family) -> Family:
    """The same in a step loop of a function: most of what rules ask of, they ask there."""

    def made(n: int) -> str:
        lines = family(n).removeprefix(HEAD).removesuffix(TAIL).splitlines()
        body = "".join(f"        {line}\n" for line in lines)
        return f"{HEAD}{TRAIN}{body}{END}"

    return made


def within(form: str) -> Family:
    """A form n times in the body of a step loop, behind its step."""
    lines = [f"        {line}\n" for line in form.split("\n")]
    step = "        loss = model(x.cuda())\n        loss.backward()\n        optimizer.step()\n"
    return lambda n: f"{HEAD}{TRAIN}{step}" + "".join(line.format(i=i) for i in range(n) for line in lines)


def plain_attributes(n: int) -> str:
    """Attributes that are no buffers, each moved in `forward`."""
    made = "".join(f"        self.a{i} = torch.zeros(3)\n" for i in range(n))
    used = "".join(f"        x = x + self.a{i}.to(x.device)\n" for i in range(n))
    init = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    return f"{HEAD}{init}{made}    def forward(self, x):\n{used}        return x\n"


def kept_entries(n: int) -> str:
    """A dictionary that one method fills, and another reads."""
    put = "".join(f"        self.kept['k{i}'] = x + {i}\n" for i in range(n))
    used = "".join(f"        y = x[self.kept['k{i}'] > 0]\n" for i in range(n))
    init = "class Net(nn.Module):\n    def __init__(self):\n        self.kept = {}\n"
    return f"{HEAD}{init}    def draw(self, x):\n{put}    def forward(self, x):\n{used}        return y\n"


_ASKED: Final[dict[str, Family]] = {
    "any guards": within("m{i} = x > {i}\nif m{i}.any():\n    x[m{i}] = 0"),
    "synchronizes": within("torch.cuda.synchronize()"),
    "synchronizes between clocks": within("t{i} = time.time()\ntorch.cuda.synchronize()"),
    "filled": within("g{i} = torch.zeros(9)\ng{i}[0:2] = 1\ng{i} = g{i}.cuda()"),
    "filled under one name": within("g = torch.zeros(9)\ng[0:2] = 1\ng = g.cuda()"),
    "loops over parameters": within("for p in model.parameters():\n    n{i} = p.norm().item()"),
    "autocasts": within('with torch.autocast("cuda"):\n    l{i} = model(x)\nl{i}.backward()'),
    "waits before moves": within("n{i} = (x + {i}).min().item()\nz{i} = x.cuda()"),
    "losses": within("l{i} = F.cross_entropy(x[m{i}], y[m{i}])"),
    "losses that are added": within("loss += F.mse_loss(x, x)"),
    "copies that do not wait": within("y{i} = x.to('cpu', non_blocking=True)\nprint(y{i}.item())"),
    "evaluations": within("with torch.no_grad():\n    y{i} = model(x)\n    out.append(y{i})"),
    "backward passes and steps": within("loss.backward()\noptimizer.step()\noptimizer.zero_grad()"),
    "gates": within("if step % 100 == 0:\n    print(loss.item())"),
    "guards that leave": within("if not x.is_cuda:\n    return\nprint(loss.item())"),
    "sums and repeats": within(
        "c{i} = (x.cuda() > {i}).long()\nt{i} = int(c{i}.sum())\ny{i} = torch.repeat_interleave(x, c{i})"
    ),
    "read in one branch": within("a = torch.cumsum(x, 0)\nif b:\n    h(a)"),
    "made in a branch, and read in one": within("if c:\n    a = torch.cumsum(x, 0)\n    if b:\n        h(a)"),
    "read by nobody": within("a = torch.cumsum(x, {i})"),
    "comments": within("# why {i}\ny{i} = torch.ones(3).cuda()"),
    "plain attributes": plain_attributes,
    "entries of a dictionary that is kept": kept_entries,
    "classes that put into the same dictionary": each(
        "class C{i}(Kept):\n    def draw(self, x):\n        self.kept['k{i}'] = x * 2\n"
        "    def use(self, x):\n        return x[self.kept['k{i}'] > 0].sum()\n",
        "class Kept(nn.Module):\n    def __init__(self):\n        self.kept = {{}}\n",
    ),
    "a replay buffer": each(
        "        x{i} = torch.as_tensor(self.rows[{i}], device=self.device)\n",
        "class Replay(torch.utils.data.Dataset):\n    def sample(self, n):\n",
    ),
    "places in an array": within("p{i} = numpy.where(a > {i})\ny{i} = x.cuda()[p{i}]"),
    "layers": each(
        "        self.a{i} = nn.Linear(1001, 1003)\n",
        "class Net(nn.Module):\n    def __init__(self):\n",
        "m = Net().cuda()\n",
    ),
    "tensors on one line": chain(
        "y{i} = torch.ones(4096, 4096).cuda()",
        "; ",
        "def f(model, x, optimizer):\n    for b in x: model(b).backward(); ",
    ),
    "loaders": each(
        "for x in DataLoader(d{i}):\n    y = model(x.cuda())\n    y.backward()\n",
        "from torch.utils.data import DataLoader\n",
    ),
    "a global bound anew": each("a = torch.zeros({i})\ndef f{i}(x):\n    return (x + a).item()\n"),
    "documented": each(
        "def f{i}(x):\n    '''\n    Args:\n        x (torch.Tensor): it\n    '''\n    return x.item()\n"
    ),
}
"""What single rules ask about."""


def _is_definitions(family: Family) -> bool:
    """Whether a family is functions and classes alone. In a loop these would be defined, and none of them would run there."""
    body = family(32).removeprefix(HEAD).removesuffix(TAIL)
    return all(line[0] in " @" or line.startswith(("def ", "class ")) for line in body.splitlines() if line)


FAMILIES: Final = {
    **_PLAIN,
    **{
        f"{name}, in a step loop": hot(family)
        for name, family in _PLAIN.items()
        if "in a loop" not in name and not _is_definitions(family)
    },
    **_ASKED,
}
