"""Everything a rule may ask about the code, in torch's words.

A rule holds LibCST nodes; it asks here, and only here, what they are. Each answer is a `Fact`: a value or UNKNOWN, how
sure it is, and the places that prove it. Nothing is worked out before it is asked, and nothing twice.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from torchperf_lint.facts import call_waits, effects, gates, heat, modes, names, neighbours, transfers
from torchperf_lint.facts.effects import Wait
from torchperf_lint.facts.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.heat import Heat
from torchperf_lint.facts.infer import Analysis
from torchperf_lint.facts.modes import Autocast
from torchperf_lint.facts.neighbours import Use
from torchperf_lint.facts.program import Module, Program, last_name
from torchperf_lint.facts.torch_api.waits import parse as parse_version
from torchperf_lint.facts.transfers import Move
from torchperf_lint.facts.values import NO, Value
from torchperf_lint.syntax.calls import argument as argument_of

if TYPE_CHECKING:
    from torchperf_lint.syntax.tree import Tree

__all__ = [
    "NEWEST",
    "UNKNOWN",
    "Autocast",
    "Evidence",
    "Fact",
    "Facts",
    "Heat",
    "Move",
    "Settings",
    "Sure",
    "Use",
    "Value",
    "Wait",
]

NEWEST: Final = "2.11"
"""The newest torch whose waits were measured."""


_TIGHT: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict)
"""Expressions that need no parentheses next to an operator or a dot."""


class Settings:
    """What the user's configuration tells the facts."""

    __slots__ = ("hot_functions", "minimum", "target")

    def __init__(
        self, target: str = NEWEST, hot_functions: tuple[str, ...] = (), minimum: tuple[int, int] = (512, 32)
    ) -> None:
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
        self._waits: dict[ast.AST, Fact[Wait]] = {}

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

    def argument(self, call: cst.Call, name: str, index: int | None = None) -> Fact[Value]:
        """The value of an argument of a call, by its name or position; UNKNOWN if it is not given."""
        node = argument_of(call, name, index)
        return self.value(node.value) if node is not None else Fact(UNKNOWN)

    def move(self, call: cst.Call) -> Move:
        """What `.to(...)`, `.cuda()`, `.cpu()` or `.type(...)` asks for."""
        at = self._at(call)
        assert isinstance(at, ast.Call)
        scene = effects.Scene(self.analysis, self.module, self.settings.target)
        return transfers.asked(last_name(at.func), call_waits.args_of(scene, at))

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
        known = self._waits.get(node)
        if known is None:
            known = self._waits[node] = effects.wait(self.analysis, self.module, node, self.settings.target)
        return known

    def heat_at(self, node: ast.AST) -> Fact[Heat]:
        return heat.of(self.analysis, self.module, node, self.settings.hot_functions)

    def gated_at(self, node: ast.AST) -> bool:
        return gates.of(self.module, node) is not None

    # ---- modes

    def in_no_grad(self, node: cst.CSTNode) -> Fact[bool]:
        """Whether gradients are off where a node runs."""
        return modes.no_grad(self.analysis, self.module, self._there(node))

    def in_autocast(self, node: cst.CSTNode) -> Fact[Autocast]:
        """The autocast around a node."""
        return modes.autocast(self.analysis, self.module, self._there(node))

    def in_forward(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in the `forward` of a module."""
        return modes.in_forward(self.analysis, self.module, self._there(node)) is not None

    def in_compiled(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in code that `torch.compile` or `torch.jit` compiles."""
        return modes.compiled(self.module, self._there(node)) is not None

    # ---- around a node

    def source(self, node: cst.CSTNode) -> str:
        """The text of a node as it stands in the file; an expression without its own parentheses."""
        return self.tree.source.cut(self.tree.span(node))

    def operand(self, node: cst.CSTNode) -> str:
        """The text of an expression, in parentheses where it would fall apart next to an operator or a dot."""
        text = self.source(node)
        at = self._at(node)
        return text if isinstance(at, _TIGHT) or at is None else f"({text})"

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self.tree.parent(node)

    def statement(self, node: cst.CSTNode) -> cst.CSTNode:
        """The statement that a node stands in, with its line."""
        return self.tree.statement(node)

    def loop(self, node: cst.CSTNode) -> cst.For | cst.While | None:
        """The innermost loop whose body a node stands in, within its function."""
        found = neighbours.loop(self.module, self._there(node))
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | cst.Lambda | None:
        """The function that a node stands in; None at the top level."""
        found = self.module.function_of(self._there(node))
        return None if found.is_module else self.tree.cst(found.node)  # type: ignore[return-value]

    def uses(self, node: cst.CSTNode) -> set[Use]:
        """What becomes of the value of an expression."""
        at = self._there(node)
        assert isinstance(at, ast.expr)
        return neighbours.uses(self.module, at)

    def only_binding(self, name: cst.Name) -> cst.BaseExpression | None:
        """What a local name is bound to, if one plain assignment binds it."""
        at = self._at(name)
        found = neighbours.only_binding(self.module, at) if isinstance(at, ast.Name) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def reads_after(self, name: cst.Name) -> list[cst.Name]:
        """The reads of a name from a binding on, up to the next binding of it."""
        at = self._at(name)
        assert isinstance(at, ast.Name)
        return [self.tree.cst(read) for read in neighbours.reads_after(self.module, at)]  # type: ignore[misc]

    def used_after(self, name: str, statement: cst.CSTNode) -> bool:
        """Whether a name is read behind a statement, or again at the next turn of a loop around it."""
        return neighbours.is_read_after(self.module, name, self.module.statement(self._there(statement)))

    def waiting_part(self, node: cst.CSTNode) -> cst.CSTNode:
        """What to underline of a node that waits: of an `if` its condition, of a long call its method's name."""
        match node:
            case cst.If() | cst.While() | cst.IfExp() | cst.Assert():
                return node.test
            case cst.CompFor(ifs=[first, *_]):
                return first.test
            case cst.Call():
                return self.spot(node)
        return node

    def spot(self, call: cst.Call) -> cst.CSTNode:
        """What to underline of a call: of one that spans lines, the name of the method."""
        at = self._there(call)
        assert isinstance(at, ast.Call)
        if isinstance(call.func, cst.Attribute) and at.func.end_lineno != at.lineno:
            return call.func.attr
        return call

    def _at(self, node: cst.CSTNode) -> ast.AST | None:
        return self.tree.ast(node)

    def _there(self, node: cst.CSTNode) -> ast.AST:
        """The node of Python's own tree for a LibCST node, or for the one around it that has one."""
        at: cst.CSTNode | None = node
        while at is not None:
            found = self.tree.ast(at)
            if found is not None:
                return found
            at = self.tree.parent(at)
        return self.module.tree


def _as_fact(value: Value) -> Fact[Value]:
    if value.kind == "unknown":
        return Fact(UNKNOWN)
    because = tuple(each for each in (value.why, value.where) if each is not None)
    return Fact(value, value.sure, because)
