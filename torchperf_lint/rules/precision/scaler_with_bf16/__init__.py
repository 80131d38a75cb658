from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.precision.scaler_with_bf16 import match


@rule("TPL305", names=("GradScaler",), fix=Safety.UNSAFE, impact=Faster(host_work=(0, 5)))
def check(call: cst.Call, facts: Facts) -> Findings:
    """A gradient scaler is switched on though autocast runs in bfloat16, which needs none.

    A scaler keeps the gradients of float16 from underflowing. bfloat16 has the exponents of float32, so nothing
    underflows that would not in float32.

    Why
    ---
    The scaler multiplies the loss, goes through all gradients once more to unscale them and to look for infinities, and,
    unless the optimizer is fused, makes the host wait for the answer at every step. It also skips steps in silence when
    a gradient overflows, which bfloat16 would have told you as a NaN. With parameters in bfloat16 it raises.

    Instead
    -------
    `GradScaler(enabled=False)` leaves the code as it is and does nothing; or take the scaler out.

    When it is fine
    ---------------
    When float16 can be chosen as well: a scaler that is switched by the dtype, an autocast whose dtype is not known, or
    anything in the file that names float16, are not reported.

    Fix safety
    ----------
    The scale is a power of two, so gradients stay the same but for overflow: steps that the scaler skipped are taken, and
    infinities and NaN reach the optimizer. A checkpoint of a scaler that is off is empty.
    """
    scaler, autocasts = facts.value(call), facts.autocasts()
    if not scaler.known or scaler.value.kind != "scaler" or not facts.may_use_gpu():
        return
    running = [each for each in autocasts if not each.known or each.value.enabled is not False]
    if not running or any(not each.known or each.value.dtype != "bfloat16" for each in running):
        return
    if not _is_on(call, facts) or match.may_be_float16(facts):
        return
    fix = None
    if all(arg.keyword is not None for arg in call.args[1:]):
        fix = Fix("Switch it off", (Replace(call, facts.with_arguments(call, call, enabled="False")),), Safety.UNSAFE)
    message = "a scaler gains nothing under bfloat16, and costs a pass over all gradients and a wait each step"
    yield Draft(call, message, because=(scaler, running[0]), fix=fix)


def _is_on(call: cst.Call, facts: Facts) -> bool:
    """Whether the scaler is on, or switched by something that has nothing to do with the dtype."""
    if any(arg.star for arg in call.args):
        return False
    given = next((arg for arg in call.args if arg.keyword is not None and arg.keyword.value == "enabled"), None)
    if given is None:
        return len(call.args) < 5
    if facts.value(given.value).known and facts.constant(given.value) in (True, False):
        return facts.constant(given.value) is True
    return isinstance(given.value, (cst.Name, cst.Attribute)) and not match.is_about_dtype(facts.source(given.value))
