from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.fusion.conv_bias_before_batchnorm import match


@rule(
    "TPL609",
    names=match.CONVOLUTIONS,
    screen=match.is_cancelled,
    default=False,
    fix=Safety.UNSAFE,
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A convolution adds a bias that the normalisation behind it takes off again.

    `BatchNorm` subtracts the mean of each channel, and with it whatever number was added to the channel. The bias has no
    effect on what the model gives, its gradient is zero but for rounding, and the normalisation has a bias of its own.

    Why
    ---
    The gradient of the bias sums the whole gradient of the output once more. Seen on an H200, forward and backward of a
    convolution, its normalisation and a ReLU: 1.05 times as fast without the bias (1.04 to 1.07) for 16 images of 256 by 256,
    and no more than noise for smaller ones. So it is a hint.

    Instead
    -------
    `nn.Conv2d(..., bias=False)`.

    When it is fine
    ---------------
    Where something stands between the two, where another layer reads the convolution as well, for `GroupNorm` and `LayerNorm`,
    whose mean is over more than a channel, and for weights that others trained: that is not reported. In a model that only
    runs for inference the two are better folded into one.

    Fix safety
    ----------
    A checkpoint of the model has a `bias` that is no longer there, and in evaluation that bias is part of what the running
    mean holds: change models that are trained anew. Code that fills `layer.bias` must ask whether there is one.
    """
    if not facts.ask(match.is_cancelled, call) or not facts.may_use_gpu():
        return
    fix = Fix("Leave the bias out", (Replace(call, facts.with_arguments(call, call, bias="False")),), Safety.UNSAFE)
    message = "the normalisation behind it takes the bias off again: say `bias=False`"
    yield Draft(call, message, fix=fix, is_hint=True)
