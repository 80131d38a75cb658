from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule
from torchperf_lint.rules.fusion.explicit_causal_mask import match


@rule(
    "TPL604",
    names=("scaled_dot_product_attention",),
    screen=match.has_causal_mask,
    impact=Faster("for attention alone", many=True),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Attention is given a causal mask as a tensor, where `is_causal=True` says the same.

    Why
    ---
    The fastest kernels for attention take no mask. With `is_causal=True` they leave out the half of the work that a causal mask
    forbids; with a tensor a slower kernel does all of it, and reads the mask for each head.

    Instead
    -------
    `F.scaled_dot_product_attention(q, k, v, is_causal=True)`, without `attn_mask`.

    When it is fine
    ---------------
    Where the mask says more: padding, a window, documents in one sequence. Only masks that are seen to be square triangles
    are reported. With keys of earlier steps in a cache there are more keys than queries, and `is_causal=True` would line up
    the first of both.
    """
    mask = facts.find(match.mask, call)
    if mask is None or not facts.may_use_gpu() or facts.runs_seldom(call):
        return
    is_hot = facts.frequency(call).value >= Frequency.INFERENCE and not facts.gated(call)
    message = "the mask is causal and nothing else: `is_causal=True` lets a faster kernel skip half of the work"
    yield Draft(mask, message, about=call, is_hint=not is_hot)
