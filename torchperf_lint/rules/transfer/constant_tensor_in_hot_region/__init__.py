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
    InsertAfter,
    InsertBefore,
    Remove,
    Replace,
    Safety,
    rule,
    safe_if,
)  # fmt: skip
from torchperf_lint.rules.transfer.constant_tensor_in_hot_region import match

FROM_DATA = ("torch.tensor", "torch.as_tensor")
FLOATING = ("float32", "float64", "float16", "bfloat16", "floating")
MEANT = ("pin_memory", "non_blocking", "memory_format")


@rule(
    "TPL202",
    names=("tensor", "as_tensor", "new_tensor", "to", "cuda", "type_as"),
    frequency=Frequency.STEP,
    waits=("copy",),
    screen=match.may_be_constant,
    fix=Safety.SAFE,
    impact=Faster(),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A constant is copied to the GPU at every step, and the host waits for each copy.

    `torch.tensor(0.5, device="cuda")` makes the tensor on the host and copies it over, small as it is. The host waits
    until the copy is done, and with it for all that the GPU was told to do before.

    Why
    ---
    The four bytes cost nothing; the wait costs the lead that the host had over the GPU. One such line in a layer of a
    model stops the host once a layer.

    Instead
    -------
    A number is filled in on the GPU, without a copy: `torch.full((), 0.5, device=device)`. As an operand it need not be
    a tensor at all: `x * 0.5`, `x[mask] = 0.5`. A vector of constants belongs into a buffer of the module, or above the loop.

    When it is fine
    ---------------
    Outside of steps, and on the CPU. Data that is new at each step must be copied: that is not reported, but for single
    numbers, which the GPU can fill in itself.

    Fix safety
    ----------
    `torch.full` gives the same bits, dtype and shape for a number, so the fix is safe for a constant. A number whose
    value is not in view makes it unsafe: `torch.full` raises an error for a float that 32 bits do not hold. A number
    that changes from step to step is shown as a suggestion, for it may come from somewhere that is worth a look. A
    vector in a buffer follows `.half()`, is sent around by `DistributedDataParallel`, and is empty after a start on `meta`. It is
    in no `state_dict`; a model that was pickled whole before, as `torch.save(model, path)` does, lacks it.
    """
    maker = _maker(call, facts)
    if maker is None:
        return
    if any(facts.source(arg.value).startswith("step.") for arg in maker.args):
        return  # the count of steps of an optimizer is on the host as often as not
    data = maker.args[0].value
    repeated, shape = facts.ask(match.repeated, data)
    number = facts.node(repeated) if repeated is not None else None
    shape = shape or "()"  # of what is computed: `float("inf")`
    value = facts.value(number if number is not None else data)
    is_number = value.known and value.value.kind == "number" and value.value.dtype is not None
    if is_number and facts.ask(match.is_disputed, number if number is not None else data):
        return  # annotated as a number, and used as a list
    if facts.ask(match.is_steady, data):
        message, safety = "a constant is copied to the GPU at every step, and the host waits for it", Safety.UNSAFE
        constant = facts.constant(number or data)
        if isinstance(constant, int | float) and not 2**63 <= abs(constant) < float("inf"):
            safety = safe_if(value)
    elif is_number:
        message = "a number is copied to the GPU at every step, and the host waits: let the GPU fill it in"
        safety = Safety.SHOWN
    else:
        return
    fix = _kept(call, maker, facts) if value.known and not (is_number or value.value.none) else None
    fix = _filled(call, maker, number or data, shape, safety, facts) if is_number else fix
    is_old = facts.name(maker.func) in match.BY_DTYPE  # it says the dtype by its name
    yield Draft(facts.spot(call), message, because=(facts.host_wait(call),), fix=None if is_old else fix)


def _maker(call: cst.Call, facts: Facts) -> cst.Call | None:
    """The call that makes a tensor of data: this one, or the one whose tensor it moves."""
    match call:
        case cst.Call(func=cst.Attribute(value=cst.Call() as inner, attr=cst.Name(value="to" | "cuda" | "type_as"))):
            is_list = bool(inner.args) and isinstance(inner.args[0].value, cst.List | cst.Tuple)
            found = inner if facts.name(inner.func) in {*FROM_DATA, *(match.BY_DTYPE if is_list else ())} else None
        case cst.Call(func=cst.Attribute(value=like, attr=cst.Name(value="new_tensor"))):
            held = facts.tensor(like)
            found = call if facts.in_forward(call) or (held.known and held.value.device is not None) else None
        case _:
            found = call if facts.name(call.func) in FROM_DATA else None
    if found is None or not found.args or found.args[0].keyword is not None or any(arg.star for arg in found.args):
        return None
    given = [arg.keyword.value for each in (found, call) for arg in each.args if arg.keyword is not None]
    return None if any(name in MEANT for name in given) else found


def _filled(
    call: cst.Call, maker: cst.Call, number: cst.BaseExpression, shape: str, safety: Safety, facts: Facts
) -> Fix[Edit] | None:
    """`torch.full` on the device, in place of the data and its copy."""
    full, bare = facts.spelling("torch.full"), facts.bare_number(call)
    if bare is not None:
        return Fix("Give the number as it is", (Replace(call, facts.source(bare)),), min(safety, Safety.UNSAFE))
    (target, _), cast, device, named = facts.moved_to(call), None, "", facts.named(maker.args[1:])
    if maker is not call:
        device, cast = facts.placing(call)
        device = f", device={device}"
        placed = facts.value(target) if target is not None and cast is not None else facts.is_device(target)
        safety = safety if placed.proven else min(safety, Safety.UNSAFE)
    elif isinstance(call.func, cst.Attribute) and call.func.attr.value == "new_tensor":
        like = facts.value(call.func.value)
        full = f"{facts.source(call.func.value)}.new_full"
        safety = safety if like.known and like.value.dtype in FLOATING else min(safety, Safety.UNSAFE)
    truth = facts.spelling("torch.bool") if isinstance(facts.constant(number), bool) and "dtype=" not in named else None
    if truth is not None and full == facts.spelling("torch.full"):
        named = f", dtype={truth}{named}"  # TorchScript would make an integer of it
    if full is None or any(arg.keyword is None for arg in maker.args[1:]):
        return None
    if cast is not None and "dtype=" not in named and _is_exact_in_any(facts.constant(number)):
        named, cast = f", dtype={cast}{named}", None
    text = f"{full}({shape}, {facts.source(number)}{named}{device})" + (f".to({cast})" if cast is not None else "")
    return Fix(f"Fill it in on the GPU: `{full}({shape}, ...)`", (Replace(call, text),), safety)


def _is_exact_in_any(number: object) -> bool:
    """Whether every dtype holds a number, so that it is the same by way of another: `torch.tensor(0.1)` is a float32 first."""
    return isinstance(number, int | float) and number in range(128)


def _kept(call: cst.Call, maker: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """A buffer of the module, by the name that the tensor is bound to; in a loop, the same statement above it."""
    statement, function, start = facts.parent(call), facts.function(call), facts.constructor(call)
    name = facts.source(statement.targets[0].target) if isinstance(statement, cst.Assign) else ""
    if not isinstance(statement, cst.Assign) or len(statement.targets) > 1 or not name.isidentifier():
        return None
    loop = facts.loop(call)
    if loop is not None and all(facts.ask(match.is_steady, arg.value) for each in (maker, call) for arg in each.args):
        edits = (InsertBefore(loop, facts.source(statement)), Remove(statement))
        return Fix("Make it once, above the loop", edits, Safety.SHOWN)
    others = [arg for arg in maker.args[1:] if arg.keyword is None or arg.keyword.value != "device"]
    is_plain = all((facts.name(arg.value) or "").startswith("torch.") for arg in others)
    is_dtyped = facts.name(maker.func) not in FROM_DATA or (maker is not call and facts.move(call).has_dtype)
    if start is None or facts.ask(match.has_attribute, call, name) or not facts.settings.has_unsaved_buffers:
        return None
    this = start.params.params[0].name.value
    if (
        not is_plain
        or is_dtyped
        or function is None
        or [each.name.value for each in function.params.params[:1]] != [this]
    ):
        return None
    made = f"{facts.source(maker.func)}({facts.source(maker.args[0].value)}{facts.named(others)})"
    kept = InsertAfter(start.body.body[-1], f'{this}.register_buffer("{name}", {made}, persistent=False)')
    return Fix(f"Keep it in a buffer: `{this}.{name}`", (kept, Replace(call, f"{this}.{name}")), Safety.UNSAFE)
