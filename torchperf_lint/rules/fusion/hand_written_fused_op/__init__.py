from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.fusion.hand_written_fused_op import match

OF_LOSSES = ("log_softmax", "softplus")
"""What losses are made of, whose tensors are small beside those of the layers: a hint."""
ONE_KERNEL_SINCE = {"rms_norm": (2, 9)}
"""Before that torch, the operation is made of the same steps as the formula."""

TAKEN = (None, "floating", "float16", "bfloat16", "float32", "float64")
"""What every fused operation takes: whole numbers and complex ones go through a formula, where it may raise."""


@rule(
    "TPL601",
    names=match.NAMES,
    screen=match.is_form,
    fix=Safety.UNSAFE,
    impact=Faster("for that operation alone", many=True),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """An activation or a norm is written out, where torch has one operation for it.

    Each step of a formula reads a whole tensor from memory and writes a whole one back, and most are kept for the backward
    pass. One operation reads and writes once.

    Why
    ---
    Such operations do next to no arithmetic: they take as long as moving their tensors does. Six steps move them six times,
    and hold six of them in memory until the backward pass.

    Instead
    -------
    | written out | one operation |
    |---|---|
    | `0.5 * x * (1 + torch.erf(x / math.sqrt(2)))` | `F.gelu(x)` |
    | the same with `tanh` and 0.044715 | `F.gelu(x, approximate="tanh")` |
    | `x * torch.sigmoid(x)` | `F.silu(x)` |
    | `x * torch.tanh(F.softplus(x))` | `F.mish(x)` |
    | `1 / (1 + torch.exp(-x))` | `F.sigmoid(x)` |
    | `torch.log(1 + torch.exp(x))` | `F.softplus(x)`, which does not overflow |
    | `torch.log(torch.softmax(x, -1))` | `F.log_softmax(x, -1)`, which does not underflow |
    | `x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)` | `F.rms_norm(x, x.shape[-1:], eps=eps)`, since torch 2.4 |
    | `(x - mean) / torch.sqrt(var + eps)` over the last dimension | `F.layer_norm(x, x.shape[-1:], eps=eps)` |

    When it is fine
    ---------------
    In code that is compiled, which fuses it; on the CPU; where a file has the fused operation as well; in a
    `torch.autograd.Function`: none of these is reported. A standard deviation with `unbiased=True`, or `eps` outside of the
    root, is another function than `layer_norm`, and is not reported either. Where nothing in sight runs it at every step
    it is a hint, and so are logarithms, which stand in losses, and `rms_norm` in a project that supports a torch before 2.9, which
    makes it of the same steps.

    `1 / (1 + torch.exp(-x))` was measured by hand, on an NVIDIA H100 80GB HBM3 with torch 2.11.0+cu130 (2026-11-26): of
    4,096 by 4,096 numbers it took 4.8 times as long as `sigmoid` alone, and 4.0 times (3.8 to 4.1) with the backward pass; of 512 by
    512 numbers 5.7 and 1.8 times (1.8 to 2.1).

    Fix safety
    ----------
    The results differ by rounding. The fused norms compute in float32 inside, whatever dtype they are given. `softplus` is
    linear above 20.
    """
    form = facts.ask(match.form, call)
    if form is None or not facts.may_use_gpu() or facts.in_compiled(call) or facts.runs_seldom(call):
        return
    tensor = facts.value_at(form.of)
    if tensor.known and (tensor.value.kind != "tensor" or tensor.value.on_host):
        return
    whole = facts.node(form.whole)
    written = facts.spelling(f"torch.nn.functional.{form.fused}")
    fix: Fix[Edit] | None = None
    if written is not None and form.is_inline and (not tensor.known or tensor.value.dtype in TAKEN):
        text = f"{written}({facts.source(facts.node(form.of))}{form.arguments})"
        fix = Fix(f"Use `{form.fused}`", (Replace(whole, text),), Safety.UNSAFE)
    message = f"each step of this formula moves its tensor through memory: `F.{form.fused}` is one operation"
    is_hot = facts.frequency(call).value >= Frequency.INFERENCE and not facts.gated(call)
    is_one_kernel = facts.settings.target >= ONE_KERNEL_SINCE.get(form.fused, (0, 0))
    is_hint = not is_hot or form.fused in OF_LOSSES or not is_one_kernel
    yield Draft(whole, message, because=(tensor,) if tensor.known else (), fix=fix, is_hint=is_hint)
