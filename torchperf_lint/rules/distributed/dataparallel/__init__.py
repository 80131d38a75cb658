from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, rule
from torchperf_lint.rules.distributed.dataparallel import match


@rule("TPL801", names=("DataParallel",), screen=match.trains_on_several)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Training runs on several GPUs with `nn.DataParallel`, from one process.

    `DataParallel` copies the model from the first GPU to all others at every forward pass, runs a thread for each, gathers the
    outputs on the first GPU, and adds the gradients up there.

    Why
    ---
    The weights travel at every step, the threads share one interpreter and its lock, and the first GPU does work and holds
    memory that the others do not. `DistributedDataParallel` has a process for each GPU, sends only gradients, and
    sends them while the backward pass still runs. torch's own notes on CUDA advise it even for a single machine.

    Instead
    -------
    Start a process for each GPU, `torchrun --nproc-per-node=4 train.py`, wrap the model in `DistributedDataParallel`, and give
    the loader a `DistributedSampler`. The batch size is then that of each process. A loss that
    compares the items of a batch with each other, such as a contrastive one, must gather the outputs of all processes first.

    When it is fine
    ---------------
    With a single GPU in `device_ids`, also by default, nothing is copied, and a program that has `DistributedDataParallel` too
    leaves the choice to whoever starts it: neither is reported, nor files that do not train.
    """
    if facts.ask(match.trains_on_several, call) and facts.may_use_gpu():
        yield Draft(
            call,
            "with several GPUs each gets the model at every step: `DistributedDataParallel` sends gradients",
            about=call,
        )
