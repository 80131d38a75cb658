from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.transfer.workers_restart_each_epoch import match

SINCE = (1, 7)
"""The torch that has `persistent_workers`."""


@rule(
    "TPL210",
    names=("DataLoader",),
    screen=match.restarts,
    fix=Safety.UNSAFE,
    impact=Faster("for an epoch of a few batches"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """The workers of a loader end with each epoch, and are started anew for the next.

    Each pass through a loader starts its workers: they are forked or spawned, import what they need, get a copy of the dataset,
    and fill their queue, and only then comes the first batch. With `persistent_workers=True` they stay for the next pass.

    Why
    ---
    At the beginning of each epoch, and of each validation, the GPU waits for that. Where an epoch is short, or the dataset
    large or slow to open, it is a good part of the time.

    Instead
    -------
    `persistent_workers=True`, or `persistent_workers=workers > 0` where the number is a setting that may be 0.

    When it is fine
    ---------------
    A loader that is gone through once, datasets that are changed between epochs (workers that stay have the old one), and
    loaders that say `worker_init_fn`, which would no longer run: none of these is reported. Only loaders are of which it is
    seen that they are gone through more than once. How long an epoch is nobody can see, so it is a hint that fails no run.

    Fix safety
    ----------
    The workers stay alive between epochs and keep their memory. Random numbers differ from what they were: one seed
    less is drawn for each epoch.
    """
    if facts.settings.target < SINCE or not facts.ask(match.restarts, call) or match.is_changed(facts):
        return
    if facts.ask(match.is_passed_often, call):
        yield Draft(
            call.func,
            "the workers are started anew at each pass: say `persistent_workers=True`",
            fix=_fix(call, facts),
            about=call,
            is_hint=True,
        )


def _fix(call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    given, told = facts.ask(match.workers, call), facts.given(call, "num_workers", 5)
    if given is None or told is None:
        return None
    text = "True" if isinstance(given.const, int) else f"{facts.operand(told)} > 0"
    return Fix(
        "Keep the workers", (Replace(call, facts.with_arguments(call, call, persistent_workers=text)),), Safety.UNSAFE
    )
