"""The classes of tensors that a program has, and their own methods: what is called by the name of one may be that.

class Hypervector(torch.Tensor):
    def inverse(self): return self.flip(-1)      no `inverse` of torch, which would wait
def undo(x): return x.inverse()                  in a file that defines or imports the class
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.guesses import class_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def have(analysis: Analysis, module: Module, method: str) -> bool:
    """Whether a class of tensors that a file defines or imports has a method of its own under a name."""
    return method in analysis.about(_methods, module)


def _methods(analysis: Analysis, module: Module) -> frozenset[str]:
    found: set[str] = set()
    for name, stores in module.body.scope.stores.items():
        if not class_names.is_class(name) or not any(
            isinstance(each, (ast.ImportFrom, ast.ClassDef)) for each in stores
        ):
            continue
        held = analysis.free(module.body, name)
        if held.kind == "symbol":
            held = analysis.resolve(held.ref) or held
        if held.kind == "class" and isinstance(held.ref, Class) and analysis.kind(held.ref) == "tensor":
            found.update(method for each in analysis.ancestry(held.ref) for method in each.methods)
    return frozenset(found)
