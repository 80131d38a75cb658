"""Loops whose turns do nothing but light work on tensors: only beside that does it count that a tensor is copied at each turn.

path = torch.cat([path, x * 0.99])              light: element by element, shapes, picks
pred = torch.cat([pred, model(x)])              what is called may be a model
rows = torch.cat([rows, self.encode(path)])     or read a file
out = torch.cat([out, x @ weights[t]])          a product of matrices
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_HEAVY: Final = frozenset(
    (
        "matmul", "mm", "bmm", "addmm", "baddbmm", "einsum", "tensordot", "linear", "bilinear", "load", "save", "embedding",
        "scaled_dot_product_attention", "multi_head_attention_forward", "grid_sample", "interpolate", "backward", "grad", "cdist",
        "inverse", "svd", "stft", "istft", "unfold", "fold",
    )
)  # fmt: skip
"""Operations that take as long as a copy of many of their results, or longer."""
_LIBRARIES: Final = (
    "torch.linalg.",
    "torch.fft.",
    "torch.nn.functional.conv",
    "torch.hub.",
    "torch.jit.",
    "torch.distributed.",
)
_HELD: Final = frozenset(("tensor", "number", "string", "list", "tuple", "dict", "size", "dtype", "device"))
"""Kinds of things whose methods are no models."""
_PLAIN: Final = frozenset(dir(builtins)) - {"open", "input", "exec", "eval", "map", "filter", "next", "super"}
_BARS: Final = frozenset(("tqdm", "trange"))


@once
def is_light(analysis: Analysis, loop: ast.AST) -> bool:
    """Whether each turn of a loop does light work on tensors alone."""
    for node in walk(loop, into_scopes=False):
        match node:
            case ast.BinOp(op=ast.MatMult()) | ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
            case ast.Call() if not _is_light(analysis, node):
                return False
    return True


def _is_light(analysis: Analysis, call: ast.Call) -> bool:
    module = analysis.module
    name = names.dotted(module.function_of(call), call.func)
    if name is not None:
        if name.rpartition(".")[2] in _BARS:
            return True
        return name.startswith(("torch.", "math.")) and not _is_heavy(name)
    match call.func:
        case ast.Name(id=plain):
            return plain in _PLAIN and names.scope_of(module.function_of(call), plain) is None
        case ast.Attribute(value=held, attr=attr):
            return attr not in _HEAVY and analysis.value(held, module).kind in _HELD
    return False


def _is_heavy(name: str) -> bool:
    return name.rpartition(".")[2] in _HEAVY or name.startswith(_LIBRARIES)
