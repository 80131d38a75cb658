from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Frequency, rule
from torchperf_lint.rules.distributed.collective_per_tensor import match


@rule("TPL809", names=("all_reduce", "broadcast", "reduce"), frequency=Frequency.STEP, screen=match.is_of_each)
def check(call: cst.Call, facts: Facts) -> Findings:
    """The ranks exchange each parameter, or each gradient, in a collective of its own.

    Why
    ---
    A collective takes some ten microseconds whatever it moves, most tensors of a model are small, and each call waits for the one
    before. Biases and norms travel as slowly as matrices.

    Instead
    -------
    Put them into one tensor, and exchange that:

        grads = [p.grad for p in model.parameters() if p.grad is not None]
        flat = torch.cat([g.flatten() for g in grads])
        dist.all_reduce(flat)
        torch._foreach_copy_(grads, [f.view_as(g) for f, g in zip(flat.split([g.numel() for g in grads]), grads)])

    Or let `DistributedDataParallel` average the gradients: it does so in buckets, while the backward pass still runs.

    When it is fine
    ---------------
    Once, before training, it costs nothing that counts; with `async_op=True` the calls do not wait for each other. Neither is
    reported, nor loops over anything but the parameters of a model, or a group of gloo.
    """
    if facts.ask(match.is_of_each, call) and facts.may_use_gpu() and facts.in_training_step(call):
        name = facts.ask(match.short, call)
        yield Draft(
            call, f"a `{name}` for each tensor of the model, one after the other: put them into one tensor first"
        )
