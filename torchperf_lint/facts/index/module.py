"""The outline of a program: its modules, functions, classes and names, found in one walk over each tree.

Facts stand on Python's own `ast` nodes and on the records here. That is the whole representation: `ast.parse` makes
the nodes in C, `syntax.lower` makes the same nodes from LibCST where this Python is too old for a file, and nothing
here or above knows which of the two it was. Knows nothing of torch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Set
from enum import Enum
from typing import Final, TypeVar

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ClosedNode = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""Nodes that open a scope of their own."""

_OPENING: Final = frozenset(ClosedNode)
_BINDING: Final = frozenset(
    (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.ExceptHandler, ast.MatchAs, ast.MatchStar,
     ast.MatchMapping)
)  # fmt: skip

_NAME: Final = ast.Name
_CONSTANT: Final = ast.Constant
_ATTRIBUTE: Final = ast.Attribute
_LOAD: Final = ast.Load
"""Each node is held against these: compiled, a constant of the module is there at once, an attribute of `ast` is not."""

_DEEP: Final = 100
"""So many levels of a tree are visited one from another."""

LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)

_SILENT: Final = {"ctx", "op", "ops", "id", "attr", "arg", "name", "kind", "type_comment", "value_", "n", "s", "asname"}


def _child_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    fields = [name for name in kind._fields if name not in _SILENT]
    if issubclass(kind, (ast.Constant, ast.Name, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)):
        return ()
    if issubclass(kind, ast.Dict):
        return ("keys", "values")
    return tuple(fields)


_FIELDS: Final[dict[type[ast.AST], tuple[str, ...]]] = {}
"""Which fields of a node hold nodes, filled as kinds are met."""


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        _FIELDS[kind] = found = _child_fields(kind)
    return found


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes directly below one, in the order of the source but for decorators and `if` expressions."""
    for name in _fields(node.__class__):
        value = getattr(node, name, None)
        if value.__class__ is list:
            for item in value:
                if item is not None and item.__class__ is not str:
                    yield item
        elif isinstance(value, ast.AST):
            yield value


def walk(node: ast.AST, *, into_scopes: bool = True) -> Iterator[ast.AST]:
    """A node and all below it, parents first; without `into_scopes` what lies in inner functions is left out."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        if into_scopes or top is node or not isinstance(top, ClosedNode):
            stack.extend(reversed(list(children(top))))


class Climb(Enum):
    """What a place says that has no answer: the next one above is asked."""

    ON = "on"


T = TypeVar("T")


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
        "_defaults", "_positional", "_reads", "body", "inner", "is_generator", "module", "node", "owner", "parameters", "qualname",
        "scope", "sets", "within",
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
            self._reads = own | {name for inner in self.inner for name in inner.reads} if self.inner else own
        return self._reads

    @property
    def decorators(self) -> list[ast.expr]:
        return getattr(self.node, "decorator_list", [])

    @property
    def is_static(self) -> bool:
        return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in self.decorators)

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


