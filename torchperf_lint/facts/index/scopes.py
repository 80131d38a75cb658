"""Functions and classes of a program, and the names of each function: where they are bound and where they are read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index.walk import FunctionNode

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module

_LOAD: Final = ast.Load
"""Compiled, a constant of the module is there at once, an attribute of `ast` is not."""


class Class:
    """A class of the program."""

    __slots__ = ("methods", "module", "node", "qualname", "sites", "within")

    def __init__(self, node: ast.ClassDef, module: Module, qualname: str, within: Function) -> None:
        self.node = node
        self.module = module
        self.qualname = qualname
        self.within = within
        """The function, or the module, that the class stands in."""
        self.methods: dict[str, Function] = {}
        self.sites: dict[str, list[tuple[Function, ast.AST]]] | None = None
        """By attribute, the places that bind it, once somebody has asked."""

    @property
    def name(self) -> str:
        return self.node.name

    def __repr__(self) -> str:
        return f"<class {self.qualname}>"


def _is_empty(statement: ast.stmt) -> bool:
    """A docstring, `...`, or `pass`."""
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


class Function:
    """A function, method or lambda of the program; the body of a module counts as one too."""

    __slots__ = (
        "_defaults", "_inner_reads", "_positional", "_reads", "body", "inner", "is_generator", "module", "node", "owner", "parameters",
        "qualname", "scope", "sets", "within",
    )  # fmt: skip

    def __init__(
        self,
        node: FunctionNode | ast.Module,
        module: Module,
        qualname: str,
        within: Function | None,
        owner: Class | None = None,
    ) -> None:
        self.node = node
        self.module = module
        self.qualname = qualname
        self.within = within
        """The function or module it is defined in; None for a module."""
        self.owner = owner
        """The class whose method it is."""
        self.scope = Scope()
        self.inner: list[Function] = []
        """The functions that stand directly in it."""
        self.sets: list[ast.Attribute] = []
        """The attributes that it assigns to."""
        self.is_generator = False
        self.body: list[ast.stmt] = [ast.Return(value=node.body)] if isinstance(node, ast.Lambda) else node.body
        self.parameters: dict[str, ast.arg] = {}
        """All parameters by name, in their order, `*args` and `**kwargs` included."""
        if not isinstance(node, ast.Module):
            a = node.args
            for arg in (*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg):
                if arg is not None:
                    self.parameters[arg.arg] = arg
        self._positional: tuple[str, ...] | None = None
        self._defaults: dict[str, ast.expr] | None = None
        self._reads: Set[str] | None = None
        self._inner_reads: Set[str] | None = None

    @property
    def is_abstract(self) -> bool:
        """Whether it is a method without a body: what it gives is for those to say that derive from its class."""
        return self.owner is not None and all(_is_empty(statement) for statement in self.body)

    @property
    def name(self) -> str:
        return getattr(self.node, "name", "<lambda>" if isinstance(self.node, ast.Lambda) else "<module>")

    @property
    def is_module(self) -> bool:
        return self.within is None

    def __repr__(self) -> str:
        return f"<function {self.qualname}>"

    @property
    def positional(self) -> tuple[str, ...]:
        if self._positional is None:
            every = [] if isinstance(self.node, ast.Module) else [*self.node.args.posonlyargs, *self.node.args.args]
            self._positional = tuple(arg.arg for arg in every)
        return self._positional

    @property
    def defaults(self) -> dict[str, ast.expr]:
        if self._defaults is None:
            self._defaults = {}
            if not isinstance(self.node, ast.Module):
                a = self.node.args
                pairs = list(zip(reversed([*a.posonlyargs, *a.args]), reversed(a.defaults), strict=False))
                pairs += [
                    (arg, value) for arg, value in zip(a.kwonlyargs, a.kw_defaults, strict=True) if value is not None
                ]
                self._defaults = {arg.arg: value for arg, value in pairs}
        return self._defaults

    @property
    def method(self) -> Function | None:
        """The method that it is, or stands in."""
        at: Function | None = self
        while at is not None and at.owner is None:
            at = at.within
        return at

    def around(self) -> Iterator[Function]:
        """It and the functions that it stands in, the innermost first; the module is none of them."""
        at = self
        while at.within is not None:
            yield at
            at = at.within

    @property
    def reads(self) -> Set[str]:
        """The names that are read in it, or in a function that stands in it."""
        if self._reads is None:
            own = self.scope.loads.keys()
            self._reads = own | self.inner_reads if self.inner else own
        return self._reads

    @property
    def inner_reads(self) -> Set[str]:
        """The names that are read in a function that stands in it."""
        if self._inner_reads is None:
            self._inner_reads = frozenset(name for inner in self.inner for name in inner.reads)
        return self._inner_reads

    @property
    def decorators(self) -> list[ast.expr]:
        return getattr(self.node, "decorator_list", [])

    @property
    def is_static(self) -> bool:
        return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in self.decorators)

    @property
    def is_overload(self) -> bool:
        """Whether it is a signature alone: `typing.overload`, `torch.jit._overload`."""
        named = (each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in self.decorators)
        return any(each in ("overload", "_overload", "_overload_method") for each in named)

    @property
    def is_property(self) -> bool:
        return any(
            (isinstance(d, ast.Name) and d.id in ("property", "cached_property"))
            or (isinstance(d, ast.Attribute) and d.attr in ("cached_property", "setter", "getter"))
            for d in self.decorators
        )


class Scope:
    """The names of a function: where each is bound and where it is read, in the order of the source."""

    __slots__ = ("imports", "loads", "outer", "stores")

    def __init__(self) -> None:
        self.stores: dict[str, list[ast.AST]] = {}
        self.loads: dict[str, list[ast.Name]] = {}
        self.outer: set[str] = set()
        """Names declared `global` or `nonlocal`."""
        self.imports: dict[str, str | None] = {}
        """Of names that somebody has asked about: what they stand for, if they are imported."""

    def bind(self, name: str, node: ast.AST) -> None:
        self.stores.setdefault(name, []).append(node)

    def see(self, node: ast.Name, in_class: bool) -> None:
        """Write down a name that is read, or bound; what the body of a class binds is not a name of the function."""
        if node.ctx.__class__ is _LOAD:
            table: dict[str, list[ast.Name]] = self.loads
        elif in_class:
            return
        else:
            table = self.stores  # type: ignore[assignment]
        found = table.get(node.id)
        if found is None:
            table[node.id] = [node]
        else:
            found.append(node)
