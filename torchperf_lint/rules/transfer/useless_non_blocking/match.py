"""Tensors in the ordinary memory of the host."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import CPU
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import receiver

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def is_pageable(facts: Facts, node: ast.AST) -> bool:
    """Whether a method that may move is called on a tensor of the host with a dimension or more, which nobody page-locks."""
    held = facts.receiver_at(node)
    is_told = isinstance(node, ast.Call) and any(each.arg == "non_blocking" for each in node.keywords)
    return (
        is_told
        and _is_made(facts.module, receiver(node))
        and held.kind == "tensor"
        and held.device == CPU
        and held.rank != 0
    )


def _is_made(module: Module, moved: ast.AST | None) -> bool:
    """Whether a call in sight makes what is moved, in memory that no argument page-locks: of the batches of a loader its maker says."""
    if isinstance(moved, ast.Name):
        binding = definitions.reaching(module, moved)
        moved = definitions.value_of(module, binding) if binding is not None else None
    return isinstance(moved, ast.Call) and all(keyword.arg != "pin_memory" for keyword in moved.keywords)
