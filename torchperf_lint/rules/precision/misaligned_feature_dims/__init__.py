from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Fact, Facts, Faster, Findings, rule
from torchperf_lint.rules.precision.misaligned_feature_dims import match

UNITS = {"half": 8, "open": 8, "tf32": 4}
"""How many elements make 16 bytes; float32 has no use for tensor cores."""
INT8 = 16
QUANTIZED = ("bitsandbytes.", "torch.ao.nn.", "torch.nn.quantized")
SMALL, LARGE = 512 * 512, 8_000_000
"""Weights of so many elements: below the first nothing was lost, from the second on the figures for 4096 hold."""
SLOWER = {"tf32": (2.9, 2.9), "half": (7.7, 2.9), "open": (7.7, 2.9)}
"""How many times as long a product of 4096 takes with an odd size, and with an even one."""


@rule(
    "TPL308",
    names=("Linear", "Linear8bitLt", "MultiheadAttention"),
    screen=match.may_be_misaligned,
    needs="`alignment-min-dim`",
    impact=Faster("for that layer, forward and backward", only={"outputs": (4095, 50257)}),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A layer has a size that is not a multiple of 16 bytes, so its matrix products run on slower kernels.

    The fast kernels of tensor cores load 16 bytes at once: 8 elements in half precision, 4 in TF32, 16 in int8. Since
    cuBLAS 11 any size may use tensor cores, but sizes of features that are not such a multiple cost time. The number of
    rows, batch and sequence, may be what it likes.

    Why
    ---
    Measured on an H200, forward pass alone: a product of 4096 in bfloat16 takes 7.7 times as long with 4095 columns and 2.9
    times with 4098, with 4104 as long as with 4096; a head of 50257 words 7.6 times as long as one of 50264. In TF32 it is
    2.9 times for 4097. With the backward pass, whose other products are aligned, it is about half of that: the table below
    is of both passes. Around 1024 the forward pass takes 4 to 6 times as long, both hardly 1.1 to 1.4 times, and below
    that it is lost in the noise: so smaller layers are not reported.

    Instead
    -------
    Make the layer wider: a vocabulary of 50304 with 47 words that nobody uses, 4104 hidden features, heads of 72. Logits
    of padded classes are cut off after the layer.

    When it is fine
    ---------------
    For float32 products without TF32, in compiled models, whose compiler pads, for weights that others trained, and for
    sizes that the data gives: none of these is reported. `alignment-min-dim` sets the smallest size that is; with 1, every
    size is, whatever gives it. Where neither the file shows in which precision the layer runs, nor that it is a program, it is a hint.
    """
    name, precision = facts.name(call.func) or "", facts.product_precision()
    unit = INT8 if name.startswith(QUANTIZED) else UNITS.get(precision)
    least = facts.settings.minimum[0]
    if unit is None or not facts.may_use_gpu() or not name.startswith(("torch.nn.", *QUANTIZED)):
        return
    if least > 1 and not facts.has_free_shapes(call):
        return
    if name.endswith("MultiheadAttention"):
        yield from _attention(call, least, unit, facts, is_hint=precision == "open")
        return
    sizes = [(title, facts.given(call, title, index)) for index, title in enumerate(("in_features", "out_features"))]
    known = [facts.size(node) if node is not None else Fact(0) for _, node in sizes]
    for (title, node), size, other in zip(sizes, known, reversed(known), strict=True):
        if node is None or not size.known or not size.value % unit or (least > 1 and _is_given(node, facts)):
            continue
        if _reaches(size, least) and _reaches(other, least):
            message, is_hint = _message(title, size.value, other, unit, precision), precision == "open"
            yield Draft(node, message, because=(size,), about=call, is_hint=is_hint)


def _reaches(size: Fact[int], least: int) -> bool:
    return size.value >= least if size.known else least <= 1


def _is_given(node: cst.BaseExpression, facts: Facts) -> bool:
    """Whether the name of a size says that it is not free."""
    return match.is_given_by_task(facts.source(node).rpartition(".")[2])


def _message(title: str, size: int, other: Fact[int], unit: int, precision: str) -> str:
    """What is wrong with a size, what it would better be, and what that was measured to cost."""
    better = -(-size // unit) * unit
    start = f"`{title}` {size} is not a multiple of {unit}"
    if unit == INT8:
        return f"{start}; next: {better}"
    if not other.known or size * other.value < SMALL:
        return f"{start}; next: {better} (so small a layer was measured to lose nothing)"
    if size * other.value < LARGE:
        cost = "4 to 6 times" if size % 2 else "4 times"
        return f"{start}: {cost} the time at 1024 (forward); next: {better}"
    odd, even = SLOWER[precision]
    return f"{start}: {odd if size % 2 else even} times the time at 4096 (forward); next: {better}"


def _attention(call: cst.Call, least: int, unit: int, facts: Facts, *, is_hint: bool) -> Findings:
    """The width of each head of an attention."""
    arguments = [facts.given(call, name, index) for index, name in enumerate(("embed_dim", "num_heads"))]
    if arguments[0] is None or arguments[1] is None:
        return
    width, heads = facts.size(arguments[0]), facts.size(arguments[1])
    if not width.known or not heads.known or width.value < least or heads.value < 1 or width.value % heads.value:
        return
    head = width.value // heads.value
    if head % unit:
        better = -(-head // unit) * unit
        message = f"heads of {head}, not a multiple of {unit}: 65 took 2.9 times as long as 64; next: {better}"
        yield Draft(arguments[1], message, because=(width, heads), about=call, is_hint=is_hint)
