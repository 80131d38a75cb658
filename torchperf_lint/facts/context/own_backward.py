"""Methods called `backward` that do no backward pass: those of trainers that work out their losses there, for who calls
`self.loss.backward()` next, or, where they evaluate, nothing."""

from __future__ import annotations

import ast

from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.knowledge import lightning


def works_out_losses(module: Module, call: ast.Call) -> bool:
    """Whether a call is one on `self` of a method of the class that, by what it calls itself, goes back nowhere."""
    method = module.function_of(call).method
    owner = method.owner if method is not None else None
    if method is None or owner is None:
        return False
    match call.func:
        case ast.Attribute(value=ast.Name(id=receiver), attr=name) if method.positional[:1] == (receiver,):
            own = owner.methods.get(name)
            return own is not None and not any(_may_go_back(own, each) for each in inside.calls(module, own.node))
    return False


def _may_go_back(method: Function, call: ast.Call) -> bool:
    """Whether a call in a method is a backward pass, or one of another method of the class, which may do one."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=receiver), attr=name) if method.positional[:1] == (receiver,):
            return method.owner is None or name in method.owner.methods or name in lightning.BACKWARD
    return last_name(call.func) in lightning.BACKWARD
