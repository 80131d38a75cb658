from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, rule
from torchperf_lint.rules.transfer.text_parsed_per_item import match


@rule(
    "TPL214",
    names=("loadtxt", "genfromtxt", "read_csv", "read_table"),
    screen=match.is_per_item,
    impact=Faster("for a step whose items are files of a thousand lines of six numbers, read by four workers"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A dataset makes numbers of a file of text, each time it is asked for an item.

    `np.loadtxt(self.paths[index])` in `__getitem__` reads the same text again in each epoch.

    Why
    ---
    Text becomes numbers one by one, which takes some hundred times as long as to read them from a file of numbers. Workers share
    that work, but a GPU is soon faster than all of them: the step then takes as long as its batch does.

    Instead
    -------
    Write the numbers down once, `np.save(path.with_suffix(".npy"), np.loadtxt(path).astype(np.float32))`, and say `np.load` in
    `__getitem__`. What fits in memory can be read in `__init__`, into one array.

    When it is fine
    ---------------
    For files of a few lines. Beside an image or a recording, which takes longer to decode than its labels take to read, it is a hint.
    What is kept for the next time (`if index not in self.cache`, an attribute, a decorator such as `lru_cache`), what `__init__`
    reads, sentences, of which the dataset makes tokens, and a program that names no device, are not reported.
    """
    if not facts.ask(match.is_per_item, call):
        return
    if not facts.may_use_gpu() and not facts.ask(match.is_used_elsewhere, call):
        return
    message = "text is made numbers of for each item, in each epoch: write it down once with `np.save`"
    yield Draft(call, message, is_hint=facts.ask(match.is_beside_more, call))
