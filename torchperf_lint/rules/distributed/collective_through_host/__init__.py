from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Frequency, rule
from torchperf_lint.rules.distributed.collective_through_host import match


@rule(
    "TPL812",
    names=("all_reduce", "all_gather", "all_gather_into_tensor", "broadcast", "gather", "reduce", "send", "isend"),
    frequency=Frequency.STEP,
    screen=match.goes_through_host,
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A tensor of the GPU is copied to the host to be sent over gloo, in a program that has NCCL.

    Why
    ---
    The copy waits for the GPU, goes through pageable memory, and what arrives is copied back. NCCL sends it from GPU to GPU,
    and the host goes on.

    Instead
    -------
    Give the collective the tensor as it is, and no group of gloo.

    When it is fine
    ---------------
    Objects and metadata belong on the host, and so does what is not on the GPU anyway. It is reported only where the copy, the
    group of gloo and the backend NCCL are all in the file, and the collective runs at every step.
    """
    if not facts.ask(match.goes_through_host, call):
        return
    sent = facts.value(facts.node(facts.ask(match.copied, call)))
    if facts.may_use_gpu() and facts.in_training_step(call) and sent.known and sent.value.device in ("cuda", "maybe"):
        yield Draft(call, "the tensor goes over the host and gloo: NCCL sends it from GPU to GPU", because=(sent,))
