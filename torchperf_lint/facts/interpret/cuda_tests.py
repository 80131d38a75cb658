"""Tests that say that there is CUDA: `torch.cuda.is_available()`, `device.type == "cuda"`, and what is made of them.

Their value is `CUDA_THERE`, wherever it is kept: `pin_memory=use_cuda` page-locks where anything is copied to a GPU.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.join import join
from torchperf_lint.facts.domain.value import CPU, CUDA, CUDA_THERE, Value
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import names

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run


def asks(test: Value) -> bool:
    return bool(test.ref == CUDA_THERE.ref)


def compares(op: ast.cmpop, left: Value, right: Value) -> bool:
    """`device.type == "cuda"`, `args.device != "cpu"`, `"cuda" in name`."""
    places = {side.device for side in (left, right) if side.kind in ("string", "device")}
    match op:
        case ast.Eq():
            return CUDA in places
        case ast.NotEq():
            return CPU in places
    return isinstance(op, ast.In) and left.kind == "string" and left.device == CUDA


def both(node: ast.BoolOp, first: Value, second: Value) -> Value:
    """`not args.no_cuda and torch.cuda.is_available()` still says that there is CUDA; `args.pin and ...` says more."""
    if (asks(first) or asks(second)) and all(value_names.is_about_gpu(ast.unparse(operand)) for operand in node.values):
        return CUDA_THERE
    return join(first, second)


def chosen(test: Value, body: Value, orelse: Value) -> Value:
    """`True if torch.cuda.is_available() else False` is the test itself."""
    is_same = asks(test) and body.const is True and orelse.const is False
    return CUDA_THERE if is_same else join(body, orelse)


def asks_a_group(run: Run, test: ast.expr) -> bool:
    """Whether a condition compares the backend of a group that is named: whoever made that group chose it for what it carries.

    Ex) backend = dist.get_backend(group); torch.device("cpu" if backend == "gloo" else "cuda")
    """
    asked = test.left if isinstance(test, ast.Compare) else test
    if isinstance(asked, ast.Name):
        stores = run.function.scope.stores.get(asked.id, ())
        bound = [run.function.module.parents.get(each) for each in stores]
        asked = bound[0].value if len(bound) == 1 and isinstance(bound[0], ast.Assign) else asked
    if not isinstance(asked, ast.Call) or not (asked.args or asked.keywords):
        return False
    return names.dotted(run.function, asked.func) == "torch.distributed.get_backend"
