from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import (
    Draft,
    Edit,
    Facts,
    Faster,
    Findings,
    Fix,
    Frequency,
    Replace,
    Safety,
    Value,
    rule,
    safe_if,
)

FLOATING = ("float32", "float64", "float16", "bfloat16", "floating")
INTEGRAL = ("int32", "int16", "int8", "uint8", "integral")
SMALL, LARGE = 100, 1e30
"""Up to these no dtype overflows, and no 32-bit float."""


@rule("TPL113", frequency=Frequency.STEP, waits=("scalar",), fix=Safety.SAFE, impact=Faster(many=True))
def check(node: cst.Subscript | cst.Call, facts: Facts) -> Findings:
    """One number goes from the host to the GPU, or back, in the middle of a step.

    `x[index] = 1.0` makes a tensor of the host out of the number and copies it to the GPU; `x.masked_fill(mask, t)` and
    `x.add(y, alpha=t)` read a `t` on the GPU back to the host first. The operations next to them do not.

    Why
    ---
    It looks like any kernel, and the host waits for everything that was queued before. PyTorch loses these waits one
    by one: what is reported depends on the version that you support (`--target-torch`).

    Instead
    -------
    `x.index_fill_(0, index, 1.0)`, `x[i, j].fill_(1.0)`, `torch.where(mask, t, x)`, `x + t * y`, and a number of Python
    in `torch.where`. `x[mask] = 1.0`, under a mask of the GPU, does not wait.

    When it is fine
    ---------------
    Tensors on the CPU, writes under masks, slices and rows, and code that runs a few times are not reported.

    Fix safety
    ----------
    `fill_` and `new_full` write the same bits where the number is a constant that fits the dtype; elsewhere they are
    unsafe. `index_fill_` writes the same bits too and is unsafe for what raises an error: an index beyond the end,
    which it does not look at if the tensor is empty, and a tensor of too few dimensions. The other forms are unsafe: a
    product is rounded before it is added, `torch.where` may give another dtype, and `fill_` with a tensor keeps the
    graph of that tensor, which `full` drops.
    """
    wait = facts.host_wait(node)
    if isinstance(node, cst.Call):
        message = "a single number crosses between host and GPU here, and the host waits for it"
        yield Draft(facts.spot(node), message, because=(wait,), fix=_call_fix(node, facts))
    else:
        message = "the number is copied to the GPU to be written there, and the host waits for the copy"
        if any(isinstance(each.slice, cst.Index) and _may_be_one(facts, each.slice.value) for each in node.slice):
            message = "the number, or an index of one element, is copied between host and GPU: the host waits"
        yield Draft(node, message, because=(wait,), fix=_write_fix(node, facts))


def _may_be_one(facts: Facts, index: cst.BaseExpression) -> bool:
    """Whether an index may be of no dimensions, which the host has to read: nothing shows how many it has."""
    held = facts.tensor(index)
    return held.known and held.value.rank is None


def _write_fix(node: cst.Subscript, facts: Facts) -> Fix[Edit] | None:
    """`x[i, j] = c` and `x[index] = c` in place on the GPU."""
    target = facts.parent(node)
    assign = facts.parent(target) if target is not None else None
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    number, base = facts.source(assign.value), facts.tensor(node.value)
    proven = [base] if _fits(facts.constant(assign.value), base.value if base.known else None) else []
    if facts.waited_for(facts.host_wait(node)) is node:
        safety = safe_if(*proven) if proven else Safety.UNSAFE
        return Fix("Fill the element in place", (Replace(assign, f"{facts.source(node)}.fill_({number})"),), safety)
    parts = [each.slice for each in node.slice]
    tensors = [
        (i, each.value)
        for i, each in enumerate(parts)
        if isinstance(each, cst.Index) and facts.tensor(each.value).known
    ]
    dim = _dimension(parts, tensors[0][0]) if len(tensors) == 1 else None
    if dim is not None:
        index = tensors[0][1]
        held = facts.tensor(index)
        if held.value.rank == 1 and held.value.dtype == "int64":
            text = f"{facts.operand(node.value)}.index_fill_({dim}, {facts.source(index)}, {number})"
            return Fix("Fill in place with `index_fill_`", (Replace(assign, text),), Safety.UNSAFE)
    if not all(facts.tensor(index).value.rank for _, index in tensors):
        return None  # an index of no dimensions waits as well
    made = f"{facts.operand(node.value)}.new_full((), {number})"
    return Fix(
        "Make the number on the GPU", (Replace(assign.value, made),), safe_if(*proven) if proven else Safety.UNSAFE
    )


