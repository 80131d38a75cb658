"""Whether a statement tells cuDNN to time its kernels for each new size: `torch.backends.cudnn.benchmark = True`."""

from __future__ import annotations

import ast

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module


def is_switched_on(module: Module, node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=[ast.Attribute(attr="benchmark") as target], value=ast.Constant(value=True)):
            return names.dotted(module.function_of(node), target.value) == "torch.backends.cudnn"
    return False
