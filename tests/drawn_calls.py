"""Programs, drawn, whose functions call one another, round and round too: for what the order of definitions and questions changes.

What a function gives depends on who calls it with what, and on what those give whom it calls; attributes are bound in
one method and read in another. Nothing here need run.
"""

from __future__ import annotations

from typing import Final

from drawn_arms import HEAD, VALUES
from hypothesis import strategies as st

_USES: Final = (
    "v.item()", "print(v)", "float(v)", "if v:\n    pass", "if v.any():\n    pass", "v[v > 0] = 0", "v.cpu()", "v.nonzero()", "v.tolist()",
    "y = torch.zeros(3).cuda()", "y = torch.tensor(v).cuda()", "for each in v:\n    float(each)", "self.scale = v", "self.seen.append(v)",
    "self.total += v", "self.total += v.item()", "self.scale.item()", "print(self.total)", "if self.scale:\n    v = v.cpu()",
    "for each in self.seen:\n    each.item()", "if v is None:\n    return None",
)  # fmt: skip


CLASS: Final = """\
class Net(nn.Module):
    def __init__(self, scale=None):
        super().__init__()
        self.scale = {scale}
        self.table, self.seen, self.total = {{}}, [], 0.0

    def helper(self, x):
        return self.m0(x, self.scale)

"""
LOOP: Final = """
def train(loader, optimizer):
    model = Net().cuda()
    for x, v in loader:
        optimizer.zero_grad()
        loss = model({passed})
        loss.backward()
        optimizer.step()


def evaluate(x, v):
    {called}({passed})
"""


@st.composite
def calling(draw: st.DrawFn) -> str:
    """A class whose methods, and functions that, call one another; a loop that trains calls some."""
    functions = [f"f{number}" for number in range(draw(st.integers(1, 4)))]
    methods = [f"self.m{number}" for number in range(draw(st.integers(1, 4)))]
    parts = [HEAD]
    for name in functions:
        parts += [_head(draw, name, "x"), *_body(draw, [*functions, "Net()"], "    "), "\n\n"]
    parts.append(
        CLASS.format(scale=draw(st.sampled_from(("scale", "0.5", "None", "torch.ones(3)", "torch.ones(3).cuda()"))))
    )
    for name in ["self.forward", *methods]:
        parts += ["    " + _head(draw, name[5:], "self, x"), *_body(draw, [*functions, *methods], " " * 8), "\n"]
    parts.append(LOOP.format(called=draw(st.sampled_from(functions)), passed=_passed(draw)))
    return "".join(parts)


def _head(draw: st.DrawFn, name: str, first: str) -> str:
    typed = draw(st.sampled_from(("", ": torch.Tensor", ": 'Net'", ": int | None")))
    return f"def {name}({first}, v{typed}=None):\n"


def _body(draw: st.DrawFn, called: list[str], indent: str) -> list[str]:
    lines = ["device = 'cuda'"]
    for _ in range(draw(st.integers(0, 3))):
        match draw(st.integers(0, 2)):
            case 0:
                lines.append(f"{draw(st.sampled_from('vxy'))} = {draw(st.sampled_from(called))}({_passed(draw)})")
            case 1:
                lines += draw(st.sampled_from(_USES)).split("\n")
            case 2:
                inner = draw(st.sampled_from(("v = ", "return "))) + draw(st.sampled_from(VALUES))
                lines += [f"if chosen({draw(st.integers(0, 3))}):", "    " + inner]
    lines.append(
        f"return {draw(st.sampled_from(('v', 'x', 'v, x', '[v]', f'{called[0]}(x, v)', f'{called[-1]}(v, x)', *VALUES)))}"
    )
    return [f"{indent}{line}\n" for line in lines]


def _passed(draw: st.DrawFn) -> str:
    first, second = (
        draw(st.sampled_from(("x", "v", "x.cuda()"))),
        draw(st.sampled_from(("v", "x", "None", "3", *VALUES))),
    )
    return f"{first}, {second}"
