"""Loaders of a training whose last batch is smaller, in programs that pay for each new shape."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import cudnn_search, datasets
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_TUNED: Final = ("reduce-overhead", "max-autotune")
"""Modes of `torch.compile` that record a CUDA graph for each shape."""
_OTHERS: Final = ("batch_sampler", "sampler", "drop_last")


def is_ragged(facts: Facts, call: ast.AST) -> bool:
    """Whether a loader shuffles, as those of trainings do, and gives its last items as a smaller batch."""
    assert isinstance(call, ast.Call)
    loader = datasets.made(facts.analysis, facts.module, call)
    if loader is None:
        return False
    if not datasets.is_shuffled(loader) or any(datasets.setting(loader, each) is not None for each in _OTHERS):
        return False
    size = datasets.setting(loader, "batch_size")
    return size is not None and size.kind in ("number", "unknown") and size.const != 1


def pays_for_shapes(facts: Facts) -> str | None:
    """What makes a new shape dear in a file."""
    return _dear(facts.module, facts.module.tree)


@once
def _dear(module: Module, _: ast.AST) -> str | None:
    for name, what in (
        ("compile", "`torch.compile`"),
        ("make_graphed_callables", "a CUDA graph"),
        ("CUDAGraph", "a CUDA graph"),
    ):
        for call in module.calls.get(name, ()):
            dotted = names.dotted(module.function_of(call), call.func) or ""
            if dotted.startswith("torch.cuda.") or (dotted == "torch.compile" and _has_fixed_shapes(call)):
                return what
    searches = any(cudnn_search.is_switched_on(module, each) for each in module.by_type.get(ast.Assign, ()))
    return "`cudnn.benchmark`" if searches else None


def _has_fixed_shapes(call: ast.Call) -> bool:
    told = {each.arg: each.value.value for each in call.keywords if isinstance(each.value, ast.Constant)}
    return told.get("mode") in _TUNED or told.get("dynamic") is False
