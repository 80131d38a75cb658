from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Findings, Fix, LessMemory, Replace, Safety, rule
from torchperf_lint.rules.autograd.unneeded_retain_graph import match


@rule(
    "TPL405",
    names=("backward",),
    screen=match.keeps_graph,
    fix=Safety.UNSAFE,
    impact=LessMemory("of a training step"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A backward pass keeps its graph, and nothing goes through it again.

    `loss.backward(retain_graph=True)` leaves all that the forward pass saved for the backward pass where it is. It is
    let go when the next step binds `loss` anew, which is after its forward pass.

    Why
    ---
    Without the argument each layer's activations are freed as soon as their gradients are known. With it they lie
    beside the gradients, in the optimizer's step too, and beside the activations of the next forward pass.

    Instead
    -------
    `loss.backward()`.

    When it is fine
    ---------------
    Where something goes through the graph again: a second loss, a gradient of gradients, a state that is carried to the
    next step. Only the one backward pass of a file is reported, in a loop that makes in each turn all that it computes
    with; files that call `autograd.grad` as well, and modules that keep something of their last call, are not.

    Fix safety
    ----------
    The gradients stay as they are. Where something out of sight goes through the graph after all, it raises an error that
    says so.
    """
    if not facts.ask(match.is_last_use, call) or not facts.may_use_gpu():
        return
    others = [arg for arg in call.args if arg.keyword is None or arg.keyword.value != "retain_graph"]
    text = ", ".join(facts.source(arg.value) for arg in others if arg.keyword is None)
    fix: Fix[Edit] | None = None
    if all(arg.keyword is None and not arg.star for arg in others):
        fix = Fix("Let the graph go", (Replace(call, f"{facts.source(call.func)}({text})"),), Safety.UNSAFE)
    yield Draft(call, "the backward pass keeps its graph, and nothing goes through it again", fix=fix)
