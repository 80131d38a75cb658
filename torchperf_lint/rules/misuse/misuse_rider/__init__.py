from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Findings, Fix, Replace, Safety, Wrong, rule
from torchperf_lint.rules.misuse.misuse_rider import match


@rule(
    "TPL901",
    names=("to", "device", "DataLoader", *match.RENAMED),
    screen=match.may_slip,
    fix=Safety.UNSAFE,
    impact=Wrong("the program stops, or the model is given something else than its batch"),
)
def check(node: cst.Call | cst.For, facts: Facts) -> Findings:
    """A slip that stops the program: the loader instead of its batch, or a device that is none.

    Why
    ---
    `model(loader)` in a loop over that loader hands the model the loader itself. `"gpu"` is no device of torch, whose name
    for it is `"cuda"`: the call raises an error, on every machine.

    Instead
    -------
    `model(batch)`; `x.to("cuda")`. `torch.cuda.reset_max_memory_allocated()` is an old name of
    `torch.cuda.reset_peak_memory_stats()`, which sets all peaks back: that is a hint.

    When it is fine
    ---------------
    Where the loader is given to a function that goes through it. Only what a model is called with is reported, and devices that
    are written in the call.

    Fix safety
    ----------
    The new name does what the old one did. With `"cuda"` for `"gpu"` a line runs that did not run before.
    """
    if isinstance(node, cst.For):
        loader = facts.ask(match.loader_as_batch, node)
        if loader is not None:
            yield Draft(facts.node(loader), "the model is given the loader, not the batch that came out of it")
        return
    device = facts.ask(match.no_device, node)
    if device is not None:
        text = facts.node(device)
        fix: Fix[Edit] | None = Fix(
            'Say "cuda"', (Replace(text, facts.source(text).replace("gpu", "cuda")),), Safety.UNSAFE
        )
        yield Draft(text, 'torch has no device "gpu": its name is "cuda"', fix=fix)
    elif facts.ask(match.is_renamed, node):
        old = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        new = "reset_peak_memory_stats"
        fix = (
            Fix("Use the new name", (Replace(old, new),), Safety.UNSAFE)
            if isinstance(node.func, cst.Attribute)
            else None
        )
        yield Draft(node, f"an old name of `torch.cuda.{new}`, which sets all peaks back", fix=fix, is_hint=True)
