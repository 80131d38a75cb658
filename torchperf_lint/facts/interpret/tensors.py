"""Operations of torch: what a call of one gives, by the schemas and effects of `knowledge`.

The overload is chosen by the arguments (`overloads`), its return kind says tensors or not, and the words of the
operation's effect are worked out for the arguments at hand (`dtypes`, `ranks`, `devices`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import ANY, CPU, CUDA, NO, PINNED, Value
from torchperf_lint.facts.interpret import adopted, attributes, devices, dtypes, narrowing, overloads, ranks, transfers
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.interpret.result_dtypes import find as result_dtype
from torchperf_lint.facts.knowledge import Effect, ModuleRow, moves

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run


def function(run: Run, node: ast.AST, name: str, args: Args) -> Value | None:
    """What a function of torch gives; None if torch has none of that name."""
    known = knowledge.function(name)
    if known is None:
        return None
    chosen = overloads.choose(known, args)
    if chosen is None:
        return _undecided(run, node, known, args)
    return adopted.told(run, node, name, chosen.bound, _give(run, node, name, False, chosen, None))


def method(run: Run, node: ast.AST, receiver: Value, name: str, args: Args) -> Value:
    """What a method of a tensor gives."""
    if name in moves.OF_TENSORS or name == "pin_memory":
        return transfers.move(run, node, receiver, name, args)
    if name == "item":
        return Value("number", dtype=_number(receiver.dtype))
    if name.startswith("masked_"):
        narrowing.mask_given(run, node)
    asked = args.at(0, "dim") if name in ("size", "stride") else None
    if asked is not None and asked.kind != "none":
        return Value("number", dtype="int")  # `x.size(0)`: torch's own schema takes an unnamed `None` for anything
    known = knowledge.method(name)
    if known is None:
        return ANY
    chosen = overloads.choose(known, args)
    if chosen is None:
        return _undecided(run, node, known, args, receiver)
    return _give(run, node, name, True, chosen, receiver)


def operation(run: Run, node: ast.AST | None, name: str, operands: tuple[Value, ...]) -> Value:
    """What an operator gives, of which one operand at least is a tensor."""
    effect = knowledge.effect(name, method=False)
    first = next(value for value in operands if value.kind in ("tensor", "tensor_tree"))
    values = [value.but(kind="tensor") if value.kind == "tensor_tree" else value for value in operands]
    known = all(value.kind in ("tensor", "number") for value in operands)
    sure = min(value.sure for value in operands if value.kind != "number") if known else Sure.LIKELY
    return _tensor(run, node, name, effect, first, values, {}, sure, index=0)


def from_module(run: Run, node: ast.AST, row: ModuleRow, module: Value, args: Args) -> Value:
    """What an instance of a module of torch gives when it is called."""
    effect = Effect(row.dtype, row.rank, "same", "same", False)
    operands = list(args.every)
    settings = module.items if isinstance(module.items, dict) else {}
    unless = settings.get(row.unless) if row.unless is not None else None
    if unless is not None and unless.const is not False:
        return ANY
    first = next((value for value in operands if value.kind in ("tensor", "tensor_tree")), None)
    sure = module.sure
    bound = dict(settings)

    def made(kind: object, index: int) -> Value:
        if kind not in ("T", "T?"):
            return attributes.from_return(run, str(kind), first or module, node)
        source = first if first is not None else ANY
        value = _tensor(
            run, node, str(module.ref), effect if index == 0 else None, source, operands, bound, sure, index=index
        )
        placed = module if module.device is not None and value.device is None else value
        grad = False if run.no_grad else True if value.grad is not False or index == 0 else None
        return value.but(device=placed.device, where=placed.where, none=kind == "T?", grad=grad)

    return _nested(row.returns, 0, made)


def _nested(kind: object, index: int, made: Callable[[object, int], Value]) -> Value:
    """What is made of a return kind, and of each of several."""
    if isinstance(kind, tuple):
        return Value("tuple", items=tuple(_nested(each, index + i, made) for i, each in enumerate(kind)))
    return made(kind, index)


def _number(dtype: str | None) -> str | None:
    kind = dtypes.category(dtype)
    return None if kind is None else ("bool", "int", "float", "complex")[kind]


def _undecided(
    run: Run, node: ast.AST, known: tuple[knowledge.Overload, ...], args: Args, receiver: Value | None = None
) -> Value:
    """The call fits no schema, or several that differ; if all overloads give one tensor that much is known."""
    if {overload.returns for overload in known} <= {"T", "self"}:
        operands = [*([receiver] if receiver is not None else []), *args.every]
        return _tensor(run, node, "", None, receiver or ANY, operands, {}, Sure.LIKELY, index=0)
    return ANY


def _give(
    run: Run, node: ast.AST, name: str, is_method: bool, chosen: overloads.Chosen, receiver: Value | None
) -> Value:
    """The value of a call whose overload is known."""
    effect = knowledge.effect(name, method=is_method)
    operands = [*([receiver] if receiver is not None else []), *chosen.bound.values()]
    inside = devices.tensors_in(operands)
    first = receiver or _first(operands, inside)
    sure = receiver.sure if receiver is not None else Sure.PROVEN
    returns = chosen.overload.returns
    if returns == "self" and receiver is not None:
        return _in_place(run, node, name, receiver, operands)
    out = chosen.bound.get("out")
    if out is not None and out.kind == "tensor":
        return out

    tensor = partial(_tensor, run, node, name, effect, first or ANY, operands, chosen.bound, sure, is_method=is_method)

    def made(kind: str, index: int) -> Value:
        if kind == "T":
            return tensor(index=index)
        if kind == "L":
            return Value("tuple", Sure.PROVEN, elem=tensor(index=0))
        if kind == "T?":
            return tensor(index=index).but(none=True)
        if kind == "first":
            return next(iter(chosen.bound.values()), ANY)
        return attributes.from_return(run, kind, first or ANY, node)

    fields = chosen.overload.fields or None
    if isinstance(returns, tuple):
        return Value("tuple", items=tuple(made(kind, index) for index, kind in enumerate(returns)), ref=fields)
    if len(returns) > 1 and set(returns) == {"T"}:
        return Value("tuple", items=tuple(tensor(index=index) for index in range(len(returns))), ref=fields)
    return made(returns, 0)


def _first(operands: list[Value], inside: list[Value]) -> Value | None:
    """The first tensor among operands; of a list of tensors, one with the dtype that they promote to."""
    if not inside:
        return None
    listed = next(
        (value for value in operands if value.kind in ("list", "tuple", "iterator") or value is inside[0]), inside[0]
    )
    if listed is inside[0] or not isinstance(listed.items, tuple):
        return inside[0]
    return inside[0].but(dtype=dtypes.promote(list(listed.items)))


_RESHAPING: Final = frozenset("squeeze_ unsqueeze_ resize_ set_ t_ transpose_ resize_as_ swapaxes_ as_strided_".split())


def _in_place(run: Run, node: ast.AST, name: str, receiver: Value, operands: list[Value]) -> Value:
    """A method that changes its receiver and returns it; the receiver's name holds the changed one."""
    grad = receiver.grad
    if name == "requires_grad_":
        grad = None
    elif name == "detach_":
        grad = False
    elif any(value.grad for value in devices.tensors_in(operands)) and not run.no_grad:
        grad = True
    rank = None if name in _RESHAPING else receiver.rank
    changed = receiver.but(grad=grad, rank=rank, const=NO)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        run.rebind(node.func.value, changed)
    return changed


