"""Facts about small programs: `tests/facts/*.py`, with what is to be known written on the line.

    x = torch.zeros(3, device="cuda")   # fact: x => tensor, cuda, float32, rank 1, proven

The text before `=>` is an expression of that line (of a name that the line binds, the binding). Behind it stand words that
must hold, in any order: a kind, a device, a dtype, `rank N`, `proven` or `likely`, `or None`, `= constant`, `no device`,
`no dtype`, `no rank`, `unknown`; `wait` or `no wait`; `ONCE`, `INFERENCE`, `STEP` or `INNER`; `gated`, `not gated`;
`no_grad`, `grad`; `autocast`; `size N`, `no size`; `scaled`, `not scaled`; `computed in DTYPE` (of autocast, or
`nothing`), of a loss; `because text` (some evidence says so). Several facts on one line are parted by ` && `.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from torchperf_lint.facts.context import gates, how_often, modes
from torchperf_lint.facts.domain.value import NO, Value
from torchperf_lint.facts.facade import Facts
from torchperf_lint.facts.idioms import sizes
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.analysis import Analysis
from torchperf_lint.facts.interpret.interpreter import analysis_of
from torchperf_lint.facts.sync import host_wait
from torchperf_lint.rules.precision.fp16_without_scaler import match as fp16
from torchperf_lint.syntax.source import Source
from torchperf_lint.syntax.tree import Tree

FACTS = Path(__file__).parent / "facts"
_MARK = re.compile(r"# fact: (.+)$")
_KINDS = {
    "tensor", "tensor_tree", "ndarray", "number", "string", "none", "tuple", "list", "set", "dict", "iterator", "size", "module",
    "optimizer", "loader", "dataset", "sampler", "scaler", "scheduler", "distribution", "device", "dtype", "symbol", "function", "class",
    "instance", "object", "unknown", "metric",
}  # fmt: skip
_DEVICES = {"cpu", "pinned", "cuda", "maybe", "other", "host or unknown"}


class Scene:
    """One file of facts, analysed once."""

    def __init__(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        self.module = Module(ast.parse(text), path.name, path.stem, text)
        program = Program()
        program.add(self.module)
        self.facts = Facts(program, self.module, Tree(Source(text, path.name), self.module.tree))
        self.analysis = self.facts.analysis

    def node(self, line: int, text: str) -> ast.AST:
        """The node of a line with a text; what binds a name comes before what reads it."""
        wanted = ast.unparse(ast.parse(text, mode="exec").body[0]).strip()
        here = [
            n
            for n in ast.walk(self.module.tree)
            if getattr(n, "lineno", 0) <= line <= (getattr(n, "end_lineno", 0) or 0)
        ]
        found = [
            n for n in here if isinstance(n, (ast.expr, ast.arg)) and ast.unparse(n) == wanted and n.lineno == line
        ]
        found += [n for n in here if isinstance(n, ast.arg) and n.arg == wanted and n.lineno == line]
        found.sort(key=lambda n: not isinstance(getattr(n, "ctx", None), ast.Store))
        assert found, f"no `{wanted}` on line {line}"
        return found[0]

    def denied(self, line: int, mark: str) -> str | None:
        """What of a mark does not hold, and what is so instead."""
        text, _, words = mark.partition("=>")
        node = self.node(line, text.strip())
        wrong = [
            f"{word.strip()}, but {found}"
            for word in words.split(",")
            if (found := disagrees(self, node, word.strip()))
        ]
        return f"{mark.strip()}: {'; '.join(wrong)} ({self.value(node)!r})" if wrong else None

    def value(self, node: ast.AST) -> Value:
        if isinstance(node, ast.arg):
            function = next(f for f in self.module.functions.values() if node in f.parameters.values())
            value = self.analysis.seen(node, function)
            assert value is not None
            return value
        return self.analysis.value(node, self.module)


def disagrees(scene: Scene, node: ast.AST, word: str) -> str | None:
    """What is so instead, where a word does not hold."""
    analysis, module = scene.analysis, scene.module
    value = scene.value(node)
    match word.split():
        case ["proven"] | ["likely"]:
            return None if value.sure.name.lower() == word else value.sure.name.lower()
        case ["rank", number]:
            return None if value.rank == int(number) else f"rank {value.rank}"
        case ["no", "rank" | "dtype" | "device" as what]:
            held = getattr(value, what)
            return None if held is None else f"{what} {held}"
        case ["or", "None"]:
            return None if value.none else "never None"
        case ["=", *rest]:
            return (
                None if value.const is not NO and value.const == ast.literal_eval(" ".join(rest)) else repr(value.const)
            )
        case ["wait"] | ["no", "wait"]:
            waits = host_wait.wait(analysis, module, node, (2, 11)).known
            return None if waits is (word == "wait") else "wait" if waits else "no wait"
        case ["ONCE" | "INFERENCE" | "STEP" | "INNER"]:
            found = how_often.of(analysis, module, node, frozenset({"declared_hot"})).value
            return None if getattr(found, "name", "") == word else str(found)
        case ["gated"] | ["not", "gated"]:
            gated = gates.of(module, node) is not None
            return None if gated is (word == "gated") else "gated" if gated else "not gated"
        case ["no_grad"] | ["grad"]:
            off = modes.no_grad(analysis, module, node).value is True
            return None if off is (word == "no_grad") else "no_grad" if off else "grad"
        case ["autocast", *dtype]:
            cast = modes.autocast(analysis, module, node).value
            held = getattr(cast, "dtype", None) if cast else "off"
            return None if cast and (not dtype or held == dtype[0]) else f"autocast {held}"
        case ["size", *number] | ["no", "size", *number]:
            counted = sizes.size(analysis, module, node) if isinstance(node, ast.expr) else None  # type: ignore[assignment]
            held = counted.value if counted is not None and counted.known else None
            return None if held == (int(number[0]) if number else None) else f"size {held}"
        case ["scaled"] | ["not", "scaled"]:
            assert isinstance(node, ast.expr)
            scaled = fp16.is_scaled(scene.facts, node)
            return None if scaled is (word == "scaled") else "scaled" if scaled else "not scaled"
        case ["computed", "in", dtype]:
            assert isinstance(node, ast.expr)
            cast = fp16.autocast(scene.facts, node).value
            held = cast.dtype if cast else "nothing"
            return None if held == dtype else f"computed in {held}"
        case ["because", *text]:
            shown = [each.message for each in (value.why, value.where) if each is not None]
            return None if any(" ".join(text) in each for each in shown) else str(shown)
    if word in _KINDS:
        return None if value.kind == word else value.kind
    if word in _DEVICES:
        return None if value.device == word else f"device {value.device}"
    return None if value.dtype == word else f"dtype {value.dtype}"


@pytest.mark.parametrize("path", sorted(FACTS.glob("*.py")), ids=lambda path: path.stem)
def test_facts(path: Path) -> None:
    scene, wrong = Scene(path), []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for mark in _MARK.findall(line):
            wrong += [f"line {number}: {each}" for fact in mark.split(" && ") if (each := scene.denied(number, fact))]
    assert not wrong, "\n".join(wrong)


def beside(there: str, here: str) -> tuple[Analysis, Module, Module]:
    """The analysis of a text, the text, and another one that it imports as `there`."""
    other = Module(ast.parse(there), "there.py", "there", there)
    program = Program(lambda name: other if name == "there" else None)
    module = program.add(Module(ast.parse(here), "here.py", "here", here))
    return analysis_of(program, module), module, other


def test_a_function_of_another_file_is_believed_where_it_promises_something_plain() -> None:
    """To run it would tell no more of a tensor; what promises a tensor, or nothing, is run."""
    there = "import torch\ndef size(x) -> int: return x.shape[0]\ndef made(x) -> torch.Tensor: return torch.zeros(3, device='cuda')\n"
    here = "from there import made, size\ndef f(x):\n    return size(x), made(x)\n"
    analysis, module, _ = beside(there, here)
    first, second = (analysis.value(node, module) for node in module.by_type[ast.Tuple][0].elts)
    assert (first.kind, first.dtype) == ("number", "int")
    assert (second.kind, second.device) == ("tensor", "cuda")
    assert [call.function.name for call in analysis.tables.calls.known] == ["made"]


THERE = """
import torch
from other import tool
NUMBERS = [1, 2]
NUMBERS.append(tool(torch.zeros(3)))
LEVELS = (1, 2)
log = tool.get(__name__)
log.info("read")
class Fields:
    x: torch.Tensor
    size = 3
    scale = torch.ones(size, device="cuda")
