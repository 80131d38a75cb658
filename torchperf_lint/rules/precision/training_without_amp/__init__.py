from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule
from torchperf_lint.rules.precision.training_without_amp import match


@rule(
    "TPL303",
    names=("backward",),
    frequency=Frequency.STEP,
    screen=match.trains_in_float32,
    default=False,
    impact=Faster("for a step of wide linear layers"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A program trains in float32 throughout, where autocast would compute most of it in half precision.

    Why
    ---
    Tensor cores multiply numbers of half precision twice as fast as TF32 and many times as fast as float32, and activations
    take half of the memory.

    Instead
    -------
    `with torch.autocast("cuda", torch.bfloat16):` around the forward pass and the loss, not around `backward()`. Autocast keeps
    sums, norms and losses in float32 by itself. With float16 a `GradScaler` is needed as well; bfloat16 needs none.
    For convolutions add `channels_last`, without which the gain is small.

    When it is fine
    ---------------
    Small networks, whose time is that of launches, and results that need digits. Whether a program gains, and whether its
    results stay, only a run can tell, so the rule is off by default and always a hint. Programs that a framework runs,
    reinforcement learning, float64, decompositions of matrices and libraries are not reported, nor are those with a `BCELoss`,
    which autocast refuses.
    """
    if not facts.ask(match.trains_in_float32, call) or facts.loop(call) is None or facts.gated(call):
        return
    if not facts.may_use_gpu():
        return
    message = 'the steps compute in float32: try `torch.autocast("cuda", torch.bfloat16)` around the forward pass'
    yield Draft(call, message, is_hint=True)
