from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.precision.float64_reaches_gpu import match

CASTS = ("float", "half", "bfloat16", "to", "type", "type_as", "long", "int", "bool")


@rule(
    "TPL301",
    names=("to", "cuda"),
    frequency=Frequency.INFERENCE,
    screen=match.may_be_double,
    default=False,
    fix=Safety.UNSAFE,
    impact=Faster("for the copy and a loss on what was copied"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """What NumPy made float64 goes to the GPU as it is, and what is computed with it there is float64 too.

    Arrays of NumPy are float64 unless somebody says otherwise, and torch keeps that: `torch.from_numpy(np.random.rand(n))`. Together
    with a float32 tensor it makes the result float64.

    Why
    ---
    Twice the bytes go over the bus, and each operation reads and writes twice as much. An H200 multiplies matrices of float64 about as
    fast as those of float32 without TF32; most GPUs that are not made for data centres are 32 or 64 times slower.
    Of a small model on an H200 such targets kept the GPU busy for 4.8 ms of a step rather than 2.8, with 168 MiB rather than 92; that
    the step itself is faster, 1.06 times (0.99 to 1.19) and 1.11 times (0.99 to 1.17), is not certain.
    `F.mse_loss` and `F.huber_loss` of such targets end in an error on the way back with torch 2.11, not with 2.13.

    Instead
    -------
    Make it float32 where it is made, `array.astype(np.float32)`, or before the copy: `torch.from_numpy(array).float().to(device)`.

    When it is fine
    ---------------
    Where the digits are wanted: nothing is said of files that name float64, look at gradients by differences or decompose
    matrices, nor of single numbers. What is cast behind the copy is TPL208's.

    Fix safety
    ----------
    Numbers are rounded to seven digits, and what is computed with them is float32.
    """
    move = facts.move(call)
    if not isinstance(call.func, cst.Attribute) or not move.has_device or move.vague or not move.sure or move.has_dtype:
        return
    if move.device in ("cpu", "pinned", "other") or match.wants_digits(facts) or not facts.may_use_gpu():
        return
    held, above = facts.tensor(call.func.value), facts.parent(call)
    if not held.known or not facts.ask(match.may_be_double, call) or facts.gated(call) or facts.runs_seldom(call):
        return
    if isinstance(above, cst.Attribute) and above.attr.value in CASTS:
        return
    text = f"{facts.operand(call.func.value)}.float(){facts.source(call).removeprefix(facts.source(call.func.value))}"
    fix = Fix("Make it float32 before the copy", (Replace(call, text),), Safety.UNSAFE)
    message = "`float64` goes to the GPU, and what is computed with it is float64 too: make it `float32`"
    yield Draft(facts.spot(call), message, because=(held,), fix=fix)
