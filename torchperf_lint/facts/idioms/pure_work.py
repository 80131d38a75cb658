"""Calls that work out a tensor and do nothing else: `x.exp()`, but neither `x.exp_()` nor `torch.rand_like(x)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_DRAWING: Final = frozenset(
    ("rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "bernoulli", "multinomial", "normal",
     "poisson", "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "gumbel_softmax", "rrelu")
)  # fmt: skip
"""Who leaves these out draws other numbers from then on."""
_MAKING: Final = frozenset(
    ("empty", "empty_like", "new_empty", "tensor", "as_tensor", "from_numpy", "full", "full_like", "new_full")
)
"""What makes a tensor and works nothing out: a constant is one whether it is written `tensor` or `full`."""


def makes_tensor(analysis: Analysis, module: Module, call: ast.Call) -> bool | None:
    """Whether a call works out a tensor of its own; None where it may do anything else."""
    name = last_name(call.func)
    dotted = names.dotted(module.function_of(call), call.func)
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    if dotted is None and (held is None or analysis.value(held, module).kind not in ("tensor", "size")):
        return None
    if dotted in ("len", "int", "float", "max", "min", "abs", "tuple", "list") or name in ("size", "dim", "numel"):
        return False
    if name in _DRAWING or name.endswith("_") or any(each.arg == "out" for each in call.keywords):
        return None
    effect = knowledge.effect(name if dotted is None else dotted, method=dotted is None)
    if effect is None and dotted is not None and dotted.startswith("torch.") and knowledge.function(dotted) is not None:
        return True
    if effect is None or effect.inplace:
        return None
    return effect.view is False and name not in _MAKING
