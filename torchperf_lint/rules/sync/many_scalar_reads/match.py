"""Series of reads: one element after the other of a tensor, a list or a dict is read by one expression.

    [v.item() for v in t]                     each item of `t`
    for i in range(n): f(t[i].item())         each item of `t`, by its index
    {k: v.item() for k, v in d.items()}       each value of `d`
    for a, b in zip(s, t): f(b.item())        each item of `t`

Knows names and their places; what the collection is, values say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import ClosedNode, in_body, last_name, says, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_PLAIN = frozenset(("float", "int", "str", "abs", "bool", "min", "max", "len", "zip", "enumerate", "range"))


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the elements that are read come from."""

    collection: ast.expr
    around: Comprehension | ast.For
    """What goes through the collection."""
    by: str
    """items: each item is bound to a name. index: each index is. values: each value of a dict is bound to a name."""


@dataclass(frozen=True, slots=True)
class Series:
    """Reads of one element after the other."""

    collection: ast.expr
    around: Comprehension | ast.For
    """What goes through the collection."""
    by: str
    """items, index, or the values of a dict."""
    reads: tuple[ast.Call, ...]
    """Every `v.item()`, `float(v)` and `int(v)`; none where something else is done with an element."""
    plain: bool
    """Nothing happens in between that could change what is read."""
    items: tuple[Value, ...]
    """What a list or a dict holds, one by one as far as that is known."""
    stacks: bool
    """A stack of what it holds gives each value as it was."""
    whole: bool
    """A list or dict comprehension that is nothing but the reads."""


def series(facts: Facts, read: ast.AST) -> Series | None:
    """What goes through a collection to read its elements, of which an expression is one."""
    source = _source(facts.module, read) if isinstance(read, ast.expr) else None
    if source is None or not isinstance(read, ast.expr):
        return None
    reads = _reads(facts.module, source, read) or []
    items = _held(facts.analysis.value(source.collection, facts.module))
    return Series(
        source.collection,
        source.around,
        source.by,
        tuple(reads),
        _is_plain(source),
        items,
        _stacks(items),
        _is_whole(source, reads),
    )


def _source(module: Module, read: ast.expr) -> _Source | None:
    """The series that a tensor belongs to which an expression stands for."""
    read = _without_detach(read)
    index = read.slice if isinstance(read, ast.Subscript) else read
    if not isinstance(index, ast.Name):
        return None
    for target, iterated, around in _around(module, read):
        if not says(target, index.id):
            continue
        if isinstance(read, ast.Subscript):
            is_index = _is_index(target, iterated, index.id)
            return _Source(read.value, around, "index") if is_index and not _is_rebound(read.value, around) else None
        return _items(target, iterated, around, index.id)
    return None


def of_rows(facts: Facts, read: ast.AST) -> Value | None:
    """The tensor of which `x[i].tolist()`, `x[i, :n].tolist()`, or `row.tolist()` in `for row in x`, reads a row at each turn,
    or what a slice or a mask leaves of one: `row[mask].tolist()`."""
    match read:
        case ast.Call(func=ast.Attribute(value=row, attr="tolist")):
            of = _of_row(facts.module, row)
            return facts.analysis.value(of, facts.module) if of is not None else None
    return None


def _of_row(module: Module, row: ast.expr) -> ast.expr | None:
    match row:
        case ast.Subscript(value=of, slice=index) if (found := _turn_of(module, row, index)) is not None:
            return of if not _is_rebound(of, found) else None
        case ast.Subscript(value=ast.Name() as whole, slice=index) if not isinstance(index, ast.Constant):
            return _of_row(module, whole)
        case ast.Name():
            source = _source(module, row)
            is_item = source is not None and source.by == "items" and _stores(source.around).count(row.id) == 1
            return source.collection if source is not None and is_item else None
    return None


def _turn_of(module: Module, row: ast.expr, index: ast.expr) -> Comprehension | ast.For | None:
    """The loop whose count an index is, or begins with: `i`, `i, :n`."""
    match index:
        case ast.Name(id=turn) | ast.Tuple(elts=[ast.Name(id=turn), *_]):
            for target, iterated, around in _around(module, row):
                if says(target, turn):
                    return around if _is_index(target, iterated, turn) else None
    return None


def _is_rebound(of: ast.expr, around: ast.AST) -> bool:
    """Whether what goes through a collection binds it anew."""
    stores = _stores(around)
    return any(isinstance(each, ast.Name) and each.id in stores for each in walk(of))


def _stores(around: ast.AST) -> list[str]:
    """The names that are bound in what goes through a collection, by what it goes through too."""
    return [each.id for each in walk(around) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]


def comprehension(facts: Facts, made: ast.AST) -> Comprehension | None:
    """The comprehension from whose item a tensor is made, by methods and parts."""
    root = made
    while isinstance(root, (ast.Call, ast.Attribute, ast.Subscript)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name) or root is made:
        return None
    found = next((around for target, _, around in _around(facts.module, made) if says(target, root.id)), None)
    return found if isinstance(found, Comprehension) else None


def _without_detach(node: ast.expr) -> ast.expr:
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("detach", "cpu")
        and not node.args
    ):
        node = node.func.value
    return node


