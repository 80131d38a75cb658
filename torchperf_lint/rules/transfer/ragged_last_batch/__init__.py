from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, rule
from torchperf_lint.rules.transfer.ragged_last_batch import match


@rule("TPL212", names=("DataLoader",), screen=match.is_ragged, default=False)
def check(call: cst.Call, facts: Facts) -> Findings:
    """The last batch is smaller, in a program that pays for each new shape.

    A loader gives what is left over as a batch of its own. `cudnn.benchmark`, CUDA graphs and `torch.compile` with a mode that
    records them do their work once for each shape: so once more for that one.

    Why
    ---
    On an H200 the first batch of a new size took 6.6 s longer for a ResNet-50 and 11 s for an EfficientNet under `cudnn.benchmark`.
    That is once for a process, so it counts in short runs, and where every worker of a sweep pays it.

    Instead
    -------
    `drop_last=True` for training: with `shuffle=True` other items are left out in each epoch. Or pad the batch.

    When it is fine
    ---------------
    Loaders that evaluate must give every item. Only loaders that shuffle are reported, in files that show `cudnn.benchmark = True`,
    a CUDA graph, or `torch.compile` with `mode="reduce-overhead"`, `"max-autotune"` or `dynamic=False`. Whether the number of items
    divides by the batch nobody sees: so the rule is off until you select it.
    """
    dear = match.pays_for_shapes(facts) if facts.ask(match.is_ragged, call) and facts.may_use_gpu() else None
    if dear is not None:
        yield Draft(
            call.func,
            f"the last batch may be smaller, and {dear} does its work again for it: `drop_last=True`",
            about=call,
        )
