from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Remove, Replace, Safety, rule
from torchperf_lint.rules.autograd.anomaly_or_debug_mode_on import match

SWITCHES = {
    "torch.autograd.set_detect_anomaly": "every backward pass checks each gradient for NaN and waits",
    "torch.autograd.detect_anomaly": "every backward pass checks each gradient for NaN and waits",
    "torch.profiler.emit_nvtx": "every operation writes a marker for a profiler",
}
CHECKS = ("torch.autograd.gradcheck", "torch.autograd.gradgradcheck")
BLOCKING = "CUDA_LAUNCH_BLOCKING"


@rule(
    "TPL404",
    names=(
        "set_detect_anomaly", "detect_anomaly", "emit_nvtx", "gradcheck", "gradgradcheck", "environ", "setdefault", "putenv",
    ),
    screen=match.may_switch_on,
    fix=Safety.UNSAFE,
    impact=Faster(),
)  # fmt: skip
def check(node: cst.Call | cst.Assign, facts: Facts) -> Findings:
    """A debugging aid of autograd or CUDA is left switched on.

    `set_detect_anomaly(True)` keeps a stack trace for every operation of the forward pass and looks for NaN in every
    gradient of the backward pass, which makes the host wait each time. `CUDA_LAUNCH_BLOCKING=1` makes the host wait for
    every kernel. Both are for the hour in which you hunt a bug.

    Why
    ---
    A training step lives from the host being ahead of the GPU. These aids take that away, in every step and for all of
    the run, and nothing in the logs says so. `emit_nvtx` costs a little for each operation, `gradcheck` a forward pass
    for each element of its inputs.

    Instead
    -------
    Put the aid behind a flag, `torch.autograd.set_detect_anomaly(args.detect_anomaly)`, and set `CUDA_LAUNCH_BLOCKING` in
    the shell of the run that needs it. For a look at the timeline use `torch.profiler` with a schedule.

    When it is fine
    ---------------
    Behind a flag, in a test, around code whose time is measured, and with a profiler that has a schedule: none of these
    is reported.

    Fix safety
    ----------
    The statement is removed, or the context switched off. Outputs and gradients stay as they are; a NaN in the backward
    pass no longer raises an error that names the operation, and an error of a kernel shows up later than where it arose.
    """
    if facts.conditional(node) or facts.ask(match.is_timed, node):
        return
    match node:
        case cst.Call():
            yield from _call(node, facts)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=environment))], value=value):
            if facts.name(environment) == "os.environ":
                yield from _blocking(node, value, facts)


def _call(call: cst.Call, facts: Facts) -> Findings:
    name = facts.name(call.func)
    match name:
        case "os.environ.setdefault" | "os.putenv" if len(call.args) > 1:
            yield from _blocking(call, call.args[1].value, facts)
        case str() if name in CHECKS and facts.frequency(call).value >= Frequency.STEP and facts.may_use_gpu():
            yield Draft(
                call, f"`{name.rpartition('.')[2]}` in a training step runs it once for every element of its inputs"
            )
        case str() if name in SWITCHES and facts.may_use_gpu() and _is_on(call, name, facts):
            yield Draft(call, f"`{name.rpartition('.')[2]}` is on: {SWITCHES[name]}", fix=_off(call, name, facts))


def _is_on(call: cst.Call, name: str, facts: Facts) -> bool:
    """Whether the switch is on whatever the user says."""
    if name.endswith(".detect_anomaly"):
        return True
    given = facts.argument(call, "enabled" if name.endswith("nvtx") else "mode", 0)
    if not call.args:
        return name.endswith("nvtx")
    return given.known and given.value.const is True


def _off(call: cst.Call, name: str, facts: Facts) -> Fix[Edit] | None:
    """Removes a statement; switches a context off, so that what it wraps stays where it is."""
    above = facts.parent(call)
    if isinstance(above, cst.Expr):
        return Fix("Leave it off", (Remove(facts.whole(above)),), Safety.UNSAFE)
    if call.args:
        return Fix("Switch it off", (Replace(call.args[0].value, "False"),), Safety.UNSAFE)
    off = facts.spelling("torch.autograd.set_detect_anomaly")
    if name.endswith(".detect_anomaly") and off is not None:
        return Fix("Switch it off", (Replace(call, f"{off}(False)"),), Safety.UNSAFE)
    return None


def _blocking(node: cst.Call | cst.Assign, value: cst.BaseExpression, facts: Facts) -> Findings:
    """The variable is set to "1", and not for the sake of runs that repeat bit by bit."""
    if BLOCKING not in facts.source(node) or facts.constant(value) != "1":
        return
    if facts.mentions("use_deterministic_algorithms"):
        return
    above = facts.parent(node)
    statement = node if isinstance(node, cst.Assign) else above if isinstance(above, cst.Expr) else None
    fix = None
    if statement is not None:
        fix = Fix("Set it in the shell when you debug", (Remove(statement),), Safety.UNSAFE)
    yield Draft(node, f"`{BLOCKING}` is on: the host waits for every kernel that it starts", fix=fix)
