from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.precision.slow_inference_precision import match


@rule(
    "TPL311",
    names=("scaled_dot_product_attention",),
    frequency=Frequency.INFERENCE,
    screen=match.is_widened,
    default=False,
    fix=Safety.UNSAFE,
    impact=Faster("for that attention alone"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Queries, keys and values are made float32 for attention that half precision would give as well.

    `F.scaled_dot_product_attention(q.float(), k.float(), v.float()).to(x.dtype)` leaves the kernels for half precision aside,
    which add up in float32 anyway.

    Why
    ---
    FlashAttention knows half precision alone. Products of float32 run without the tensor cores, three copies of twice the size are
    made before, and the result is rounded to half precision behind.

    Instead
    -------
    Give it the tensors as they are. In inference the same holds for a whole model: weights that are bfloat16 once,
    `model.to(torch.bfloat16)`, need not be cast at each call, as autocast does.

    When it is fine
    ---------------
    Where scores are larger than what float16 can hold. Nothing is said in training steps, nor where nothing shows that the tensors
    were half precision: that they or the result are cast back does.

    Fix safety
    ----------
    Queries, keys and values are multiplied as they are, so that the result differs in the last digits of half precision.
    """
    if not facts.may_use_gpu() or facts.in_compiled(call) or facts.in_training_step(call) or facts.gated(call):
        return
    casts = facts.ask(match.casts, call)
    if not casts or facts.runs_seldom(call):
        return
    fix = None
    if len(call.args) == len(casts):  # a mask would have to be of the same dtype
        edits = tuple(Replace(facts.node(cast), facts.source(facts.node(held))) for cast, held in casts)
        fix = Fix("Leave them as they are", edits, Safety.UNSAFE)
    yield Draft(call, "attention in float32 of what was half precision: leave out the casts", fix=fix)
