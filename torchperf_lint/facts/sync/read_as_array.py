"""Whether what came out of the same call is read as an array, just as it is: `.numpy()` of a tensor of the GPU raises.

loss, errors = self.loss(samples)
log.append(loss.item())             a number of the host, as it seems
log.extend(errors[::8].numpy())
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene

_KEEPS_PLACE: Final = frozenset("data detach flatten float mean reshape squeeze sum unsqueeze view".split())


def beside(scene: Scene, operand: ast.AST) -> bool:
    """Whether a tensor of unknown place, which a wait is about, stands beside one that is read as an array."""
    if "numpy" not in scene.module.attributes:
        return False
    for read in walk(operand):
        if isinstance(read, ast.Name) and scene.look(read).device is None:
            binding = definitions.reaching(scene.module, read)
            if binding is not None and _is_host(scene.module, binding):
                return True
    return False


@once
def _is_host(module: Module, binding: ast.AST) -> bool:
    """Whether one of the names that a call binds, this or another, is read as an array."""
    above = module.parents.get(binding)
    together = above.elts if isinstance(above, ast.Tuple) else [binding]
    assigned = module.parents.get(above) if isinstance(above, ast.Tuple) else above
    if not isinstance(assigned, ast.Assign) or not isinstance(assigned.value, ast.Call):
        return False
    targets = (each for each in together if isinstance(each, ast.Name))
    return any(_is_array(module, read) for each in targets for read in definitions.reads_after(module, each))


def _is_array(module: Module, node: ast.AST) -> bool:
    """Whether a tensor, or a part of it, is made an array where it is."""
    above = module.parents.get(node)
    while (
        (isinstance(above, ast.Subscript) and above.value is node)
        or (isinstance(above, ast.Attribute) and above.attr in _KEEPS_PLACE)
        or (isinstance(above, ast.Call) and above.func is node)
    ):
        node, above = above, module.parents.get(above)
    return (
        isinstance(above, ast.Attribute) and above.attr == "numpy" and isinstance(module.parents.get(above), ast.Call)
    )
