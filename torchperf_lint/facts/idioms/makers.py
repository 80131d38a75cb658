"""The call that made what an expression holds, where one alone does.

net = nn.Linear(8, 8).cuda()            the call itself, and `net` below it
self.body = nn.Sequential(...)          and then `self.body`, if nothing else is bound to it
"""

from __future__ import annotations

import ast

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.interpret import classes


def maker(module: Module, node: ast.expr) -> ast.Call | None:
    """That call; None where there is none, or several."""
    match node:
        case ast.Call():
            return node
        case ast.Name():
            bound = definitions.definition(module, node)
            return bound if isinstance(bound, ast.Call) else None
        case ast.Attribute(value=ast.Name(id=receiver), attr=name):
            method = module.function_of(node).method
            if method is None or method.owner is None or method.positional[:1] != (receiver,):
                return None
            match [store for _, store in classes.sites(method.owner).get(name, ())]:
                case [store]:
                    bound = definitions.value_of(module, store)
                    return bound if isinstance(bound, ast.Call) else None
    return None
