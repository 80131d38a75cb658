from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torchperf_lint.rule import (
    Draft,
    Edit,
    Fact,
    Facts,
    Faster,
    Findings,
    Fix,
    Replace,
    Safety,
    Value,
    rule,
)
from torchperf_lint.rules.fusion.optimizer_not_fused import match

FUSED_SINCE = {"torch.optim.Adam": (2, 0), "torch.optim.AdamW": (2, 0), "torch.optim.SGD": (2, 3)}
CHOSEN = {"fused", "differentiable", "capturable"}
"""Arguments by which somebody has chosen an implementation."""
COMPLEX = ("complex32", "complex64", "complex128", "cfloat", "cdouble")
OTHER_WEIGHTS = (
    *COMPLEX, "sparse", "FSDP", "FullyShardedDataParallel", "fully_shard", "ZeroRedundancyOptimizer", "parallelize_module",
)  # fmt: skip
"""Signs of weights or gradients that the fused kernels do not take, or that somebody else steps."""
OTHER_STEPS = ("apex", "deepspeed", "bitsandbytes", "colossalai", "torch_xla")
LATE_GRADIENTS = ("requires_grad", "requires_grad_", "find_unused_parameters")
"""Signs of weights that get their first gradient behind the first step, at which the fused SGD makes all its buffers."""
STEP_IS_WATCHED = ("register_step_pre_hook", "register_step_post_hook", "closure")


@rule("TPL605", names=("Adam", "AdamW", "SGD"), fix=Safety.UNSAFE, impact=Faster("for the optimizer's step alone"))
def check(call: cst.Call, facts: Facts) -> Findings:
    """An optimizer on the GPU is not told to use its fused kernels.

    `torch.optim.Adam`, `AdamW` and `SGD` update the weights by default with a chain of simple operations, each of which
    reads and writes all of them (`foreach`). With `fused=True` one kernel does the whole update.

    Why
    ---
    The update does little arithmetic for each byte, so its time is that of the memory traffic and of the launches, and
    the fused kernel has a fraction of both. The gain shows where the optimizer is a good part of a step: many
    parameters, small batches, fast forward passes. pytorch/torchtitan#355 and Lightning-AI/litgpt#857 report it;
    pytorch/pytorch#101291 is an example of a step too long for it to show. `foreach=True` gains nothing, since it is
    what the GPU gets by default anyway.

    Instead
    -------
    Pass `fused=True`; in code that also runs without a GPU, `fused=torch.cuda.is_available()`, or where the device is a
    setting `fused=next(model.parameters()).is_cuda`, since older releases of torch refuse it on the CPU.

    When it is fine
    ---------------
    A few tensors, sparse gradients or complex weights, `differentiable=True`, a step that is compiled as a whole, or the
    only one, weights that another library shards or steps: none of these is reported, nor are weights of which it is not known
    that they are on the GPU when the optimizer is made. `SGD` without momentum and weight decay is one pass already.

    How much of a step the optimizer is depends on the model: some 1 ms for 40 million weights, whatever the rest takes. So it is
    a warning only where a program makes several of `Adam` or `AdamW` side by side, as GANs and agents do, whose steps are short;
    where it chooses one of several, and else, it is a hint that fails no run. So it is, without a fix, where another file of the
    project names a complex dtype, as layers with a Fourier transform do: its weights may be made there, and the fused kernels
    refuse complex ones. `torchperf-lint trace` shows the share in your program.

    `SGD` with momentum must not be fused where a gradient scaler steps it: in every release of torch up to 2.13 the
    momentum starts as uninitialised memory if the first step overflows. It is reported only where the file steps it by
    itself, and nothing in the file has to do with half precision.

    Fix safety
    ----------
    The results differ by rounding. A checkpoint stores `fused` with the other settings of each group, and loading one
    brings back what it was saved with. Weights that are still on the CPU at the first step raise with torch before 2.4.
    With momentum, `SGD` raises if a weight gets its first gradient behind the first step of its group.
    """
    name = facts.name(call.func)
    since = FUSED_SINCE.get(name or "")
    if name is None or since is None or facts.settings.target < since or any(arg.star for arg in call.args):
        return
    given = {arg.keyword.value: arg for arg in call.args if arg.keyword is not None}
    foreach = given.get("foreach")
    if given.keys() & CHOSEN or (foreach is not None and facts.constant(foreach.value) is not False):
        return
    weights = list(_weights(facts.argument(call, "params", 0).value))
    if not weights or any(each.kind != "tensor" or each.device not in ("cuda", "maybe") for each in weights):
        return
    if facts.mentions(*OTHER_WEIGHTS, *STEP_IS_WATCHED) or facts.imports(*OTHER_STEPS):
        return
    if name == "torch.optim.SGD" and not _pays_for_sgd(call, foreach, facts):
        return
    if facts.ask(match.steps_compiled, call) or facts.ask(match.steps_once, call):
        return
    short = name.rpartition(".")[2]
    message = f"`{short}` reads and writes the weights several times a step; `fused=True` does it in one pass"
    if foreach is not None:
        message = "`foreach=False` launches several kernels for each weight; `fused=True` launches few for all"
    shown = [each.where for each in weights if each.where is not None]
    because = Fact(weights[0], min(each.sure for each in weights), tuple(shown[:1]))
    may_be_complex = facts.project_mentions(*COMPLEX)
    fix = _fix(call, foreach, weights, facts) if not may_be_complex else None
    is_hint = may_be_complex or name == "torch.optim.SGD" or not facts.steps_several_optimizers()
    yield Draft(facts.spot(call), message, because=(because,), fix=fix, is_hint=is_hint)


def _pays_for_sgd(call: cst.Call, foreach: cst.Arg | None, facts: Facts) -> bool:
    """Whether the fused SGD saves a pass, and is right."""
    if facts.keeps_momentum(call):
        return not facts.ask(match.may_be_scaled, call) and not facts.mentions(*LATE_GRADIENTS)
    decay = facts.given(call, "weight_decay", 4)
    return foreach is not None or (decay is not None and facts.constant(decay) != 0)


def _weights(value: Value) -> Iterator[Value]:
    """What an optimizer is given, one value for each collection of weights; itself where it is no collection."""
    items = getattr(value, "items", None)
    if isinstance(items, dict):
        yield from _weights(items["params"]) if "params" in items else (value,)
    elif isinstance(items, tuple):
        for item in items:
            # One by one they are few, and few gain nothing.
            yield from (item.but(kind="unknown"),) if item.kind == "tensor" else _weights(item)
    elif getattr(value, "elem", None) is not None:
        assert value.elem is not None
        yield from (value.elem,) if value.elem.kind == "tensor" else _weights(value.elem)
    elif isinstance(value, Value):
        yield value


def _fix(call: cst.Call, foreach: cst.Arg | None, weights: list[Value], facts: Facts) -> Fix[Edit] | None:
    edits: list[Edit] = []
    is_surely = all(each.device == "cuda" for each in weights)
    choice = "True" if is_surely else facts.lies_on_gpu(facts.given(call, "params", 0))
    if choice is None:
        return None
    if foreach is not None and foreach.keyword is not None:
        edits += [Replace(foreach.keyword, "fused"), Replace(foreach.value, choice)]
    else:
        edits.append(Replace(call, facts.with_arguments(call, call, fused=choice)))
    return Fix(f"Pass `fused={choice}`", tuple(edits), Safety.UNSAFE)
