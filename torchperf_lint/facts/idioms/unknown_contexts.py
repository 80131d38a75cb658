"""Contexts of which nothing is known: they may switch gradients off. Knows syntax, names, and those of torch that do not."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import call_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import context_managers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_HARMLESS: Final = ("torch.autocast", "torch.amp.", "torch.cuda.", "torch.cpu.", "torch.profiler.", "torch.device", "tqdm.",
                    "builtins.open", "contextlib.redirect_stdout", "warnings.")  # fmt: skip


def is_around(analysis: Analysis, module: Module, node: ast.AST) -> bool:
    """Whether a context of which nothing is known stands around a node: it may switch gradients off."""
    top = module.function_of(node).node
    for above in module.ancestors(node):
        if above is top:
            return False
        for item in above.items if isinstance(above, (ast.With, ast.AsyncWith)) else ():
            if not (_is_harmless(analysis, module, item.context_expr) or _is_resource(module, item)):
                return True
    return False


def _is_harmless(analysis: Analysis, module: Module, manager: ast.expr) -> bool:
    held = analysis.value(manager, module)
    name = held.ref if isinstance(held.ref, str) else None
    if name is None and isinstance(manager, ast.Call):
        name = names.dotted(module.function_of(manager), manager.func) or f"builtins.{last_name(manager.func)}"
    return name is not None and (name in context_managers.AUTOCAST or name.startswith(_HARMLESS))


def _is_resource(module: Module, item: ast.withitem) -> bool:
    """Whether a context is there for what it gives: `with open_batches() as batches`; one that switches something is called so."""
    match item:
        case ast.withitem(context_expr=ast.Call(func=func), optional_vars=ast.Name(id=given)):
            is_read = bool(module.function_of(func).scope.loads.get(given))
            return is_read and not call_names.may_switch(ast.unparse(func))
    return False
