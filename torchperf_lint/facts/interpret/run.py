"""One run through a function: where it stands, and what is known there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.domain.value import ANY, BOTTOM, Value
from torchperf_lint.facts.interpret.arguments import NO_ARGS, Args
from torchperf_lint.facts.interpret.environment import Env
from torchperf_lint.facts.interpret.solver import DEEPEST, TooDeepError
from torchperf_lint.facts.knowledge.pass_through import MODULE_METHODS

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.index.scopes import Class, Function
    from torchperf_lint.facts.interpret.analysis import Analysis

_MEETING: Final = (ast.IfExp, ast.BoolOp)
"""Expressions that are worth something though only one of their ways was worked out."""
LEVELS: Final = 180
"""So many expressions and blocks nest in one function: what nests deeper is not looked at. The most that was met is 65."""


class Run:
    """One run through a function: where it stands, and what is known there."""

    __slots__ = (
        "analysis",
        "bound",
        "breaks",
        "continues",
        "depth",
        "device",
        "env",
        "function",
        "handlers",
        "is_outside",
        "left_module",
        "level",
        "missed",
        "module",
        "no_grad",
        "owner",
        "pathed",
        "record",
        "returns",
        "unused",
        "values",
        "yields",
    )  # fmt: skip

    def __init__(self, analysis: Analysis, function: Function, held: dict[str, Value], *, record: bool) -> None:
        self.analysis = analysis
        self.handlers = analysis.parts.expressions
        self.function = function
        self.module: Module = function.module
        self.env: Env | None = Env(analysis.solver.steps.spend, held)
        """What each name holds here; None where control does not come."""
        self.record = record
        self.values: dict[ast.AST, Value] = {}
        """The value of each expression, as this run saw it last."""
        self.bound: dict[str, dict[ast.AST, Value]] = {}
        """All that each name was seen to hold, in a run for the record."""
        self.pathed: dict[str, set[str]] = {}
        """The paths of attributes that the environment may hold, `self.hidden`, by the name that each begins with."""
        self.level = 0
        """How many expressions and blocks are under way."""
        self.depth = 0
        """How many calls deep it is."""
        self.left_module = False
        """One of those calls led into another file."""
        self.returns: list[Value] = []
        self.yields: list[Value] = []
        self.breaks: list[list[Env]] = []
        self.continues: list[list[Env]] = []
        self.missed: set[str] = set()
        """Names that were read where nothing had bound them yet: what a loop may carry to its next turn."""
        self.owner: Class | None = None
        """The class whose body is being run."""
        self.no_grad = 0
        self.is_outside = False
        """One expression is evaluated by itself: what its names hold was bound elsewhere."""
        self.unused: ast.expr | None = None
        """The last expression that is a statement: what it gives goes nowhere."""
        self.device: str | None = None
        """The default device, where `with torch.device(...)` or `set_default_device` gave one."""

    def expr(self, node: ast.expr) -> Value:
        """The value of an expression, here."""
        analysis = self.analysis
        solver = analysis.solver
        steps = solver.steps
        steps.taken += 1
        if steps.taken > steps.most:
            raise GaveUpError
        if self.env is None or self.level >= LEVELS:
            return ANY
        handler = self.handlers.get(node.__class__)
        if handler is None:
            return ANY
        if node.__class__ is ast.Constant:
            value = self.values[node] = handler(self, node)
            return value
        missing = solver.missing
        if node.__class__ is ast.Name:  # nothing nests in it
            value = handler(self, node)
            if value is BOTTOM or solver.missing != missing:
                solver.missing, value = missing + 1, BOTTOM
            self.values[node] = value
            return value
        solver.level += 1
        if solver.level > DEEPEST:
            raise TooDeepError
        self.level += 1
        value = handler(self, node)
        if value is BOTTOM:
            solver.missing = missing + 1
        elif solver.missing != missing:
            if node.__class__ in _MEETING:
                solver.missing = missing
            else:
                value = BOTTOM
        self.level -= 1
        solver.level -= 1
        self.values[node] = value
        return value

    def look(self, node: ast.AST) -> Value:
        """The value of an expression that was evaluated before."""
        return self.values.get(node, ANY)

    def load(self, name: str) -> Value:
        """What a name holds here."""
        held = self.env.get(name) if self.env is not None else None
        if held is not None:
            return held
        scope = self.function.scope
        if name in scope.stores and name not in scope.outer and not self.is_outside:
            self.missed.add(name)
            return ANY
        return self.analysis.free(self.function, name)

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """Let a name hold a value from here on."""
        env = self.env
        if env is None:
            return
        if name in self.pathed and env.get(name) is not None:
            env.drop(self.pathed[name])
            if self.level <= 1:
                del self.pathed[name]  # in no block of a statement: there is no other environment that might hold them
        env[name] = value
        self.values[node] = value
        if self.record and self.owner is None:
            self.bound.setdefault(name, {})[node] = value

    def bind_path(self, base: ast.Name, attribute: str, value: Value) -> None:
        """Let an attribute of a name hold a value from here on."""
        if self.env is not None:
            self.env[self.path(base, attribute)] = value

    def path(self, base: ast.Name, attribute: str) -> str:
        """The name under which the environment holds an attribute of a name; from here on it may hold that."""
        path = f"{base.id}.{attribute}"
        self.pathed.setdefault(base.id, set()).add(path)
        return path

    def rebind(self, node: ast.expr, value: Value) -> None:
        """Let the name, or the attribute of a name, that an expression is hold a value: its object was changed."""
        if self.env is None:
            return
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MODULE_METHODS:
            node = node.func.value  # model.eval().cpu() changes model
        if isinstance(node, ast.Name):
            if self.env.get(node.id) is not None:
                self.env[node.id] = value
                if self.record and self.owner is None:
                    self.bound.setdefault(node.id, {})[node] = value
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            self.bind_path(node.value, node.attr, value)

    def block(self, statements: list[ast.stmt]) -> None:
        """Run statements until one of them leaves."""
        self.analysis.parts.block(self, statements)

    def apply(self, node: ast.Call, callee: Value, args: Args) -> Value:
        """What calling a value gives."""
        return self.analysis.parts.apply(self, node, callee, args)

    def send(self, value: Value, name: str, args: Args = NO_ARGS) -> Value | None:
        """What calling a method that the program defines gives; None if it defines none of that name."""
        return self.analysis.parts.send(self, value, name, args)

    def why(self, node: ast.AST, message: str) -> Evidence:
        return Evidence(node, message, self.module.path)