class Module:
    """One file: its tree and everything that one walk over it finds."""

    def __init__(self, tree: ast.Module, path: str = "<stdin>", name: str = "", text: str = "") -> None:
        self.tree = tree
        self.path = path
        self.name = name
        self.lines = text.splitlines() if "# type: (" in text else []
        """The text, where it holds signatures in comments."""
        self.parents: dict[ast.AST, ast.AST] = {}
        self.functions: dict[ast.AST, Function] = {tree: Function(tree, self, "<module>", None)}
        self.classes: dict[ast.AST, Class] = {}
        self.by_type: dict[type[ast.AST], list[ast.AST]] = {}
        self.calls: dict[str, list[ast.Call]] = {}
        """Calls by the last name of what is called."""
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
        self.looks: dict[ast.AST, bool] = {}
        """Of nodes that somebody has asked about: whether they could wait, by their look."""
        self.tests: dict[ast.AST, bool] = {}
        """Of functions that somebody has asked about: whether they are tests."""
        self.renamed: dict[str, str] = {}
        """What an import binds under another name, by that name."""
        self.stars: list[ast.ImportFrom] = []
        """The imports that bring all names of a module."""
        self.names: set[str] = set()
        """Every identifier of the file."""
        self._keywords: frozenset[str] | None = None
        self.attributes: dict[str, list[ast.Attribute]] = {}
        """All attributes of the file, by their names."""
        self._deep: list[tuple[ast.AST, ast.AST | None, Function, Class | None]] = []
        """What lies too deep for the stack: it is visited after the rest."""
        self._walk()

    @property
    def body(self) -> Function:
        """What runs where the file is imported."""
        return self.functions[self.tree]

    def _walk(self) -> None:
        """Visit every node once, parents first and in the order of the source."""
        self._visit(self.tree, None, self.body, None, 0)
        while self._deep:
            self._visit(*self._deep.pop(), 0)
        for call in self.by_type.get(ast.Call, ()):
            self.calls.setdefault(last_name(call.func), []).append(call)  # type: ignore[attr-defined, arg-type]

    def _visit(self, node: ast.AST, above: ast.AST | None, function: Function, owner: Class | None, depth: int) -> None:
        """Write down a node and all that is below it."""
        if above is not None:
            self.parents[node] = above
        kind = node.__class__
        if kind is _NAME:
            self.names.add(node.id)  # type: ignore[attr-defined]
            function.scope.see(node, owner is not None)  # type: ignore[arg-type]
            return
        if kind is _CONSTANT:
            return
        if depth == _DEEP:
            self._deep.append((node, above, function, owner))
            return
        inside = None
        if kind is _ATTRIBUTE:
            attr: str = node.attr  # type: ignore[attr-defined]
            others = self.attributes.get(attr)
            if others is None:
                self.attributes[attr] = [node]  # type: ignore[list-item]
                self.names.add(attr)
            else:
                others.append(node)  # type: ignore[arg-type]
            if node.ctx.__class__ is not _LOAD:  # type: ignore[attr-defined]
                function.sets.append(node)  # type: ignore[arg-type]
        else:
            found = self.by_type.get(kind)
            if found is None:
                self.by_type[kind] = [node]
            else:
                found.append(node)
            if kind in _OPENING:
                inside = self._open(node, function, owner)
            elif kind in _BINDING:
                self._bind(node, function, owner)
        for name in _fields(kind):
            value = getattr(node, name, None)
            if value is None:
                continue
            where, which = inside if inside is not None and name == "body" else (function, owner)
            if value.__class__ is list:
                for item in value:
                    if item is not None and item.__class__ is not str:
                        self._visit(item, node, where, which, depth + 1)
            elif isinstance(value, ast.AST):
                self._visit(value, node, where, which, depth + 1)

    def _open(self, node: ast.AST, function: Function, owner: Class | None) -> tuple[Function, Class | None]:
        """Record a scope; say which function and class its body belongs to."""
        prefix = "" if function.is_module and owner is None else f"{(owner or function).qualname}."
        if isinstance(node, ast.ClassDef):
            made = Class(node, self, prefix + node.name, function)
            self.classes[node] = made
            if owner is None:
                function.scope.bind(node.name, node)
            return function, made
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        is_lambda = isinstance(node, ast.Lambda)
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        inner = Function(node, self, prefix + name, function, owner if not is_lambda else None)
        self.functions[node] = inner
        function.inner.append(inner)
        for parameter in inner.parameters.values():
            inner.scope.bind(parameter.arg, parameter)
        if owner is not None and not is_lambda:
            # A property's setter comes after its getter: the getter is the one that is read.
            owner.methods.setdefault(name, inner)
        elif not is_lambda:
            function.scope.bind(name, node)
        return inner, None

    def _bind(self, node: ast.AST, function: Function, owner: Class | None) -> None:
        """Write down the names that a node binds other than through `ast.Name`."""
        match node:
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                if isinstance(node, ast.ImportFrom) and aliases[0].name == "*":
                    self.stars.append(node)
                for alias in aliases:
                    if alias.asname is not None:
                        self.renamed[alias.asname] = alias.name.rpartition(".")[2]
                    self.names.update(alias.name.split("."))
                    function.scope.bind(alias.asname or alias.name.partition(".")[0], node)
            case ast.Global(names=outer) | ast.Nonlocal(names=outer):
                function.scope.outer.update(outer)
            case ast.Yield() | ast.YieldFrom():
                function.is_generator = True
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                if owner is None:
                    function.scope.bind(name, node)
            case ast.MatchMapping(rest=str(name)):
                function.scope.bind(name, node)

    @property
    def keywords(self) -> frozenset[str]:
        """The names of all arguments that a call of the file gives by name."""
        if self._keywords is None:
            every = self.by_type.get(ast.keyword, ())
            self._keywords = frozenset(each.arg for each in every if each.arg is not None)  # type: ignore[attr-defined]
        return self._keywords

    def forget(self) -> None:
        """Let go of all records: they hold each other, and would wait for the garbage collector."""
        for function in self.functions.values():
            function.inner.clear()
        for each in self.classes.values():
            each.methods.clear()
            each.sites = None
        self.functions.clear()
        self.classes.clear()
        self.homes.clear()

    def spelled(self, names: frozenset[str]) -> set[str]:
        """Under which names a file calls what has one of some names: `from torch import zeros as z` calls it `z`."""
        return set(names) | {bound for bound, name in self.renamed.items() if name in names}

    def function_of(self, node: ast.AST) -> Function:
        """The function whose body a node stands in; its decorators, defaults and annotations stand outside of it."""
        return self.climbed(self.homes, node, self._home, top=self.body)

    def _home(self, above: ast.AST, below: ast.AST) -> Function | Climb:
        is_lambda = isinstance(above, ast.Lambda) and below is above.body
        if is_lambda or (isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)) and in_body(below, above)):
            return self.functions[above]
        return Climb.ON

    def climbed(
        self, known: dict[ast.AST, T], node: ast.AST, ask: Callable[[ast.AST, ast.AST], T | Climb], top: T
    ) -> T:
        """What the nearest place above a node answers, asked of it and of the node below it; `top` where none does.

        Asked once of each node: `known` keeps the answer for all that were passed, for neighbours share the way up.
        """
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


