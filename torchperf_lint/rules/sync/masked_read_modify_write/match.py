"""Whether a name alone holds the tensor that is written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.idioms import owners

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def owns(facts: Facts, name: ast.AST) -> bool:
    """Whether a name alone holds its tensor, so that changing it in place or binding it anew look the same."""
    return isinstance(name, ast.Name) and owners.alone(facts.analysis, facts.module, name)
