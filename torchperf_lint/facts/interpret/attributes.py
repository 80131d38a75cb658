"""Attributes: of tensors, modules, imported modules, and of the classes that the program defines.

What the classes of the program bind themselves, `class_attributes` finds.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join
from torchperf_lint.facts.domain.value import (
    ANY,
    BOOL,
    CPU,
    FLOAT,
    INT,
    MAYBE,
    NO,
    NUMBER,
    OBJECT,
    STRING,
    Value,
)
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret import class_attributes, containers
from torchperf_lint.facts.knowledge import dtype_names

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run


def attribute(run: Run, value: Value, node: ast.Attribute) -> Value:
    """The value of `value.attr`."""
    name = node.attr
    if isinstance(node.value, ast.Name) and run.env is not None:
        held = run.env.get(f"{node.value.id}.{name}")
        if held is not None:
            return held
    match value.kind:
        case "symbol":
            return symbol(run, f"{value.ref}.{name}")
        case "tensor":
            own = _of_own(run, value, name, node) if isinstance(value.ref, Class) else None
            return own if own is not None else of_tensor(run, value, name, node)
        case "tensor_tree":
            return _of_tensor_tree(run, value, name, node)
        case "module" | "instance" | "dataset":
            return _of_instance(run, value, name, node)
        case "class":
            return run.analysis.class_attribute(value.ref, name) or ANY
        case "super" if isinstance(value.ref, Class):
            inherited = (
                run.analysis.own_attribute(base, name)
                for base in run.analysis.ancestry(value.ref)
                if base is not value.ref
            )
            return next((found for found in inherited if found is not None), ANY)
        case "tuple" if isinstance(value.ref, tuple) and name in value.ref and isinstance(value.items, tuple):
            return value.items[value.ref.index(name)]  # a named tuple of torch: `x.max(0).values`
        case "device":
            return Value("string", value.sure, device=value.device, where=value.where) if name == "type" else INT
        case "number" if name in ("real", "imag"):
            return NUMBER
        case "ndarray":
            return _of_array(name)
        case "object" | "distribution" | "metric" | "loader" | "scaler" | "optimizer" | "event" | "stream":
            own = _of_own(run, value, name, node) if isinstance(value.ref, Class) else None
            return own if own is not None else _member(run, value, name, node)
    return _of_unknown(run, value, name, node)


def _member(run: Run, value: Value, name: str, node: ast.AST) -> Value:
    if name == "device" and str(value.ref).startswith(("accelerate.", "lightning.")):
        return Value("device", device=MAYBE, where=run.why(node, "the device of the accelerator"))
    if value.kind == "optimizer" and name == "param_groups":
        why = run.why(node, "one of the weights of the optimizer")
        weights = Value("list", elem=Value("tensor", Sure.LIKELY, grad=True, why=why))
        return Value("list", elem=Value("dict", items={"params": weights}))
    found = knowledge.member(value.ref, name) if isinstance(value.ref, str) else None
    return from_return(run, found or knowledge.member(value.kind, name), value, node)


_FLAGS: Final = frozenset(
    "bias batch_first bidirectional affine track_running_stats inplace elementwise_affine ceil_mode norm_first add_zero_attn".split()
)
"""Settings that modules of torch keep, where they own no parameter of that name."""


def symbol(run: Run, name: str) -> Value:
    """The value of a dotted name of torch or of another library."""
    name = knowledge.canonical(name)
    head, _, last = name.rpartition(".")
    if head == "torch" and (last in dtype_names.ALL or last in dtype_names.SHORT):
        return Value("dtype", const=dtype_names.SHORT.get(last, last))
    if head in ("math", "torch", "numpy") and last in ("pi", "e", "inf", "nan", "tau"):
        return FLOAT
    return run.analysis.symbol(name)


def of_tensor(run: Run, value: Value, name: str, node: ast.AST) -> Value:
    """An attribute of a tensor."""
    match name:
        case "shape":
            return Value("size", items=(INT,) * value.rank if value.rank is not None else None)
        case "device":
            return Value("device", value.sure, device=value.device, where=value.where, why=value.why)
        case "dtype":
            return Value("dtype", const=value.dtype if value.dtype not in (None, "floating", "integral") else NO)
        case "ndim":
            return INT if value.rank is None else Value("number", dtype="int", const=value.rank)
        case "T" | "mT" | "H" | "mH":
            return value
        case "data":
            return value.but(grad=False, const=NO)
        case "grad":
            return value.but(none=True, grad=False, const=NO)
        case "real" | "imag":
            return value.but(dtype=None)
    return from_return(run, knowledge.attribute(name), value, node)


def _of_tensor_tree(run: Run, value: Value, name: str, node: ast.AST) -> Value:
    """`batch.x` and `outputs.logits` are tensors likely; `batch.shape` says that the batch is one itself."""
    if knowledge.attribute(name) is not None and name not in ("values", "indices", "names", "data"):
        return of_tensor(run, value.but(kind="tensor"), name, node)
    return containers.leaf(value)


def _of_array(name: str) -> Value:
    if name in ("shape", "strides"):
        return Value("tuple", elem=INT)
    return (
        INT
        if name in ("ndim", "size", "nbytes")
        else Value("ndarray", Sure.LIKELY)
        if name in ("T", "flat")
        else OBJECT
    )


def _of_unknown(run: Run, value: Value, name: str, node: ast.Attribute) -> Value:
    """What has an attribute that tensors alone have is a tensor."""
    if value.kind == "unknown" and name in knowledge.tensor_only() and knowledge.attribute(name) is not None:
        why = run.why(node, f"`.{name}` is an attribute of tensors")
        return of_tensor(run, Value("tensor", Sure.LIKELY, why=why), name, node)
    if value.kind == "unknown" and name == "saved_tensors":
        why = run.why(node, "saved for the backward pass")
        return Value("tuple", Sure.LIKELY, elem=Value("tensor", Sure.LIKELY, none=True, why=why))
    return ANY


def _of_instance(run: Run, value: Value, name: str, node: ast.AST) -> Value:
    """An attribute of a module, or of an instance of a class of the program."""
    if isinstance(value.items, dict) and name in value.items:
        return value.items[name]
    if isinstance(value.ref, Class):
        own = _of_own(run, value, name, node)
        if own is not None:
            return own
    if value.kind == "module":
        return _of_module(run, value, name, node)
    return ANY


def _of_own(run: Run, value: Value, name: str, node: ast.AST) -> Value | None:
    """An attribute that the program's class of a value has; None if it has none of that name."""
    found = run.analysis.class_attribute(value.ref, name)
    if found is not None and found.kind == "function" and isinstance(found.ref, Function) and found.ref.is_property:
        return run.send(value, name) or ANY
    if found is not None and found.kind == "tensor" and found.device == CPU:
        away = class_attributes.away_from_host(run.analysis, value.ref, name, run.function, node)
        found = join(found, away) if away is not None else found
    return _as_of(value, found) if found is not None else None


