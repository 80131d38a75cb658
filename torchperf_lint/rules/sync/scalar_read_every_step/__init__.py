from __future__ import annotations

import ast
from dataclasses import replace

import libcst as cst

from torchperf_lint.rule import (
    Draft,
    Edit,
    Facts,
    Faster,
    Findings,
    Fix,
    Frequency,
    InsertAfter,
    Replace,
    Safety,
    Value,
    rule,
)
from torchperf_lint.rules.sync.scalar_read_every_step import match, parameter_norms

WHOLE = ("tolist", "cpu", "numpy", "to")
"""Reads of whole tensors: of many values they are no bookkeeping."""

LONG = 32
"""What is longer is named by its last part in a message."""


@rule(
    "TPL101",
    names=("item", "tolist", "cpu", "numpy", "to", "float", "int"),
    frequency=Frequency.INFERENCE,
    waits=("read",),
    screen=match.may_be_bookkeeping,
    fix=Safety.UNSAFE,
    impact=Faster(host_work=(5, 10), many=True),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A number is read from the GPU at every step, only to be added up or logged.

    `total += loss.item()` needs the number now: the host waits until the GPU has done all that was queued before it,
    backward pass and optimizer included, and only then queues the next step. Nothing in the step needs the number.

    Why
    ---
    While the host waits it does nothing else, and when the GPU is done it idles until there is new work. A step costs
    the time of the GPU plus that of the host, not the longer of the two: nothing where the host has next to nothing to
    do between steps, half as much again where it prepares a batch, and more where it is slow.

    Instead
    -------
    Add up on the GPU and read once after the loop: `total += loss.detach().double() * n`; the largest so far is
    `torch.maximum(largest, x.detach())`. Or keep `loss.detach()` and read it every hundred steps, when it is logged.
    Detach: a total of losses that are attached keeps the graph of every step alive. Do not gather thousands of tensors in a
    list either: add them up. Norms of all parameters are best taken at once: `torch.stack(torch._foreach_norm(gradients))`,
    read once, took 0.23 ms for 100 tensors on an H200, where reading each took 3.6 ms, and adding them up on the GPU 4.3
    ms, for the launches cost what the waits did.

    When it is fine
    ---------------
    Where the step needs the number to go on: an action for an environment, a loss that decides whether to stop. Reads
    every so many steps, once an epoch, on the CPU, and of whole tensors (predictions that are kept) are not reported.
    Where the GPU is the slower by far and the host only waits for it anyway, there is nothing to gain: one read a step is a
    warning only behind the backward pass, where its loader is seen to make batches in the same process and does more for them
    than to take rows; elsewhere, and for pictures as small as those of MNIST, whose networks are small too, it is a hint that
    fails no run.

    Fix safety
    ----------
    The total stays on the GPU during the loop, in float64 (counts in int64), and becomes a Python number behind it. The
    sum is the same to the last bit. A NaN and an error of the GPU show up at other places than before. It is offered where the
    total starts as a number and the loop itself does not look at it. In a file that names a device without float64 (`mps`) it is
    only shown, and the total is as wide as the loss. Norms of parameters that are taken at once are shown.
    """
    uses = facts.uses(call)
    if not uses or not uses <= {"accumulated", "logged"} or not _is_scalar(call, facts):
        return
    text = facts.source(call)
    shown = f"`{text}`" if len(text) <= LONG and "\n" not in text else "reading a number"
    message = f"{shown} makes the host wait at every step, for bookkeeping alone"
    if facts.ask(parameter_norms.is_of_each, call):  # whatever becomes of their sum
        message = f"{shown} waits once for each parameter, where one read for all would do"
    elif uses == {"accumulated"} and _is_within_step(call, facts):  # what becomes of the sum may matter at once
        message = f"{shown} makes the host wait at each turn, only to be added up"
    fix = _with_what_stays(_fix(call, facts), call, facts)
    yield Draft(facts.waiting_part(call), message, because=(facts.host_wait(call),), fix=fix, about=call)


def _is_scalar(call: cst.Call, facts: Facts) -> bool:
    """Whether a read gives one number, and not a tensor to keep."""
    match call.func:
        case cst.Attribute(value=tensor, attr=cst.Name(name)) if name in WHOLE:
            held = facts.tensor(tensor)
            return facts.ask(match.becomes_one, call) or (held.known and held.value.rank == 0)
    return True


# ---- the fix


def _with_what_stays(fix: Fix[Edit] | None, call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """A fix that says what else in the loop waits all the same: without a cure for that nothing is gained."""
    if fix is None:
        return None
    for other in facts.ask(match.other_waits, call):
        node = facts.node(other) if isinstance(other, ast.Call) else None
        if not isinstance(node, cst.Call) or not facts.uses(node) <= {"accumulated", "logged"} or not _fix(node, facts):
            text = facts.source(facts.node(other if isinstance(other, ast.Call) else other.test))
            shown = f"`{text}`" if len(text) <= LONG and "\n" not in text else "another read"
            return replace(fix, title=f"{fix.title}; {shown} waits all the same")
    return fix


def _is_within_step(call: cst.Call, facts: Facts) -> bool:
    """Whether the loop behind which a total is looked at, as far as that is known, runs in a step itself."""
    total, loop = facts.ask(match.total, call), facts.loop(call)
    behind = facts.node(total.loop) if total is not None else loop
    return behind is not None and facts.frequency(behind).value >= Frequency.INFERENCE


def _fix(call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """`total += loss.item() * n` as `total += loss.detach().double() * n`, and `total = float(total)` after the loop."""
    if facts.ask(parameter_norms.is_of_each, call):
        return _norms(call, facts)
    total = facts.ask(match.total, call)
    if total is None or _is_within_step(call, facts):
        return None  # after the loop it would be read at every step as well
    loop, read, tensor = facts.node(total.loop), facts.node(total.read), facts.node(total.tensor)
    held = facts.tensor(tensor).value
    kind = "float" if total.starts_as_float or facts.ask(match.has_backward, tensor) else _kind(held, call)
    factors = [facts.value(facts.node(factor)).value for factor in total.factors]
    if kind is None or not all(isinstance(factor, Value) and factor.kind == "number" for factor in factors):
        return None
    if kind == "int" and (total.is_divided or any(factor.dtype != "int" for factor in factors)):
        return None
    is_anywhere = facts.ask(match.may_lack_float64, call)
    double = "" if is_anywhere else ".double()"
    wide = double if kind == "float" else "" if held.dtype in ("int64", "bool") else ".long()"
    detached = "" if kind == "int" or facts.in_no_grad(call).value else ".detach()"
    edits = (
        Replace(read, facts.operand(tensor) + detached + wide),
        InsertAfter(loop, f"{total.name} = {kind}({total.name})"),
    )
    safety = Safety.SHOWN if is_anywhere else Safety.UNSAFE
    return Fix("Add up on the GPU and read the total once after the loop", edits, safety)


def _norms(call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """One call and one read in place of a loop that adds up the norms of all parameters, or their squares."""
    norms, stack = facts.ask(parameter_norms.norms, call), facts.spelling("torch.stack")
    if norms is None or stack is None:
        return None
    made = f"{stack}({stack.removesuffix('stack')}_foreach_norm({norms.each}))"
    text = f"{norms.total} += {made}{'.square()' if norms.squared else ''}.sum().item()"
    return Fix("Take all norms at once, and read their sum", (Replace(facts.node(norms.loop), text),), Safety.SHOWN)


def _kind(held: Value, call: cst.Call) -> str | None:
    """Whether a total that starts as `0` becomes a float or stays an int; None where that is not known."""
    match call.func:
        case cst.Name("float"):
            return "float"
    dtype = held.dtype if isinstance(held, Value) else None
    if dtype in ("int64", "int32", "int16", "int8", "uint8", "bool", "integral"):
        return "int"
    if isinstance(call.func, cst.Name):
        return None  # `int` rounds
    return "float" if dtype in ("floating", "float32", "float16", "bfloat16", "float64") else None