def _tensor(
    run: Run,
    node: ast.AST | None,
    name: str,
    effect: Effect | None,
    first: Value,
    operands: list[Value],
    bound: dict[str, Value],
    sure: Sure,
    *,
    index: int,
    is_method: bool = False,
) -> Value:
    """One tensor that an operation gives."""
    inside = devices.tensors_in(operands)
    values = _operands(operands, bound)
    device, where = _device(run, node, effect, inside, bound)
    last = name.rpartition(".")[2]
    dtype = rank = None
    if effect is not None:
        dtype = result_dtype(_column(effect.dtype, index), first, values, bound)
        rank = ranks.find(_column(effect.rank, index), last, first, values, bound)
    if dtype is None and effect is not None and str(effect.rank).startswith("loss"):
        dtype = "floating"  # whatever a loss is made of
    if dtype is not None and dtypes.category(dtype) == 2:
        dtype = _under_autocast(name, dtype, method=is_method)
    why = first.why if first.kind in ("tensor", "tensor_tree") else None
    if why is None and node is not None:
        why = run.why(node, _made_by(name))
    return Value(
        "tensor",
        sure,
        device=device,
        where=where,
        dtype=dtype,
        rank=rank,
        grad=_grad(run, effect, inside, bound, dtype),
        why=why,
    )


