"""The outline of a program: its modules, functions, classes and names, found in one walk over each tree.

Facts stand on Python's own `ast` nodes and on the records here. That is the whole representation: `ast.parse` makes
the nodes in C, `syntax.lower` makes the same nodes from LibCST where this Python is too old for a file, and nothing
here or above knows which of the two it was. Knows nothing of torch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final, TypeVar

from torchperf_lint.facts.domain.budget import LARGEST, GaveUpError
from torchperf_lint.facts.index.insides import Insides
from torchperf_lint.facts.index.looks import look
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import ClosedNode, fields, in_body, last_name

_OPENING: Final = frozenset(ClosedNode)
_BINDING: Final = frozenset(
    (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.ExceptHandler, ast.MatchAs, ast.MatchStar,
     ast.MatchMapping)
)  # fmt: skip
_NAME: Final = ast.Name
_CONSTANT: Final = ast.Constant
_ATTRIBUTE: Final = ast.Attribute
_LOAD: Final = ast.Load
_FUNCTIONS: Final = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
"""Each node is held against these: compiled, a constant of the module is there at once, an attribute of `ast` is not."""

_DEEP: Final = 100
"""So many levels of a tree are visited one from another."""


def _is_body(below: ast.AST, above: ast.AST) -> bool:
    """Whether what stands directly below a function runs when it is called."""
    return below is above.body if isinstance(above, ast.Lambda) else in_body(below, above)


class Climb(Enum):
    """What a place says that has no answer: the next one above is asked."""

    ON = "on"


T = TypeVar("T")


class Module(Insides):
    """One file: its tree and everything that one walk over it finds."""

    def __init__(self, tree: ast.Module, path: str = "<stdin>", name: str = "", text: str = "") -> None:
        super().__init__(tree, text)
        self.path = path
        self.name = name
        self.parents: dict[ast.AST, ast.AST] = {}
        self._functions[tree] = Function(tree, self, "<module>", None)
        self.bound: dict[ast.AST, dict[str, str]] = {}
        """What each name stands for that an import statement binds, of those that somebody has asked about."""
        self.leaving: dict[int, list[ast.If]] = {}
        """Of blocks that somebody has asked about, by identity: the statements that may leave them early."""
        self.branches: dict[int, ast.AST | None] = {}
        """Of branches of an `if`, by identity: the condition, where it gates them."""
        self.gates: dict[ast.AST, ast.AST | None] = {}
        """The gate around each node that somebody has asked about."""
        self.homes: dict[ast.AST, Function] = {}
        """The function that each node stands in, of those that somebody has asked about."""
        self.around: dict[ast.AST, ast.For | ast.AsyncFor | ast.While | None] = {}
        """The innermost loop that each node stands in, of those that somebody has asked about."""
        self.may_wait: dict[ast.AST, bool] = {}
        """Of nodes that somebody has asked about: whether they could wait, by their look."""
        self.tests: dict[ast.AST, bool] = {}
        """Of functions that somebody has asked about: whether they are tests."""
        self.stars: list[ast.ImportFrom] = []
        """The imports that bring all names of a module."""
        self._keywords: frozenset[str] | None = None
        self._deep: list[tuple[ast.AST, ast.AST | None, Function, Class | None]] = []
        """What lies too deep for the stack: it is visited after the rest."""
        self._walk()

    def _walk(self) -> None:
        """Visit every node once, parents first and in the order of the source."""
        self._visit(self._tree, None, self.body, None, 0)
        while self._deep and len(self.parents) <= LARGEST:
            self._visit(*self._deep.pop(), 0)
        if len(self.parents) > LARGEST:
            raise GaveUpError
        for call in self._by_type.get(ast.Call, ()):
            self._calls.setdefault(last_name(call.func), []).append(call)  # type: ignore[attr-defined, arg-type]

    def _visit(self, node: ast.AST, above: ast.AST | None, function: Function, owner: Class | None, depth: int) -> None:
        """Write down a node and all that is below it."""
        if above is not None:
            self.parents[node] = above
        kind = node.__class__
        if kind is _NAME:
            self._names.add(node.id)  # type: ignore[attr-defined]
            function._scope.see(node, owner is not None)  # type: ignore[arg-type]
            return
        if kind is _CONSTANT:
            return
        if depth == _DEEP:
            self._deep.append((node, above, function, owner))
            return
        inside = None
        if kind is _ATTRIBUTE:
            self._see_attribute(node, function)  # type: ignore[arg-type]
        else:
            found = self._by_type.get(kind)
            if found is None:
                self._by_type[kind] = [node]
            else:
                found.append(node)
            if kind in _OPENING:
                inside = self._open(node, function, owner)
            elif kind in _BINDING:
                self._bind(node, function, owner)
        for name in fields(kind):
            value = getattr(node, name, None)
            if value is None:
                continue
            where, which = inside if inside is not None and name == "body" else (function, owner)
            if value.__class__ is list:
                if len(self.parents) > LARGEST:
                    raise GaveUpError
                for item in value:
                    if item is not None and item.__class__ is not str:
                        self._visit(item, node, where, which, depth + 1)
            elif isinstance(value, ast.AST):
                self._visit(value, node, where, which, depth + 1)

    def _see_attribute(self, node: ast.Attribute, function: Function) -> None:
        others = self._attributes.get(node.attr)
        if others is None:
            self._attributes[node.attr] = [node]
            self._names.add(node.attr)
        else:
            others.append(node)
        if node.ctx.__class__ is not _LOAD:
            function._sets.append(node)

    def _open(self, node: ast.AST, function: Function, owner: Class | None) -> tuple[Function, Class | None]:
        """Record a scope; say which function and class its body belongs to."""
        prefix = "" if function.is_module and owner is None else f"{(owner or function).qualname}."
        if isinstance(node, ast.ClassDef):
            made = Class(node, self, prefix + node.name, function)
            self._classes[node] = made
            if owner is None:
                function._scope.bind(node.name, node)
            return function, made
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        is_lambda = isinstance(node, ast.Lambda)
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        inner = Function(node, self, prefix + name, function, owner if not is_lambda else None)
        self._functions[node] = inner
        function._inner.append(inner)
        for parameter in inner.parameters.values():
            inner._scope.bind(parameter.arg, parameter)
        if inner.is_overload:
            return inner, None  # the one that runs comes after it
        if owner is not None and not is_lambda:
            # A property's setter comes after its getter: the getter is the one that is read.
            owner.methods.setdefault(name, inner)
        elif not is_lambda:
            function._scope.bind(name, node)
        return inner, None

    def _bind(self, node: ast.AST, function: Function, owner: Class | None) -> None:
        """Write down the names that a node binds other than through `ast.Name`."""
        match node:
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                if isinstance(node, ast.ImportFrom) and aliases[0].name == "*":
                    self.stars.append(node)
                for alias in aliases:
                    if alias.asname is not None:
                        self._renamed[alias.asname] = alias.name.rpartition(".")[2]
                    self._names.update(alias.name.split("."))
                    function._scope.bind(alias.asname or alias.name.partition(".")[0], node)
            case ast.Global(names=outer) | ast.Nonlocal(names=outer):
                function._scope.outer.update(outer)
            case ast.Yield() | ast.YieldFrom():
                function._is_generator = True
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                if owner is None:
                    function._scope.bind(name, node)
            case ast.MatchMapping(rest=str(name)):
                function._scope.bind(name, node)

    @property
    def keywords(self) -> frozenset[str]:
        """The names of all arguments that a call of the file gives by name."""
        look(self)
        if self._keywords is None:
            every = self._by_type.get(ast.keyword, ())
            self._keywords = frozenset(each.arg for each in every if each.arg is not None)  # type: ignore[attr-defined]
        return self._keywords

    def forget(self) -> None:
        """Let go of all records: they hold each other, and would wait for the garbage collector."""
        for function in self._functions.values():
            function._inner.clear()
        for each in self._classes.values():
            each.methods.clear()
            each.sites = None
        self._functions.clear()
        self._classes.clear()
        self._places = None
        self.homes.clear()
        self._answers.clear()

    def spelled(self, names: frozenset[str]) -> set[str]:
        """Under which names a file calls what has one of some names: `from torch import zeros as z` calls it `z`."""
        renamed = self.renamed
        return {*names, *(bound for bound, name in renamed.items() if name in names)} if renamed else set(names)

    def function_of(self, node: ast.AST) -> Function:
        """The function whose body a node stands in; its decorators, defaults and annotations stand outside of it."""
        homes, parents = self.homes, self.parents
        found, passed, below = homes.get(node), [], node
        while found is None:
            above = parents.get(below)
            if above is None:
                found = self._functions[self._tree]
                break
            passed.append(below)
            if above.__class__ in _FUNCTIONS and _is_body(below, above):
                found = self._functions[above]
            else:
                found, below = homes.get(above), above
        for each in passed:
            homes[each] = found
        return found

    def climbed(
        self, known: dict[ast.AST, T], node: ast.AST, ask: Callable[[ast.AST, ast.AST], T | Climb], top: T
    ) -> T:
        """What the nearest place above a node answers, asked of it and of the node below it; `top` where none does.

        Asked once of each node: `known` keeps the answer for all that were passed, for neighbours share the way up.
        """
        if node in known:
            return known[node]
        found, passed, below = top, [], node
        while below not in known:
            above = self.parents.get(below)
            if above is None:
                break
            passed.append(below)
            answer = ask(above, below)
            if not isinstance(answer, Climb):
                found = answer
                break
            below = above
        else:
            found = known[below]
        for each in passed:
            known[each] = found
        return found

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes above one, the nearest first."""
        above = self.parents.get(node)
        while above is not None:
            yield above
            above = self.parents.get(above)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that a node is, or is part of."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def with_string(self, node: ast.AST) -> ast.AST:
        """The outermost f-string that a node stands in, or the node itself.

        Up to Python 3.11 the positions in there are not always true, and no report may depend on the Python.
        """
        found = node
        for above in self.ancestors(node):
            if isinstance(above, ast.stmt):
                break
            if above.__class__.__name__ in ("JoinedStr", "TemplateStr"):
                found = above
        return found
