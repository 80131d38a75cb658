from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule
from torchperf_lint.rules.fusion.foldable_linears import match


@rule(
    "TPL610",
    names=("Linear", "sigmoid", "Sigmoid"),
    screen=match.may_fold,
    impact=Faster("for these layers alone"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Two linear layers do what one can: in a row with nothing between, or on one input behind a gate.

    Why
    ---
    Two linear layers in a row are one, whose weight is the product of both: they can do no more, and take more time, unless
    the width between them is a bottleneck. It is more often a forgotten activation. Two layers that read the same input are
    two launches of a smaller product each, and read the input twice.

    Instead
    -------
    An activation between the two, or one layer. For a gate, `F.glu(self.both(x))` with one layer of twice the width:
    `F.glu` multiplies the first half with the sigmoid of the second.

    When it is fine
    ---------------
    Low-rank layers such as LoRA, whose width between is smaller than both others, and layers whose sizes nobody knows: that is
    not reported.
    """
    if not facts.may_use_gpu() or facts.in_compiled(call):
        return
    if facts.ask(match.next_layer, call) is not None:
        message = "two linear layers with nothing between are one: an activation is missing, or a layer too much"
        yield Draft(call, message, is_hint=True)
        return
    whole = facts.find(match.gated, call)
    if whole is None:
        return
    is_hot = facts.frequency(call).value >= Frequency.INFERENCE
    message = "a gate of two linear layers on one input: one layer of twice the width, and `F.glu`"
    yield Draft(whole, message, is_hint=not is_hot)
