"""Everything a rule may ask about the code, in torch's words.

A rule holds LibCST nodes; it asks here, and only here, what they are. Each answer is a `Fact`: a value or UNKNOWN, how
sure it is, and the places that prove it. Nothing is worked out before it is asked, and nothing twice.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts import effects, gates, heat, names
from torchperf_lint.facts.effects import Wait
from torchperf_lint.facts.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.heat import Heat
from torchperf_lint.facts.infer import Analysis
from torchperf_lint.facts.modes import Autocast
from torchperf_lint.facts.program import Module, Program
from torchperf_lint.facts.torch_api.waits import parse as parse_version
from torchperf_lint.facts.transfers import Move
from torchperf_lint.facts.values import NO, Value

if TYPE_CHECKING:
    import libcst as cst

    from torchperf_lint.syntax.tree import Tree

__all__ = ["NEWEST", "UNKNOWN", "Autocast", "Evidence", "Fact", "Facts", "Heat", "Move", "Settings", "Sure", "Value", "Wait"]

NEWEST: Final = "2.11"
"""The newest torch whose waits were measured."""


class Settings:
    """What the user's configuration tells the facts."""

    __slots__ = ("hot_functions", "minimum", "target")

    def __init__(self, target: str = NEWEST, hot_functions: tuple[str, ...] = (), minimum: tuple[int, int] = (512, 32)) -> None:
        self.target = parse_version(target)
        self.hot_functions = frozenset(hot_functions)
        self.minimum = minimum
        """The sizes of Linear and Conv layers from which on alignment is worth a word."""


class Facts:
    """The facts of one module of a program."""

    def __init__(self, program: Program, module: Module, tree: Tree, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.module = module
        self.tree = tree
        self.analysis = Analysis(program)
        self.analysis.allow(module)

    # ---- names

    def name(self, node: cst.CSTNode) -> str | None:
        """The dotted name that an expression stands for, through imports and aliases: "torch.nn.functional.relu"."""
        at = self._at(node)
        return None if at is None else names.dotted(self.module.function_of(at), at)

    def spelling(self, name: str) -> str | None:
        """How this file can write a dotted name with the imports it has; None if it cannot."""
        return names.spelling(self.module, name)

    # ---- values

    def value(self, node: cst.CSTNode) -> Fact[Value]:
        """What an expression is: kind, device, dtype, rank, constant."""
        at = self._at(node)
        return _as_fact(self.analysis.value(at, self.module)) if at is not None else Fact(UNKNOWN)

    def tensor(self, node: cst.CSTNode) -> Fact[Value]:
        """The same, known only where the expression is a tensor."""
        found = self.value(node)
        return found if isinstance(found.value, Value) and found.value.kind == "tensor" else Fact(UNKNOWN)

    def constant(self, node: cst.CSTNode) -> Any:
        """The number, string, bool or None that an expression is known to be; UNKNOWN else."""
        found = self.value(node).value
        return found.const if isinstance(found, Value) and found.const is not NO else UNKNOWN

    # ---- effects, heat, modes: of nodes of either tree

    def host_wait(self, node: cst.CSTNode) -> Fact[Wait]:
        """Whether a node itself, not its parts, makes the host wait for the GPU."""
        at = self._at(node)
        return self.wait_at(at) if at is not None else Fact(UNKNOWN)

    def heat(self, node: cst.CSTNode) -> Fact[Heat]:
        """How often the place of a node runs."""
        at = self._at(node)
        return self.heat_at(at) if at is not None else heat.COLD

    def gated(self, node: cst.CSTNode) -> bool:
        """Whether a node stands behind a gate: every so many steps, one rank, verbose only, an exception."""
        at = self._at(node)
        return at is not None and self.gated_at(at)

    def wait_at(self, node: ast.AST) -> Fact[Wait]:
        return effects.wait(self.analysis, self.module, node, self.settings.target)

    def heat_at(self, node: ast.AST) -> Fact[Heat]:
        return heat.of(self.analysis, self.module, node, self.settings.hot_functions)

    def gated_at(self, node: ast.AST) -> bool:
        return gates.of(self.module, node) is not None

    def _at(self, node: cst.CSTNode) -> ast.AST | None:
        return self.tree.ast(node)


def _as_fact(value: Value) -> Fact[Value]:
    if value.kind == "unknown":
        return Fact(UNKNOWN)
    because = tuple(each for each in (value.why, value.where) if each is not None)
    return Fact(value, value.sure, because)


