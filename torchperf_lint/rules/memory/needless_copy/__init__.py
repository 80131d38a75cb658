from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.memory.needless_copy import match


@rule(
    "TPL503",
    names=("repeat", "contiguous"),
    screen=match.makes_copy,
    fix=Safety.UNSAFE,
    impact=Faster("for that operation and the copy before it"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A tensor is copied for an operation that reads it just as well where it lies.

    `x.unsqueeze(1).repeat(1, n, 1)` writes `n` copies of `x` to memory; `expand` gives a view that shows the same numbers,
    and elementwise operations, products and `gather` read it. A product of matrices reads a transposed factor as it
    lies, too.

    Why
    ---
    The copy is written, and read once: `n` times the memory of what it was made of, and as much for its gradient.

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
    """
    copy = facts.ask(match.copy, call)
    if copy is None or not facts.may_use_gpu() or facts.in_compiled(call) or facts.runs_seldom(call):
        return
    tensor = facts.value_at(copy.of)
    if not tensor.known or tensor.value.kind != "tensor" or tensor.value.on_host:
        return
    if facts.comments_say(call, ("bug", "workaround", "jit")):
        return
    fix = Fix("Leave the copy out", (Replace(call, copy.cure),), Safety.UNSAFE)
    yield Draft(call, copy.said, because=(tensor,), fix=fix, is_hint=True)  # a call alone, of whose share nobody knows
