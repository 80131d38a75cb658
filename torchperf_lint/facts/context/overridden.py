"""Methods that never run, because whoever has them has another one instead.

    class Head(nn.Module):                               nothing makes a `Head`
        def losses(self, x): ...
    class MaskHead(Head):                                the only class that has its methods
        def losses(self, x): ...                         so `Head.losses` does not run

Only where all that reads the class is seen: it is the base of others, or asked for with `isinstance`. Users of a library may
have a class of their own.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import constructions
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.project.asked import RUN

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_ASKING: Final = (*constructions.ASKING, "super")
"""Functions that are given a class to compare it, or to find its bases."""


def by_all(analysis: Analysis, module: Module, node: ast.AST) -> Evidence | None:
    """The method that runs instead of the one around a node, where all classes that have that override it."""
    method = module.function_of(node).method
    if method is None or method.owner is None or method.name == "__init__" or method.decorators:
        return None
    heir = _heir(analysis, method)
    if heir is None:
        return None
    said = f"all classes in sight that have `{method.qualname}` override it: this one runs instead"
    return Evidence(heir[1].node, said, heir[0])


@once
def _heir(analysis: Analysis, method: Function) -> tuple[str, Function] | None:
    """The file and method instead of which a method never runs; None where it may run."""
    owner, neighbours = method.owner, analysis.around()
    if owner is None or owner.node.decorator_list or neighbours is None:
        return None
    if not neighbours.names_users(analysis, owner.name, RUN) or not neighbours.can_read_all(analysis, owner.name, None):
        return None
    if not neighbours.names_all(analysis, owner.name, None):
        return None
    found: list[tuple[str, Function]] = []
    try:
        for other in constructions.readers(analysis, owner):
            for read in constructions.named(other.module, owner):
                if _only_asks(other.module, read):
                    continue
                heir = _override(other.module, read, method)
                if heir is None:
                    return None
                found.append((other.module.path, heir))
    except GaveUpError:
        return None
    return min(found, key=lambda each: (each[0], each[1].qualname)) if found else None


def _only_asks(module: Module, read: ast.expr) -> bool:
    """Whether a name of a class is read to compare it, or to say what something is."""
    match module.parents.get(read):
        case ast.Call(func=ast.Name(id=name)):
            return name in _ASKING
        case ast.arg() | ast.AnnAssign():
            return True
    return False


def _override(module: Module, read: ast.expr, method: Function) -> Function | None:
    """The method that a class has instead of one of its base, where that is what a name is read for."""
    above = module.parents.get(read)
    if not isinstance(above, ast.ClassDef) or read not in above.bases:
        return None
    heir = module.classes[above].methods.get(method.name)
    asks_base = any(
        last_name(each.value.func if isinstance(each.value, ast.Call) else each.value) in ("super", last_name(read))
        for each in module.attributes.get(method.name, ())
    )
    return None if asks_base else heir
