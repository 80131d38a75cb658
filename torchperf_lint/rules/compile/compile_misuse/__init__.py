from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.compile.compile_misuse import match

LONGEST = 30


@rule(
    "TPL706",
    names=("compile",),
    screen=match.is_misused,
    fix=Safety.UNSAFE,
    impact=Faster("for a step of eight small layers"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """`torch.compile` is called, and nothing runs compiled.

    `torch.compile(model)` gives back another module, which runs the compiled code when it is called. The model itself stays as it
    was; so do its other methods, which the compiled one only hands on. A module of TorchScript it does not take. `model.compile()`
    compiles it where it is; before torch 2.14 it does so only where a class of one's own has the `forward` that runs.

    Why
    ---
    The program runs as if it were not compiled, and nothing says so. Asked of torch 2.13 on a CPU: after the call of a method
    other than `forward`, and where the result is dropped, no graph was made; nor after `compile()` of an `nn.Linear`, or an
    `nn.Sequential` of such layers, which torch 2.14 compiles. Of a scripted module `torch.compile` raises an error.

    Instead
    -------
    Keep what is given back, or compile the module where it is, `model.compile()`, if its class is your own. Compile the method
    that is called: `model.encode = torch.compile(model.encode)`. Compile the module, and not what `torch.jit.script` made of it.

    When it is fine
    ---------------
    Never, as far as is known; a method that is not worth compiling needs no `torch.compile` either. A name is reported only
    where all that reads it is seen: in one function, which neither hands it on nor calls it. What looks like misuse and is
    none: a switch between `train()` and `eval()` compiles once for each of the two, and not again; and with
    `DistributedDataParallel` around the compiled module, its buckets are still averaged while the backward pass runs.

    Fix safety
    ----------
    What did not run compiled does after it: results may differ by rounding, and the first call takes longer.
    """
    found = facts.ask(match.found, call)
    if found is None:
        return
    name = f"`{found.name}`" if len(found.name) <= LONGEST else "the module"
    if found.kind == "dropped":
        message = f"what `torch.compile` gives back is dropped, and {name} stays as it was"
        yield Draft(call, message, fix=_in_place(call, facts))
    elif found.kind == "inert":
        message = f"before torch 2.14 this compiles nothing of {name}, a module of torch's own: use `torch.compile`"
        yield Draft(call, message)
    elif found.kind == "script":
        yield Draft(call, f"`torch.compile` does not take TorchScript, as {name} is: compile its module")
    else:
        message = f"its method {name} does not run compiled, only a call of the module does: compile that"
        yield Draft(facts.node(found.shown), message, about=call)


def _in_place(call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """`model.compile(...)` instead, of what is seen to be a module."""
    if not facts.ask(match.compiles_in_place, call):
        return None
    options = ", ".join(facts.source(each).rstrip(", ") for each in call.args[1:])
    text = f"{facts.source(call.args[0].value)}.compile({options})"
    return Fix("Compile the module where it is", (Replace(call, text),), Safety.UNSAFE)
