"""What holds where two of the old classes of tensors meet: `torch.cuda.FloatTensor if cuda else torch.FloatTensor`."""

from __future__ import annotations

from typing import Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import MAYBE, Value

_HOST: Final = "torch."
_GPU: Final = "torch.cuda."


def either(a: Value, b: Value) -> Value | None:
    """The class of the GPU, where there is one; `torch.Tensor` makes floats. None of classes that differ in more."""
    names = [str(each.ref).replace("torch.Tensor", "torch.FloatTensor") for each in (a, b)]
    last = names[0].rpartition(".")[2]
    if (
        a.kind != "symbol"
        or not last.endswith("Tensor")
        or any(name not in (_HOST + last, _GPU + last) for name in names)
    ):
        return None
    is_there = any(name.startswith(_GPU) for name in names)
    return Value(
        "symbol",
        Sure.LIKELY,
        ref=(_GPU if is_there else _HOST) + last,
        device=MAYBE if is_there else None,
        none=a.none or b.none,
    )