def _under_autocast(name: str, dtype: str, *, method: bool) -> str:
    """The dtype of a floating result, whether or not whoever calls this code has switched autocast on."""
    changed = knowledge.autocast(name, method=method)
    if changed is None or dtype == "float64" or (changed == "float32" and dtype == "float32"):
        return dtype
    return "floating"


def _made_by(name: str) -> str:
    short = name.replace("torch.nn.functional.", "F.") if name.startswith("torch.nn.functional.") else name
    return f"`{short}` gives a tensor" if short else "the call gives a tensor"


def _column(column: object, index: int) -> str | int | None:
    if isinstance(column, tuple):
        return column[index] if index < len(column) else None
    return column  # type: ignore[return-value]


_SETTINGS: Final = frozenset(
    "dim keepdim dtype device out requires_grad memory_format size generator alpha p ord unbiased correction".split()
)
"""Parameters whose values take no part in promotion."""


def _operands(operands: list[Value], bound: dict[str, Value]) -> list[Value]:
    """The operands that count for promotion: tensors, numbers in their place, and the items of lists."""
    if not bound:
        return operands
    named = {id(value) for name, value in bound.items() if name in _SETTINGS}
    counts = ("tensor", "tensor_tree", "number", "unknown")
    counted = [value for value in operands if id(value) not in named and value.kind in counts]
    lists = [value for value in operands if id(value) not in named and value.kind in ("list", "tuple", "iterator")]
    counted += devices.tensors_in(lists)
    return [value.but(kind="tensor") if value.kind in ("tensor_tree", "unknown") else value for value in counted]


def _device(run: Run, node: ast.AST | None, effect: Effect | None, inside: list[Value], bound: dict[str, Value]):  # type: ignore[no-untyped-def]
    """Where the result is, and what shows it."""
    word = effect.device if effect is not None else "same"
    asked, given = devices.of(bound.get("device"))
    pin = bound.get("pin_memory")
    if pin is not None and pin.const is True and asked in (None, CPU):
        return PINNED, run.why(node, "page-locked on the CPU") if node is not None else None
    if word in ("arg", "arg-or-same", "data") and given:
        shown = bound["device"].where
        if shown is None and asked is not None and node is not None:
            shown = run.why(node, f"made on {'the CPU' if asked == CPU else 'CUDA' if asked == CUDA else 'the device'}")
        return asked, shown
    if word == "arg" or (word in ("data", "arg-or-same") and not inside):
        made = devices.default(run)
        return made, run.why(node, "made on the CPU: no device is given") if node is not None and made == CPU else None
    if word in ("cpu", "cuda"):
        return word, None
    if word == "same" and not inside and bound.get("device") is None:
        return (CPU, None) if devices.are_numbers(bound) else (None, None)
    return devices.joined(inside[:1] if word == "first" else inside)


def _grad(
    run: Run, effect: Effect | None, inside: list[Value], bound: dict[str, Value], dtype: str | None
) -> bool | None:
    """Whether the result carries a gradient."""
    asked = bound.get("requires_grad")
    if effect is not None and effect.grad == "view" and bound.get("dtype") is not None:
        return False
    if effect is not None and effect.grad in ("no", "set"):
        if asked is not None:
            return bool(asked.const) if asked.const is not NO else None
        return False
    if run.no_grad or dtypes.category(dtype) in (0, 1):
        return False
    grads = [value.grad for value in inside]
    if True in grads:
        return True
    return False if grads and all(grad is False for grad in grads) else None