def _as_of(owner: Value, found: Value) -> Value:
    """What a module holds as parameter, buffer or child is where the module is."""
    if owner.device is not None and found.kind in ("tensor", "module") and found.device is None:
        return found.but(device=owner.device, where=owner.where)
    return found


def _of_module(run: Run, value: Value, name: str, node: ast.AST) -> Value:
    """An attribute that every `nn.Module` has, or that a module of torch owns."""
    match name:
        case "training":
            return BOOL
        case "device":
            return Value("device", Sure.LIKELY, device=value.device, where=value.where)
        case "dtype":
            return Value("dtype")
    if value.ref == "torch.nn.Transformer" and name in ("encoder", "decoder"):
        return value.but(ref=f"torch.nn.Transformer{name.capitalize()}", items=None)
    row = knowledge.module(value.ref) if isinstance(value.ref, str) else None
    owned = dict(row.owns) if row is not None else {}
    if name in owned:
        rank = owned[name]
        why = run.why(node, f"a parameter of `{value.ref}`")
        return Value("tensor", value.sure, rank=rank, device=value.device, where=value.where, grad=True, why=why,
                     none=name == "bias", dtype="floating")  # fmt: skip
    if row is not None and name in _FLAGS:
        return BOOL  # the `bias` of an LSTM says whether it has some
    if value_names.is_weight(name) and not isinstance(value.ref, Class):
        why = run.why(node, "a parameter of a module")
        return Value("tensor", Sure.LIKELY, device=value.device, where=value.where, grad=True, why=why)
    return ANY


def from_return(run: Run, kind: str | tuple[str, ...] | None, source: Value, node: ast.AST) -> Value:
    """The value for a return kind of `knowledge`; tensors are where `source` is."""
    if kind is None or kind == "any":
        return ANY
    if isinstance(kind, tuple):
        return Value("tuple", items=tuple(from_return(run, each, source, node) for each in kind))
    match kind:
        case "T" | "T?":
            return Value("tensor", source.sure, device=source.device, where=source.where, grad=source.grad,
                         why=source.why or run.why(node, "a tensor"), none=kind == "T?")  # fmt: skip
        case "L":
            return Value("list", elem=from_return(run, "T", source, node))
        case "bool":
            return BOOL
        case "int":
            return INT
        case "float":
            return FLOAT
        case "number":
            return NUMBER
        case "str":
            return STRING
        case "none":
            return Value("none", const=None)
        case "self" | "first":
            return source
        case "tensor_tree":
            return Value(
                "tensor_tree",
                Sure.LIKELY,
                ref="output",
                device=source.device,
                where=source.where,
                why=run.why(node, "tensors, however nested"),
            )
        case "size" | "dtype" | "device" | "list" | "ndarray":
            return Value(kind)
    if set(kind) == {"T"}:
        return Value("tuple", items=tuple(from_return(run, "T", source, node) for _ in kind))
    return Value(kind) if kind in _KINDS else ANY  # type: ignore[arg-type]


_KINDS: Final = frozenset(
    (
        "tensor_tree",
        "iterator",
        "tuple",
        "metric",
        "scaler",
        "scheduler",
        "dataset",
        "sampler",
        "symbol",
        "string",
        "module",
        "optimizer",
        "loader",
        "distribution",
        "generator",
        "stream",
        "event",
        "object",
        "dict",
    )
)


def assign_attribute(run: Run, target: ast.Attribute, value: Value) -> None:
    """`base.attr = value`."""
    run.expr(target.value)
    run.values[target] = value
    if isinstance(target.value, ast.Name):
        run.bind_path(target.value, target.attr, value)
