"""Tuples, lists, dicts and what is taken out of them; batches and model outputs are containers of tensors."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import any_item, join, join_all
from torchperf_lint.facts.domain.value import ANY, INT, NO, NONE, SEQUENCES, STRING, Kind, Value
from torchperf_lint.facts.interpret import batches

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.arguments import Args
    from torchperf_lint.facts.interpret.run import Run

FEW: Final = 32
"""Literals longer than this are known by what any item is."""


def display(run: Run, kind: Kind, elements: list[ast.expr]) -> Value:
    """The value of `[a, b]` or `a, b`."""
    values = [run.expr(element) for element in elements]
    if not values:
        return Value(kind, items=())
    if len(values) <= FEW and not any(isinstance(element, ast.Starred) for element in elements):
        return Value(kind, items=tuple(values))
    parts = [any_item(v) if isinstance(e, ast.Starred) else v for v, e in zip(values, elements, strict=True)]
    return Value(kind, elem=join_all(tuple(parts)))


def spread(run: Run, node: ast.expr, target: ast.expr, value: Value) -> Value:
    """What is unpacked in `batch, length, device = *x.shape, x.device`: the names tell how many items the star brings."""
    if not isinstance(node, (ast.Tuple, ast.List)) or not isinstance(target, (ast.Tuple, ast.List)):
        return value
    stars = [i for i, element in enumerate(node.elts) if isinstance(element, ast.Starred)]
    brought = len(target.elts) - len(node.elts) + 1
    if len(stars) != 1 or brought < 0 or any(isinstance(element, ast.Starred) for element in target.elts):
        return value
    items = [run.look(element) for element in node.elts]
    items[stars[0] : stars[0] + 1] = unpack(run, items[stars[0]], target.elts[stars[0] : stars[0] + brought])
    return Value("tuple", items=tuple(items))


def dict_display(run: Run, node: ast.Dict) -> Value:
    """The value of `{"a": x, **others}`."""
    items: dict[Any, Value] = {}
    others: Value | None = None
    for key, value_node in zip(node.keys, node.values, strict=True):
        value = run.expr(value_node)
        name = run.expr(key).const if key is not None else NO
        if key is None:
            value = any_item(value) if value.kind == "dict" else ANY
        if isinstance(name, (str, int)) and len(items) < FEW:
            items[name] = value
        else:
            others = value if others is None else join(others, value)
    return Value("dict", items=items, elem=others)


def unpack(run: Run, value: Value, targets: list[ast.expr]) -> list[Value]:
    """What each of some targets gets when a value is unpacked into them."""
    count = len(targets)
    starred = next((i for i, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    if isinstance(value.items, tuple) and starred is None and len(value.items) == count:
        return list(value.items)
    if isinstance(value.items, tuple) and starred is not None and len(value.items) >= count - 1:
        rest = len(value.items) - (count - 1)
        middle = value.items[starred : starred + rest]
        return [*value.items[:starred], Value("list", items=middle), *value.items[starred + rest :]]
    item = iterate(run, value, None)
    gets = [item] * count
    if starred is not None:
        gets[starred] = Value("list", elem=item)
    return gets


def leaf(value: Value) -> Value:
    """One part of a batch or of a model's output: tensors again, nested or not."""
    return value.but(sure=Sure.LIKELY, none=False, items=None, elem=None)


def iterate(run: Run, value: Value, node: ast.AST | None) -> Value:
    """What a loop over a value gets at each turn."""
    match value.kind:
        case "tensor":
            rank = value.rank - 1 if value.rank else None
            return value.but(rank=rank, const=NO)
        case "loader":
            return batches.batch(run, value, node)
        case "tensor_tree":
            return leaf(value)
        case "unknown" if value.device is not None:
            return value
        case "dict":
            return STRING if value.items and all(isinstance(k, str) for k in value.items) else ANY
        case "size":
            return INT
        case "string":
            return STRING
        case "module":
            return value.elem or Value("module", Sure.LIKELY, device=value.device, where=value.where, why=value.why)
        case "ndarray":
            return Value("ndarray", Sure.LIKELY, dtype=value.dtype)
        case "instance":
            return _iterate_instance(run, value)
        case "sampler" if isinstance(value.ref, str):  # of places in a data set
            return Value("list", elem=INT) if value.ref.endswith(".BatchSampler") else INT
    if value.kind in SEQUENCES:
        return as_sure(value, any_item(value))
    return ANY


def _iterate_instance(run: Run, value: Value) -> Value:
    given = run.send(value, "__iter__")
    if given is None:
        return ANY
    return any_item(given) if given.kind in SEQUENCES else iterate(run, given, None) if given.kind == "loader" else ANY


