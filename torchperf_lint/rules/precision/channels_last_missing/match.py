"""Models of convolutions that a program trains in half precision, in the layout that torch has by default."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits, matmul_precision
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name, receiver
from torchperf_lint.facts.knowledge import networks

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_KNOWN: Final = (
    "channels_last",
    "channels_last_3d",
    "memory_format",
    "Trainer",
    "Fabric",
    "LightningModule",
    "mobilenet",
    "DataParallel",
)
"""Signs that somebody has thought of it, or that another decides."""
FEWEST: Final = 3
"""So many convolutions make a model of convolutions."""


def moves_network(facts: Facts, call: ast.AST) -> bool:
    """Whether a call moves a model of convolutions to the GPU, in a program that trains it in half precision."""
    module, held = facts.module, receiver(call)
    if held is None or "backward" not in module.calls or file_traits.mentions(module, _KNOWN):
        return False
    if matmul_precision.of_convolutions(module) != "half" or matmul_precision.is_compiled(module):
        return False
    return file_traits.is_script(module) and not _names_dtype(call) and _is_network(facts, held)


def _names_dtype(call: ast.AST) -> bool:
    """Whether a move is to a dtype and no device."""
    return isinstance(call, ast.Call) and not call.args and last_name(call.func) == "to"


def _is_network(facts: Facts, held: ast.expr) -> bool:
    """Whether a model is made of two-dimensional convolutions, by its class or by the name of who makes it."""
    module = facts.module
    value = facts.analysis.value(held, module)
    if value.kind != "module":
        return False
    if isinstance(value.ref, Class):
        return _is_convolutional(value.ref)
    made = definitions.definition(module, held) if isinstance(held, ast.Name) else held
    if not isinstance(made, ast.Call):
        return False
    name = names.dotted(module.function_of(made), made.func) or ""
    if name == "timm.create_model":
        return (
            bool(made.args)
            and isinstance(made.args[0], ast.Constant)
            and networks.is_convolutional(str(made.args[0].value))
        )
    home, _, last = name.rpartition(".")
    return home.startswith("torchvision.models") and "detection" not in home and networks.is_convolutional(last)


def _is_convolutional(owner: Class) -> bool:
    calls = owner.module.calls
    of_two = [call for call in calls.get("Conv2d", ()) if not any(each.arg == "groups" for each in call.keywords)]
    return len(of_two) >= FEWEST and not calls.get("Conv3d") and not calls.get("Conv1d")
