from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Fix, Replace, Safety, rule

SINCE = {"checkpoint": (1, 11), "checkpoint_sequential": (2, 0)}
"""The first torch whose function takes `use_reentrant`; an older one raises."""


@rule("TPL406", names=("checkpoint", "checkpoint_sequential"), fix=Safety.UNSAFE)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Checkpointing does not say which of its two ways it means, and gets the one with traps.

    Without `use_reentrant=` torch warns, and takes the older way, with `use_reentrant=True`.

    Why
    ---
    The older way records nothing in the forward pass. If no tensor that it is given needs a gradient, as the images that a
    model begins with, the weights inside get none, and are never trained. It runs a backward pass inside of the backward
    pass, stores the state of the random numbers of all devices, and does not go with `torch.autograd.grad`.

    Instead
    -------
    `checkpoint(block, x, use_reentrant=False)`. Whether checkpointing pays at all, only memory can tell: a layer takes
    about a third longer with it.

    When it is fine
    ---------------
    Where `use_reentrant` is given, or hidden in `**settings`: that is not reported. Nor is it where torch
    may be older than that argument, which came with 1.11, and with 2.0 for `checkpoint_sequential`.

    Fix safety
    ----------
    Weights that had no gradient have one then. Hooks and `detect_anomaly` see the block as part of the graph.
    """
    path, _, name = (facts.name(call.func) or "").rpartition(".")
    if path != "torch.utils.checkpoint" or facts.settings.target < SINCE.get(name, (99,)):
        return
    if facts.given(call, "use_reentrant") is not None or any(arg.star == "**" for arg in call.args):
        return
    text = facts.with_arguments(call, call, use_reentrant="False")
    fix = Fix("Say `use_reentrant=False`", (Replace(call, text),), Safety.UNSAFE)
    yield Draft(call, "checkpointing falls back to its older way, which has traps: say `use_reentrant=False`", fix=fix)
