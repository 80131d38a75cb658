from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, rule
from torchperf_lint.rules.distributed.needless_buffer_broadcast import match


@rule("TPL811", names=("DistributedDataParallel",), screen=match.are_equal_anyway)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Buffers are broadcast at every step that are equal on all ranks.

    `DistributedDataParallel` sends the buffers of rank 0 to all others in front of every forward pass: the running statistics of
    batch norms. `SyncBatchNorm` computes these over all ranks, so each rank has the same already.

    Why
    ---
    The broadcast stands between two steps, where nothing else runs.

    Instead
    -------
    Pass `broadcast_buffers=False`.

    When it is fine
    ---------------
    With plain batch norms the ranks would drift apart. It is reported only where the model is seen to be converted to
    `SyncBatchNorm` on every way to the call, and comes from torchvision or from a class that makes batch norms, in a file
    that registers no buffers.
    """
    if facts.ask(match.are_equal_anyway, call) and facts.may_use_gpu():
        yield Draft(
            call.func,
            "buffers that `SyncBatchNorm` keeps equal are broadcast at every step: `broadcast_buffers=False`",
            about=call,
        )
