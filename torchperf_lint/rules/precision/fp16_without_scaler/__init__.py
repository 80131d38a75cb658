from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Wrong, rule
from torchperf_lint.rules.precision.fp16_without_scaler import match


@rule("TPL304", names=("backward",), screen=match.may_be_half, impact=Wrong("small gradients become zero"))
def check(call: cst.Call, facts: Facts) -> Findings:
    """A loss computed in float16 is not scaled before its backward pass, so small gradients become zero.

    Under autocast with float16, which is what CUDA gets when no dtype is named, the gradients of matrix products and
    convolutions are float16 as well. What is smaller than about 6e-8 is zero there. A model that was cast with `.half()`
    has the same trouble, and a worse one: its parameters are float16 too, and small updates round to nothing.

    Why
    ---
    Gradients are often far smaller than the activations they belong to. Those that underflow are lost without an error:
    the model learns, only worse, and the larger it is the worse. A gradient scaler multiplies the loss by a large power
    of two, divides the gradients by it before the step, and skips steps that overflowed.

    Instead
    -------
    Use bfloat16 where the GPU has it (`torch.autocast("cuda", dtype=torch.bfloat16)`): it has the range of float32 and
    needs no scaler. Else `scaler = torch.amp.GradScaler("cuda")`, and in each step `scaler.scale(loss).backward()`,
    `scaler.step(optimizer)`, `scaler.update()`. Each loss has to be scaled, not only one of them.

    When it is fine
    ---------------
    With bfloat16, when the loss is scaled in another way, and when the choice between this backward pass and one with a
    scaler is made at run time: none of these is reported. Nor is a backward pass near which nothing steps: gradients that are
    compared, or timed, train no model.
    """
    if not isinstance(call.func, cst.Attribute) or not facts.may_use_gpu():
        return
    loss = call.func.value
    value, autocast = facts.tensor(loss), facts.ask(match.autocast, loss)
    if not value.known or facts.ask(match.is_scaled, loss) or not facts.steps_near(call):
        return
    if autocast.known:
        if autocast.value.dtype == "float16":
            message = "the loss is computed in float16 and not scaled: gradients below 6e-8 become zero"
            yield Draft(facts.spot(call), message, because=(autocast, value))
        return
    model = facts.ask(match.half_module, loss)
    if model.known and not match.keeps_masters(facts):
        message = "the parameters are float16 and the loss is not scaled: small gradients and updates are lost"
        yield Draft(facts.spot(call), message, because=(model, value))
