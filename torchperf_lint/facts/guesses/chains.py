"""Chains of methods: `x.reshape(n, -1).contiguous()` says of `x` what its last link says.

Knows syntax and `knowledge`, nothing of values.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.index.module import Module

_LONGEST: Final = 4
_COMPARING: Final = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
"""Methods of tensors and of tables of pandas, which have none of those below."""
_CASTING: Final = frozenset(("float", "half", "double", "long", "int", "byte", "bool"))
"""Methods of tensors and modules, which have none of those above: `target.eq(1).float()`."""


def ends_as_tensor(module: Module, node: ast.AST) -> bool:
    """Whether what methods of tensors and arrays make of a value has what only tensors have."""
    for _ in range(_LONGEST):
        call = module.parents.get(node)
        if not isinstance(node, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not node:
            return False
        above = module.parents.get(call)
        if isinstance(above, ast.Attribute) and above.attr in knowledge.tensor_only():
            return knowledge.method(node.attr) is not None
        if isinstance(above, ast.Attribute) and node.attr in _COMPARING and above.attr in _CASTING:
            return True
        node = above if above is not None else call
    return False
