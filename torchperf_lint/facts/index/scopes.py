"""Functions and classes of a program."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from torchperf_lint.facts.index.bindings import Scope, Turn
from torchperf_lint.facts.index.looks import look
from torchperf_lint.facts.index.walk import FunctionNode

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module


class Class:
    """A class of the program."""

    __slots__ = ("_node", "_sites", "_turns", "methods", "module", "qualname", "within")

    def __init__(self, node: ast.ClassDef, module: Module, qualname: str, within: Function) -> None:
        self._node = node
        self.module = module
        self.qualname = qualname
        self.within = within
        """The function, or the module, that the class stands in."""
        self.methods: dict[str, Function] = {}
        self._sites: dict[str, list[tuple[Function, ast.AST]]] | None = None
        self._turns: dict[str, dict[Function, list[Turn]]] | None = None

    @property
    def node(self) -> ast.ClassDef:
        look(self.module)
        return self._node

    @property
    def sites(self) -> dict[str, list[tuple[Function, ast.AST]]] | None:
        """By attribute, the places that bind it, once somebody has asked."""
        look(self.module)
        return self._sites

    @sites.setter
    def sites(self, found: dict[str, list[tuple[Function, ast.AST]]] | None) -> None:
        self._sites = found
        self._turns = None

    @property
    def turns(self) -> dict[str, dict[Function, list[Turn]]] | None:
        """What `sent_back` keeps of its methods, once it has looked."""
        look(self.module)
        return self._turns

    @turns.setter
    def turns(self, found: dict[str, dict[Function, list[Turn]]]) -> None:
        self._turns = found

    @property
    def name(self) -> str:
        return self._node.name

    @property
    def line(self) -> int:
        """Where it begins; tells it from others of its file."""
        return self._node.lineno

    @property
    def bases(self) -> list[ast.expr]:
        return self._node.bases

    @property
    def keywords(self) -> list[ast.keyword]:
        return self._node.keywords

    @property
    def targets(self) -> list[ast.Name]:
        """The names that its body assigns to."""
        found: list[ast.expr] = []
        for statement in self._node.body:
            if isinstance(statement, ast.Assign):
                found += statement.targets
            elif isinstance(statement, ast.AnnAssign):
                found.append(statement.target)
        return [each for each in found if isinstance(each, ast.Name)]

    @property
    def fields(self) -> list[str]:
        """Of a dataclass or NamedTuple, in their order: the names that its body annotates."""
        targets = (each.target for each in self._node.body if isinstance(each, ast.AnnAssign))
        return [each.id for each in targets if isinstance(each, ast.Name)]

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
        "_body", "_defaults", "_inner", "_inner_reads", "_is_generator", "_node", "_positional", "_reads", "_scope", "_sets", "module",
        "owner", "parameters", "qualname", "within",
    )  # fmt: skip

    def __init__(
        self,
        node: FunctionNode | ast.Module,
        module: Module,
        qualname: str,
        within: Function | None,
        owner: Class | None = None,
    ) -> None:
        self._node = node
        self.module = module
        self.qualname = qualname
        self.within = within
        """The function or module it is defined in; None for a module."""
        self.owner = owner
        """The class whose method it is."""
        self._scope = Scope()
        self._inner: list[Function] = []
        self._sets: list[ast.Attribute] = []
        self._is_generator = False
        self._body: list[ast.stmt] = [ast.Return(value=node.body)] if isinstance(node, ast.Lambda) else node.body
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
    def node(self) -> FunctionNode | ast.Module:
        look(self.module)
        return self._node

    @property
    def body(self) -> list[ast.stmt]:
        look(self.module)
        return self._body

    @property
    def scope(self) -> Scope:
        """Its names; those at the top of a file are part of its face."""
        if self.within is not None:
            look(self.module)
        return self._scope

    @property
    def inner(self) -> list[Function]:
        """The functions that stand directly in it."""
        look(self.module)
        return self._inner

    @property
    def sets(self) -> list[ast.Attribute]:
        """The attributes that it assigns to."""
        look(self.module)
        return self._sets

    @property
    def is_generator(self) -> bool:
        look(self.module)
        return self._is_generator

    @property
    def extent(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Where its body begins and ends, as lines and columns; None for a module, and for a lambda, which stands in its line."""
        if isinstance(self._node, (ast.Module, ast.Lambda)):
            return None
        first, last = self._body[0], self._body[-1]
        return (first.lineno, first.col_offset), (last.end_lineno or last.lineno, last.end_col_offset or 0)

    @property
    def arguments(self) -> ast.arguments | None:
        """What its head says of its parameters; None for a module."""
        return None if isinstance(self._node, ast.Module) else self._node.args

    @property
    def line(self) -> int:
        """Where it begins; tells it from others of its file."""
        return 0 if isinstance(self._node, ast.Module) else self._node.lineno

    @property
    def head(self) -> str:
        """What is said of it before its body."""
        said = [self.arguments, self.returns, *self.decorators]
        return f"{self._node.__class__.__name__} {[ast.dump(each) for each in said if each is not None]}"

    @property
    def returns(self) -> ast.expr | None:
        """What its head says that it returns."""
        return getattr(self._node, "returns", None)

    @property
    def is_inner(self) -> bool:
        """Whether it stands in another function."""
        return self.within is not None and not self.within.is_module

    @property
    def is_abstract(self) -> bool:
        """Whether it is a method without a body: what it gives is for those to say that derive from its class."""
        return self.owner is not None and all(_is_empty(statement) for statement in self.body)

    @property
    def name(self) -> str:
        return getattr(self._node, "name", "<lambda>" if isinstance(self._node, ast.Lambda) else "<module>")

    @property
    def is_module(self) -> bool:
        return self.within is None

    def __repr__(self) -> str:
        return f"<function {self.qualname}>"

    @property
    def positional(self) -> tuple[str, ...]:
        if self._positional is None:
            every = [] if isinstance(self._node, ast.Module) else [*self._node.args.posonlyargs, *self._node.args.args]
            self._positional = tuple(arg.arg for arg in every)
        return self._positional

    @property
    def defaults(self) -> dict[str, ast.expr]:
        if self._defaults is None:
            self._defaults = {}
            if not isinstance(self._node, ast.Module):
                a = self._node.args
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
        look(self.module)
        if self._reads is None:
            own = self._scope.loads.keys()
            self._reads = own | self.inner_reads if self._inner else own
        return self._reads

    @property
    def inner_reads(self) -> Set[str]:
        """The names that are read in a function that stands in it."""
        look(self.module)
        if self._inner_reads is None:
            self._inner_reads = frozenset(name for inner in self._inner for name in inner.reads)
        return self._inner_reads

    @property
    def decorators(self) -> list[ast.expr]:
        return getattr(self._node, "decorator_list", [])

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
