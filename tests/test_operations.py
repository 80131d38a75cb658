"""The interpreter against the real torch: what it says of a call is what the call gives.

The sample calls are those that hold the rows of the knowledge base (`knowledge/calls.txt`). Here each is written as
Python, its names given the values that their tensors have, and what the interpreter makes of it is compared with what
torch makes of it: kind, dtype and rank. Nothing that it says may be wrong, and it must say enough to be of use.
"""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import NO, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.interpreter import analysis_of

torch = pytest.importorskip("torch")
pytest.importorskip("numpy")

from knowledge.samples import made, originals, samples  # noqa: E402

pytestmark = pytest.mark.slow

_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@", "and_": "&", "or_": "|",
    "xor": "^", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}  # fmt: skip


def as_python(name: str, method: bool, arguments: str) -> str | None:
    """A sample call as an expression; None for what has no such form."""
    if method:
        call = ast.parse(f"f{arguments}", mode="eval").body
        assert isinstance(call, ast.Call)
        receiver, rest = call.args[0], call.args[1:]
        keywords = [*map(ast.unparse, rest), *(f"{k.arg}={ast.unparse(k.value)}" for k in call.keywords)]
        return f"({ast.unparse(receiver)}).{name}({', '.join(keywords)})"
    if not name.startswith("operator."):
        return f"{name}{arguments}"
    sign = _OPERATORS.get(name.removeprefix("operator."))
    parts = ast.parse(f"f{arguments}", mode="eval").body
    assert isinstance(parts, ast.Call)
    if sign is None or len(parts.args) != 2:
        return None
    return f"({ast.unparse(parts.args[0])}) {sign} ({ast.unparse(parts.args[1])})"


def held(tensor: object) -> Value:
    assert isinstance(tensor, torch.Tensor)
    return Value("tensor", device="cpu", dtype=str(tensor.dtype).removeprefix("torch."), rank=tensor.dim(), grad=False)


def interpreted(text: str) -> Value:
    """What the interpreter makes of an expression over the sample tensors."""
    module = Module(ast.parse(f"import torch\nimport numpy as np\nresult = {text}"))
    program = Program()
    program.add(module)
    analysis = analysis_of(program, module)
    run = analysis.scratch(module.body)
    run.env = {name: held(tensor) for name, tensor in originals().items()}
    run.env |= {"torch": analysis.symbol("torch"), "np": analysis.symbol("numpy")}
    statement = module.tree.body[-1]
    assert isinstance(statement, ast.Assign)
    return run.expr(statement.value)


def faults(value: Value, result: object) -> list[str]:
    """What is wrong of a value, and of the items of a tuple."""
    if value.kind in ("unknown", "object", "symbol"):
        return []
    if isinstance(result, torch.Tensor):
        if value.kind != "tensor":
            return [f"{value!r}, not a tensor"]
        dtype = str(result.dtype).removeprefix("torch.")
        wrong = []
        group = {
            "floating": result.is_floating_point(),
            "integral": not result.is_floating_point() and not result.is_complex(),
        }
        if value.dtype is not None and value.dtype != dtype and not group.get(value.dtype, False):
            wrong.append(f"dtype {value.dtype}, not {dtype}")
        if value.rank is not None and value.rank != result.dim():
            wrong.append(f"rank {value.rank}, not {result.dim()}")
        return wrong
    if isinstance(result, (tuple, list)) and not isinstance(result, torch.Size):
        if value.kind not in ("tuple", "list"):
            return [f"{value!r}, not {type(result).__name__}"]
        items = value.items if isinstance(value.items, tuple) else (value.elem,) * len(result) if value.elem else ()
        if isinstance(value.items, tuple) and len(items) != len(result):
            return [f"{len(items)} items, not {len(result)}"]
        return [fault for item, given in zip(items, result, strict=False) for fault in faults(item, given)]
    if value.kind == "tensor":
        return [f"a tensor, not {result!r}"]
    if value.kind == "number" and value.const is not NO and value.const != result:
        return [f"{value.const}, not {result}"]
    return []


@pytest.mark.filterwarnings("ignore")
def test_what_is_said_of_a_call_is_what_it_gives() -> None:
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    for name, method, arguments in samples():
        text = as_python(name, method, arguments)
        outcome = made(name, method, arguments, "cpu", False) if text is not None and "leaf" not in arguments else None
        if text is None or outcome is None:
            continue
        value, result = interpreted(text), outcome[1]
        counts["calls"] += 1
        if isinstance(result, torch.Tensor):
            counts["tensors"] += 1
            counts["known"] += value.kind == "tensor"
            counts["dtype"] += value.dtype is not None
            counts["rank"] += value.rank is not None
        if value.sure is Sure.PROVEN:
            wrong += [f"{text}: {fault}" for fault in faults(value, result)]
    assert not wrong, "\n".join(wrong[:60])
    assert counts["calls"] > 4000
    assert counts["known"] > 0.99 * counts["tensors"], counts
    assert min(counts["dtype"], counts["rank"]) > 0.85 * counts["tensors"], counts
