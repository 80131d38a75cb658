"""Tensors that a call makes out of nothing, and what only gives them another shape or dtype on the way to a move.

    torch.zeros(n).view(2, -1)[None].to(device)     made by `torch.zeros(n)`
    g = torch.ones(n); g[a:b] = 0.5; g.cuda()       made by `torch.ones(n)`

Knows the names of such functions of torch, not what they are worth on which device.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import fills
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module, receiver

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_FACTORIES: Final = frozenset(
    (
        "zeros", "ones", "empty", "eye", "full", "arange", "tril_indices", "triu_indices", "linspace", "logspace",
        "hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window",
        "rand", "randn", "randint", "randperm",
    )
)  # fmt: skip
_MEANT: Final = frozenset(("generator", "pin_memory", "out", "layout", "device", "names"))
"""Arguments by which a call says that it is to be made as it is, and where."""
_SHAPING: Final = frozenset(
    (
        "unsqueeze", "squeeze", "view", "reshape", "expand", "repeat", "flatten", "t", "transpose", "permute", "contiguous",
        "tril", "triu", "bool", "int", "long", "float", "double",
    )
)  # fmt: skip


def moved(analysis: Analysis, module: Module, move: ast.Call) -> tuple[ast.expr, ast.Call] | None:
    """What a call moves, or what the name is bound to that it moves, and the factory in it; None if there is none."""
    held = receiver(move)
    origin = fills.maker(analysis, module, move) if isinstance(held, ast.Name) else held
    factory = _within(analysis, module, origin)
    return (origin, factory) if origin is not None and factory is not None else None


def _within(analysis: Analysis, module: Module, node: ast.expr | None) -> ast.Call | None:
    """The factory below what only gives its tensor another shape or dtype."""
    called = _called(module, node)
    match node:
        case ast.Call() if called in _FACTORIES:
            is_meant = any(keyword.arg is None or keyword.arg in _MEANT for keyword in node.keywords)
            return None if is_meant else node
        case ast.Call(args=[first, *_]) if called in ("tril", "triu"):
            return _within(analysis, module, first)
        case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in _SHAPING:
            return _within(analysis, module, inner)
        case ast.Subscript(value=inner, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            is_plain = all(isinstance(part, ast.Slice) or _is_plain(analysis, module, part) for part in parts)
            return _within(analysis, module, inner) if is_plain else None
    return None


def _called(module: Module, node: ast.expr | None) -> str:
    """The name of a function of torch that a call is of; empty for all else."""
    name = names.dotted(module.function_of(node), node.func) if isinstance(node, ast.Call) else None
    return (name or "").removeprefix("torch.")


def _is_plain(analysis: Analysis, module: Module, index: ast.expr) -> bool:
    return analysis.value(index, module).kind in ("number", "none")
