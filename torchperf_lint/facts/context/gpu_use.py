"""Where a file says that it uses a GPU: what is told of a tensor of which nothing else tells where it is.

self.net.cuda()                  this is why `x` is taken to be on the GPU
def forward(self, x): ...
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import place_of

_CALLS: Final = ("cuda", "autocast", "GradScaler", "DistributedDataParallel", "DataParallel", "set_device")
_ATTRIBUTES: Final = ("cuda", "device")


def shown(module: Module) -> list[Evidence]:
    """The first place of a file that names the GPU, or a device, if any does."""
    found = _first(module, module.tree)
    if found is None:
        return []
    return [Evidence(found, "nothing shows that it is on the host, and the file works on devices", module.path)]


@once
def _first(module: Module, _: ast.AST) -> ast.AST | None:
    found: list[ast.AST] = [call for name in _CALLS for call in module.calls.get(name, ())]
    if not found:
        found = [each for name in _ATTRIBUTES for each in module.attributes.get(name, ())]
    return min(found, key=place_of, default=None)
