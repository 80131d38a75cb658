from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Findings, Fix, InsertBefore, Safety, rule
from torchperf_lint.rules.distributed.accumulation_without_no_sync import match


@rule("TPL803", among=match.passes, screen=match.accumulates, fix=Safety.UNSAFE)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Gradients are added up over several batches, and averaged over the ranks at each of them.

    `DistributedDataParallel` averages the gradients over all ranks in every backward pass. Where the optimizer steps once in
    k batches, only the last of these averages is needed: a sum of averages is the average of the sums.

    Why
    ---
    k - 1 of k averages move all gradients between the GPUs for nothing. The backward pass hides some of that, and more of it
    the faster the GPUs are linked; between hosts it can be most of a step.

    Instead
    -------
    Forward *and* backward of all batches but the last belong into `with model.no_sync():`, for it is the forward pass that
    tells the reducer what to wait for:

        with nullcontext() if boundary else model.no_sync():
            loss = criterion(model(x), y) / k
            loss.backward()

    `model.require_backward_grad_sync = boundary` in front of the forward pass says the same without a block: it is the switch
    that `no_sync` turns. `fully_shard` has `model.set_requires_gradient_sync(boundary)`.

    When it is fine
    ---------------
    FSDP keeps the whole gradients of a rank where it does not reduce them: there it trades memory for time, so it is only a
    hint. Where Lightning, accelerate, DeepSpeed or another framework drives the training, nothing is reported: they have
    switches of their own (`accelerator.accumulate`), and Lightning and DeepSpeed use them by themselves. Accelerate does not:
    `for _ in range(n): accelerator.backward(loss / n)` is a hint, where the file has no switch; it costs nothing where one process
    runs. Of other loops those whose boundary is not a `%` are not seen.

    Fix safety
    ----------
    The sums are rounded in another order. Whoever reads the gradients between two steps sees those of their own rank. The
    switch keeps its last value when the loop ends; where the last batches of an epoch do not fill a step, a backward pass
    elsewhere must set it again.
    """
    if facts.ask(match.by_accelerate, call):
        message = "accelerate reduces the gradients of several processes at every turn, and the step comes after all"
        yield Draft(call, message, is_hint=True)  # where there is one process, nothing is reduced
        return
    found = facts.ask(match.of, call)
    if found is None or facts.mentions(*match.SWITCHES) or facts.imports(*match.DRIVERS):
        return
    message = "gradients are averaged at every batch and used after several: all but the last belong in `no_sync`"
    if found.how != "ddp":
        message = "gradients are reduced over the ranks at every batch, and used after several"
    yield Draft(call, message, fix=_fix(found, facts), is_hint=found.how != "ddp")


def _fix(found: match.Found, facts: Facts) -> Fix[Edit] | None:
    if found.first is None or found.how == "fsdp" or facts.mentions("compile"):
        return None  # a compiled model hands on no attribute that is set on it
    model, test = facts.source(facts.node(found.model)), facts.source(facts.node(found.test))
    line = f"{model}.require_backward_grad_sync = {test}"
    if found.how == "fully_shard":
        line = f"{model}.set_requires_gradient_sync({test})"
    return Fix("Synchronise where the optimizer steps", (InsertBefore(facts.node(found.first), line),), Safety.UNSAFE)
