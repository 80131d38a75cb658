"""Annotations: what `x: Tensor`, `list[Tensor] | None`, `Float[Tensor, "b c"]` promise.

A promise counts as proven, but for what may be None, and for the values of a table: those are handed on without a look
at them, so that nobody notices what else they are. What the promise of a parameter is worth, `promises` says.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.join import join
from torchperf_lint.facts.domain.value import (
    ANY,
    BOOL,
    FLOAT,
    HOST_OR_UNKNOWN,
    INT,
    NONE,
    STRING,
    TENSOR_OR_ARRAY,
    Kind,
    Value,
)
from torchperf_lint.facts.index.names import dotted, imported
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import dtypes, lookup
from torchperf_lint.facts.knowledge import tensor_classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_ALIASES: Final = (ast.Subscript, ast.Name, ast.Attribute, ast.BinOp)
"""What an annotation can be given another name as."""
_PLAIN: Final = {
    "int": INT.but(sure=Sure.LIKELY), "float": FLOAT.but(sure=Sure.LIKELY), "bool": BOOL.but(sure=Sure.LIKELY),
    "str": STRING.but(sure=Sure.LIKELY), "None": NONE, "bytes": Value("object", Sure.LIKELY),
}  # fmt: skip
"""No more than likely: `flag: bool`, and somebody passes None."""

_FOREIGN: Final = ("torch.", "numpy.")
"""No program defines names that start so."""

_JAXTYPING: Final[dict[str, str | None]] = {
    "Float": "floating", "Float32": "float32", "Float16": "float16", "BFloat16": "bfloat16", "Float64": "float64",
    "Int": "integral", "Int64": "int64", "Int32": "int32", "Integer": "integral", "UInt8": "uint8", "Bool": "bool",
    "Shaped": None, "Num": None, "Inexact": "floating", "Real": None,
}  # fmt: skip


def read(analysis: Analysis, function: Function, node: ast.expr) -> Value:
    """The value that an annotation promises; `ANY` for what it leaves open."""
    match node:
        case ast.Constant(value=None):
            return NONE
        case ast.Constant(value=str(text)):
            parsed = _parsed(text)
            return read(analysis, function, parsed) if parsed is not None else ANY
        case ast.BinOp(op=ast.BitOr()):
            return _union([read(analysis, function, part) for part in _parts(node)])
        case ast.Subscript(value=base, slice=inside):
            return _generic(analysis, function, base, inside)
        case ast.Name() | ast.Attribute():
            return _named(analysis, function, node)
    return ANY


def plain(function: Function, node: ast.expr) -> Value | None:
    """The same where nothing needs to be asked for it: `int`."""
    return _PLAIN.get(_name(function, node)) if isinstance(node, ast.Name) else None


def _name(function: Function, node: ast.expr) -> str:
    """The dotted name of a class, or the plain name of what is not imported."""
    return dotted(function, node) or (node.id if isinstance(node, ast.Name) else "")


def _either(a: Value, b: Value) -> Value:
    """A union: with None it is optional, of unlike things nothing is known."""
    if a.kind == "unknown" or b.kind == "unknown":
        return ANY.but(none=a.kind == "none" or b.kind == "none" or a.none or b.none)
    either = join(a, b)
    return either.but(sure=Sure.LIKELY) if either.none else either


def _parts(node: ast.expr) -> list[ast.expr]:
    """The members of `A | B | C`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_parts(node.left), *_parts(node.right)]
    return [node]


def _union(values: list[Value]) -> Value:
    """A union of several. A tensor or something not known to be none, as `Union[Tensor, SparseTensor]`, is likely a tensor;
    so is a tensor or an array, of which nobody can say where it is."""
    result = values[0]
    for value in values[1:]:
        result = _either(result, value)
    tensor = next((value for value in values if value.kind == "tensor"), None)
    if result.kind != "unknown" or tensor is None:
        return result
    is_array = any(value.kind == "ndarray" or value.ref == TENSOR_OR_ARRAY for value in values)
    others = ("tensor", "ndarray", "none") if is_array else ("tensor", "unknown", "none", "instance")
    if any(value.kind not in others for value in values):
        return result
    likely = tensor.but(sure=Sure.LIKELY, none=any(value.kind == "none" or value.none for value in values))
    return likely.but(device=HOST_OR_UNKNOWN, ref=TENSOR_OR_ARRAY) if is_array else likely