def _around(module: Module, node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, Comprehension | ast.For]]:
    """The loops and comprehensions around a node: what each binds, what it iterates, and itself; the innermost first."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ClosedNode):
            return
        if isinstance(above, ast.For) and in_body(below, above):
            yield above.target, above.iter, above
        elif isinstance(above, Comprehension):
            for generator in reversed(above.generators):
                yield generator.target, generator.iter, above
        below = above


def _is_index(target: ast.expr, iterated: ast.expr, name: str) -> bool:
    """Whether a name counts: `for i in range(n)`, `for i, x in enumerate(xs)`."""
    if not isinstance(iterated, ast.Call) or not isinstance(iterated.func, ast.Name):
        return False
    match target:
        case ast.Name():
            return iterated.func.id == "range"
        case ast.Tuple(elts=[ast.Name(id=first), _]):
            return iterated.func.id == "enumerate" and first == name
    return False


def _items(target: ast.expr, iterated: ast.expr, around: Comprehension | ast.For, name: str) -> _Source | None:
    match target, iterated:
        case ast.Name(), ast.Call(func=ast.Attribute(value=base, attr="values"), args=[]):
            return _Source(base, around, "values")
        case ast.Name(), _:
            return _Source(iterated, around, "items")
        case ast.Tuple(elts=[_, value]), ast.Call(func=ast.Attribute(value=base, attr="items"), args=[]):
            return _Source(base, around, "values") if says(value, name) else None
        case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[base, *_]):
            return _items(inner, base, around, name) if says(inner, name) else None
        case ast.Tuple(elts=names), ast.Call(func=ast.Name(id="zip"), args=bases) if len(names) == len(bases):
            for part, base in zip(names, bases, strict=True):
                if isinstance(part, ast.Name) and part.id == name:
                    return _Source(base, around, "items")
    return None


def _reads(module: Module, source: _Source, read: ast.expr) -> list[ast.Call] | None:
    """All reads of the elements of a series; None where something else is done with one."""
    read = _without_detach(read)
    names = {read.slice.id} if isinstance(read, ast.Subscript) and isinstance(read.slice, ast.Name) else set()
    wanted = ast.unparse(read)
    found: list[ast.Call] = []
    for node in walk(source.around):
        if (
            not isinstance(node, ast.expr)
            or ast.unparse(node) != wanted
            or isinstance(getattr(node, "ctx", None), ast.Store)
        ):
            continue
        call = _reading(module, node)
        if call is None:
            return None
        found.append(call)
    function = module.function_of(source.around)
    if not names and isinstance(source.around, ast.For):
        inside = set(map(id, walk(source.around)))
        if any(id(load) not in inside for load in function.scope.loads.get(wanted, ())):
            return None
    return found


def _reading(module: Module, node: ast.expr) -> ast.Call | None:
    """`v.item()`, `float(v)` or `int(v)` around an element."""
    parent = module.parents.get(node)
    match parent:
        case ast.Attribute(attr="item"):
            call = module.parents.get(parent)
            return call if isinstance(call, ast.Call) and call.func is parent else None
        case ast.Call(func=ast.Name(id="float" | "int"), args=[argument]) if argument is node:
            return parent
    return None


def _held(value: Value) -> tuple[Value, ...]:
    """What a container holds, one by one as far as that is known."""
    if value.elem is not None:
        return (value.elem,)
    return tuple(value.items.values() if isinstance(value.items, dict) else value.items or ())


def _is_whole(source: _Source, every: list[ast.Call]) -> bool:
    """Whether a comprehension is the series and nothing else: `[v.item() for v in t]`, `{k: v.item() for k, v in d.items()}`."""
    made = source.around
    if isinstance(made, (ast.For, ast.GeneratorExp)) or len(made.generators) != 1 or made.generators[0].ifs:
        return False
    target = made.generators[0].target
    match made, target:
        case ast.ListComp(elt=element), ast.Name():
            return element in every and isinstance(element, ast.Call) and isinstance(element.func, ast.Attribute)
        case ast.DictComp(key=ast.Name(id=key), value=element), ast.Tuple(elts=[ast.Name(id=name), ast.Name()]):
            return key == name and source.by == "values" and element in every
    return False


_FLOATS = ("float32", "float16", "bfloat16", "float64", "floating")
"""A stack of these gives each value as it was; integers among them would be rounded."""


def _stacks(items: tuple[Value, ...]) -> bool:
    """Whether tensors have no dimensions, and dtypes that a stack of them leaves as they are."""
    same = all(item.dtype in _FLOATS for item in items) or all(item.dtype == "int64" for item in items)
    return bool(items) and same and all(item.kind == "tensor" and item.rank == 0 for item in items)


def _is_plain(source: _Source) -> bool:
    """Whether a comprehension does nothing between two reads that could change what is read."""
    if isinstance(source.around, ast.For):
        return False
    calls = [node for node in walk(source.around) if isinstance(node, ast.Call)]
    return all(
        (isinstance(call.func, ast.Name) and call.func.id in _PLAIN)
        or last_name(call.func) in ("item", "items", "values")
        for call in calls
    )
