from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Replace, Safety, Value, rule
from torchperf_lint.rules.precision.scaler_with_unfused_optimizer import match

FUSED = {"torch.optim.Adam": (2, 0), "torch.optim.AdamW": (2, 0), "torch.optim.SGD": (2, 3)}
"""The optimizers that have a fused step on CUDA which knows of the scaler, and the torch that brought it."""
SHARDED = ("FullyShardedDataParallel", "fully_shard", "FSDP", "ZeroRedundancyOptimizer", "deepspeed")
DECIDED = ("fused", "foreach", "differentiable")


@rule("TPL306", names=("step",), screen=match.may_scale, fix=Safety.UNSAFE, impact=Faster(host_work=(0, 5), many=True))
def check(call: cst.Call, facts: Facts) -> Findings:
    """`scaler.step` waits for the GPU at every step, because the optimizer is not fused.

    The scaler must skip a step in which a gradient overflowed. A fused optimizer is told so by a tensor and decides on the
    GPU. For any other the host decides, and has to wait until the backward pass is done to know.

    Why
    ---
    The wait stands at the end of each step: while the GPU computes the backward pass the host can prepare nothing, and
    while the host then launches the optimizer the GPU has nothing to do. It costs the host work that could have been
    hidden. A fused step is faster by itself, too: one kernel for many parameters.

    Instead
    -------
    Build the optimizer with `fused=True`. `Adam`, `AdamW` and, without momentum, `SGD` have it, for floating point
    parameters on CUDA.

    When it is fine
    ---------------
    With optimizers that have no fused form, with sharded parameters, and where `fused` or `foreach` was chosen on purpose:
    none of these is reported. Under bfloat16 no scaler is needed at all.

    `SGD` with momentum must not be fused under a scaler: in every release of torch up to 2.13 the momentum starts as
    uninitialised memory where the first step overflows, as it usually does, and the weights are ruined in silence.

    Fix safety
    ----------
    `fused=True` rounds differently. A checkpoint of an optimizer that was not fused brings its own setting back when it
    is loaded; where one is loaded in the file, the fix is only shown.
    """
    if not isinstance(call.func, cst.Attribute) or not call.args or not facts.may_use_gpu():
        return
    scaler, optimizer = facts.value(call.func.value), facts.value(call.args[0].value)
    if not scaler.known or scaler.value.kind != "scaler" or not optimizer.known or optimizer.value.kind != "optimizer":
        return
    made, name = facts.shown(optimizer), str(optimizer.value.ref)
    if not isinstance(made, cst.Call) or any(arg.star for arg in made.args) or _is_off(scaler.value):
        return
    if name == "torch.optim.SGD" and facts.keeps_momentum(made):
        return
    settings = _settings(optimizer.value)
    parameters = settings.get("0") or settings.get("params")
    on_host = parameters is not None and parameters.elem is not None and parameters.elem.on_host
    if facts.settings.target < FUSED.get(name, (99,)) or any(each in settings for each in DECIDED) or on_host:
        return
    if not facts.mentions(*SHARDED, "SparseAdam", "sparse") and not _needs_no_scaler(facts):
        message = f"`scaler.step` makes the host wait at each step: `{name.rpartition('.')[2]}` is not fused"
        yield Draft(call, message, because=(scaler, optimizer), about=made, fix=_fix(made, parameters, facts))


def _settings(made: Value) -> dict[str, Value]:
    """The arguments that an object was made with."""
    return made.items if isinstance(made.items, dict) else {}


def _needs_no_scaler(facts: Facts) -> bool:
    """Whether all of the file runs in bfloat16: then the scaler is what is wrong."""
    autocasts = facts.autocasts()
    return bool(autocasts) and all(each.known and each.value.dtype == "bfloat16" for each in autocasts)


def _is_off(scaler: Value) -> bool:
    enabled = _settings(scaler).get("enabled")
    return enabled is not None and enabled.const is False


def _fix(made: cst.Call, parameters: Value | None, facts: Facts) -> Fix[Edit] | None:
    """`fused=True`, or where the weights are on a GPU, in code that runs without one as well."""
    surely = parameters is not None and parameters.elem is not None and parameters.elem.device == "cuda"
    fused = "True" if surely else facts.lies_on_gpu(facts.given(made, "params", 0))
    if fused is None:
        return None
    safety = Safety.SHOWN if facts.mentions("load_state_dict") else Safety.UNSAFE
    return Fix(
        f"Build it with `fused={fused}`", (Replace(made, facts.with_arguments(made, made, fused=fused)),), safety
    )