def _parsed(text: str) -> ast.expr | None:
    """An annotation that is written as a string; None where it is no expression."""
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def besides_none(node: ast.expr | None) -> ast.expr | None:
    """The `A` of `A | None` and of `Optional[A]`; None where an annotation is no such thing."""
    match node:
        case ast.Constant(value=str(text)):
            return besides_none(_parsed(text))
        case (
            ast.BinOp(left=asked, op=ast.BitOr(), right=ast.Constant(value=None))
            | ast.BinOp(left=ast.Constant(value=None), op=ast.BitOr(), right=asked)
            | ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=asked)
        ):
            return asked
        case ast.Subscript(value=ast.Name(id="Union") | ast.Attribute(attr="Union"), slice=ast.Tuple(elts=[a, b])):
            rest = [each for each in (a, b) if not (isinstance(each, ast.Constant) and each.value is None)]
            return rest[0] if len(rest) == 1 else None
    return None


def is_union(node: ast.expr | None) -> bool:
    """Whether an annotation says outright that it may be one of several things, None aside."""
    match node:
        case ast.Constant(value=str(text)):
            return is_union(_parsed(text))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            parts = [left, right]
            return all(not (isinstance(part, ast.Constant) and part.value is None) for part in parts)
        case ast.Subscript(value=ast.Name(id="Union") | ast.Attribute(attr="Union"), slice=ast.Tuple(elts=parts)):
            return sum(not (isinstance(part, ast.Constant) and part.value is None) for part in parts) > 1
    return False


def _text(node: ast.expr) -> str:
    """How a name reads; `ast.unparse` takes long."""
    if isinstance(node, ast.Attribute):
        return f"{_text(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ast.unparse(node)


def _named(analysis: Analysis, function: Function, node: ast.expr) -> Value:
    name = _name(function, node)
    if name in _PLAIN:
        return _PLAIN[name]
    why = Evidence(node, f"annotated `{_text(node)}`", function.module.path)
    if name.startswith(_FOREIGN) and (known := _of_library(name, why)) is not None:
        return known
    if name in ("list", "tuple", "dict", "set"):
        return Value(name, Sure.PROVEN)  # type: ignore[arg-type]
    held = analysis.free(function, node.id) if isinstance(node, ast.Name) else analysis.resolve(name) if name else None
    if held is not None and held.kind == "symbol":
        name, held = held.ref, analysis.resolve(held.ref)
    if held is not None and held.kind == "class":
        return analysis.instance(held.ref, why)
    alias = _alias(analysis, function, name)
    if alias is not None:
        return alias if alias.why is None else alias.but(why=why)
    return _of_library(name, why) or ANY


def _of_library(name: str, why: Evidence) -> Value | None:
    """An instance of a class of a library."""
    kind = knowledge.instance(name)
    if kind == "tensor":
        # `FloatTensor` is written for any floating one.
        dtype = tensor_classes.dtype(name)
        is_floating = dtypes.category(dtype) == dtypes.FLOATING
        known = dtype is not None and not is_floating
        return Value("tensor", Sure.LIKELY, dtype=dtype, why=why) if known else Value("tensor", why=why)
    # `Module` is written for classes as often as for instances.
    sure = Sure.LIKELY if name == "torch.nn.Module" else Sure.PROVEN
    return Value(kind, sure, ref=name, why=why) if kind is not None else None  # type: ignore[arg-type]


def _alias(analysis: Analysis, function: Function, name: str) -> Value | None:
    """What `Adj` is where the program says `Adj = Union[Tensor, SparseTensor]`."""
    place = lookup.find(analysis, name) if "." in name else (function.module.body, name)
    for _ in range(4):  # through re-exports
        if place is None:
            return None
        home, last = place
        store = home.scope.stores.get(last, [None])[-1]
        if not isinstance(store, ast.ImportFrom):
            return analysis.alias(home, last) if isinstance(store, ast.Name) else None
        place = lookup.find(analysis, imported(home.module, store, last) or "")
    return None


