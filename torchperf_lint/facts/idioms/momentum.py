"""Whether SGD keeps momentum, and whether a gradient scaler may skip its steps: with both, its fused kernel is wrong.

In every torch up to 2.13, `_fused_sgd` makes the momentum buffers by `torch.empty_like` and leaves it to the kernel to fill
them. Where the first step overflowed (usual at a scale of 65536) the kernel returns early, and the second step takes
whatever lay in that memory for momentum. `Adam`, `AdamW` and `Adagrad` start from zeros.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.guesses import precision_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name, receiver, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_CYCLES: Final = frozenset(("OneCycleLR", "CyclicLR"))
"""Schedulers that give momentum to an optimizer that was made without."""
_LIBRARIES: Final = ("accelerate", "lightning", "pytorch_lightning", "ignite", "mmengine", "mmcv", "transformers")
_PLACE: Final = 2
"""`momentum` is the third parameter of SGD."""


def is_kept(analysis: Analysis, module: Module, made: ast.Call) -> bool:
    """Whether SGD, made by a call, may keep momentum: by its argument, in a group, or from a scheduler."""
    named = next((each.value for each in made.keywords if each.arg == "momentum"), None)
    given = named if named is not None else made.args[_PLACE] if len(made.args) > _PLACE else None
    if given is not None and analysis.value(given, module).const != 0:
        return True
    return bool(module.names & _CYCLES) or _names_it(module, module.tree)


@once
def _names_it(_: Module, tree: ast.Module) -> bool:
    """Whether a text of the file says so: a key of a group, or an option."""
    return any(isinstance(node, ast.Constant) and node.value == "momentum" for node in walk(tree))


def may_be_scaled(analysis: Analysis, module: Module, made: ast.Call) -> bool:
    """Whether a gradient scaler may step an optimizer: not if the file steps it itself, and names nothing of half precision."""
    if any(precision_names.may_scale(name) for names in (module.names, module.keywords) for name in names):
        return True
    return file_traits.imports(module, _LIBRARIES) or not _is_stepped(analysis, module, made)


def _is_stepped(analysis: Analysis, module: Module, made: ast.Call) -> bool:
    held = [receiver(call) for call in module.calls.get("step", ()) if last_name(call.func) == "step"]
    stepped = (analysis.value(each, module) for each in held if each is not None)
    return any(value.kind == "optimizer" and value.why is not None and value.why.node is made for value in stepped)
