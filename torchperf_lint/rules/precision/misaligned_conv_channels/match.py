"""Channels of convolutions that may be misaligned, and in what the file computes them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import matmul_precision
from torchperf_lint.facts.guesses import count_names
from torchperf_lint.facts.idioms import sizes
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_be_misaligned(facts: Facts, node: ast.AST) -> bool:
    """Whether a size that a layer is given may be misaligned, and is worth a word."""
    assert isinstance(node, ast.Call)
    name = names.dotted(facts.module.function_of(node), node.func) or ""
    unit = 8 if name.startswith("torch.nn.") and "quantized" not in name else 16
    return any(
        size.value % unit and size.value >= facts.settings.minimum[1]
        for size in sizes.given(facts.analysis, facts.module, node)
    )


def precision(facts: Facts, _: ast.AST) -> str:
    """In what the file computes convolutions, which are in TF32 unless something says otherwise."""
    return matmul_precision.of_convolutions(facts.module)


def gives_result(facts: Facts, made: ast.AST) -> bool:
    """Whether a layer is the last that `forward` of its module calls: how wide its result is, the task says."""
    analysis, module = facts.analysis, facts.module
    match module.parents.get(made):
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=name)]):
            owner = module.function_of(made).owner
        case _:
            return False
    forward = classes.find_method(analysis, owner, "forward") if owner is not None else None
    if forward is None or not forward.positional:
        return False
    receiver = forward.positional[0]
    calls = [node for node in walk(forward.node, into_scopes=False) if isinstance(node, ast.Call)]
    layers = [
        (call.end_lineno or 0, call.end_col_offset or 0, call.func.attr)
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == receiver
    ]
    return bool(layers) and max(layers)[2] == name


def is_given_by_task(name: str) -> bool:
    """Whether the name of a size says that it is not free."""
    return count_names.is_given_by_task(name)
