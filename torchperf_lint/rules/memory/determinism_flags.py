from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, rule


@rule("TPL505", names=("use_deterministic_algorithms",), default=False)
def check(call: cst.Call, facts: Facts) -> Findings:
    """The program asks for results that repeat bit by bit, which costs time and memory.

    `torch.use_deterministic_algorithms(True)` takes other kernels where the usual ones add in an order that changes from run
    to run, raises where there is none, and fills new memory with NaN.

    Why
    ---
    On an H200 a training step of a ResNet-50 took 13 % longer with it, `index_add` twice as long, and an embedding, forward and
    backward, a fifth longer. `torch.backends.cudnn.deterministic = True` alone cost 0.5 %, and is not reported.

    Instead
    -------
    Keep it for the runs that must repeat: behind a flag, or in tests. `torch.utils.deterministic.fill_uninitialized_memory = False`
    saves the filling where nothing reads memory that was not written.

    When it is fine
    ---------------
    It is asked for on purpose, so this is a price and no mistake: the rule is off until you select it, and has no fix. Behind
    a condition and with `warn_only` it is not reported.
    """
    if facts.name(call.func) != "torch.use_deterministic_algorithms" or facts.conditional(call):
        return
    mode = facts.argument(call, "mode", 0)
    if not mode.known or mode.value.const is not True or facts.given(call, "warn_only") is not None:
        return
    if facts.may_use_gpu():
        yield Draft(call, "results that repeat bit by bit are asked for: other kernels, and new memory is filled")
