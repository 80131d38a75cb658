"""The order in which a class and what it derives from are asked is Python's own, and ways up that meet are walked once."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchperf_lint.api import lint_text
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.ancestry import LONGEST
from torchperf_lint.facts.interpret.interpreter import analysis_of

LEVELS = 24
"""So many diamonds have sixteen million ways up."""


def order(text: str, name: str) -> list[str]:
    """The names of the classes that stand for one, in our order."""
    module = Module(ast.parse(text), "a.py", "a", text)
    program = Program()
    program.add(module)
    (owner,) = (each for each in module.classes.values() if each.name == name)
    return [each.name for each in analysis_of(program, module).ancestry(owner)]


def pythons(text: str, name: str) -> list[str]:
    scope: dict[str, type] = {}
    exec(text, scope)
    return [each.__name__ for each in scope[name].__mro__ if each is not object]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sets(st.integers(0, 11), max_size=3), min_size=1, max_size=12))
def test_the_order_is_that_of_python(bases: list[set[int]]) -> None:
    """Bases stand with the latest first; where Python refuses a class all the same, each that it names is there once."""
    text = ""
    for i, chosen in enumerate(bases):
        text += f"class C{i}({', '.join(f'C{base}' for base in sorted(chosen, reverse=True) if base < i)}): pass\n"
    name = f"C{len(bases) - 1}"
    ours = order(text, name)
    assert len(set(ours)) == len(ours)
    try:
        theirs = pythons(text, name)
    except TypeError:
        return
    assert ours == theirs


def test_bases_that_contradict_each_other() -> None:
    text = "class A: pass\nclass B: pass\nclass C(A, B): pass\nclass D(B, A): pass\nclass E(C, D): pass\n"
    assert order(text, "E") == ["E", "C", "A", "B", "D"]


@pytest.mark.parametrize(
    "text", ["class A(B): pass\nclass B(A): pass\n", "class A(B, C): pass\nclass B(A, C): pass\nclass C(A): pass\n"]
)
def test_classes_that_derive_from_each_other(text: str) -> None:
    assert set(order(text, "A")) <= {"A", "B", "C"}


def test_a_chain_without_end() -> None:
    text = "class C0: pass\n" + "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(1, 5000))
    assert order(text, "C4999") == [f"C{4999 - i}" for i in range(LONGEST)]


def diamonds(levels: int) -> str:
    return "class M0(nn.Module):\n    pass\n" + "".join(
        f"class L{i}(M{i - 1}):\n    pass\nclass R{i}(M{i - 1}):\n    pass\nclass M{i}(L{i}, R{i}):\n    pass\n"
        for i in range(1, levels)
    )


USES = {
    "an attribute that nobody binds": "return (self.missing + x).item()",
    "a method that nobody has": "return self.missing(x).item()",
    "a method of a base": "return super().missing(x).item()",
    "parameters": "return self.fc(torch.ones(3)).to('cuda').item()",
    "a method of its own": "return self.go(x)",
    "its device": "return torch.ones(3).to(next(self.parameters()).device)",
}
USE = """
class Net(M{last}):
    def __init__(self):
        super().__init__()
        self.grid = torch.arange(8)

    def forward(self, x):
        {use}

    def go(self, y):
        return y.item()

model = Net().cuda()
for x in loader:
    loss = model(x.cuda())
    loss.backward()
    model.missing.to("cuda")
    print(loss.item())
"""


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_diamonds_of_base_classes(use: str) -> None:
    """Each level doubles the ways up: this did not end in a life."""
    text = "import torch\nfrom torch import nn\n" + diamonds(LEVELS) + USE.format(last=LEVELS - 1, use=use)
    assert lint_text(text, select=["ALL"])


def test_a_base_behind_a_diamond_is_found_in_order() -> None:
    """`L` does not bind it, so `R` does before `M`, from which both derive."""
    text = """
    import torch
    from torch import nn
    class M(nn.Module):
        def get(self, x):
            return 1
    class L(M):
        pass
    class R(M):
        def get(self, x):
            return torch.ones(3).cuda()
    class Net(L, R):
        def forward(self, x):
            return self.get(x).item()
    """
    assert [each.code for each in lint_text(textwrap.dedent(text))] == ["TPL201", "TPL102"]
