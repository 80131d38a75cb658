from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule

COMPILERS = {
    "torch.compile": "sets its wrapper up anew",
    "torch.jit.trace": "runs and records the program anew",
    "torch.jit.trace_module": "runs and records the program anew",
    "torch.jit.script": "reads and compiles the source anew",
    "torch.jit.freeze": "rewrites the program anew",
    "torch.export.export": "traces the program anew",
}


@rule(
    "TPL701",
    names=("compile", "trace", "trace_module", "script", "freeze", "export"),
    frequency=Frequency.STEP,
    impact=Faster("for a forward pass of eight small layers"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Something is compiled, traced or scripted at every step.

    `torch.compile(f)` compiles nothing yet: it wraps `f`, and the first call compiles. A later call of `torch.compile`
    with the same function finds what was compiled, so it does not compile again, as many think; but each call of it
    sets the wrapper and the compiler's options up anew, looks through all that was compiled before, and checks its
    guards the slow way. That takes milliseconds of the host, as often as it is done. `torch.jit.trace` and
    `torch.jit.script` do all of their work each time, and so does `torch.export.export`.

    Why
    ---
    What is compiled is meant to save time of the host, and this spends it at every step. Where it is another function
    or module each time, everything is compiled anew, which takes seconds.

    Instead
    -------
    Compile once, where the module is made: `self.body = torch.compile(self.body)` in `__init__`, `@torch.compile` on the
    function, or `model = torch.compile(model)` before the loop. Where the first call decides, keep what was made:
    `if self.fast is None: self.fast = torch.compile(...)`.

    When it is fine
    ---------------
    Behind such a condition, in a function that is cached (`functools.cache`), before the loop, once an epoch: none of
    these is reported.
    """
    name = facts.name(call.func)
    if name not in COMPILERS or facts.gated(call) or facts.runs_seldom(call):
        return
    yield Draft(call, f"`{name}` at every step {COMPILERS[name]}: do it once, before the loop", about=call)
