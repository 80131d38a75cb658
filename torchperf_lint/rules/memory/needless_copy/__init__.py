from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.memory.needless_copy import match


@rule(
    "TPL503",
    names=("repeat", "tile", "contiguous", "clone"),
    screen=match.makes_copy,
    fix=Safety.UNSAFE,
    impact=Faster("for that operation and the copy before it"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A tensor is copied for an operation that reads it just as well where it lies.

    `x.unsqueeze(1).repeat(1, n, 1)` writes `n` copies of `x` to memory; `expand` gives a view that shows the same numbers,
    and elementwise operations, products and `gather` read it. A product of matrices reads a transposed factor as it
    lies, too, and what reduces or compares a part of a tensor reads that.

    A language model is trained on what comes next: `logits[..., :-1, :].contiguous()` is a copy of its largest tensor, to
    leave out one position of thousands. The loss leaves that out by itself where its label says so.

    `torch.cat(parts).clone()`, and `clone()` of a name that is read there alone, copies what nobody else can change;
    `before = state.clone()`, where `state` is bound anew and neither is written in place, what nobody does.

    Why
    ---
    The copy is written, and read once: `n` times the memory of what it was made of, and as much for its gradient. Logits of 8 texts of
    1,024 words out of 32,000, in bfloat16, took 1.9 times as long to get ready for the loss where they were cut, with the backward
    pass; the peak of memory in training was the same (once, on an H200).

    Instead
    -------
    `x.unsqueeze(1).expand(-1, n, -1)`; `a @ b.mT` without `contiguous()`. Where the operation broadcasts by itself, nothing
    at all: `x.unsqueeze(1) + y`. In `torch.cat` it saves memory, but no time was gained.

    When it is fine
    ---------------
    Where the copy is written in place, or viewed in another shape, or handed to a kernel that wants it dense: only copies
    of which all readers are in sight, and are such operations, are reported. A batch of transposed small matrices can be faster
    when it was copied first, so measure that.

    Fix safety
    ----------
    The numbers are the same; a view has no memory of its own, and what is made of it may lie in another order.
    Logits that are not cut are viewed as they lie, which raises where they are themselves a view that is not dense.
    """
    copy = facts.ask(match.copy, call)
    if copy is None or not facts.may_use_gpu() or facts.in_compiled(call) or facts.runs_seldom(call):
        return
    tensor = facts.value_at(copy.of)
    if not tensor.known or tensor.value.kind != "tensor" or tensor.value.on_host:
        return
    if facts.comments_say(call, match.comment_words.tells_of_bug):
        return
    fix: Fix[Edit] | None = Fix("Leave the copy out", (Replace(call, copy.cure),), Safety.UNSAFE)
    if copy.shift is not None:
        fix = _shift_labels(call, copy, copy.shift, facts)
    yield Draft(call, copy.said, because=(tensor,), fix=fix, is_hint=True)  # a call alone, of whose share nobody knows


def _shift_labels(call: cst.Call, copy: match.Copy, shift: match.Shift, facts: Facts) -> Fix[Edit] | None:
    """Logits as they are, and labels that say of the last position that it is ignored."""
    pad = facts.spelling("torch.nn.functional.pad")
    if pad is None:
        return None
    padded = f"{pad}({shift.labels}, (0, 1), value=-100)"
    edits = (Replace(call, copy.cure), Replace(facts.node(shift.cut), padded))
    return Fix("Shift the labels alone", edits, Safety.UNSAFE)
