"""The autocast around a backward pass, and what else runs in it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.context.modes import Autocast
from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.guesses import comment_words as comment_words
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_autocast(facts: Facts, node: ast.AST) -> bool:
    """Whether a node is known to run under autocast."""
    return autocast(facts, node).proven


def autocast(facts: Facts, node: ast.AST) -> Fact[Autocast]:
    """The autocast around a node."""
    return modes.autocast(facts.analysis, facts.module, node)


def runs_model(facts: Facts, statement: ast.AST) -> bool:
    """Whether a statement runs a module, or a function that gives a tensor with a gradient."""
    analysis, module = facts.analysis, facts.module
    for node in walk(statement):
        if not isinstance(node, ast.Call):
            continue
        receiver = analysis.value(node.func.value, module).kind if isinstance(node.func, ast.Attribute) else None
        made = analysis.value(node, module)
        if analysis.value(node.func, module).kind == "module":
            return True
        of_gpu = made.kind == "unknown" and made.device is not None  # a function out of sight, given a tensor
        if (of_gpu or (made.kind in ("tensor", "tensor_tree") and made.grad)) and receiver not in ("tensor", "scaler"):
            return True
    return False
