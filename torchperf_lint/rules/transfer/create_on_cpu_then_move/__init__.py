from __future__ import annotations

import ast

import libcst as cst

from torchperf_lint.rule import (
    Draft,
    Edit,
    Facts,
    Faster,
    Findings,
    Fix,
    Frequency,
    Remove,
    Replace,
    Safety,
    rule,
)
from torchperf_lint.rules.transfer.create_on_cpu_then_move import amounts, beside, match

SAME_ANYWHERE = ("zeros", "ones", "empty", "eye", "full", "arange", "tril_indices", "triu_indices")
CASTABLE = ("zeros", "ones", "empty", "eye")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8", "integral")
GRID = "all that this is put together from is made on the CPU: make its parts where it goes, with `device=`"
HELPER = "what this function makes, it makes on the CPU: hand it the device, and make it there"


@rule(
    "TPL201",
    names=("to", "cuda", "type_as"),
    screen=match.may_be_built,
    fix=Safety.SAFE,
    impact=Faster("for the call alone, of 16 KiB to 64 MiB"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A tensor is built on the CPU and then copied to the GPU, which could have built it itself.

    `torch.zeros(n).to(device)` fills memory of the host, waits until it is copied over the bus, and throws it away.
    `torch.zeros(n, device=device)` is one small kernel that the host does not wait for.

    Why
    ---
    The copy comes from pageable memory, so the host waits for it, and for all that the GPU was told to do before. The
    bus is slower than the GPU's memory by an order of magnitude, and random numbers are drawn by the CPU alone.

    Instead
    -------
    Say where the tensor belongs when you make it: `device=`. What is filled in place before it is moved can be filled
    on the GPU as well.

    When it is fine
    ---------------
    Random numbers that must be the same with and without a GPU: draw them with a `generator=` of the CPU, which says so
    and is not reported. Code that runs once, or once around all the steps of a loop, gains next to nothing and is not
    reported either, nor is what an object makes for itself, or on a device that most callers leave to its default. Where
    nothing in sight runs the code at every step, the same statement waits for something else too, the function goes through
    a table one element at a time or takes a step of a sampler, or it is less than 256 KiB, as far as the source shows, it is
    a hint that fails no run: a row of numbers for each batch costs some 10 microseconds. Of a size that nobody knows 64
    are assumed, in code that is called after inference 16, for a batch of pictures 4, and 8 of what is left over of a division
    or missing to a length; scores, embeddings and `grad_outputs`, a few numbers for each item of a batch, are few. What the
    next line overwrites is not reported: that line can simply go.

    Fix safety
    ----------
    Zeros, ones, constants, identities, indices and integer ranges are the same on both devices, bit by bit. Ranges and
    windows of floats may differ in the last digit; random numbers are others, for the GPU has a generator of its own.
    With `requires_grad=True` the moved tensor was no leaf, the new one is. What is filled in place is filled by the GPU.
    What is expanded or sliced first stays a view, of which the move made a copy. An uncertain device is unsafe too.
    """
    move = facts.move(call)
    if not isinstance(call.func, cst.Attribute) or not move.has_device or move.vague or not move.sure:
        return
    if move.device in ("cpu", "pinned", "other") or not facts.may_use_gpu():
        return
    if facts.gated(call) or facts.ask(match.sets_up, call) or facts.runs_seldom(call):
        return
    if facts.comments_say(call, match.comment_words.tells_why_on_host) or facts.ask(beside.is_dead, call):
        return
    built = facts.ask(match.built, call)
    if built is None:
        if facts.ask(match.follows_as_grid, call):
            yield Draft(facts.spot(call), GRID, because=(facts.value(call.func.value),), is_hint=True)
        elif facts.ask(match.follows_as_helper, call):
            yield Draft(facts.spot(call), HELPER, because=(facts.value(call.func.value),), is_hint=True)
        return
    factory, holder = facts.node(built[1]), facts.ask(match.holder, call)
    if facts.ask(amounts.is_nothing, factory):
        return
    is_cold, made = facts.frequency(call).value < Frequency.INFERENCE, facts.tensor(factory)
    if is_cold and (facts.ask(match.moves_to_own, call) if holder == "object" else move.optional):
        return
    if made.known and made.value.device == "cpu" and not facts.ask(match.stays_on_host, call):
        size, moved = facts.ask(match.bytes_made, factory), f"`.{call.func.attr.value}` copies"
        much = f"{amounts.written(size)} on the CPU and {moved} them" if size else f"it on the CPU and {moved} it"
        message = f"`{facts.name(factory.func)}` makes {much} to the GPU"
        placed = facts.value(call) if move.device is not None else facts.goal(call)
        is_small = not facts.ask(match.may_be_many, factory) or facts.ask(match.weighs_gradients, call)
        is_cold = is_cold and not (holder == "module" and facts.ask(match.follows_tensor, call))
        is_alone = size is None and facts.ask(match.is_alone, call)
        is_little = facts.ask(match.waits_besides, call) or facts.ask(beside.is_beside_more, call)
        is_hint = is_cold or is_small or is_alone or is_little
        fix = _fix(call, built[0], factory, facts) if facts.ask(match.is_in_place, call) else None
        yield Draft(facts.spot(call), message, because=(made, placed), fix=fix, is_hint=is_hint)


def _short(call: cst.Call, facts: Facts) -> str:
    return (facts.name(call.func) or "").removeprefix("torch.")


def _keyword(call: cst.Call, name: str) -> bool:
    return any(arg.keyword is not None and arg.keyword.value == name for arg in call.args)


def _fix(call: cst.Call, made: ast.expr, factory: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """`device=` in the call that makes the tensor, in place of the move."""
    assert isinstance(call.func, cst.Attribute)
    moved, origin, (target, _) = call.func.value, facts.node(made), facts.moved_to(call)
    if _keyword(call, "memory_format") or (
        target is not None and call.func.attr.value == "cuda" and not facts.value(target).known
    ):
        return None  # `.cuda(None)` is the GPU, `device=None` is not
    device, dtype = facts.placing(call)
    if dtype is not None and origin is factory and _short(factory, facts) in CASTABLE:
        text = facts.with_arguments(origin, factory, dtype=dtype, device=device)
    else:
        text = facts.with_arguments(origin, factory, device=device) + (f".to({dtype})" if dtype is not None else "")
    title = f"Make it there: `device={device}`"
    if origin is moved:
        return Fix(title, (Replace(call, text),), _safety(call, factory, facts))
    if dtype is not None or (target is not None and not facts.ask(match.holds_at, target, made)):
        return None
    above = facts.parent(call)
    is_rebound = isinstance(above, cst.Assign) and above.targets[0].target.deep_equals(moved)
    gone = Remove(above) if isinstance(above, cst.Assign) and is_rebound else Replace(call, facts.source(moved))
    return Fix(title, (Replace(origin, text), gone), Safety.UNSAFE)


def _safety(call: cst.Call, factory: cst.Call, facts: Facts) -> Safety:
    """SAFE where both devices make the same bits in the same layout, and the arguments are what they seem for certain."""
    assert isinstance(call.func, cst.Attribute)
    kind, made, (target, cast) = _short(factory, facts), facts.tensor(factory), facts.moved_to(call)
    same = kind in SAME_ANYWHERE and not _keyword(factory, "requires_grad")
    if kind == "arange":
        same = same and made.value.dtype in INTEGERS
    if kind == "full":
        fill = facts.argument(factory, "fill_value", 1)
        same = same and fill.known and fill.value.kind == "number"
    overruled = [cast] if _keyword(factory, "dtype") else []  # a dtype that is None would overrule nothing
    placed = facts.value(target) if target is not None and target is cast else facts.is_device(target)
    proven = made.proven and placed.proven and all(facts.value(each).proven for each in overruled if each is not None)
    return Safety.SAFE if same and proven and _is_dense(call.func.value, factory, facts) else Safety.UNSAFE


def _is_dense(moved: cst.BaseExpression, factory: cst.Call, facts: Facts) -> bool:
    """Whether what is moved has no gaps and no repeats in memory: of the others the move makes a dense copy."""
    match moved:
        case _ if moved is factory:
            return True
        case cst.Subscript(value=inner, slice=index):
            return all(facts.source(each.slice) in (":", "None") for each in index) and _is_dense(inner, factory, facts)
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="tril" | "triu")), args=[first]):
            return _is_dense(first.value, factory, facts)
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=method))) if method != "expand":
            return _is_dense(inner, factory, facts)
    return False
