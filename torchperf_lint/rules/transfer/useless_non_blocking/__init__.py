from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule
from torchperf_lint.rules.transfer.useless_non_blocking import match


@rule(
    "TPL207",
    names=("to", "cuda"),
    frequency=Frequency.INFERENCE,
    screen=match.is_pageable,
    default=False,
    impact=Faster("for the copy of 64 MB, with `.pin_memory()` before it"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A copy is asked not to block, but its source is ordinary memory, from which it blocks all the same.

    `non_blocking=True` has an effect where the source is page-locked. From pageable memory the driver copies through a buffer of
    its own, and the host waits until the last part has left.

    Why
    ---
    The line says that the copy runs beside other work, and it does not.

    Instead
    -------
    Have the loader page-lock its batches, `DataLoader(..., pin_memory=True)`. `x.pin_memory().to(device, non_blocking=True)` in
    the step itself copies twice, and whether that is faster depends on the machine: `torchperf-lint verify TPL207` tells of yours.

    When it is fine
    ---------------
    For copies of a few kilobytes, which do not block. It does no harm, so the rule is off unless you ask for it. Batches of a loader
    are TPL204's.
    """
    move = facts.move(call)
    if not isinstance(call.func, cst.Attribute) or not move.has_device or move.vague or not move.sure:
        return
    if move.non_blocking is not True or move.device in ("cpu", "pinned", "other") or not facts.may_use_gpu():
        return
    held = facts.tensor(call.func.value)
    if not held.known or not facts.ask(match.is_pageable, call):
        return
    if not facts.gated(call) and not facts.runs_seldom(call):
        message = "`non_blocking=True` has no effect: the source is pageable, and the host waits for the copy"
        yield Draft(facts.spot(call), message, because=(held,))
