from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.autograd.prefer_inference_mode import match


@rule(
    "TPL402",
    names=("no_grad",),
    screen=match.may_generate,
    fix=Safety.UNSAFE,
    impact=Faster("for a token of a small model, which the host's launches bound"),
)
def check(function: cst.FunctionDef, facts: Facts) -> Findings:
    """A function that generates runs under `no_grad`, where `inference_mode` costs the host less.

    Both keep no graph. `torch.inference_mode()` also leaves out what views and writes in place would need if somebody asked
    for gradients later.

    Why
    ---
    Where a step is many small operations, the host's time for each of them decides, and `inference_mode` takes a part of it
    away. Memory is the same, and where the GPU is the slower one so is the time.

    Instead
    -------
    `@torch.inference_mode()`.

    When it is fine
    ---------------
    Where what comes out is used with gradients: inference tensors raise an error there. Functions that are called where
    gradients are taken are not reported, nor are evaluations, whose steps are large.

    Fix safety
    ----------
    What the function makes can no longer be saved for a backward pass, nor be written in place outside of `inference_mode`.
    """
    found = facts.ask(match.decorator, function)
    if (
        found is None
        or not facts.may_use_gpu()
        or facts.ask(match.learns, function)
        or facts.mentions("compile", "FSDP", "deepspeed")
    ):
        return
    call = facts.node(found)
    written = facts.spelling("torch.inference_mode")
    fix: Fix[Edit] | None = None
    if written is not None:
        fix = Fix("Use `inference_mode`", (Replace(call, f"{written}()"),), Safety.UNSAFE)
    yield Draft(
        call, "steps of generation under `no_grad`: `inference_mode` costs the host less", fix=fix, is_hint=True
    )
