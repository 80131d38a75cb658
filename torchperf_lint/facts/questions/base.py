"""Where all questions start: the program, the module, and the way from a LibCST node to Python's own."""

from __future__ import annotations

import ast
from copy import copy
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

import libcst as cst

from torchperf_lint.facts.context import arguments_elsewhere
from torchperf_lint.facts.domain.budget import (
    LARGEST,
    NODES_AT_MOST,
    STEPS_AT_MOST,
    WALKED,
    WALKED_FREE,
    GaveUpError,
    most_walked,
)
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret.interpreter import analysis_of
from torchperf_lint.facts.interpret.shared import SharedAnswers
from torchperf_lint.facts.knowledge.operation_waits import Form
from torchperf_lint.facts.knowledge.operation_waits import parse as parse_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchperf_lint.facts.context.frequency import Frequency
    from torchperf_lint.facts.index.scopes import Function
    from torchperf_lint.facts.project.neighbours import Neighbours
    from torchperf_lint.syntax.tree import Tree

AWAY: Final = 2
"""From so many files away callers are asked what they pass: a loop in `train.py` that calls `engine.py` that calls here."""


NEWEST: Final = "2.11"
"""The newest torch whose waits were measured."""


class Settings:
    """What the user's configuration tells the facts."""

    __slots__ = ("assume_compiled", "hot_functions", "minimum", "target")

    def __init__(
        self,
        target: str = NEWEST,
        hot_functions: tuple[str, ...] = (),
        minimum: tuple[int, int] = (512, 32),
        *,
        assume_compiled: bool = False,
    ) -> None:
        self.target = parse_version(target)
        self.hot_functions = frozenset(hot_functions)
        self.minimum = minimum
        """The sizes of Linear and Conv layers from which on alignment is worth a word."""
        self.assume_compiled = assume_compiled
        """Whether every `forward` is taken for compiled."""

    @property
    def has_unsaved_buffers(self) -> bool:
        """Whether `register_buffer` takes `persistent=False`: since torch 1.6."""
        return self.target >= (1, 6)


B = TypeVar("B", bound="Base")


class Base:
    """Where all questions start: the program, the module, and the way from a LibCST node to Python's own."""

    def __init__(
        self,
        program: Program,
        module: Module,
        tree: Tree,
        settings: Settings | None = None,
        shared: SharedAnswers | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.module = module
        self.tree = tree
        self.analysis = analysis_of(program, module, shared)
        self.plain = self.analysis
        """Where nobody looks at what callers in other files pass: how often code runs is the same either way."""
        self.neighbours: Neighbours | None = None
        """The files that may call what this one defines; kept here, for the analysis of each refers to it weakly."""
        self.is_as_called = False
        """What callers in other files pass is looked at."""
        self._called: Any = None
        self._walked_before = WALKED.nodes
        self._most_walked = most_walked(len(module.parents))
        self._commented: dict[tuple[cst.CSTNode, Callable[[str], bool]], set[cst.CSTNode]] = {}
        """Of blocks in which somebody has asked what comments say: the lines at or below one that says it."""
        self._told: dict[ast.AST, frozenset[Form]] = {}
        """Of nodes that somebody has asked about: the forms in which they may be seen to wait by what callers in other files pass."""
        self._open: dict[Function, bool] = {}
        """Of functions that somebody has asked about: whether nothing is known of one of their parameters."""
        self._may_wait: dict[type[ast.AST], list[ast.AST]] = {}
        self._places: dict[ast.AST, tuple[ast.AST | Function, bool]] = {}
        """Of nodes that somebody has asked about: the place that tells how often they run, and whether they stand in a test."""
        self._idle: dict[tuple[ast.AST | Function, Frequency], bool] = {}
        """Of places that somebody has asked about: whether they never run so often, whoever calls."""

    def as_called_at(self: B, node: ast.AST, *, of_unknown: bool = False) -> B:
        """The same questions, answered with what callers in other files pass; where that tells nothing of a node, or of
        nothing of which nothing is known, as here."""
        if self.is_as_called or self.neighbours is None:
            return self
        if self._called is None:
            made = copy(self)
            made.analysis = self.neighbours.as_called(self.analysis, AWAY)
            made.is_as_called = True
            self._called = made
        called: B = self._called
        try:
            is_told = arguments_elsewhere.tells(called.analysis, self.module.function_of(node), of_unknown=of_unknown)
        except GaveUpError:
            is_told = False
        return called if is_told else self

    def may_be_as_called_at(self, node: ast.AST) -> bool:
        """Whether what callers in other files pass may tell what something at a node is; none is read for that."""
        if self.is_as_called or self.neighbours is None:
            return False
        try:
            return arguments_elsewhere.may_tell(self.plain, self.module.function_of(node))
        except GaveUpError:
            return False

    def spent(self) -> float:
        """Which part of what the largest file may take was taken: of the nodes walked, the steps, and what LibCST was shown,
        which share one budget, and of the nodes that it has."""
        walked = (WALKED.nodes - self._walked_before) / NODES_AT_MOST
        shared = walked + self.analysis.solver.steps.counted / STEPS_AT_MOST + self.tree.spent
        return (shared + len(self.module.parents) / LARGEST) / 2

    def gave_up(self) -> bool:
        """Whether the file has taken more steps than any program needs, so that nothing more is said of it. What every file walks is
        not held against it: it hangs on what was walked for another file of the run."""
        walked = WALKED.nodes - self._walked_before
        spent = max(walked / self._most_walked - WALKED_FREE, 0) + self.analysis.spent + self.tree.spent
        return walked > self._most_walked or spent > 1

    def _at(self, node: cst.CSTNode) -> ast.AST | None:
        return self.tree.ast(node)

    def at(self, node: cst.CSTNode) -> ast.AST:
        """The node of Python's own tree for a LibCST node, or for the one around it that has one."""
        at: cst.CSTNode | None = node
        while at is not None:
            found = self.tree.ast(at)
            if found is not None:
                return found
            at = self.tree.parent(at)
        return self.module.tree

    @overload
    def node(self, at: ast.Name) -> cst.Name: ...
    @overload
    def node(self, at: ast.Attribute) -> cst.Attribute: ...
    @overload
    def node(self, at: ast.Call) -> cst.Call: ...
    @overload
    def node(self, at: ast.Assign) -> cst.Assign: ...
    @overload
    def node(self, at: ast.If) -> cst.If: ...
    @overload
    def node(self, at: ast.For | ast.While) -> cst.For | cst.While: ...
    @overload
    def node(self, at: ast.Name | ast.Attribute) -> cst.Name | cst.Attribute: ...
    @overload
    def node(self, at: ast.expr) -> cst.BaseExpression: ...
    @overload
    def node(self, at: ast.AST) -> cst.CSTNode: ...
    def node(self, at: ast.AST) -> cst.CSTNode:
        """The LibCST node of one of Python's own tree that an answer speaks of."""
        return self.tree.cst(at)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self.tree.parent(node)

    def statement(self, node: cst.CSTNode) -> cst.CSTNode:
        """The statement that a node stands in, with its line."""
        return self.tree.statement(node)

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | cst.Lambda | None:
        """The function that a node stands in; None at the top level."""
        found = self.module.function_of(self.at(node))
        return None if found.is_module else self.tree.cst(found.node)  # type: ignore[return-value]

    def loop(self, node: cst.CSTNode) -> cst.For | cst.While | None:
        """The innermost loop whose body a node stands in, within its function."""
        found = blocks.loop(self.module, self.at(node))
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]
