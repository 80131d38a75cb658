"""Whether a program trains in float32 with TF32 off, and where it begins."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits, matmul_precision
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.guesses import file_words
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import says

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_PRODUCTS: Final = (
    "Linear", "Bilinear", "LSTM", "GRU", "Transformer", "TransformerEncoder", "TransformerEncoderLayer", "MultiheadAttention", "matmul",
    "bmm", "einsum",
)  # fmt: skip
_CONVOLUTIONS: Final = ("Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")
_WIDE: Final = 1024
_OFF_SINCE: Final = (1, 12)
"""Before, TF32 was on for products too, and there was no `set_float32_matmul_precision`."""
_OF_TORCHVISION: Final = 20
"""Convolutions of a model of torchvision, at least; some of its models have none, and are not spoken of either."""


def begins_here(facts: Facts, node: ast.AST) -> bool:
    """Whether a statement is the guard behind which the program of a file begins."""
    at_top = facts.module.parents.get(node) is facts.module.tree
    return at_top and isinstance(node, ast.If) and says(node.test, "__name__")


def trains_in_float32(facts: Facts) -> bool:
    """Whether the program in a file trains what multiplies matrices, on a GPU, and in float32."""
    module = facts.module
    if facts.settings.target < _OFF_SINCE:
        return False
    if matmul_precision.of_products(module) != "float32" or "backward" not in module.calls or not facts.may_use_gpu():
        return False
    if not any(facts.frequency_at(each).value >= Frequency.STEP for each in module.calls.get("backward", ())):
        return False  # what stands behind the guard shows that a module runs: nobody trains with that
    if not _multiplies(facts) or file_traits.suggests(module, file_words.settles_precision):
        return False
    return not any(_settles(facts, name) for name in _imported(facts))


def _multiplies(facts: Facts) -> bool:
    """Whether a file makes layers that multiply matrices, or calls what does, and not for the most part convolutions, for which
    TF32 is on; that it asks what is a `Linear` makes none. What it imports counts as well: a head on a model of images."""
    modules = _modules(facts)
    products = sum(_called(each, _PRODUCTS) for each in modules)
    convolutions = sum(_called(each, _CONVOLUTIONS) for each in modules)
    if any(name.startswith("torchvision.models") for name in _imported(facts)):
        convolutions += _OF_TORCHVISION
    return _called(facts.module, _PRODUCTS) > 0 and products >= convolutions


def is_wide(facts: Facts) -> bool:
    """Whether the program is seen to make a layer that is wide on both sides: small products are over before they pay."""
    return any(_is_wide(facts, module, call) for module in _modules(facts) for call in module.calls.get("Linear", ()))


def _is_wide(facts: Facts, module: Module, call: ast.Call) -> bool:
    sizes = [facts.analysis.value(each, module).const for each in call.args[:2]]
    return len(sizes) == 2 and all(isinstance(each, int) and each >= _WIDE for each in sizes)


def _modules(facts: Facts) -> list[Module]:
    """A file and those of the program that it imports."""
    found = (facts.analysis.solver.ask(name) for name in _imported(facts))
    return [facts.module, *(each for each in dict.fromkeys(found) if each is not None)]


def _called(module: Module, names: tuple[str, ...]) -> int:
    return sum(len(module.calls.get(name, ())) for name in names)


def _imported(facts: Facts) -> list[str]:
    """The modules that a file imports."""
    found = [alias.name for node in facts.module.by_type.get(ast.Import, ()) for alias in getattr(node, "names", ())]
    for node in facts.module.by_type.get(ast.ImportFrom, ()):
        assert isinstance(node, ast.ImportFrom)
        base = names.absolute(facts.module, node)
        found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return found


def _settles(facts: Facts, name: str) -> bool:
    """Whether a module of the program has anything to do with precision, and so may have settled it."""
    module = facts.analysis.solver.ask(name)
    return module is not None and matmul_precision.of_products(module) in ("tf32", "half")
