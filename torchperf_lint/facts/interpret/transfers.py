"""Moves between devices and dtypes: `.to(...)`, `.cuda()`, `.cpu()`, `.type(...)`, `.pin_memory()`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.value import ANY, CPU, CUDA, HOST_OR_UNKNOWN, MAYBE, NO, PINNED, Value
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import containers, devices, dtypes
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.knowledge import tensor_classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis
    from torchperf_lint.facts.interpret.run import Run


@dataclass(frozen=True, slots=True)
class Move:
    """What a call of `to` or its like asks for."""

    device: str | None
    """Where to; None where it is not known, or no device is given."""
    has_device: bool
    dtype: str | None
    has_dtype: bool
    non_blocking: bool | None
    """None where it is not known."""
    to_tensor: bool = False
    """To the device of another tensor, or of a tensor's `.device`."""
    sure: bool = True
    optional: bool = False
    """The device may be None, or is a default that most calls leave: not much of a wish."""
    vague: bool = False
    """Of the argument nothing is known: it may be a device, a dtype or a tensor."""
    is_global: bool = False
    """The device is kept by another file of the program: `settings.device`."""


def request(name: str, args: Args) -> Move:
    """What a moving call asks for, by its arguments."""
    if name == "cpu":
        return Move(CPU, True, None, False, _setting(args.named.get("non_blocking")))
    if name == "cuda":
        return Move(CUDA, True, None, False, _setting(args.named.get("non_blocking") or args.at(1)))
    if name == "pin_memory":
        return Move(PINNED, True, None, False, False)
    return _typed(args) if name == "type" else _to(args)


def _setting(value: Value | None) -> bool | None:
    """A setting that is off where it is left out; None where it is not known."""
    return False if value is None else bool(value.const) if value.const is not NO else None


def _to(args: Args) -> Move:
    """`x.to(device, dtype, non_blocking)`, `x.to(other)`, in any of their orders."""
    move = Move(None, False, None, False, _setting(args.named.get("non_blocking")), sure=not args.is_open)
    for index, value in enumerate(args.positional):
        if value.kind == "number" and value.dtype == "bool":
            is_non_blocking = index == (2 if move.has_dtype and move.has_device else 1) and value.const is not NO
            move = replace(move, non_blocking=bool(value.const)) if is_non_blocking else move
        elif dtypes.is_one(value):
            move = replace(move, dtype=dtypes.argument(value), has_dtype=True)
        else:
            move = _to_place(move, value, is_vague=value.kind == "unknown")
    for name, value in args.named.items():
        if name == "dtype" or dtypes.is_one(value):
            move = replace(move, dtype=dtypes.argument(value), has_dtype=value.kind != "none")
        elif name not in ("non_blocking", "copy", "memory_format"):
            move = _to_place(move, value, is_vague=False)
    return move


def _to_place(move: Move, value: Value, *, is_vague: bool) -> Move:
    """A move with one more argument, which says where to: a device, or a tensor, whose dtype counts as well."""
    if value.kind in ("tensor", "tensor_tree"):
        return replace(move, device=value.device, has_device=True, dtype=value.dtype, has_dtype=True, to_tensor=True)
    if value.kind == "none":
        return move
    device, is_given = devices.of(value)
    is_global = value.kind == "symbol"
    return replace(
        move, device=device, has_device=is_given, optional=value.none, vague=move.vague or is_vague, is_global=is_global
    )


def targets(run: Callable[[ast.expr], Value], node: ast.Call) -> tuple[ast.expr | None, ast.expr | None]:
    """The arguments of a move that give the device and the dtype; another tensor, as in `x.to(y)`, is both."""
    device = dtype = None
    for name, value in [("", argument) for argument in node.args] + [(k.arg or "", k.value) for k in node.keywords]:
        kind = run(value).kind
        if name in ("", "dtype") and (kind in ("dtype", "symbol") or name):
            dtype = dtype or value
        elif kind in ("tensor", "tensor_tree"):
            device, dtype = value, value
        elif name in ("", "device") and device is None:
            device = value
    return device, dtype


def names_device(node: ast.Call) -> bool:
    """Whether the first argument of `to` is called a device: nobody calls a dtype or a tensor so."""
    named = (
        node.args[0].func if node.args and isinstance(node.args[0], ast.Call) else node.args[0] if node.args else None
    )
    return named is not None and value_names.is_device(last_name(named))


def _names_dtype(node: ast.AST) -> bool:
    """Whether the first argument of `to` is called a dtype."""
    first = node.args[0] if isinstance(node, ast.Call) and node.args else None
    return first is not None and value_names.is_dtype(last_name(first))


