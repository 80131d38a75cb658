"""Whether an expression is a module of TorchScript, which runs in a runtime of its own, where Dynamo does not look.

torch.jit.script(Net())            one; of a function it makes a function, which Dynamo takes as it is
torch.jit.load("net.pt")           another
self.body = torch.jit.freeze(...)  and then `self.body`
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms.makers import maker
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

MAKERS: Final = frozenset(("script", "freeze", "load", "optimize_for_inference"))
"""The last names of what makes one."""
_ALWAYS: Final = frozenset(("torch.jit.load", "torch.jit.freeze", "torch.jit.optimize_for_inference"))


def made(analysis: Analysis, module: Module, node: ast.expr) -> ast.Call | None:
    """The call that made what an expression holds a module of TorchScript; None where it is none, or nobody knows."""
    call = maker(module, node)
    return call if call is not None and _makes(analysis, module, call) else None


def _makes(analysis: Analysis, module: Module, call: ast.Call) -> bool:
    name = names.dotted(module.function_of(call), call.func)
    if name in _ALWAYS:
        return True
    return name == "torch.jit.script" and bool(call.args) and analysis.value(call.args[0], module).kind == "module"
