from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Findings, Fix, LessMemory, Replace, Safety, rule
from torchperf_lint.rules.precision.backward_inside_autocast import match

BACKWARD = ("backward", "manual_backward")


@rule(
    "TPL307",
    names=("backward", "manual_backward", "step"),
    screen=match.may_autocast,
    fix=Safety.UNSAFE,
    impact=LessMemory("for what a step adds"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """The backward pass, or the optimizer's step, runs under autocast.

    `torch.autocast` is for the forward pass and the loss. The backward pass needs none of it: each of its operations runs
    in the dtype that autocast chose for the operation it belongs to.

    Why
    ---
    Under autocast every operation of the backward pass is looked up, and cast, once more. Gradients of what was kept
    in float32 on purpose may be computed in half precision, and a function of your own may get another dtype in its
    backward than it had in its forward. PyTorch's documentation of automatic mixed precision advises against it.

    Instead
    -------
    End the `with` after the loss. `backward`, the scaler and the optimizer come after it.

    When it is fine
    ---------------
    Under `autocast(enabled=False)`, in a file whose own autograd functions are written for it with `custom_fwd` and
    `custom_bwd`, and where a comment above says that it is on purpose, or that it belongs outside: none of these is reported.
    Where no optimizer steps near, as where a backward pass is only timed, it is a hint.

    Fix safety
    ----------
    The backward pass and what follows it move out of the `with`. Gradients whose dtype depended on autocast change,
    by rounding as a rule. There is no fix where what follows runs the model again, which should stay under autocast.
    """
    autocast = facts.ask(match.autocast, call)
    if not autocast.proven or autocast.value.enabled is False or not isinstance(call.func, cst.Attribute):
        return
    if not facts.may_use_gpu() or facts.mentions("custom_bwd"):
        return
    if _is_meant(call, facts):
        return
    manager = facts.shown(autocast)
    around = facts.parent(facts.parent(manager) or manager) if manager is not None else None
    receiver = facts.value(call.func.value)
    if call.func.attr.value in BACKWARD:
        if not call.args and receiver.known and receiver.value.kind in ("module", "instance"):
            return  # a method of one's own, which may do the forward pass as well
        message = "the backward pass runs under autocast, which looks up and casts each operation once more"
    elif receiver.known and receiver.value.kind in ("optimizer", "scaler") and not _does_backward(around, facts):
        message = "the optimizer steps under autocast, which looks up each operation once more and gains nothing"
    else:
        return
    fix, is_trial = _fix(call, around, facts), not facts.steps_near(call)
    yield Draft(facts.spot(call), message, because=(autocast,), fix=fix, is_hint=is_trial)


def _is_meant(call: cst.Call, facts: Facts) -> bool:
    """Whether a comment says so above the call, or above a condition that it hangs on."""
    at: cst.CSTNode | None = call
    while at is not None and not isinstance(at, (cst.With, cst.FunctionDef, cst.Module)):
        if isinstance(at, (cst.Call, cst.If)) and facts.comments_say(at, match.comment_words.tells_of_purpose):
            return True
        at = facts.parent(at)
    return False


def _does_backward(around: cst.CSTNode | None, facts: Facts) -> bool:
    return around is not None and any(f".{name}(" in facts.source(around) for name in BACKWARD)


def _fix(call: cst.Call, around: cst.CSTNode | None, facts: Facts) -> Fix[Edit] | None:
    """The `with` ends above the backward pass; what follows comes behind it."""
    match around:
        case cst.With(items=[_], body=cst.IndentedBlock(body=body, footer=[])):
            pass
        case _:
            return None
    first = _place_in(body, call, facts)
    kept, moved = body[:first], body[first:]
    if not kept or any(isinstance(each, (cst.For, cst.While)) for each in moved[:1]) or _runs_model(moved, facts):
        return None
    shorter = around.with_changes(body=around.body.with_changes(body=kept), leading_lines=[])
    text = cst.Module([]).with_changes(body=[shorter, *moved]).code
    return Fix("End the `with` above the backward pass", (Replace(around, text),), Safety.UNSAFE)


def _place_in(body: Sequence[cst.BaseStatement], call: cst.Call, facts: Facts) -> int:
    """Which statement of a block holds a call."""
    above: cst.CSTNode | None = call
    while above is not None and all(each is not above for each in body):
        above = facts.parent(above)
    return next(index for index, each in enumerate(body) if each is above)


def _runs_model(statements: Sequence[cst.BaseStatement], facts: Facts) -> bool:
    """Whether statements run a module, or a function that gives a tensor with a gradient."""
    small = (
        part for each in statements for part in (each.body if isinstance(each, cst.SimpleStatementLine) else [each])
    )
    return any(facts.ask(match.runs_model, each) for each in small)
