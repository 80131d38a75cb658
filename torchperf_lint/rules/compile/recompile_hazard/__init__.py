from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, InsertBefore, Replace, Safety, rule
from torchperf_lint.rules.compile.recompile_hazard import match, sizes

LONGEST = 30


@rule(
    "TPL703",
    screen=match.is_hazard,
    file=match.may_be,
    fix=Safety.SHOWN,
    impact=Faster("for a later step, when all is compiled"),
)
def check(node: cst.AugAssign | cst.Assign | cst.Call, facts: Facts) -> Findings:
    """Compiled code changes what it is guarded by, so each call compiles anew.

    Compiled code is valid for the values it was made with. Of a whole number that a module, an object or the file keeps, that is
    the value; of a list, its length. Where the code itself changes them, the next call finds another value and compiles anew.

    Why
    ---
    Compiling takes seconds. Asked of torch 2.13 on a CPU: `self.steps += 1` in `forward` compiled eight times in twelve calls;
    then `torch._dynamo.config.recompile_limit` was reached, and all that followed ran as if it were not compiled. So did a list
    that grows, and twelve lengths of one argument under `dynamic=False`. What that costs a program depends on what is compiled, and
    is not said here.

    Instead
    -------
    Count outside of what is compiled, or in a tensor: `self.register_buffer("steps", torch.zeros((), dtype=torch.long))` and
    `self.steps += 1` compile once. A float that changes compiles twice at most. Give what a list gathers back to the caller.
    `torch._dynamo.config.allow_unspec_int_on_nn_module = True` lets whole numbers of modules be variables. Leave `dynamic=False` out
    where sizes vary, or mark the one that does, `torch._dynamo.mark_dynamic(x, 1)`: twelve lengths then made one graph or two.

    When it is fine
    ---------------
    Where it changes seldom: what stands behind a gate is not reported. Nor are numbers that another method sets, lists that
    something in the file empties, arguments (torch makes a number that changes, or a size unless `dynamic=False` is said, a variable
    after the second call), flags, floats and tensors, and what neither the file nor one that imports it is seen to compile.
    """
    varied = facts.ask(sizes.varied, node)
    if varied is not None:
        says = "its size varies here, and `dynamic=False` compiles for each size anew: let it vary"
        yield Draft(facts.node(varied.given), says, fix=_free(node, varied, facts))
    if not facts.ask(match.changes_guard, node):
        return
    how = facts.compiled_at(facts.at(node))
    name = facts.ask(match.shown, node)
    name = f"`{name}`" if len(name) <= LONGEST else "this"
    if isinstance(node, cst.Call):
        says = f"{name} grows at each call, which compiles anew each time: hand the items back"
        yield Draft(facts.spot(node), says, because=(how,))
    else:
        target = node.target if isinstance(node, cst.AugAssign) else node.targets[0].target
        says = f"{name} changes at each call, which compiles anew each time: count in a tensor"
        yield Draft(target, says, because=(how,))


def _free(node: cst.CSTNode, varied: sizes.Varied, facts: Facts) -> Fix[Edit] | None:
    """The dimension marked, where it is known; else sizes that may all vary."""
    mark, statement = facts.spelling("torch._dynamo.mark_dynamic"), facts.statement(node)
    if varied.dim is not None and mark is not None:
        text = f"{mark}({facts.source(facts.node(varied.given))}, {varied.dim})"
        return Fix("Mark the size that varies", (InsertBefore(statement, text),), Safety.SHOWN)
    return Fix("Let sizes vary", (Replace(facts.node(varied.setting), "True"),), Safety.SHOWN)
