from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.fusion.per_parameter_python_loop import cure, match

SAID = {
    "norm": "adds up the norms of the gradients one by one: `torch._foreach_norm` takes all at once",
    "gradient": "changes the gradients one by one: a `torch._foreach_...` changes all at once",
    "average": "averages the weights one by one: a `torch._foreach_...` averages all at once",
    "step": "adds gradients to tensors one by one: `torch._foreach_add_` does it for all at once",
    "copy": "copies the weights one by one: `torch._foreach_copy_` copies all at once",
    "weight": "changes the weights one by one: a `torch._foreach_...` changes all at once",
}
SINCE, COPIES_SINCE = (1, 9), (2, 1)
"""The torch that has these operations; `_foreach_copy_` came later."""
SHARDED = ("DTensor", "FSDPModule", "full_tensor", "is_sparse")
"""Signs of parameters that each need a way of their own."""


@rule(
    "TPL607",
    names=(
        "norm", "vector_norm", "sum", "mul_", "add_", "sub_", "div_", "lerp_", "copy_", "clamp_", "clip_", "addcmul_", "addcdiv_",
        "data", "grad", "state_dict",
    ),
    screen=match.may_be_one,
    fix=Safety.UNSAFE,
    impact=Faster("for that loop alone", only={"width": (512,)}, many=True),
)  # fmt: skip
def check(loop: cst.For, facts: Facts) -> Findings:
    """A loop does one small operation for each parameter of a model.

    A model has hundreds of parameters, most of them small. A loop over them starts a kernel or two for each, and the host
    needs longer to start one than the GPU to run it. `torch._foreach_mul_`, `_foreach_add_`, `_foreach_lerp_`,
    `_foreach_norm` and their like take a list of tensors and do all of it in a few kernels. The optimizers of torch and
    `clip_grad_norm_` are made of them.

    Why
    ---
    Averaging the weights, clipping, scaling: each costs hundreds of launches at every step, for very little work. Where the
    optimizer's step is a good part of the whole, so is such a loop. A dozen weights of 64 MB each gain nothing: there the GPU
    is busy with each.

    Instead
    -------
    - Norms and clipping: `torch.nn.utils.clip_grad_norm_(parameters, most)`, which returns the norm;
      `torch.nn.utils.get_total_norm` for the norm alone (torch 2.6).
    - Averages of weights: `torch._foreach_lerp_(averages, weights, 1 - decay)`, or
      `torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(decay))`.
    - Scaling and steps: `torch._foreach_mul_(gradients, factor)`, `torch._foreach_add_(weights, gradients, alpha=-lr)`.
    The names begin with an underscore because torch may still change them; its optimizers have been built on them since 1.9. Where a
    project supports an older torch nothing is reported, nor copies before 2.1, which brought `_foreach_copy_`.

    When it is fine
    ---------------
    Before or after the training, every so many steps, on the CPU, for a few tensors or for sharded ones: none of these is
    reported as far as the file shows it. One such loop a step is a hint, for nobody sees how long the rest of the step is: 96
    parameters took 3.8 ms in a loop, and 0.2 ms with `_foreach_lerp_` (once, by hand, on an H100 or H200), which is much of the
    step of a small network and little of that of a large one. It is a warning where a step is seen to come to the loop many times,
    but for files that name FSDP, DeepSpeed or gradient checkpointing, for steps are long there, beside a loop that trains or
    runs a model itself (the tasks of meta-learning), and for an average that is updated every so many steps.
    Copies of weights, and changes such as the clamping of weights, are reported only where they are seen to run at every step.

    Fix safety
    ----------
    The loop becomes calls that take lists. The results can differ by rounding. An empty list raises an error, and if an
    operation fails, others may have been done already.
    """
    sort = facts.ask(match.sort_of, loop)
    if sort is None or facts.settings.target < (COPIES_SINCE if sort == "copy" else SINCE):
        return
    if not facts.may_use_gpu() or facts.mentions(*SHARDED):
        return
    is_gated = facts.gated(loop)
    if is_gated and (sort != "average" or not facts.ask(match.is_often, loop)):
        return
    if facts.in_compiled(loop) or facts.runs_seldom(loop) or facts.ask(match.is_set_up, loop):
        return
    runs = facts.frequency(loop)
    if sort not in match.BY_NATURE and runs.value < Frequency.STEP:
        return
    if facts.ask(match.on_host, loop):
        return
    is_hint = is_gated or facts.ask(match.is_of_large_model, loop) or facts.ask(match.is_beside_steps, loop)
    yield Draft(loop.iter, f"the loop {SAID[sort]}", (runs,), fix=_fix(loop, facts), about=loop, is_hint=is_hint)


def _fix(loop: cst.For, facts: Facts) -> Fix[Edit] | None:
    found = facts.ask(cure.lines, loop)
    if not found:
        return None
    return Fix("Do it for all of them at once", (Replace(loop, "\n".join(found)),), Safety.UNSAFE)
