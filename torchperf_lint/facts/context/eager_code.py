"""What eager code never comes to: branches for scripting, tracing and export, and functions that TorchScript compiles."""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.knowledge import eager_conditions

_SCRIPTED: Final = frozenset(("torch.jit.script", "torch.jit.script_method", "torch.jit.export"))
"""Not `script_if_tracing`, which leaves a function to eager code but for a trace."""
_OF_KERNELS: Final = frozenset(
    ("taichi.kernel", "taichi.func", "triton.jit", "numba.jit", "numba.njit", "numba.vectorize", "numba.guvectorize",
     "numba.cuda.jit", "warp.kernel", "warp.func")
)  # fmt: skip
"""What makes machine code of a function, for which a condition is one of each thread."""
_COMPILING: Final = _SCRIPTED | _OF_KERNELS


def is_scripted(function: Function) -> bool:
    """Whether TorchScript compiles a function, or another compiler of kernels does, or it is written for export: its authors
    have no eager code in mind."""
    if _is_checked(function.module, function):
        return True
    return any(
        names.of_decorator(each, decorator) in _COMPILING for each in function.around() for decorator in each.decorators
    )


@once
def _is_checked(module: Module, function: Function) -> bool:
    """Whether a function tells `torch.export` of sizes that it reads: `torch._check_is_size(n)`."""
    calls = (call for name in eager_conditions.CHECKS for call in module.calls.get(name, ()))
    return any(module.function_of(call) is function for call in calls)


def is_never_run(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in a branch that eager code never takes: scripting, tracing, export."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ast.If):
            negated = isinstance(above.test, ast.UnaryOp) and isinstance(above.test.op, ast.Not)
            asks = above.test.operand if isinstance(above.test, ast.UnaryOp) and negated else above.test
            branch = above.orelse if negated else above.body
            if any(below is statement for statement in branch) and _asks_never(module, asks):
                return True
        below = above
    return False


def _asks_never(module: Module, test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        checks = [_asks_never(module, value) for value in test.values]
        return any(checks) if isinstance(test.op, ast.And) else all(checks)
    if isinstance(test, ast.Call):
        return names.dotted(module.body, test.func) in eager_conditions.FALSE
    if isinstance(test, ast.Compare) and isinstance(
        test.ops[0], ast.IsNot
    ):  # Ex) torch._C._get_tracing_state() is not None
        return _asks_never(module, test.left)
    # Ex) if self.onnx_trace:
    return isinstance(test, ast.Attribute) and test.attr in eager_conditions.FLAGS