def in_body(below: ast.AST, above: ast.AST) -> bool:
    """Whether what stands directly below a loop, a function or a `with` is in its body; long bodies take no longer."""
    return isinstance(below, ast.stmt) and not any(below is each for each in getattr(above, "orelse", ()))


def place_of(node: ast.AST) -> tuple[int, int]:
    """Where a node starts, for what must be told before from behind."""
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def end_of(node: ast.AST) -> tuple[int, int]:
    """Where a node ends."""
    line: int | None = getattr(node, "end_lineno", None)
    column: int | None = getattr(node, "end_col_offset", None)
    return (line or place_of(node)[0], column or 0)


def last_name(node: ast.expr) -> str:
    """The name that is called last: `zeros` of `torch.zeros`; empty for what has none."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def receiver(node: ast.AST) -> ast.expr | None:
    """What a method is called on; None for what is no such call."""
    return node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None


def may_hide(call: ast.Call) -> bool:
    """Whether a call hands on arguments that it does not show: `f(*rest)`, `f(**settings)`."""
    return any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords)


class Program:
    """The modules that facts may look into: the linted one, and those that it imports as they are asked for."""

    def __init__(self, load: Callable[[str], Module | None] = lambda _: None) -> None:
        self._load = load
        self.modules: dict[str, Module | None] = {}

    def add(self, module: Module) -> Module:
        self.modules[module.name or module.path] = module
        return module

    def find(self, name: str) -> tuple[Module, str] | None:
        """The module of the program that a dotted name lies in, and the rest of the name."""
        head, _, rest = name.rpartition(".")
        while head:
            module = self._module(head)
            if module is not None:
                return module, rest
            head, _, last = head.rpartition(".")
            rest = f"{last}.{rest}"
        return None

    def _module(self, name: str) -> Module | None:
        if name not in self.modules:
            self.modules[name] = self._load(name)
        return self.modules[name]
