"""In which precision a file computes its matrix products, as far as the file shows.

A program that is whole in view and says nothing of precision multiplies in float32; torch 2 keeps TF32 off for products
and on for convolutions. What a library does, whoever uses it decides: the answer is open. Knows names, not values.
"""

from __future__ import annotations

import ast
from typing import Final, Literal

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.guesses import base_names, file_words
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once

Precision = Literal["half", "tf32", "float32", "open"]

_TF32: Final = ("allow_tf32", "fp32_precision")


def of_products(module: Module) -> Precision:
    """The precision of linear layers and products."""
    if file_traits.suggests(module, file_words.is_of_half):
        return "half"
    level = _level(module)
    if level in ("high", "medium") or (level is None and file_traits.mentions(module, _TF32)):
        return "tf32"
    return "float32" if level == "highest" or _is_whole(module) else "open"


def of_convolutions(module: Module) -> Precision:
    """The precision of convolutions."""
    found = of_products(module)
    if found == "float32" and _level(module) is None:
        return "tf32"
    return found


def is_given(module: Module) -> bool:
    """Whether a file works with weights that others trained, so that their shapes are given."""
    return _is_given(module, None)


@once
def _is_given(module: Module, _: None) -> bool:
    is_loader = any(each.name == "from_pretrained" for each in module.functions.values())
    is_taken = file_traits.suggests(module, file_words.takes_trained)
    return is_loader or is_taken or base_names.is_trained(module.names)


def is_compiled(module: Module) -> bool:
    """Whether a file compiles something: the compiler pads products by itself."""
    return any(
        names.dotted(module.function_of(call), call.func) == "torch.compile" for call in module.calls.get("compile", ())
    )


def _level(module: Module) -> str | None:
    """What `torch.set_float32_matmul_precision` is told."""
    for call in module.calls.get("set_float32_matmul_precision", ()):
        match call.args:
            case [ast.Constant(value=str(level))]:
                return level
    return None


def _is_whole(module: Module) -> bool:
    """Whether a file is a program that trains or runs its model itself."""
    return file_traits.is_script(module) and any(module.calls.get(name) for name in ("backward", "eval"))
