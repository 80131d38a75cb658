from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Fix, LessMemory, Replace, Safety, rule, safe_if
from torchperf_lint.rules.autograd.graph_retaining_accumulator import match

SHORT = 40


@rule(
    "TPL403",
    names=("append", "backward", "manual_backward", "Function"),
    among=match.additions,
    screen=match.may_keep,
    fix=Safety.SAFE,
    impact=LessMemory("for what a step adds"),
)
def check(node: cst.Call | cst.AugAssign | cst.Assign, facts: Facts) -> Findings:
    """A total or a list of losses keeps the autograd graph of every step alive.

    A loss is the end of a graph that leads back to the parameters. `total += loss` makes a longer graph with that one in it,
    and `losses.append(loss)` keeps it as it is. Neither is let go before the total or the list is.

    Why
    ---
    The backward pass frees the activations that the graph saved, but not its nodes, nor what functions of your own put on
    their `ctx`. So memory grows with each step, a little on the host and sometimes a lot on the GPU, until an epoch that
    fitted when it was short does not any more. The FAQ of PyTorch has this as the first cause of running out of memory.

    The same holds of an output that a `torch.autograd.Function` puts on its `ctx`, `ctx.y = y`, and returns: the output holds its node,
    and the node the output. Such a circle stays until Python's garbage collector finds it: of 50 steps all 50 outputs were held, of
    50 with `ctx.save_for_backward(y)` none (torch 2.13, on a CPU). That is a hint.

    Instead
    -------
    Add `loss.detach()`: it is the same number, still on the GPU, and makes the host wait for nothing. Read the total once
    at the end.

    When it is fine
    ---------------
    When the sum itself is what `backward` is called on, or the graph is kept on purpose: not reported.

    Fix safety
    ----------
    Safe where all that is read from the total are numbers. Elsewhere what gets the tensor sees one without a graph: its
    repr differs, and a call of `.backward()` on it that raised because the graph was gone raises for another reason.
    """
    kept = facts.ask(match.kept, node)
    if facts.gated(node) or not facts.may_use_gpu():
        return
    if not kept.known:
        yield from _on_ctx(node, facts)
        return
    added = facts.node(kept.value.added)
    safety = safe_if(facts.tensor(added), kept) if kept.value.only_read else Safety.UNSAFE
    fix = Fix("Add it without its graph", (Replace(added, f"{facts.operand(added)}.detach()"),), safety)
    keeper = f"`{kept.value.keeper}`" if len(kept.value.keeper) < SHORT else "this"
    yield Draft(
        node, f"{keeper} keeps the graph of every step alive, so memory grows with each", because=(kept,), fix=fix
    )


def _on_ctx(node: cst.Call | cst.AugAssign | cst.Assign, facts: Facts) -> Findings:
    """An output that its own node holds."""
    output = facts.ask(match.output_on_ctx, node)
    if output.known:
        message = "`ctx` holds an output that leads back to it, so both stay until Python looks for such circles"
        yield Draft(node, message, because=(output,), is_hint=True)
