"""Whether a file tells cuDNN to time its kernels for each new size, and feeds it one size after the other."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import cudnn_search
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_RESIZING: Final = ("interpolate", "resize")
_RANDOM: Final = ("random.", "numpy.random.")


def is_set(facts: Facts, node: ast.AST) -> bool:
    """Whether an assignment switches the search for kernels on, in a file whose images change their size."""
    return cudnn_search.is_switched_on(facts.module, node) and varies(facts.module) is not None


def varies(module: Module) -> ast.Call | None:
    """The call that shows that sizes change: a size that is drawn, or a detector, which keeps the shape of each image."""
    for name in _RESIZING:
        for call in module.calls.get(name, ()):
            sizes = [*call.args[1:], *(each.value for each in call.keywords if each.arg in ("size", "scale_factor"))]
            if any(_is_drawn(module, each, 4) for each in sizes):
                return call
    for called in module.calls.values():
        for call in called:
            dotted = names.dotted(module.function_of(call), call.func) or ""
            if dotted.startswith("torchvision.models.detection.") and last_name(call.func).islower():
                return call
    return None


def _is_drawn(module: Module, node: ast.expr, deep: int) -> bool:
    """Whether a number comes from Python's or NumPy's random numbers."""
    for each in walk(node):
        if isinstance(each, ast.Call) and (names.dotted(module.function_of(each), each.func) or "").startswith(_RANDOM):
            return True
        if isinstance(each, ast.Name) and deep:
            bound = definitions.definition(module, each)
            if bound is not None and _is_drawn(module, bound, deep - 1):
                return True
    return False
