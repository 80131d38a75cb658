"""Steps that a gradient scaler takes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_scale(facts: Facts, node: ast.AST) -> bool:
    """Whether a call is one of a gradient scaler."""
    return facts.receiver_at(node).kind == "scaler"
