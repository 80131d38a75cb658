"""What the forms of formulas have in common."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index import definitions

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module

_SINCE: Final = {"silu": (1, 7), "mish": (1, 9), "rms_norm": (2, 4)}


@dataclass(frozen=True, slots=True)
class Form:
    """What is written out, and the operation that torch has for it."""

    whole: ast.expr
    fused: str
    """The name of that operation in `torch.nn.functional`."""
    of: ast.expr
    arguments: str = ""
    """What it takes besides the tensor, as text."""
    is_inline: bool = True
    """Whether it stands in one expression, which can be replaced."""

    @property
    def since(self) -> tuple[int, int]:
        """The first torch that has it, with these arguments."""
        return (1, 12) if "approximate" in self.arguments else _SINCE.get(self.fused, (1, 2))


def is_one(module: Module, one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions are one and the same tensor: a name that is bound once, or an attribute."""
    if isinstance(one, ast.Name) and isinstance(other, ast.Name):
        return (
            one.id == other.id and definitions.reaching(module, one) is definitions.reaching(module, other) is not None
        )
    return isinstance(one, ast.Attribute) and operations.same(one, other)
