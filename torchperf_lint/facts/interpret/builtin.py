"""Python's own functions: what `len`, `enumerate`, `float`, `max`, ... give."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import any_item, join, join_all
from torchperf_lint.facts.domain.value import ANY, BOOL, FLOAT, INT, NO, NONE, NUMBER, STRING, Value
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.interpret import containers, tensors
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.interpret.program_calls import call_function

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

_PLAIN: Final = {
    "len": INT, "id": INT, "hash": INT, "ord": INT, "isinstance": BOOL, "issubclass": BOOL, "hasattr": BOOL, "callable": BOOL,
    "print": NONE, "str": STRING, "repr": STRING, "format": STRING, "chr": STRING, "input": STRING, "bool": BOOL, "any": BOOL,
    "all": BOOL, "divmod": ANY, "setattr": NONE, "vars": Value("dict"), "globals": Value("dict"), "locals": Value("dict"),
    "open": Value("object"), "object": Value("object"), "dir": Value("list", elem=STRING),
}  # fmt: skip


def call(run: Run, node: ast.Call, name: str, args: Args) -> Value:
    """What calling a builtin gives."""
    plain = _PLAIN.get(name)
    first = args.at(0)
    if name == "str" and first is not None and first.kind == "device":
        return Value("string", first.sure, device=first.device, where=first.where)
    if plain is not None:
        return plain
    match name:
        case "float" | "int":
            return _number(name, first)
        case "range":
            return Value("iterator", elem=INT)
        case "super":
            return _super(run)
        case "getattr" if first is not None:
            return _getattr(run, node, args)
        case "type" if first is not None and isinstance(first.ref, Class):
            return Value("class", ref=first.ref)
        case "min" | "max":
            return _extreme(args)
        case "sum" if first is not None:
            return _sum(run, node, first)
        case "abs" | "round":
            return first.but(const=NO) if first is not None else ANY
        case "pow" if first is not None and first.kind == "number":
            return NUMBER
    return _iterating(run, node, name, args)


def _iterating(run: Run, node: ast.Call, name: str, args: Args) -> Value:
    """Builtins that give their items, in one form or another."""
    first = args.at(0)
    if first is None:
        match name:
            case "list" | "tuple" | "set":
                return Value(name, items=())
            case "dict":
                return Value(name, items=args.named)
        return ANY
    match name:
        case "list" | "tuple" if isinstance(first.items, tuple):
            return Value(name, items=first.items)
        case "list" | "tuple" | "set" | "frozenset" | "sorted" | "reversed" | "iter" | "filter":
            item = containers.iterate(run, first if name != "filter" else args.at(1) or ANY, None)
            kind = {"list": "list", "tuple": "tuple", "set": "set", "frozenset": "set", "sorted": "list"}.get(
                name, "iterator"
            )
            return Value(kind, first.sure, elem=item)  # type: ignore[arg-type]
        case "next":
            return containers.iterate(run, first, None)
        case "enumerate":
            return Value("iterator", first.sure, elem=Value("tuple", items=(INT, containers.iterate(run, first, None))))
        case "zip":
            items = tuple(containers.iterate(run, each, None) for each in args.positional)
            return Value("iterator", elem=Value("tuple", items=items) if not args.is_open else None)
        case "map":
            return Value("iterator", first.sure, elem=_mapped(run, node, first, args))
        case "dict":
            return first if first.kind == "dict" else Value("dict", elem=_second(any_item(first)))
    return ANY


def _mapped(run: Run, node: ast.Call, callee: Value, args: Args) -> Value:
    """What a function of the program makes of the items that `map` gives it."""
    if callee.kind != "function" or args.is_open:
        return ANY
    items = tuple(containers.iterate(run, each, None) for each in args.positional[1:])
    return call_function(run, node, callee.ref, callee.elem, Args(items))


def _second(pair: Value) -> Value:
    return pair.items[1] if isinstance(pair.items, tuple) and len(pair.items) == 2 else ANY


def _number(name: str, value: Value | None) -> Value:
    if value is not None and value.kind == "number" and value.const is not NO:
        try:
            return Value("number", dtype=name, const=int(value.const) if name == "int" else float(value.const))
        except (ArithmeticError, ValueError, TypeError):
            pass
    return INT if name == "int" else FLOAT


def _super(run: Run) -> Value:
    method = run.function.method
    if method is None:
        return ANY
    receiver = run.load(method.positional[0]) if method.positional else None
    return Value("super", ref=method.owner, elem=receiver)


def _getattr(run: Run, node: ast.Call, args: Args) -> Value:
    name = args.at(1)
    if name is None or not isinstance(name.const, str) or not name.const.isidentifier():
        return ANY
    as_attribute = ast.copy_location(ast.Attribute(value=node.args[0], attr=name.const, ctx=ast.Load()), node)
    found = run.expr(as_attribute)
    default = args.at(2)
    return join(found, default) if default is not None and found.kind != "unknown" else found


def _extreme(args: Args) -> Value:
    """`max(a, b)` gives one of them; `max(xs)` an item."""
    if args.is_open:
        return ANY
    values = args.positional
    if len(values) == 1:
        return any_item(values[0]) if values[0].kind != "tensor" else values[0].but(rank=None, const=NO)
    if not values:
        return ANY
    joined = join_all(values)
    if joined.kind == "number":
        kinds = {value.dtype for value in values}
        return Value("number", dtype=kinds.pop() if len(kinds) == 1 else None)
    return joined


def _sum(run: Run, node: ast.Call, first: Value) -> Value:
    item = containers.iterate(run, first, None)
    if item.kind in ("tensor", "tensor_tree"):
        item = item if item.kind == "tensor" else item.but(kind="tensor")
        return tensors.operation(run, node, "operator.add", (item, item))
    if item.kind == "number":
        return Value("number", dtype=item.dtype if item.dtype in ("int", "float") else None)
    return Value(item.kind, Sure.LIKELY) if item.kind == "list" else ANY
