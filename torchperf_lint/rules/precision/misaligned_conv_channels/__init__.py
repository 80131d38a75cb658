from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Fact, Facts, Faster, Findings, rule
from torchperf_lint.rules.precision.misaligned_conv_channels import match

UNITS = {"half": 8, "open": 8, "tf32": 4}
UNSAID = ("open", "tf32")
"""Precisions of files in which nothing asks for half: every size is reported there only where one asks for all."""


@rule(
    "TPL309",
    names=("Conv2d",),
    screen=match.may_be_misaligned,
    needs="`alignment-min-dim`",
    impact=Faster("for that layer alone"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A convolution has a number of channels that is not a multiple of 8, so it runs on slower kernels.

    The fast kernels for half precision load 8 channels of a pixel at once. Height and width of the image may be what they
    like, and so may the batch.

    Why
    ---
    Measured on an H200 in half precision: with channels_last, 63 instead of 64 input channels take 1.7 times as long, 65
    instead of 72 output channels 1.6 times, and 100 to 100 instead of 104 to 104 1.7 times. With the usual layout it is
    1.1 times. The three channels of a first layer cost nothing.

    Instead
    -------
    Use multiples of 8 for the channels inside of the network.

    When it is fine
    ---------------
    For the first layer, heads of few channels, the last layer of a module, whose channels the task gives, grouped and
    depthwise convolutions, compiled models, and weights that others trained: none of these is reported, nor are
    convolutions in float32 or TF32, for which no cost was measured, nor those of files that name no half precision.
    `alignment-min-dim` sets the smallest number of channels that is; with 1, every one is, whatever gives it.
    """
    least, precision = facts.settings.minimum[1], facts.ask(match.precision, call)
    unit = UNITS.get(precision)
    if (
        unit is None
        or facts.name(call.func) != "torch.nn.Conv2d"
        or not facts.may_use_gpu()
        or _is_grouped(call, facts)
    ):
        return
    if least > 1 and (precision in UNSAID or not facts.has_free_shapes(call)):
        return
    nodes = [facts.given(call, name, index) for index, name in enumerate(("in_channels", "out_channels"))]
    known = [facts.size(node) if node is not None else Fact(0) for node in nodes]
    for node, size, other in zip(nodes, known, reversed(known), strict=True):
        if node is None or not size.known or not size.value % unit or (least > 1 and _is_given(node, facts)):
            continue
        if least > 1 and node is nodes[1] and facts.ask(match.gives_result, call):
            continue
        if _reaches(size, least) and _reaches(other, least):
            yield Draft(node, _message(size.value, other, unit, facts), because=(size,), about=call)


def _is_grouped(call: cst.Call, facts: Facts) -> bool:
    """Whether the channels are, or may be, split into groups."""
    groups = facts.given(call, "groups", 6)
    return any(arg.star for arg in call.args) or (groups is not None and facts.constant(groups) != 1)


def _is_given(node: cst.BaseExpression, facts: Facts) -> bool:
    """Whether the name of a size says that it is not free."""
    return match.is_given_by_task(facts.source(node).rpartition(".")[2])


def _reaches(size: Fact[int], least: int) -> bool:
    return size.value >= least if size.known else least <= 1


def _message(size: int, other: Fact[int], unit: int, facts: Facts) -> str:
    """What is wrong with a number of channels, what it would better be, and what that was measured to cost."""
    better = -(-size // unit) * unit
    start = f"{size} channels are not a multiple of {unit}"
    if unit == 4:
        return f"{start}; next: {better} (what it costs in TF32 was not measured)"
    if min(size, other.value if other.known else 0) < 32:
        return f"{start}; next: {better} (so few were measured to cost next to nothing)"
    if facts.mentions("channels_last"):
        return f"{start}: with channels_last it takes 1.7 times as long as with {better}"
    return f"{start}: 1.1 times the time of {better}, and 1.7 times with channels_last"
