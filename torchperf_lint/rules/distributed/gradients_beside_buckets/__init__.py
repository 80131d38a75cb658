from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.distributed.gradients_beside_buckets import match

SINCE = (1, 7)
"""The torch that has `gradient_as_bucket_view`."""


@rule("TPL807", names=("DistributedDataParallel",), screen=match.copies, fix=Safety.UNSAFE)
def check(call: cst.Call, facts: Facts) -> Findings:
    """`DistributedDataParallel` holds all gradients twice.

    It averages gradients in buckets, flat tensors of 25 MB, and by default each gradient is copied into its bucket and back.
    With `gradient_as_bucket_view=True` the gradients *are* views of the buckets.

    Why
    ---
    The second copy takes as much memory as the gradients: 4 bytes for each parameter that trains in float32. Where
    gradients are kept between steps (`zero_grad(set_to_none=False)`), the copies take time as well, little of it.

    Instead
    -------
    Pass `gradient_as_bucket_view=True`.

    When it is fine
    ---------------
    Where gradients are replaced (`p.grad = ...`), laid aside by amp of apex, or detached in place, a view cannot stand in for
    them; that is not reported, nor are groups of gloo on the CPU, calls whose arguments come from settings, and projects that
    allow a torch older than 1.7.

    Fix safety
    ----------
    The numbers are the same. Who keeps `p.grad` itself over a step, and no copy of it, sees it change; `detach_()` of a gradient
    raises.
    """
    if facts.settings.target >= SINCE and facts.ask(match.copies, call) and facts.may_use_gpu():
        text = facts.with_arguments(call, call, gradient_as_bucket_view="True")
        fix = Fix("Make the gradients views of the buckets", (Replace(call, text),), Safety.UNSAFE)
        message = "all gradients are held twice: `gradient_as_bucket_view=True` makes them views of the buckets"
        yield Draft(call.func, message, fix=fix, about=call)
