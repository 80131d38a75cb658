from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Frequency, rule
from torchperf_lint.rules.distributed.checkpoint_on_all_ranks import match


@rule("TPL810", names=("state_dict_type", "get_model_state_dict", "get_state_dict", "save"), screen=match.may_be)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A checkpoint is gathered on every rank, or written at every step.

    A full state dict of a sharded model is gathered on each GPU, unless `rank0_only=True` and `offload_to_cpu=True` say that one
    rank wants it, on the host.

    Why
    ---
    Gathered on all ranks, the whole model stands on every GPU at once, which it was sharded to avoid: where it just fits while it
    trains, saving it runs out of memory. And a checkpoint at every step costs more than the step.

    Instead
    -------
    `FullStateDictConfig(offload_to_cpu=True, rank0_only=True)`, or `StateDictOptions(full_state_dict=True, cpu_offload=True)`.
    Better, save what each rank has, with `torch.distributed.checkpoint`. Save every so many steps.

    When it is fine
    ---------------
    A state dict that is loaded must be there on all ranks, and sharded ones are gathered by nobody: neither is reported. A save
    behind a condition such as `if step % 1000 == 0` is not reported, nor one in a program that runs as one process.
    """
    if not facts.ask(match.may_be, call) or not facts.may_use_gpu():
        return
    if facts.ask(match.gathers_everywhere, call):
        yield Draft(call, "the whole model is gathered on every GPU: one rank needs it, on the host", about=call)
        return
    is_hot = facts.frequency(call).value >= Frequency.STEP and facts.in_training_step(call)
    if facts.ask(match.is_save, call) and is_hot and not facts.gated(call):
        yield Draft(
            call, "a checkpoint is written at every step, while all ranks wait", because=(facts.frequency(call),)
        )
