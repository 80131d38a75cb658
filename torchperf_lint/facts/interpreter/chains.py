"""Chains of methods: `x.reshape(n, -1).contiguous()` says of `x` what its last link says.

Knows syntax and `torch_api`, nothing of values.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts import torch_api
from torchperf_lint.facts.program import Module

_LONGEST: Final = 4


def ends_as_tensor(module: Module, node: ast.AST) -> bool:
    """Whether what methods of tensors and arrays make of a value has what only tensors have."""
    for _ in range(_LONGEST):
        call = module.parents.get(node)
        if not isinstance(node, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not node:
            return False
        above = module.parents.get(call)
        if isinstance(above, ast.Attribute) and above.attr in torch_api.tensor_only():
            return torch_api.method(node.attr) is not None
        node = above if above is not None else call
    return False