def _dimension(parts: list[cst.BaseSlice], place: int) -> int | None:
    """Which dimension is indexed, where all others are whole: 1 of `x[:, index]`, -1 of `x[..., index]`."""
    match parts:
        case [cst.Index(value=cst.Ellipsis()), _]:
            return -1
    whole = [isinstance(each, cst.Slice) and each.lower is each.upper is each.step is None for each in parts]
    return place if all(flag for i, flag in enumerate(whole) if i != place) else None


def _fits(number: object, base: Value | None) -> bool:
    """Whether a constant is the same in the dtype of a tensor, whatever way it takes there."""
    if base is None or not isinstance(number, (bool, int, float)):
        return False
    if isinstance(number, bool):
        return base.dtype == "bool" or base.dtype in FLOATING or base.dtype == "int64"
    if base.dtype in FLOATING:
        return abs(number) <= SMALL or (base.dtype in ("float32", "float64") and abs(number) <= LARGE)
    return isinstance(number, int) and (base.dtype == "int64" or (base.dtype in INTEGRAL and 0 <= number <= SMALL))


def _call_fix(call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    bare = [(arg.value, number) for arg in call.args if (number := facts.bare_number(arg.value)) is not None]
    if bare:
        edits = tuple(Replace(tensor, facts.source(number)) for tensor, number in bare)
        return Fix("Give the number as it is", edits, Safety.UNSAFE)
    match call:
        # Ex) x.masked_fill(mask, t)
        case cst.Call(
            func=cst.Attribute(value=base, attr=cst.Name("masked_fill")),
            args=[cst.Arg(value=mask, keyword=None), cst.Arg(value=value, keyword=None | cst.Name("value"))],
        ) if facts.tensor(base).known and facts.spelling("torch.where") is not None:
            text = f"{facts.spelling('torch.where')}({facts.source(mask)}, {facts.source(value)}, {facts.source(base)})"
            return Fix("Choose on the GPU with `torch.where`", (Replace(call, text),), Safety.UNSAFE)
        # Ex) x.sub_(y, alpha=t), torch.add(x, y, alpha=t)
        case cst.Call(
            func=func,
            args=[*before, cst.Arg(value=other, keyword=None), cst.Arg(value=factor, keyword=cst.Name("alpha"))],
        ):
            first = "".join(f"{facts.source(each)}, " for each in before)
            text = f"{facts.source(func)}({first}{facts.operand(factor)} * {facts.operand(other)})"
            return Fix("Multiply on the GPU", (Replace(call, text),), Safety.UNSAFE)
        # Ex) x.new_full(shape, t), torch.full_like(x, t)
        case cst.Call(
            func=cst.Attribute(value=base, attr=cst.Name("new_full" | "full_like" as name)),
            args=[cst.Arg(keyword=None), cst.Arg(value=value, keyword=None), *rest],
        ):
            empty, given = name.replace("full", "empty"), "".join(f", {facts.source(each)}" for each in rest)
            text = f"{facts.source(base)}.{empty}({facts.source(call.args[0])}{given}).fill_({facts.source(value)})"
            return Fix("Fill on the GPU", (Replace(call, text),), Safety.UNSAFE)
    return None
