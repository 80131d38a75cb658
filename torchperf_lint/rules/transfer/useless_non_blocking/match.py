"""Tensors in the ordinary memory of the host."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import CPU

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def is_pageable(facts: Facts, node: ast.AST) -> bool:
    """Whether a method that may move is called on a tensor of the host with a dimension or more, which nobody page-locked."""
    held = facts.receiver_at(node)
    is_told = isinstance(node, ast.Call) and any(each.arg == "non_blocking" for each in node.keywords)
    return is_told and held.kind == "tensor" and held.device == CPU and held.rank != 0
