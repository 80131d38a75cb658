from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Findings, Fix, InsertBefore, Safety, Wrong, rule
from torchperf_lint.rules.distributed.sampler_without_set_epoch import match


@rule(
    "TPL806",
    names=("DistributedSampler",),
    screen=match.shuffles,
    fix=Safety.UNSAFE,
    impact=Wrong("every epoch sees the items in the same order"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A `DistributedSampler` that is never told which epoch it is gives the same order in each.

    It shuffles with a generator that is seeded with `seed + epoch`, so that all ranks draw the same order and each takes its
    part of it. The epoch is 0 until somebody calls `set_epoch`.

    Why
    ---
    Training data that come in the same order, in the same batches, at every epoch train worse, and nothing says so. It
    is a common mistake: code that worked on one GPU with `shuffle=True` loses its shuffling on the way to several.

    Instead
    -------
    `sampler.set_epoch(epoch)` at the beginning of each epoch, before the loader is asked for its batches.

    When it is fine
    ---------------
    Without shuffling, for an evaluation, or where a framework does it (Lightning, accelerate, ignite, ...): none of these is
    reported. Only where the loop over epochs is in the same file, and nothing in it mentions `set_epoch`, is it said.

    Fix safety
    ----------
    The order of the items, and so the training, becomes another one from the second epoch on, which is the point.
    """
    if not facts.ask(match.shuffles, call) or facts.mentions("set_epoch") or facts.imports(*match.DRIVERS):
        return
    epochs = facts.ask(match.epochs, call)
    if epochs is None:
        return
    yield Draft(
        call,
        "every epoch sees the items in the same order: nothing calls `set_epoch` of this sampler",
        fix=_fix(epochs, facts),
        about=call,
    )


def _fix(epochs: match.Epochs, facts: Facts) -> Fix[Edit] | None:
    if epochs.sampler is None:
        return None
    line = f"{epochs.sampler}.set_epoch({epochs.number})"
    return Fix("Tell it the epoch", (InsertBefore(facts.node(epochs.first), line),), Safety.UNSAFE)
