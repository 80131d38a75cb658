from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, rule
from torchperf_lint.rules.fusion.unread_work import match


@rule("TPL615", among=match.candidates, screen=match.may_be_unread)
def check(node: cst.Assign | cst.AnnAssign, facts: Facts) -> Findings:
    """A tensor is worked out that nobody reads, or that is read in one branch of a condition alone.

    It is bound to a name, and no line reads the name; or all lines that do stand in one branch below, and where the
    condition says otherwise the work was for nothing.

    Why
    ---
    torch works out what it is told to, whether anybody looks at it or not: in eager mode nothing is left out. What has a
    gradient is kept in memory as well, until the name goes.

    Instead
    -------
    Take the line out, or put it into the branch that reads it.

    When it is fine
    ---------------
    Where the condition is nearly always true, or the tensor is small. One or two light operations, and a mask, are not reported where
    nothing shows that a step comes to them many times. What a constructor works out is not reported. What draws random
    numbers, changes something in place or calls functions of the program is not reported: leaving that out changes more than time.
    Nor is what a condition on sizes or on a tensor decides: `if len(boxes) > 0` is true as a rule; nor what is read wherever there is
    no error. These
    are hints: what they gain is all of the time that the work takes. The bench, an entropy over 64 experts beside the product that
    makes it, took 1.49 times (1.47 to 1.51) as long with 16,384 tokens and 2.23 times (1.89 to 2.43) with 512, on an NVIDIA H100
    with torch 2.11.0+cu130 (2026-11-26).
    """
    found = facts.ask(match.unread, node)
    if found is None or not facts.may_use_gpu() or facts.in_compiled(node) or facts.runs_seldom(node):
        return
    tensor = facts.value_at(found.work)
    if tensor.known and tensor.value.maybe_cuda:
        yield Draft(
            facts.node(found.work),
            found.said,
            because=(tensor,),
            is_hint=True,
            needs_many=facts.ask(match.is_small, node),
        )
