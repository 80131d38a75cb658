from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, rule
from torchperf_lint.rules.compile.recompile_hazard import match

LONGEST = 30


@rule("TPL703", screen=match.changes_guard, file=Facts.has_compiled)
def check(node: cst.AugAssign | cst.Assign | cst.Call, facts: Facts) -> Findings:
    """Compiled code changes what it is guarded by, so each call compiles anew.

    Compiled code is valid for the values it was made with. Of a whole number that a module, an object or the file keeps, that is
    the value; of a list, its length. Where the code itself changes them, the next call finds another value and compiles anew.

    Why
    ---
    Compiling takes seconds. Asked of torch 2.13 on a CPU: `self.steps += 1` in `forward` compiled eight times in twelve calls;
    then `torch._dynamo.config.recompile_limit` was reached, and all that followed ran as if it were not compiled. So did a list
    that grows. What that costs a program depends on what is compiled, and is not said here.

    Instead
    -------
    Count outside of what is compiled, or in a tensor: `self.register_buffer("steps", torch.zeros((), dtype=torch.long))` and
    `self.steps += 1` compile once. A float that changes compiles twice at most. Give what a list gathers back to the caller.
    `torch._dynamo.config.allow_unspec_int_on_nn_module = True` lets whole numbers of modules be variables.

    When it is fine
    ---------------
    Where it changes seldom: what stands behind a gate is not reported. Nor are numbers that another method sets, lists that
    something in the file empties, arguments (torch makes a number that changes a variable after the second call), flags, floats
    and tensors, and what neither the file nor one that imports it is seen to compile.
    """
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
