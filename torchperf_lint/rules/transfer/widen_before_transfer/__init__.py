from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule, safe_if
from torchperf_lint.rules.transfer.widen_before_transfer import match

BYTES = {
    "bool": 1, "uint8": 1, "int8": 1, "int16": 2, "float16": 2, "bfloat16": 2, "int32": 4, "float32": 4, "int64": 8, "float64": 8,
}  # fmt: skip
CASTS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
}
EXACT = {
    "bool": BYTES, "uint8": BYTES, "int8": BYTES, "int16": ("int32", "int64", "float32", "float64"), "int32": ("int64", "float64"),
    "float16": ("float32", "float64"), "bfloat16": ("float32", "float64"), "float32": ("float64",),
}  # fmt: skip
"""By dtype, those to which it goes without rounding (small integers to any: all of them have a value for each)."""


@rule(
    "TPL208",
    names=("to", "cuda"),
    frequency=Frequency.INFERENCE,
    screen=match.may_be_recast,
    fix=Safety.SAFE,
    impact=Faster("for the copy alone"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Data is made wider on the CPU before it is copied to the GPU, so several times the bytes go over.

    `images.float().to(device)` of bytes writes four bytes for each on the host, and sends all four over the bus. The
    same holds for `images.to(device, torch.float32)`: where the host waits for the copy, it converts before it.

    Why
    ---
    The bus is the narrowest place of the way, and the GPU converts at the speed of its memory. The CPU also needs time
    and memory for the wide copy. Arrays of NumPy are float64 by default: `x.to(device).float()` sends twice what it needs.

    Instead
    -------
    Send the data as it is, and convert it behind: `images.to(device).float()`. Scaling and normalisation belong there too.
    What is to become narrower is cast before the copy.

    When it is fine
    ---------------
    Where the host needs the wide values itself. What is made on the spot of ranges and constants belongs on the GPU from
    the start, and is not reported here. Only data whose dtype is known for certain is reported; data of which it
    is not may be narrowed by the cast as well. With `non_blocking=True`, `.to(device, dtype)` converts on the GPU. What becomes
    `int64` is labels or tokens, a number for each where an image has thousands: a hint that fails no run.

    Fix safety
    ----------
    Integers of one or two bytes, and floats that become wider, are converted without rounding, so both orders give the
    same bits. Where a number is divided or multiplied as well, the GPU may round the last digit otherwise. Where the copy
    does not block, the host must not write into page-locked data behind it, so that is unsafe too.
    """
    move = facts.move(call)
    if not isinstance(call.func, cst.Attribute) or not move.has_device or move.vague or not move.sure or move.to_tensor:
        return
    if move.device in ("cpu", "pinned", "other"):
        return
    source, dtype, scaled = call.func.value, move.dtype, ""
    if not move.has_dtype and (narrowed := _narrowed(call, facts)) is not None:
        yield narrowed
        return
    if not move.has_dtype:
        source, dtype, scaled = _cast(call.func.value, facts)
    elif move.non_blocking is not False:
        return
    held = facts.tensor(source)
    if not held.known or not held.value.on_host or dtype not in BYTES or held.value.dtype not in BYTES:
        return
    if facts.ask(match.is_computed, source):
        return  # whoever copies it later still copies: it belongs on the GPU from the start
    ratio = BYTES[dtype] // BYTES[held.value.dtype]
    if ratio > 1:
        message = f"`{held.value.dtype}` becomes `{dtype}` before the copy to the GPU: {ratio} times the bytes go over"
        fix = _fix(call, source, dtype, scaled, facts)
        yield Draft(facts.spot(call), message, because=(held,), fix=fix, is_hint=dtype == "int64")


def _narrowed(call: cst.Call, facts: Facts) -> Draft | None:
    """The other way round: `x.to(device).float()` of float64, which could be cast before."""
    assert isinstance(call.func, cst.Attribute)
    cast = facts.parent(call)
    whole = facts.parent(cast) if isinstance(cast, cst.Attribute) else None
    if not isinstance(cast, cst.Attribute) or not isinstance(whole, cst.Call) or whole.func is not cast or whole.args:
        return None
    held, dtype = facts.tensor(call.func.value), CASTS.get(cast.attr.value, "")
    if dtype not in ("float32", "float16", "bfloat16") or not held.known or not held.value.on_host:
        return None
    if held.value.dtype != "float64" or facts.ask(match.is_computed, call.func.value):
        return None
    move, target = facts.source(call).removeprefix(facts.source(call.func.value)), facts.moved_to(call)[0]
    text = f"{facts.operand(call.func.value)}.{cast.attr.value}(){move}"
    proven = safe_if(held, facts.is_device(target))
    safety = proven if facts.move(call).non_blocking is False else Safety.UNSAFE
    message = f"`float64` goes to the GPU, where it becomes `{dtype}`: {8 // BYTES[dtype]} times the bytes go over"
    fix = Fix("Cast it before the copy", (Replace(whole, text),), safety)
    return Draft(facts.spot(call), message, because=(held,), fix=fix)


def _cast(moved: cst.BaseExpression, facts: Facts) -> tuple[cst.BaseExpression, str | None, str]:
    """What is cast before it is moved, to which dtype, and what is done with a number behind that: `x.float() / 255`."""
    match moved:
        case (
            cst.BinaryOperation(left=left, operator=cst.Divide() | cst.Multiply(), right=cst.Integer() | cst.Float())
            | cst.Call(
                func=cst.Attribute(value=left, attr=cst.Name("div" | "mul")),
                args=[cst.Arg(value=cst.Integer() | cst.Float(), keyword=None)],
            )
        ):
            source, dtype, _ = _cast(left, facts)
            return source, dtype or _divided(moved, left, facts), facts.source(moved).removeprefix(facts.source(left))
        case cst.Call(func=cst.Attribute(value=source, attr=cst.Name(value=name)), args=[]) if name in CASTS:
            return source, CASTS[name], ""
        case cst.Call(func=cst.Attribute(value=source, attr=cst.Name(value="to")), args=[_]):
            asked = facts.move(moved)
            return source, asked.dtype if not asked.has_device else None, ""
    return moved, None, ""


def _divided(quotient: cst.BaseExpression, held: cst.BaseExpression, facts: Facts) -> str | None:
    """What division by a number makes of small integers: `image / 255` is a float."""
    is_division = isinstance(quotient, cst.BinaryOperation) and isinstance(quotient.operator, cst.Divide)
    is_small = facts.tensor(held).known and facts.tensor(held).value.dtype in ("uint8", "int8", "int16")
    is_default = facts.tensor(quotient).known and facts.tensor(quotient).value.dtype == "float32"
    return "float32" if is_division and is_small and is_default else None


def _fix(call: cst.Call, source: cst.BaseExpression, dtype: str, scaled: str, facts: Facts) -> Fix[Edit] | None:
    """The move first, then the cast."""
    assert isinstance(call.func, cst.Attribute)
    held, move, (target, cast) = facts.tensor(source), facts.move(call), facts.moved_to(call)
    args = [facts.source(arg) for arg in call.args if arg.value is not cast]
    name = next((name for name, made in CASTS.items() if made == dtype), None)
    if name is None or any(arg.startswith("memory_format") for arg in args):
        return None
    behind = f".{name}()" if cast is None else f".to({facts.source(cast)})"
    if scaled and facts.source(call.func.value) == facts.source(source) + scaled:
        behind = ""  # the division alone makes floats of it
    text = f"{facts.operand(source)}.{call.func.attr.value}({', '.join(args)}){behind}{scaled}"
    if scaled and not isinstance(facts.parent(call), cst.Assign | cst.Arg | cst.Return):
        text = f"({text})"
    exact = not scaled and dtype in EXACT.get(held.value.dtype or "", ())
    proven = safe_if(held, facts.is_device(target))
    safety = proven if exact and move.non_blocking is False else Safety.UNSAFE
    return Fix("Copy it as it is, and convert it on the GPU", (Replace(call, text),), safety)
