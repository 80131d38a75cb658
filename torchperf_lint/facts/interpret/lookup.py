"""What names hold that a function does not bind itself, and what dotted names stand for in the program."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.join import join_all
from torchperf_lint.facts.domain.value import ANY, Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.glance import Glance
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import named_tuples

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_BUILTINS: Final = frozenset(dir(builtins))
_STARS: Final = 100
"""So many modules are looked into for a name that came with a star: a package may offer all that it has in this way."""
_FILLED: Final = frozenset(("tuple", "list", "dict", "set"))
"""Kinds of values that a method, or a write to an item, changes."""
_SETTLED: Final = _FILLED | frozenset(
    ("number", "string", "none", "dtype", "symbol", "function", "class", "instance", "object", "unknown")
)
"""Kinds of values that no line elsewhere in a module moves or casts."""
_CHANGING: Final = (ast.Attribute, ast.Subscript)
"""What is seen around a name where a method, or a write to an item, may change what it holds."""
_SEVERAL: Final = 2
_ONCE: Final = (ast.If, ast.Try, ast.ExceptHandler)
"""Statements that run what is in them at most once."""


def plain(home: Function, name: str) -> Value | None:
    """The same where nothing needs to run for it: what one `def`, `class` or `import` binds, and builtins."""
    stores = home.scope.stores.get(name)
    if stores is not None:
        return _definition(home, name, stores[0]) if len(stores) == 1 else None
    return Value("symbol", ref="builtins." + name) if not home.module.stars and name in _BUILTINS else None


def free(analysis: Analysis, home: Function, name: str) -> Value:
    """What a name holds that a function or module binds, seen from a function in it."""
    stores = home.scope.stores.get(name)
    if stores is None:
        return _from_nowhere(analysis, home.module, name)
    imported = names.import_of(home, name)
    value = analysis.symbol(imported) if imported is not None else None
    if value is None and home.is_module:
        value = _alone(analysis, home, name, stores) or _last(analysis, home, name, stores)
    return value if value is not None else analysis.name_values(home, name)


def _from_nowhere(analysis: Analysis, module: Module, name: str) -> Value:
    """A name that the file does not bind: it came with a star, or is a builtin."""
    for star in module.stars if not name.startswith("__") else ():  # each module has its own
        dotted = f"{names.absolute(module, star)}.{name}"
        found = analysis.resolve(dotted) or _handed_on(analysis, dotted)
        if found is not None:
            return found
    for star in module.stars if not hasattr(builtins, name) else ():  # what the program has itself goes first
        if star.module is not None and star.module.startswith("torch"):
            return analysis.symbol(f"{names.absolute(module, star)}.{name}")
    return Value("symbol", ref="builtins." + name) if hasattr(builtins, name) else ANY


def _handed_on(analysis: Analysis, name: str) -> Value | None:
    """What a module of the program imports, and hands on to who takes all it has: `torch`, `nn`, `F` of `from utils import *`."""
    place = find(analysis, name)
    value = analysis.free(*place) if place is not None and names.import_of(*place) is not None else None
    return value if value is not None and value.kind == "symbol" else None


def _definition(home: Function, name: str, store: ast.AST) -> Value | None:
    """The value of a name that one `def`, `class` or `import` binds: nothing needs to run for it."""
    module = home.module
    if isinstance(store, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return Value("function", ref=module.opened(store))
    if isinstance(store, ast.ClassDef):
        return Value("class", ref=module.made(store))
    if isinstance(store, (ast.Import, ast.ImportFrom)):
        target = names.imported(module, store, name)
        return Value("symbol", ref=target) if target else None
    return None


def _alone(analysis: Analysis, home: Function, name: str, stores: list[ast.AST]) -> Value | None:
    """The value of a name of a module that nothing there changes later: only the lines that bind it need to run."""
    module, loads, values = home.module, home.scope.loads.get(name, ()), []
    for store in stores:
        statement = module.statement(store)
        around = [node for node in module.ancestors(statement) if isinstance(node, (ast.stmt, ast.ExceptHandler))]
        if not all(isinstance(each, _ONCE) for each in around):
            return None
        value = _definition(home, name, store)
        if value is None:
            if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
                return None
            if any(module.statement(load) is statement for load in loads):
                return None  # `A = script(A)`: what it was before counts
            run = analysis.scratch(home)
            analysis.parts.block(run, [statement])
            value = (run.env.get(name) if run.env is not None else None) or ANY
        values.append(value)
    value = join_all(tuple(values))
    if value.kind in _FILLED and any(isinstance(module.parents.get(load), _CHANGING) for load in loads):
        return None
    return value if value.kind in _SETTLED else None


def _last(analysis: Analysis, home: Function, name: str, stores: list[ast.AST]) -> Value | None:
    """The tensor that the last of several bindings gives at the top of a module, where nothing above it reads another one."""
    module, last = home.module, stores[-1]
    statement = module.statement(last)
    if len(stores) < _SEVERAL or not isinstance(last, ast.Name) or not isinstance(statement, ast.Assign):
        return None
    if not isinstance(module.parents[statement], ast.Module):
        return None
    binding = [module.statement(store) for store in stores]  # `x = torch.tensor(x)` is one of them
    above = [load for load in home.scope.loads.get(name, ()) if load.lineno < statement.lineno]
    if any(module.statement(load) not in binding for load in above):
        return None
    if any(name in inner.reads and inner.line < statement.lineno for inner in home.inner):
        return None
    if any(name in each.scope.outer for each in module.functions.values()):
        return None  # `global name`: any call may bind it
    value = analysis.seen(last, home)
    return value if value is not None and value.kind == "tensor" else None


def resolve(analysis: Analysis, name: str) -> Value | None:
    """A function or class of the program by its dotted name, of named tuples too, through re-exports; None for all other names."""
    place = find(analysis, name)
    if place is None:
        return None
    home, last = place
    value = analysis.free(home, last)
    if value.kind == "symbol" and value.ref != name:
        return analysis.resolve(value.ref)
    return value if value.kind in ("function", "class") or value.ref == named_tuples.CLASS else None


def find(analysis: Analysis, name: str) -> tuple[Function, str] | None:
    """The module of the program whose top level binds a dotted name, and the name there."""
    return _behind(analysis, name, set())


def _behind(analysis: Analysis, name: str, seen: set[Module | Glance]) -> tuple[Function, str] | None:
    """The same, past modules that were seen: stars lead round in circles."""
    head, _, last = name.rpartition(".")
    module: Module | Glance | None = analysis.solver.ask(head, last) if head else None
    if module is None or module in seen:
        return None
    seen.add(module)
    if isinstance(module, Glance):
        return None
    if last in module.body.scope.stores:
        return module.body, last
    for star in module.stars:
        if len(seen) > _STARS:
            return None
        inner = _behind(analysis, f"{names.absolute(module, star)}.{last}", seen)
        if inner is not None:
            return inner
    return None
