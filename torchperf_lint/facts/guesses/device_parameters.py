"""Parameters that name a device: whether those who have a GPU name it.

    def extract(loader, model, device: Optional[str]): ...      has to be given, so a caller thinks of it
    def train(net, loader, device="cpu"):
        ''':param device: "cuda" or "cpu"'''                    the GPU is what it is there for
    def __init__(self, columns, device="cpu", gpus=None): ...

A device that is the CPU by default, of which nobody says more, most calls leave out.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function

_OF_GPUS: Final = frozenset(("gpus", "gpu", "gpu_id", "gpu_ids", "device_ids", "use_gpu", "use_cuda", "cuda"))
_SAYS_GPU: Final = re.compile(r"\bcuda\b", re.IGNORECASE)


def thought_of(function: Function, name: str, value: Value) -> Value:
    """What a parameter holds, without the doubt whether a device is named at all, where callers who have a GPU name it."""
    if not value.none or value.kind not in ("device", "string") or not value_names.is_device(name):
        return value
    return value.but(none=False) if name not in function.defaults or _is_for_gpus(function.module, function) else value


@once
def _is_for_gpus(_: Module, function: Function) -> bool:
    """Whether a function says of its device that it may be the GPU: in what it, or its class, documents, or by another parameter."""
    if function.parameters.keys() & _OF_GPUS:
        return True
    documented = [function.node, *([function.owner.node] if function.owner is not None else [])]
    texts = [
        ast.get_docstring(node, clean=False)
        for node in documented
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
    return any(text is not None and _SAYS_GPU.search(text) is not None for text in texts)
