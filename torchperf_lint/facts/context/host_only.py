"""Functions that cannot run with anything on a GPU: they put what is on the CPU together with what moves with the model.

    def forward(self, x):
        noise = Normal(0, 1).sample(self.weight.shape)      on the CPU
        return F.linear(x, self.weight * noise)             raises an error where the model is on a GPU

One number on the CPU goes with any tensor, so what has no dimensions says nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.domain.value import CPU, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, place_of, walk
from torchperf_lint.facts.knowledge import moves

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_FORKS: Final = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match, ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp, ast.ExceptHandler, ast.comprehension,
)  # fmt: skip
_LEAVING: Final = (ast.Return, ast.Yield, ast.YieldFrom)
_WITH_MODEL: Final = "so it moves with"
"""What evidence says of weights and buffers."""
_DEFAULTS: Final = ("set_default_device", "set_default_tensor_type")
"""Who says one of these may have tensors made on the GPU that name no device."""


def shown(analysis: Analysis, module: Module, node: ast.AST) -> Evidence | None:
    """What a function around a node does that raises an error if anything of its model is on a GPU."""
    function = module.function_of(node)
    found = None if function.is_module else _mixed(analysis, function)
    return (
        None
        if found is None
        else Evidence(found, "on a GPU this raises an error: a part of it is on the CPU", module.path)
    )


@once
def _mixed(analysis: Analysis, function: Function) -> ast.BinOp | None:
    """The first operation that each call of a function comes to, of a tensor on the CPU and one that moves with the model."""
    module, neighbours = function.module, analysis.around()
    if module is not analysis.module or not module.names.isdisjoint(_DEFAULTS):
        return None
    found = next((each for each in _always(module, function) if _is_mixed(analysis, function, each)), None)
    is_told = neighbours is not None and any(neighbours.is_said(analysis, name) for name in _DEFAULTS)
    return None if is_told else found


def _always(module: Module, function: Function) -> Iterator[ast.BinOp]:
    """The operations that each call of a function comes to, in their order."""
    inside = sorted((each for each in walk(function.node, into_scopes=False) if hasattr(each, "lineno")), key=place_of)
    for each in inside:
        around = takewhile(lambda above: above is not function.node, module.ancestors(each))
        if isinstance(each, ast.BinOp) and not any(isinstance(above, _FORKS) for above in around):
            yield each
        elif isinstance(each, _LEAVING) and module.parents.get(each) is not function.node:
            return


def _is_mixed(analysis: Analysis, function: Function, node: ast.BinOp) -> bool:
    one, other = (analysis.value(side, function.module) for side in (node.left, node.right))
    return (_is_on_host(one) and _moves(function, node.right, other)) or (
        _is_on_host(other) and _moves(function, node.left, one)
    )


def _is_on_host(value: Value) -> bool:
    return value.kind == "tensor" and value.device == CPU and bool(value.rank) and not value.none


def _moves(function: Function, node: ast.expr, value: Value) -> bool:
    """Whether a tensor of one or more dimensions is where the model is: a weight, or what `forward` is given and does not move."""
    if value.kind != "tensor" or value.device is not None:
        return False
    if value.where is not None:
        return bool(value.rank) and _WITH_MODEL in value.where.message
    is_given = isinstance(node, ast.Name) and node.id in function.parameters and function.name == "forward"
    calls = (each for each in walk(function.node) if isinstance(each, ast.Call))
    return is_given and value.rank != 0 and all(last_name(each.func) not in moves.OF_TENSORS for each in calls)