class Scripted:
    y: torch.Tensor
if tool:
    Scripted = torch.jit.script(Scripted)
try:
    from fast import norm
except ImportError:
    def norm(x): return torch.zeros(4)
"""


@pytest.mark.parametrize(
    ("asked", "kind", "is_whole"),
    [
        ("Fields().x", "tensor", False),
        ("Fields().scale", "tensor", False),
        ("LEVELS", "tuple", False),
        ("log", "unknown", False),
        ("norm", "symbol", False),
        ("NUMBERS", "list", True),  # a line of its module fills it
        ("Scripted().y", "tensor", True),  # what the name held before counts
    ],
)
def test_of_another_file_only_that_runs_which_is_asked_about(asked: str, kind: str, is_whole: bool) -> None:
    """One field of a class, or one name, needs the lines that bind it; all of the module where others change that."""
    analysis, module, other = beside(
        THERE, f"from there import Fields, LEVELS, NUMBERS, Scripted, log, norm\ndef f(): return {asked}\n"
    )
    returned = module.by_type[ast.Return][0]
    assert isinstance(returned, ast.Return)
    home, name = other.body, asked.partition("(")[0].partition(".")[0]
    held = analysis.value(returned.value, module) if "." in asked else analysis.free(home, name)  # type: ignore[arg-type]
    assert held.kind == kind
    assert (home in analysis.tables.recorded.known) is is_whole
