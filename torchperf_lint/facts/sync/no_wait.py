"""Why no wait is claimed at a node that looks as if it could wait: for who explains a line, not for rules.

`host_wait` says yes or not known. Here the same parts are looked at once more, and the first thing is named that kept
it from a yes: a value on the host, a value that nothing is known of, or the place of the code.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.context import eager_code, file_traits, loader_workers, module_setup, other_devices
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import receiver
from torchperf_lint.facts.interpret.analysis import Analysis
from torchperf_lint.facts.sync import cannot_wait, host_wait

_LONG: Final = 60
"""Characters of an expression that are quoted."""


def because(analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...]) -> str | None:
    """Why a node is not known to wait; None where it waits, or does not even look as if it could."""
    if not cannot_wait.may_wait(module, node) or host_wait.wait(analysis, module, node, target).known:
        return None
    values = [(each, analysis.value(each, module)) for each in operands(analysis, module, node)]
    held = next(
        (each for each, value in values if value.kind in ("tensor", "tensor_tree") and not value.maybe_cuda), None
    )
    if held is not None:
        return f"`{_text(held)}` is not on the GPU"
    if any(value.kind in ("tensor", "tensor_tree") for _, value in values):
        return _place(analysis, module, node)
    unknown = next((each for each, value in values if value.kind == "unknown"), None)
    return f"it is not known what `{_text(unknown)}` is" if unknown is not None else None


def operands(analysis: Analysis, module: Module, node: ast.AST) -> list[ast.expr]:
    """The parts of a node on whose values it depends whether it waits."""
    match node:
        case ast.Call():
            held = receiver(node)
            if held is not None and analysis.value(held, module).kind != "symbol":
                return [held]
            return [*node.args, *(keyword.value for keyword in node.keywords)]
        case ast.Subscript(value=held, slice=index):
            return [held, index]
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return [test]
        case ast.BoolOp(values=values):
            return list(values[:-1])
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.JoinedStr(values=parts):
            return [part.value for part in parts if isinstance(part, ast.FormattedValue)]
    return []


def _place(analysis: Analysis, module: Module, node: ast.AST) -> str | None:
    """What the place of a node says against a wait for a tensor in it that may be on the GPU."""
    function = module.function_of(node)
    if not file_traits.may_use_gpu(analysis, module):
        return "nothing in this file runs on a GPU"
    if eager_code.is_never_run(module, node) or eager_code.is_scripted(function):
        return "eager code does not run this"
    if other_devices.from_cuda(module, node):
        return "this branch is for devices other than CUDA"
    if loader_workers.runs_on_host(analysis, function):
        return "this runs on the CPU: a dataset, a sampler or a collate function"
    if module_setup.is_setup(analysis, function):
        return "this sets up a module, which is still on the CPU"
    return None


def _text(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
