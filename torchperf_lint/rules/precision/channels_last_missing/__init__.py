from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, rule
from torchperf_lint.rules.precision.channels_last_missing import match


@rule(
    "TPL310",
    names=("to", "cuda"),
    screen=match.moves_network,
    impact=Faster("for convolutions, BatchNorm and ReLU in bfloat16", only={"dtype": ("bfloat16",)}),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A model of convolutions is trained in half precision with its channels apart in memory.

    Tensor cores want the channels of a pixel side by side. With torch's usual layout, NCHW, each convolution in half precision
    turns its input over and its output back.

    Why
    ---
    Autocast alone gains little for convolutions; with `channels_last` it gains what tensor cores can give.

    Instead
    -------
    `model = model.to(memory_format=torch.channels_last)`, before the training. The inputs may stay as they are.

    When it is fine
    ---------------
    For depthwise convolutions, few channels, transformers, and where the model uses `.view` on images, which needs `.reshape`
    then. One public program became slower with it. So this is always a hint: measure. Programs in float32, libraries,
    compiled models and files that name a memory format are not reported.
    """
    if not facts.ask(match.moves_network, call) or not facts.may_use_gpu():
        return
    message = "convolutions in half precision: say `model.to(memory_format=torch.channels_last)`, and measure"
    yield Draft(call, message, is_hint=True)
