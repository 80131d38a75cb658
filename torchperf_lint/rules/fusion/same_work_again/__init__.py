from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule
from torchperf_lint.rules.fusion.same_work_again import match, settled

SAID = {
    "twice": "the same call was made above and gives the same again: keep what it gave",
    "alike": "this was worked out above, in the same words, and gives the same again: keep what it gave",
    "unchanging": "each turn works this out anew, of what no turn changes: work it out before the loop",
    "moded": "the mode of the model is set at each turn, through all of its modules: set it before the loop",
    "copied": "a deep copy is made at every step, of the tensors in it too: pass on what is there",
    "saved": "a checkpoint is written at every step: the host waits for each tensor, and for the disk",
    "there and back": "the whole tensor goes to Python and back at each call: keep a list, and make the tensor once",
    "searched": "the mask selects again, and the host waits again: `index = mask.nonzero(as_tuple=True)` waits once",
    "settled": "worked out of settings and sizes alone, at each call anew: keep it in a buffer, or by size",
    "listed": "all entries of the module are listed at each turn, for one of them: list them before the loop",
}

UNMEASURED = ("alike", "unchanging", "moded", "searched", "listed", "settled")


@rule("TPL613", among=match.that_may_repeat, screen=match.may_be_again, impact=Faster("for that work alone"))
def check(call: cst.Call | cst.Subscript | cst.BinaryOperation, facts: Facts) -> Findings:
    """Work is done again that was done before, and gives the same.

    A function is called twice with the same tensors; what was given is copied as a whole for each batch; a checkpoint is
    written at every step; a tensor is made a list and a list a tensor at each small change; a mask selects from several tensors;
    all entries of a module are listed at each turn of a loop, for one of them; a forward pass, or a function of the program that it
    calls, works frequencies, masks, grids or anchors out of settings and sizes alone; an operation of torch stands there twice, in the
    same words and of the same tensors; a loop works out at each turn what no turn changes, or sets the mode of a model for each batch.

    Why
    ---
    Nothing in torch remembers results: each call starts its kernels anew. `dataclasses.asdict`, `astuple` and `copy.deepcopy` copy
    every tensor that they come to. `x[mask]` searches the mask for what is set, and the host waits for how many there are, however
    often the same mask has selected before: three selections took 1.3 times as long as with one `nonzero`, with the backward pass,
    of a thousand to a million rows, and without it 1.9 times for a thousand, 1.1 times for a million. `model.state_dict()` goes
    through all modules each time: for 50 entries of 48 layers, 48 times as long as once (each measured once, by hand, on an H100 or
    H200). A table of frequencies is a handful of small operations, each some microseconds of the host: 512 or 4,096 positions took
    0.12 ms at each call, and 0.01 ms when they were kept, which is little of a step, so that is a hint. `model.train()` and
    `model.eval()` go through all modules: of a transformer of 122 that took 0.85 ms of a slow CPU, batch by batch.

    Instead
    -------
    - Bind what the first call gave to a name. What does not change from step to step is made in `__init__`, and kept with
      `register_buffer(..., persistent=False)`. What hangs on a length is kept by length, or made for the longest and cut.
    - `{field.name: getattr(x, field.name) for field in dataclasses.fields(x)}` is a dictionary of what is there.
    - `index = mask.nonzero(as_tuple=True)` once, then `boxes[index]`, `scores[index]`: the host waits once, and gradients go back
      without searching the mask again.
    - `weights = scores.softmax(-1)` once, then `weights * gains` and `weights * scores`; before a loop where no turn changes `scores`.
    - `entries = model.state_dict()` before the loop: its tensors are those of the module.
    - Write checkpoints every so many steps.
    - Keep a list while something grows, and make the tensor when it is read.

    When it is fine
    ---------------
    Behind a gate (every so many steps, only on improvement), before or after the training, and for functions that draw random
    numbers or change what they are given: these are not reported. Nor is an operation between whose two places anything is bound, written
    in place or called for its effect, that is written into behind, that runs on a condition which may be another at the next turn, or
    whose result is one number; nor one in a loop with a backward pass or an optimizer. A mode is left alone where the loop hands the
    model on: an evaluation may switch it. Nor is a line that works something out of settings and sizes alone, a handful of small
    operations, or an operation that stands there twice, where nothing shows that a step comes to it many times.
    """
    sort = facts.ask(match.sort_of, call)
    if (
        sort is None
        or not facts.may_use_gpu()
        or facts.gated(call)
        or facts.in_compiled(call)
        or facts.runs_seldom(call)
    ):
        return
    runs = facts.frequency(call)
    frequency = runs.value
    if (sort == "copied" and frequency < Frequency.INFERENCE) or (sort == "saved" and frequency < Frequency.STEP):
        return
    if sort == "moded" and frequency < Frequency.INFERENCE:
        return  # once an epoch
    if sort == "settled" and frequency < Frequency.INFERENCE and not facts.serves_forward(call):
        return
    is_deep = isinstance(call, cst.Call) and facts.name(call.func) == "copy.deepcopy"
    if (sort == "saved" or is_deep) and facts.conditional(call):
        return
    needs_many = sort == "alike" or (sort == "settled" and facts.ask(settled.is_small, call))
    is_hint = sort in UNMEASURED or frequency < Frequency.INFERENCE
    yield Draft(call, SAID[sort], (runs,), is_hint=is_hint, needs_many=needs_many)
