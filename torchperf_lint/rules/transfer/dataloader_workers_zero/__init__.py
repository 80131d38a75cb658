from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.transfer.dataloader_workers_zero import match

WORKERS = 4
BEFORE_WORKERS = 5
"""So many arguments of a `DataLoader` stand before `num_workers`."""


@rule(
    "TPL209",
    names=("DataLoader",),
    screen=match.has_no_workers,
    fix=Safety.UNSAFE,
    impact=Faster("for a step whose items take 1 ms of Python each"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A loader without workers makes its batches between the steps, while the GPU waits.

    With `num_workers=0` the process that trains also decodes, transforms or tokenises every item of the next batch, one after
    the other, and starts the next step when it is done. With workers, other processes do that beside the steps before.

    Why
    ---
    A millisecond of Python for each item is 64 ms for a batch of 64, at every step, and the GPU does nothing meanwhile. That
    was the largest loss in training programs that we measured.

    Instead
    -------
    `DataLoader(..., num_workers=4, persistent_workers=True, pin_memory=True)`: about as many as there are cores for each
    GPU. Try two numbers and keep the faster; more than the cores slow each other down. On Windows and macOS, where workers
    are started and not forked, the code that starts the training stands behind `if __name__ == "__main__":`.

    When it is fine
    ---------------
    Where the loops over it have to do with no GPU and no model, but with arrays of the host: nobody waits there. Where the items
    lie in memory as tensors: handing them from process to process takes longer than picking them, and such
    loaders are not reported, nor are those whose number of workers is a setting, nor those of a dataset that is not in sight: its items
    may be tokens that were made before. Of one that makes its items element by element nobody can
    say how long an item takes: there it is a hint that fails no run, for loaders
    that shuffle or drop the last batch, which are those of trainings. So is
    one that does neither and is not seen to be trained on, and one at the top of a file that trains nothing, whatever its items take: an
    evaluation runs once an epoch. And so it
    is beside a loader that is given workers: whoever left them out knew of them.

    Fix safety
    ----------
    Four workers make the batches, in the order in which they came before. Each has random numbers of its own, so that transforms
    which draw some draw others, and a copy of the dataset: what one writes into it the program does not see. The fix is offered
    for loaders that say nothing of workers and are made in a function, or behind `if __name__ == "__main__"`: workers that are
    not forked run the file anew.
    """
    if not facts.ask(match.has_no_workers, call) or not facts.may_use_gpu() or facts.imports("jax"):
        return
    work = facts.ask(match.work, call)
    if work == "light" or (work == "unknown" and not facts.ask(match.may_take_long, call)):
        return
    if work == "heavy":
        message = "every item is decoded or transformed between two steps: give the loader `num_workers`"
    else:
        message = "the next batch is made between two steps; where its items take Python long, use `num_workers`"
    if facts.ask(match.is_for_host, call):
        return
    is_asked = work == "heavy" and not facts.ask(match.is_beside_workers, call)
    is_hint = not is_asked or not facts.ask(match.is_of_training, call)
    yield Draft(call.func, message, fix=_fix(call, facts) if is_asked else None, is_hint=is_hint, about=call)


def _fix(call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """Nothing but the argument is written, so that what else is wrong with the loader is said of it as before."""
    names = [arg.keyword.value for arg in call.args if arg.keyword is not None]
    if len(call.args) - len(names) > BEFORE_WORKERS or any(arg.star for arg in call.args) or "num_workers" in names:
        return None  # who says 0 may have tried more
    if not facts.ask(match.runs_when_asked, call):
        return None
    last = call.args[-1].value
    edit = Replace(last, f"{facts.source(last)}, num_workers={WORKERS}")
    return Fix(f"Make the batches in {WORKERS} workers", (edit,), Safety.UNSAFE)
