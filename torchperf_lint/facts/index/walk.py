"""Python's own tree: what is below a node, where it stands in the source, which name is called last. Knows no scopes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from torchperf_lint.facts.domain.budget import WALKED

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ClosedNode = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""Nodes that open a scope of their own."""

LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
Loop = ast.For | ast.AsyncFor | ast.While
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

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


def fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """Which fields of a kind of node hold nodes."""
    found = _FIELDS.get(kind)
    if found is None:
        _FIELDS[kind] = found = _child_fields(kind)
    return found


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes directly below one, in the order of the source but for decorators and `if` expressions."""
    for name in fields(node.__class__):
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
        WALKED.nodes += 1
        yield top
        names = _FIELDS.get(top.__class__)
        if names is None:
            names = fields(top.__class__)
        if not names or not (into_scopes or top is node or not isinstance(top, ClosedNode)):
            continue
        below: list[ast.AST] = []
        for name in names:
            value = getattr(top, name, None)
            if value.__class__ is list:
                below += [item for item in value if item is not None and item.__class__ is not str]
            elif isinstance(value, ast.AST):
                below.append(value)
        below.reverse()
        stack += below


def in_body(below: ast.AST, above: ast.AST) -> bool:
    """Whether what stands directly below a loop, a function or a `with` is in its body; long bodies take no longer."""
    return isinstance(below, ast.stmt) and not in_orelse(below, above)


def in_orelse(below: ast.AST, above: ast.AST) -> bool:
    """Whether what stands directly below a loop or an `if` is in its `else`; nothing comes behind that."""
    orelse: list[ast.stmt] = getattr(above, "orelse", [])
    return bool(orelse) and isinstance(below, ast.stmt) and place_of(below) >= place_of(orelse[0])


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


def says(node: ast.AST, name: str) -> bool:
    """Whether a name stands anywhere in a node, read or bound."""
    return any(isinstance(each, ast.Name) and each.id == name for each in walk(node))


def parts(target: ast.expr) -> list[ast.expr]:
    """What is bound one by one: `x` and `y` of `x, y`; else the target itself."""
    return target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


def receiver(node: ast.AST) -> ast.expr | None:
    """What a method is called on; None for what is no such call."""
    return node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None


def may_hide(call: ast.Call) -> bool:
    """Whether a call hands on arguments that it does not show: `f(*rest)`, `f(**settings)`."""
    return any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords)
