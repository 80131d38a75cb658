"""Layers without weights that are made for one call: `nn.Softmax(dim=-1)(scores)`.

Making an `nn.Module` takes the host longer than to start what it does; the function of the same name needs no object.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

FUNCTIONS: Final = {
    "Softmax": "softmax",
    "LogSoftmax": "log_softmax",
    "ReLU": "relu",
    "LeakyReLU": "leaky_relu",
    "GELU": "gelu",
    "SiLU": "silu",
    "ELU": "elu",
    "Softplus": "softplus",
    "MSELoss": "mse_loss",
    "L1Loss": "l1_loss",
    "SmoothL1Loss": "smooth_l1_loss",
    "CrossEntropyLoss": "cross_entropy",
    "NLLLoss": "nll_loss",
    "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "AvgPool2d": "avg_pool2d",
    "MaxPool2d": "max_pool2d",
    "AdaptiveAvgPool2d": "adaptive_avg_pool2d",
}
"""Layers, and the functions of `torch.nn.functional` that take a tensor, or two, and the same settings behind it."""
_OF_TWO: Final = frozenset(name for name in FUNCTIONS if name.endswith("Loss"))
"""Layers that are called with two tensors: what stands by its place in the one does not in the other."""


def made_for_call(facts: Facts, node: ast.AST) -> Form | None:
    """A layer that is made where it is called."""
    above = facts.module.parents.get(node)
    if not isinstance(node, ast.Call) or not isinstance(above, ast.Call) or above.func is not node or not above.args:
        return None
    home, _, name = (names.dotted(facts.module.function_of(node), node.func) or "").rpartition(".")
    if home not in ("torch.nn", "torch.nn.modules.loss") or name not in FUNCTIONS:
        return None
    said = f"a layer is made for one call, which takes the host longer than that: `F.{FUNCTIONS[name]}` needs none"
    return Form(above, said, _called(facts, node, above, name), above.args[0], needs_many=True)


def _called(facts: Facts, layer: ast.Call, call: ast.Call, name: str) -> str | None:
    """The call of the function; None where an argument would be another by its place."""
    function = facts.spelling(f"torch.nn.functional.{FUNCTIONS[name]}")
    every = [*call.args, *layer.args]
    if function is None or call.keywords or any(isinstance(each, ast.Starred) for each in every):
        return None
    if any(each.arg in (None, "size_average", "reduce") for each in layer.keywords) or (layer.args and name in _OF_TWO):
        return None
    named = (f"{each.arg}={ast.unparse(each.value)}" for each in layer.keywords)
    return f"{function}({', '.join([*map(ast.unparse, every), *named])})"
