from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule
from torchperf_lint.rules.fusion.python_loop_over_batch_or_time import match

SAID = {
    "stacked": "the items of a tensor are worked on one by one and put together: do it for all at once",
    "read": "elements of a tensor are read one by one, and the host waits for each: `torch.where`, or `.tolist()`",
    "rows": "rows of a tensor are written one by one: compare `torch.arange` with where each begins",
    "lengths": "rows are written one by one, each up to a length: compare `torch.arange(n)` with all lengths",
    "gathered": "what indices say is taken place by place: one index takes it all, `x[torch.arange(n), indices]`",
    "filled": "a tensor is filled element by element from Python: `torch.tensor(list)` does it at once",
    "groups": "rows are selected group by group, and the host waits for each: `index_add_` takes all groups at once",
    "slices": "what a turn works out hangs on no other turn: work it out for all before the loop",
    "handed": "a sampler hands out a tensor element by element, each a tensor of its own: `iter(x.tolist())`",
    "picked": "each element is asked in turn, and the host waits for each: select by a mask, or `.tolist()`",
    "turns": "each turn reads its row, and the host waits for it: read the whole before the loop, which waits once",
    "counted": "numbers of a tensor are counted one by one: `torch.bincount` counts them all",
    "apart": "no turn hangs on another: work on all slices at once, where there is the memory",
    "cut": "parts of one length are cut one by one: `split` cuts them all, and their gradient is one tensor",
    "cells": "a recurrent cell runs step by step: `nn.LSTM`, `nn.GRU`, `nn.RNN` take the whole sequence",
}

UNMEASURED = ("groups", "slices", "handed", "picked", "turns", "counted", "lengths", "gathered", "apart", "cut")
ON_HOST = ("filled", "handed", "counted")


@rule("TPL608", among=match.candidates, screen=match.may_be_one, impact=Faster("for that loop alone"))
def check(loop: cst.For | cst.ListComp | cst.GeneratorExp | cst.Call, facts: Facts) -> Findings:
    """A loop of Python goes through a tensor, and does little at each turn.

    Every operation on a tensor costs the host some microseconds, and a GPU is not busy with one element, one row, or one item
    of a batch. What is the same at each turn torch can do for all at once.

    Why
    ---
    The time of such a loop grows with the number of turns, not with the work. Where a turn reads an element the host waits for
    the GPU each time, besides.

    Instead
    -------
    - The same for every item: give the whole tensor to the operation, to `torch.vmap`, or with batch and time in one
      dimension (`flatten(0, 1)`, and back) to a layer.
    - Rows that are read in turn: `mask.sum(1).tolist()` before the loop, and numbers of Python in it; for
      `[row[keep].tolist() for row, keep in zip(ids, mask)]` copy `ids` and `mask` to the host first.
    - Elements that are asked in turn: `x[keep]` for `[x for x, keep in zip(x, keep) if keep]`, which waits once.
    - A choice for each element: `torch.where(condition, one, other)`. What only Python can do, it does to `x.tolist()`, which
      waits once.
    - Rows by a rule: `torch.arange(n)[None, :] >= start[:, None]` is the mask as a whole; `x += torch.arange(n)[:, None] * step`
      adds to each row its own.
    - Rows up to a length each: `torch.arange(n)[None, :] < lengths[:, None]`, of a list by `torch.tensor(lengths, device=...)`.
    - Places that indices say: `x[torch.arange(n), indices]`, `x.gather(1, indices)`.
    - Formulas of the slices of a turn: `delta = reward[:-1] + gamma * value[1:] - value[:-1]` before the loop, which then
      has only the part that goes from turn to turn.
    - Turns that hang on no other: `(x * y).sum((0, 2))` has the sums of all channels, `labels[:, None] == torch.arange(n)` the masks
      of all classes. What does not shrink takes `n` times the memory of a turn.
    - Numbers of Python: gather them in a list, and make the tensor of it.
    - One of each group of rows: `torch.zeros(n, d).index_add_(0, labels, x)` are all sums, divided by `torch.bincount(labels,
      minlength=n)` the means; `scatter_reduce_` knows the largest and the smallest.
    - Numbers, or pairs of them, that are counted: `torch.bincount(n * labels + guesses, minlength=n * n).view(n, n)`.
    - Parts of one length, `[x[i * n : (i + 1) * n] for i in range(k)]`: `x.split(n)`. Each slice has a gradient as large as `x`.
    - Indices of a sampler: `iter(torch.randperm(n).tolist())`. Each element is a small tensor, that a worker has to be sent.
    - A cell: `nn.LSTM` for `nn.LSTMCell`, `nn.GRU` for `nn.GRUCell`; the names of the weights differ.

    When it is fine
    ---------------
    A few turns, tensors on the CPU (but for those that are filled from Python, or count), items of different lengths, a turn that needs
    what the one before gave, and a loop that ends early: these are not reported, nor are rows up to a length where nothing in sight
    runs the loop at every step. Others are hints there, that fail no run, and so are rows up to a length and places that indices say
    wherever they are, groups of rows, formulas of slices, turns that hang on no other, samplers, rows that are read in turn and
    elements that are asked. All were measured once, by hand, on an H100 or H200: a Dice loss class by class, of turns that hang on no
    other, took with its softmax and the backward pass 13 times as long as one expression for 8 pictures of 128 by 128 and 19
    classes, 2.5 times for 16 of 64 by 64 and 3 classes, and 7 times for 8 of 512 by 512 and 19 classes; alone, these
    held 319 MB at once in place of 19. An IoU class by class took 2 to 17 times as long. An advantage over 128 or 1,024 steps took
    2.5 times as long as with its formula before the loop, 32 rows with a number each 11 times as long, 128 rows 34 times, on
    the CPU 8 and 1.07 times. A sampler of 100,000 elements took 24 times as long as the list. The sums of 32 rows, read in
    turn, took 0.86 ms, and 0.03 ms with `tolist()` before the loop; 32 elements that were asked 0.61 ms, and 0.05 ms with a
    mask; of 1,024 it was 28 and 19 ms. 256 pairs that were counted one by one took 12.6 ms, and 0.14 ms with `bincount`, on the CPU 2.8 and
    0.02 ms; 1,024 pairs 50 and 0.24 ms. A mask of 64 lengths, row by row, took 1.2 ms, and 0.03 ms as one comparison; with lengths
    of the host 0.6 and 0.06 ms. What share of a step that is, nobody knows but the program.
    """
    sort = facts.ask(match.sort_of, loop)
    if sort is None or facts.gated(loop) or facts.in_compiled(loop):
        return
    if sort not in ON_HOST and (not facts.may_use_gpu() or facts.in_loader(loop)):
        return
    runs = facts.frequency(loop)
    if sort == "lengths" and runs.value < Frequency.INFERENCE:
        return
    if sort == "apart" and (facts.runs_seldom(loop) or facts.comments_say(loop, match.comment_words.tells_of_memory)):
        return
    yield Draft(
        _spot(loop), SAID[sort], (runs,), about=loop, is_hint=sort in UNMEASURED or runs.value < Frequency.INFERENCE
    )


def _spot(loop: cst.For | cst.ListComp | cst.GeneratorExp | cst.Call) -> cst.BaseExpression:
    match loop:
        case cst.ListComp() | cst.GeneratorExp():
            return loop.for_in.iter
        case cst.For():
            return loop.iter
    return loop
