"""The reduction in which a selection ends."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.idioms import masked

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_be_reduced(facts: Facts, node: ast.AST) -> bool:
    """Whether a value ends in a reduction, through operations on each element."""
    return reduction(facts, node) is not None


def reduction(facts: Facts, node: ast.AST) -> tuple[ast.Call, str, ast.expr] | None:
    """The reduction that a value ends in, through operations on each element; its name, and all that it reduces."""
    call = masked.reducer(facts.analysis, facts.module, node) if isinstance(node, ast.expr) else None
    found = masked.reduced(facts.analysis, facts.module, call) if call is not None else None
    return (call, *found) if call is not None and found is not None else None
