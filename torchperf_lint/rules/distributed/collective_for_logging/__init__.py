from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Frequency, rule
from torchperf_lint.rules.distributed.collective_for_logging import match


@rule("TPL804", names=("all_reduce", "reduce", "barrier"), frequency=Frequency.STEP, screen=match.is_for_nothing_else)
def check(call: cst.Call, facts: Facts) -> Findings:
    """All ranks meet at every step for a number that is only logged, or for nothing at all.

    An `all_reduce` or `reduce` of a loss that is printed, a `barrier` in the loop.

    Why
    ---
    A collective waits for the slowest rank, and the gradients are averaged at every step anyway. A `barrier` makes the host wait
    too, until the GPU has nothing left to do, and so does whoever reads the number that came out.

    Instead
    -------
    Average what is logged every so many steps, behind a condition that is the same on all ranks (behind one that holds on a
    single rank the program hangs), or add it up on the GPU and average the sum. A `barrier` belongs
    behind what one rank does and the others wait for: a download, a checkpoint.

    When it is fine
    ---------------
    A number on which the program acts, every rank the same, is no logging. Collectives behind a condition such as
    `if step % 100 == 0`, in evaluations, over a group of gloo, and beside a clock that is read, are not reported.
    """
    if not facts.ask(match.is_for_nothing_else, call) or not facts.may_use_gpu():
        return
    if facts.ask(match.is_timed, call) or not facts.in_training_step(call):
        return
    message = "all ranks meet at every step for a number that is only logged"
    if facts.ask(match.is_barrier, call):
        message = "a barrier at every step: all ranks wait for the slowest, and each host for its GPU"
    yield Draft(call, message)
