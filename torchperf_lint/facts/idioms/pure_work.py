"""Calls that work out a tensor and do nothing else: `x.exp()`, but neither `x.exp_()` nor `torch.rand_like(x)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_DRAWING: Final = frozenset(
    ("rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "bernoulli", "multinomial", "normal",
     "poisson", "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "gumbel_softmax", "rrelu")
)  # fmt: skip
"""Who leaves these out draws other numbers from then on."""
_MAKING: Final = frozenset(
    ("empty", "empty_like", "new_empty", "new", "tensor", "as_tensor", "from_numpy", "full", "full_like", "new_full")
)
"""What makes a tensor and works nothing out: a constant is one whether it is written `tensor` or `full`."""


def makes_tensor(analysis: Analysis, module: Module, call: ast.Call) -> bool | None:
    """Whether a call works out a tensor of its own; None where it may do anything else."""
    found = by_name(module, call)
    if found is None or not isinstance(call.func, ast.Attribute) or _dotted(module, call) is not None:
        return found
    return found if analysis.value(call.func.value, module).kind in ("tensor", "size") else None


@once
def by_name(module: Module, call: ast.Call) -> bool | None:
    """The same for all that its name tells, asked before anything is evaluated: a method is taken for one of a tensor."""
    name, dotted = last_name(call.func), _dotted(module, call)
    if dotted is None and not isinstance(call.func, ast.Attribute):
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


def _dotted(module: Module, call: ast.Call) -> str | None:
    return names.dotted(module.function_of(call), call.func)