def assign_item(run: Run, target: ast.Subscript, value: Value) -> None:
    """`base[index] = value`."""
    base = run.expr(target.value)
    index = run.expr(target.slice)
    run.values[target] = value
    if not isinstance(target.value, ast.Name) or run.env is None or run.env.get(target.value.id) is None:
        return
    if base.kind == "dict":
        items = dict(base.items) if isinstance(base.items, dict) else {}
        elem = ANY if _empty(base) and base.items is None else base.elem  # it came with contents that nobody knows
        if isinstance(index.const, (str, int)) and len(items) < FEW:
            items[index.const] = value
        elif elem is None or elem.kind != "unknown":
            elem = value if elem is None else join(elem, value)
        run.env[target.value.id] = base.but(items=items, elem=elem)
    elif base.kind == "list":
        run.env[target.value.id] = base.but(items=None, elem=join(any_item(base), value) if not _empty(base) else value)


def _empty(value: Value) -> bool:
    return not value.items and value.elem is None


def method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value:
    """A method of a tuple, list, set or dict; `append` and its like change what the receiver's name holds."""
    if receiver.kind == "dict":
        return _dict_method(run, node, receiver, name, args)
    match name:
        case "append" | "add" | "appendleft":
            _grow(run, node, receiver, args.at(0) or ANY)
            return NONE
        case "extend":
            _grow(run, node, receiver, iterate(run, args.at(0) or ANY, None))
            return NONE
        case "insert":
            _grow(run, node, receiver, args.at(1) or ANY)
            return NONE
        case "pop" | "popleft" | "__next__":
            return any_item(receiver)
        case "copy":
            return receiver
        case "index" | "count":
            return INT
        case "clear" | "sort" | "reverse" | "remove" | "update" | "discard":
            return NONE
        case "union" | "intersection" | "difference":
            return receiver.but(items=None, elem=None)
    return ANY


def _grow(run: Run, node: ast.Call, receiver: Value, item: Value) -> None:
    """Let the list, in the name or attribute that holds it, hold one item more."""
    assert isinstance(node.func, ast.Attribute)
    elem = item if _empty(receiver) else join(any_item(receiver), item)
    run.rebind(node.func.value, receiver.but(items=None, elem=elem))


def _dict_method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value:
    every = _any_entry(receiver)
    match name:
        case "items":
            return Value("iterator", elem=Value("tuple", items=(_any_key(receiver), every)))
        case "keys":
            return Value("iterator", elem=_any_key(receiver))
        case "values":
            return Value("iterator", elem=every)
        case "get" | "pop" | "setdefault":
            key = args.at(0)
            found = entry(receiver, key.const if key is not None else NO)
            return join(found, args.at(1) or NONE) if name != "pop" or args.at(1) else found
        case "copy":
            return receiver
        case "update":
            given = args.at(0)
            if given is not None and given.kind == "dict":
                assert isinstance(node.func, ast.Attribute)
                items = {**(_items(receiver)), **(_items(given))}
                run.rebind(node.func.value, receiver.but(items=items, elem=receiver.elem or given.elem))
            return NONE
    return ANY


def _items(value: Value) -> dict[Any, Value]:
    return value.items if isinstance(value.items, dict) else {}


def as_sure(container: Value, item: Value) -> Value:
    """What is taken out of a container is no surer than the container."""
    return item.but(sure=Sure.LIKELY) if container.sure is Sure.LIKELY and item.sure is not Sure.LIKELY else item


def _any_key(value: Value) -> Value:
    names = _items(value)
    return STRING if names and all(isinstance(name, str) for name in names) else ANY


def _any_entry(value: Value) -> Value:
    entries = (*_items(value).values(), *([value.elem] if value.elem is not None else []))
    return join_all(entries) if entries else ANY


def entry(value: Value, key: object) -> Value:
    """What a dict holds under a key; any entry where the key is not known."""
    return as_sure(value, _entry(value, key))


def _entry(value: Value, key: object) -> Value:
    items = _items(value)
    if isinstance(key, (str, int)) and key in items:
        return items[key]
    if key is not NO and value.elem is None:
        return ANY
    return value.elem if key is not NO and value.elem is not None else _any_entry(value)


def moved(value: Value, device: str | None, where: Any) -> Value:
    """A container after all tensors in it went to a device."""
    items = value.items
    if isinstance(items, dict):
        items = {name: moved(item, device, where) for name, item in items.items()}
    elif isinstance(items, tuple):
        items = tuple(moved(item, device, where) for item in items)
    elem = moved(value.elem, device, where) if value.elem is not None else None
    if value.kind in ("tensor", "tensor_tree", "module"):
        return value.but(device=device, where=where, items=items, elem=elem)
    return value.but(items=items, elem=elem)