def alias(analysis: Analysis, home: Function, name: str) -> Value | None:
    """The type that a name of a module stands for; None where it stands for none. `Tree = Dict[str, "Tree"]` holds itself."""
    parent = home.module.parents.get(home.scope.stores[name][-1])
    if not isinstance(parent, (ast.Assign, ast.AnnAssign)):
        return None
    value = parent.value
    if isinstance(value, ast.Call):
        return _type_variable(analysis, home, value)
    return read(analysis, home, value) if isinstance(value, _ALIASES) else None


def _type_variable(analysis: Analysis, home: Function, made: ast.Call) -> Value | None:
    """What `T` is where the program says `T = TypeVar("T", bound=Tensor)`, or lists what it may stand for."""
    if last_name(made.func) != "TypeVar":
        return None
    bound = next((keyword.value for keyword in made.keywords if keyword.arg == "bound"), None)
    allowed = [bound] if bound is not None else made.args[1:]
    return _union([read(analysis, home, each) for each in allowed]).but(sure=Sure.LIKELY) if allowed else None


def _generic(analysis: Analysis, function: Function, base: ast.expr, inside: ast.expr) -> Value:
    name = (
        _name(function, base)
        .removeprefix("typing.")
        .removeprefix("typing_extensions.")
        .removeprefix("collections.abc.")
    )
    parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    match name:
        case "Optional":
            return _either(read(analysis, function, inside), NONE)
        case "Union":
            return _union([read(analysis, function, part) for part in parts])
        case "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired":
            return read(analysis, function, parts[0])
        case "list" | "List" | "Sequence" | "Iterable" | "Iterator" | "Collection" | "Generator" | "MutableSequence":
            kind: Kind = "list" if name in ("list", "List", "MutableSequence") else "iterator"
            return Value(kind, Sure.PROVEN if kind == "list" else Sure.LIKELY, elem=_item(analysis, function, parts[0]))
        case "tuple" | "Tuple":
            if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
                return Value("tuple", elem=_item(analysis, function, parts[0]))
            if len(parts) == 1:  # who writes `tuple[Tensor]` seldom means a tuple of one
                return Value("tuple", Sure.LIKELY, elem=_item(analysis, function, parts[0]))
            return Value("tuple", items=tuple(_item(analysis, function, part) for part in parts))
        case "dict" | "Dict" | "Mapping" | "MutableMapping" | "OrderedDict" | "DefaultDict":
            # A table is handed on, and filled by many: settings lie among the tensors.
            return Value(
                "dict", elem=_item(analysis, function, parts[-1]).but(sure=Sure.LIKELY) if len(parts) == 2 else None
            )
        case "Literal":
            return STRING if all(isinstance(p, ast.Constant) and isinstance(p.value, str) for p in parts) else ANY
        case "type" | "Type" | "Callable":
            return ANY
    module, _, last = name.rpartition(".")
    if module == "jaxtyping" and last in _JAXTYPING:
        return _jaxtyping(analysis, function, last, parts)
    return _named(analysis, function, base)


def _item(analysis: Analysis, function: Function, node: ast.expr) -> Value:
    return read(analysis, function, node)


def _jaxtyping(analysis: Analysis, function: Function, name: str, parts: list[ast.expr]) -> Value:
    """`Float[Tensor, "batch channels"]`: the dtype by the name, the rank by the words."""
    array = read(analysis, function, parts[0])
    if array.kind != "tensor":
        return array
    shape = parts[1] if len(parts) > 1 else None
    rank: int | None = None
    if isinstance(shape, ast.Constant) and isinstance(shape.value, str):
        words = shape.value.split()
        rank = None if any(word.startswith(("*", "...", "#*")) for word in words) else len(words)
    return array.but(dtype=_JAXTYPING[name], rank=rank)
