"""What is compiled (`setup.py` says which folders) must run the same as Python, and what would end the process must not happen.

Where the tests run on an installed wheel, as `.ci/run` does at its end, all of them hold for the compiled modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import torchperf_lint
from torchperf_lint.config.config import Config
from torchperf_lint.rule import all_rules
from torchperf_lint.run.lint_file import lint_bytes

SETUP = Path(__file__).parents[1] / "setup.py"
PACKAGE = Path(torchperf_lint.__file__).parent


def compiled() -> list[Path]:
    names = [node for node in ast.parse(SETUP.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)]
    (folders,) = (ast.literal_eval(each.value) for each in names if ast.unparse(each.targets[0]) == "FOLDERS")
    return [path for folder in folders for path in sorted((PACKAGE / folder).glob("[!_]*.py"))]


@cache
def generators() -> set[str]:
    """The names of the generators among what is compiled."""
    functions = (
        node
        for path in compiled()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    )
    return {each.name for each in functions if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(each))}


def traps(tree: ast.Module) -> Iterator[str]:
    """What mypyc compiles into something else, or not at all, without a word."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="functools", names=names) if any(
                each.name == "cached_property" for each in names
            ):
                yield "cached_property: it is computed anew each time"
            case ast.Call(func=ast.Name(id="vars")) | ast.Attribute(attr="__dict__"):
                yield "vars: records have none"
            case ast.MatchStar(name=str(name)):
                yield f"*{name} in a pattern: nothing binds it"
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Tuple(elts=parts) | ast.List(elts=parts)]):
                if any(isinstance(each, ast.Starred) for each in parts):
                    yield "in (..., *names): mypyc gives up"
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Call(func=func)]) if (
                func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")
            ) in generators():
                yield f"in {ast.unparse(func)}(...): a compiled generator has no members; write any(each is x for each in ...)"
            case ast.ClassDef(bases=[ast.Subscript(value=ast.Name(id="Generic"))], decorator_list=[_, *_]):
                yield "a generic dataclass: it cannot be made"
            case ast.AnnAssign(annotation=ast.Name(id="Final"), value=ast.Tuple(elts=parts)) if any(
                isinstance(each, ast.Constant) and isinstance(each.value, float) for each in parts
            ):
                yield "a Final tuple with floats: it is taken for one that was not set; write Final[tuple[float, ...]]"
            case ast.FunctionDef():
                inner = [each for each in node.body if isinstance(each, ast.FunctionDef)]
                used = {each.id for within in inner for each in ast.walk(within) if isinstance(each, ast.Name)}
                for each in inner:
                    if each.name in used:
                        yield f"{each.name}, called by a function beside or in it: they hold each other, a circle"


@pytest.mark.parametrize("path", compiled(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_nothing_that_mypyc_gets_wrong(path: Path) -> None:
    assert not list(traps(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    "text",
    [
        "from functools import cached_property",
        "vars(x).clear()",
        "match x:\n    case [first, *rest]: pass",
        "if x in (1, *names): pass",
        "if x in unseen(y): pass",
        "@dataclass\nclass A(Generic[T]): pass",
        "USUAL: Final = (6.0, 2.5)",
        "def f():\n    def g(): pass\n    def h(): g()",
        "def f():\n    def g(): g()",
    ],
)
def test_a_trap_is_seen(text: str) -> None:
    assert list(traps(ast.parse(text)))


def test_what_is_no_python_is_installed_too() -> None:
    """Tables, styles and scripts, which the wheel has where the checkout has them."""
    checkout = SETUP.parent / "torchperf_lint"
    ours = {path.relative_to(checkout) for path in checkout.rglob("*.*") if path.suffix not in (".py", ".pyc", ".so")}
    assert ours
    assert [path.as_posix() for path in sorted(ours) if not (PACKAGE / path).is_file()] == []


# ---- depth: Python raises an error where its stack ends, compiled code ends the process

MANY = 3000
HEAD = "import torch\nfrom torch import nn\n"
FORWARD = "class Net(nn.Module):\n    def forward(self, x: torch.Tensor):\n"
CHAINS = {
    "functions that call the one before": HEAD
    + "def f0(x): return x.sum()\n"
    + "".join(f"def f{i}(x): return f{i - 1}(x)\n" for i in range(1, MANY))
    + f"{FORWARD}        y = f{MANY - 1}(x)\n        return x.item()\n",
    "functions that are called by the one before": HEAD
    + "".join(f"def f{i}(x):\n    f{i + 1}(x)\n" for i in range(MANY // 4))
    + f"{FORWARD}        f0(x)\n        return x.item()\n",
    "names": f"{HEAD}{FORWARD}        a0 = x\n"
    + "".join(f"        a{i} = a{i - 1}\n" for i in range(1, MANY))
    + f"        return a{MANY - 1}.item()\n",
    "names of the file": HEAD
    + "a0 = torch.zeros(())\n"
    + "".join(f"a{i} = a{i - 1}\n" for i in range(1, MANY))
    + f"{FORWARD}        y = x + a{MANY - 1}\n        return x.item()\n",
    "classes": HEAD
    + "class C0(nn.Module): pass\n"
    + "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(1, MANY))
    + FORWARD.replace("nn.Module", f"C{MANY - 1}")
    + "        return x.item()\n",
    "attributes": f"{HEAD}{FORWARD}        return (x + self.a{MANY - 1}).item()\n"
    + "".join(f"    def m{i}(self):\n        self.a{i} = self.a{i - 1}\n" for i in range(1, MANY)),
    "types": f"from __future__ import annotations\n{HEAD}A0 = torch.Tensor\n"
    + "".join(f"A{i} = 'list[A{i - 1}]'\n" for i in range(1, MANY))
    + f"{FORWARD.replace('x: torch.Tensor', f'x: torch.Tensor, y: A{MANY - 1}')}        return x.item()\n",
    "a type in itself": f"from typing import Dict, Union\n{HEAD}Tree = Union[torch.Tensor, Dict[str, 'Tree']]\n"
    + f"{FORWARD.replace('x: torch.Tensor', 'x: torch.Tensor, y: Tree')}        return x.item()\n",
    "operators": f"{HEAD}{FORWARD}        y = {' + '.join(['x'] * 190)}\n        return x.item()\n",
    "branches": f"{HEAD}{FORWARD}        if x is None:\n            pass\n"
    + "".join(f"        elif self.a == {i}:\n            y = {i}\n" for i in range(300))
    + "        return x.item()\n",
}


@pytest.mark.parametrize("text", CHAINS.values(), ids=CHAINS)
def test_what_goes_on_and_on_ends(text: str, tmp_path: Path) -> None:
    config = Config(root=tmp_path, cache=False, rules=frozenset(rule.code for rule in all_rules()))
    found = lint_bytes(text.encode(), "deep.py", config)
    assert [each.code for each in found if each.code in ("TPL001", "TPL002")] == []
    assert [each.span.start.line for each in found if each.code == "TPL102"] == [
        text[: text.index(".item()")].count("\n") + 1
    ]
