from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, rule
from torchperf_lint.rules.transfer.loader_does_host_work import match

FEW = 64
"""Picking fewer items than this one by one takes no longer than the steps of most models."""
MANY = 512
"""So many were measured."""


@rule(
    "TPL213",
    names=("DataLoader",),
    screen=match.picks_one_by_one,
    impact=Faster("for steps of a small model on batches of 512 rows"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A loader picks the rows of tensors in memory one by one, and stacks them again.

    For a batch of 512 of a `TensorDataset` the loader calls `__getitem__` 512 times, makes as many small tensors, and copies them into
    one. `x[rows]` is that batch, in one call.

    Why
    ---
    Each item costs some microseconds of Python for each of its tensors, so that a batch of some hundred rows takes milliseconds:
    longer than a step of the small models that such data are for. Workers do not help, as they pass each batch on by another copy.

    Instead
    -------
    Let a sampler give whole batches of indices, and switch the loader's own batches off:
    `DataLoader(data, sampler=BatchSampler(RandomSampler(data), 512, drop_last=False), batch_size=None)`. A dataset of your own may
    have `__getitems__` instead. What fits on the GPU can lie there: `for rows in torch.randperm(n, device="cuda").split(512)`.

    When it is fine
    ---------------
    For large models, whose steps take longer than that: batches of fewer than 512 rows, or of a size that the source does not
    show, and loaders that neither shuffle nor drop the last batch, are a hint that fails no run; fewer than 64 rows are not
    reported. Datasets that do more than to pick rows, with a sampler or a `collate_fn` of
    their own, are not reported.
    """
    if not facts.may_use_gpu() or not facts.ask(match.picks_one_by_one, call):
        return
    rows = facts.ask(match.rows, call)
    if rows is not None and rows < FEW:
        return
    many = f"{rows} rows" if rows else "the rows of a batch"
    message = f"{many} are picked one by one and stacked: let a `BatchSampler` give whole batches"
    is_hint = rows is None or rows < MANY or not facts.ask(match.is_for_training, call)
    yield Draft(call.func, message, is_hint=is_hint, about=call)