def _typed(args: Args) -> Move:
    """`x.type(torch.cuda.FloatTensor)` moves, `x.type(torch.long)` does not."""
    value = args.at(0, "dtype") or ANY
    name = str(value.const) if value.kind == "string" else str(value.ref or "")
    if name.endswith("Tensor"):
        device = value.device or CUDA if name.startswith(tensor_classes.CUDA) else CPU
        return Move(device, True, tensor_classes.dtype(name), True, False)
    return Move(None, False, dtypes.argument(value), True, False)


def move(run: Run, node: ast.AST, value: Value, name: str, args: Args) -> Value:
    """A tensor, a batch or a module after it was moved."""
    if name == "type" and not args.every:
        return Value("string")
    if name == "type_as":
        name = "to"
    wish = request(name, args)
    device, where = value.device, value.where
    if wish.has_device and not (wish.vague and _names_dtype(node)):
        device, where = wish.device, _where(run, node, wish, args)
        if device is None and value.on_host and not wish.to_tensor:
            # Why else move it? But to a device that most calls leave to its default it may go nowhere.
            device, where = (
                (HOST_OR_UNKNOWN, value.where) if wish.optional else (MAYBE, run.why(node, "moved to the device"))
            )
    if value.kind == "module":
        if device is None and wish.has_device and isinstance(node, ast.Call) and is_placing(wish, node):
            device, where = MAYBE, run.why(node, "moved to the device")
        return value.but(device=device, where=where, dtype=wish.dtype if wish.has_dtype else value.dtype)
    if value.kind != "tensor":
        return containers.moved(value, device, where)
    dtype = value.dtype
    if wish.has_dtype or not wish.sure:
        dtype = wish.dtype
    elif not wish.has_device:
        dtype = None  # an argument of which nothing is known may be a dtype
    if (
        wish.has_device
        and wish.device is None
        and not wish.to_tensor
        and args.at(0) is not None
        and args.positional
        and args.positional[0].kind == "unknown"
    ):
        dtype = None
    return Value(
        "tensor", value.sure, device=device, where=where, dtype=dtype, rank=value.rank, grad=value.grad, why=value.why
    )


def _where(run: Run, node: ast.AST, wish: Move, args: Args) -> Evidence | None:
    if wish.device is None:
        return None
    for value in args.every:
        if value.where is not None and value.kind in ("device", "tensor", "string"):
            return run.why(node, "moved to the device") if value.kind == "string" else value.where
    return run.why(node, {CPU: "copied to the CPU", PINNED: "page-locked on the CPU"}.get(wish.device, "moved to CUDA"))


def of_unknown(run: Run, node: ast.Call, name: str, args: Args) -> Value:
    """`x.cuda()` of something unknown gives a tensor or a module on CUDA; `x.to(device)` likewise."""
    wish = request(name, args)
    device = wish.device or (MAYBE if is_placing(wish, node) else None)
    if not wish.has_device or device is None:
        return ANY
    why = run.why(node, f"`.{name}()` moves it")
    return Value("unknown", Sure.LIKELY, device=device, where=why, why=why)


def is_placing(wish: Move, node: ast.Call) -> bool:
    """Whether a move that names no device in sight is one to the program's device; `.to(other.device)` often moves nothing."""
    if not wish.has_device or wish.to_tensor or wish.optional or (wish.vague and not names_device(node)):
        return False
    return wish.is_global or all(is_own_device(argument) for argument in node.args)


def is_own_device(node: ast.expr) -> bool:
    """Whether an argument, if it is a device, is the program's, not that of another tensor."""
    match node:
        case ast.Attribute(attr="device", value=ast.Name() | ast.Attribute() as holder):
            return value_names.has_program_device(last_name(holder))
        case ast.Attribute(attr="device", value=ast.Call(func=ast.Name(id="next"), args=[ast.Call(func=asked)])):
            return last_name(asked) == "parameters"  # where a module is
        case ast.Attribute(attr="device"):
            return False
    return True


def changes_device(analysis: Analysis, module: Module, node: ast.AST) -> bool:
    """Whether a call of `to` and its like is about a device: `.to(torch.int64)` moves nothing."""
    call = node if isinstance(node, ast.Call) else module.parents.get(node)
    if not isinstance(call, ast.Call) or last_name(call.func) != "to":
        return True
    given = [keyword.arg for keyword in call.keywords]
    if not call.args:
        return "device" in given or None in given
    return "device" in given or not dtypes.is_one(analysis.value(call.args[0], module))
