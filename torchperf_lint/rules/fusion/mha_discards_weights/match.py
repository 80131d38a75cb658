"""What `nn.MultiheadAttention` returned, and whether its weights are read."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import definitions

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_discard(facts: Facts, node: ast.AST) -> bool:
    """Whether what a statement binds, or a subscript takes a part of, is what `nn.MultiheadAttention` returned."""
    match node:
        case ast.Assign(value=ast.Call(func=func)) | ast.Subscript(value=ast.Call(func=func), slice=ast.Constant()):
            held = facts.analysis.value(func, facts.module)
            return held.kind == "module" and held.ref == "torch.nn.MultiheadAttention"
    return False


def is_read_after(facts: Facts, statement: ast.AST, name: str) -> bool:
    """Whether a name is read behind a statement, or again at the next turn of a loop around it."""
    return definitions.is_read_after(facts.module, name, facts.module.statement(statement))
