"""Whether the error of a checked call is wanted: who catches it asks for it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def wants_error(facts: Facts, node: ast.AST) -> bool:
    """Whether a node stands in the body of a `try` that catches something."""
    function, below = facts.module.function_of(node).node, node
    for above in facts.module.ancestors(node):
        if isinstance(above, ast.Try) and above.handlers and below in above.body:
            return True
        if above is function:
            return False
        below = above
    return False
