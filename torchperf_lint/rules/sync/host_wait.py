from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import EVERY_FORM, Draft, Facts, Findings, rule


@rule("TPL100", waits=EVERY_FORM, default=False)
def check(
    node: cst.Call
    | cst.Subscript
    | cst.If
    | cst.While
    | cst.IfExp
    | cst.Assert
    | cst.BooleanOperation
    | cst.UnaryOperation
    | cst.Comparison
    | cst.CompFor
    | cst.FormattedString
    | cst.BinaryOperation,
    facts: Facts,
) -> Findings:
    """The host waits for the GPU here.

    Every place at which Python stops until the GPU has done all that was queued before: reads, truth values, results
    whose size depends on the data, copies from pageable memory. Hot or cold, gated or not: the view of an audit.

    Why
    ---
    The GPU works through a queue that the host fills ahead of it. A wait empties the queue: until the host has queued
    new work the GPU idles, and the host does nothing in the meantime. What that costs is the work of the host that can
    no longer hide behind the GPU's.

    Instead
    -------
    Start with the rules that know which code is hot (TPL101 to TPL117): they name the cure. Use this one to see what
    is left, or to find out why a trace shows gaps.

    When it is fine
    ---------------
    Outside of hot code nearly always; once at the end of a step or an epoch; wherever the value is needed to go on.
    """
    wait = facts.host_wait(node)
    yield Draft(facts.waiting_part(node), f"the host waits for the GPU (GPU sync): {wait.value.says}", because=(wait,))
