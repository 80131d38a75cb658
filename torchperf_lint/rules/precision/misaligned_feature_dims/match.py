"""Sizes of layers that may be misaligned."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.guesses import count_names
from torchperf_lint.facts.idioms import sizes
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_be_misaligned(facts: Facts, node: ast.AST) -> bool:
    """Whether a size that a layer is given may be misaligned, and is worth a word."""
    assert isinstance(node, ast.Call)
    if last_name(node.func) == "MultiheadAttention":
        return True  # of which the width of a head counts
    name = names.dotted(facts.module.function_of(node), node.func) or ""
    unit = 8 if name.startswith("torch.nn.") and "quantized" not in name else 16
    return any(
        size.value % unit and size.value >= facts.settings.minimum[0]
        for size in sizes.given(facts.analysis, facts.module, node)
    )


def is_given_by_task(name: str) -> bool:
    """Whether the name of a size says that it is not free."""
    return count_names.is_given_by_task(name)
