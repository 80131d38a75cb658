from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.sync.missing_size_hint import match

HINTS = {
    "one_hot": "without `num_classes`, `one_hot` reads the largest label back to know the size of its result",
    "repeat_interleave": "without `output_size`, `repeat_interleave` reads the sum of the repeats back",
    "histc": "without `min` and `max`, `histc` reads the range of the data back",
}


@rule(
    "TPL112",
    names=("one_hot", "repeat_interleave", "histc"),
    frequency=Frequency.INFERENCE,
    waits=("shape",),
    fix=Safety.UNSAFE,
    impact=Faster(many=True),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A size that the program knows is left out, so the host waits to read it from the data.

    `F.one_hot(labels)` must know how many columns to make. It looks for the largest label on the GPU, and the host
    waits for the answer. `F.one_hot(labels, num_classes=10)` needs no answer.

    Why
    ---
    A wait empties the queue of the GPU: the host sleeps until all earlier work is done, and then the GPU idles until
    the host has queued more. Besides, a guessed size is wrong where the largest label is missing from a batch.

    Instead
    -------
    Say the size: `num_classes=` for `one_hot`, `output_size=` for `repeat_interleave` with repeats on the GPU, `min=`
    and `max=` for `histc`. Repeats that are one Python number need no hint.

    When it is fine
    ---------------
    Where the host does not know the size and needs to. Tensors on the CPU, repeats that are one number, and code that
    runs once are not reported.

    Fix safety
    ----------
    `num_classes=` is filled in from a name that the code can read there and that says so, such as `self.num_classes`.
    The result then has that many columns, not as many as the largest label of the batch asks for. An
    `output_size=` is added where the repeats are made of a list, as its sum, or where a name holds that sum; it is wrong if a
    single number repeats everything. Where the host does not know the sum there is no fix.
    """
    kind = _kind(call)
    if kind not in HINTS:
        return
    yield Draft(facts.spot(call), HINTS[kind], because=(facts.host_wait(call),), fix=_fix(call, kind, facts))


def _kind(call: cst.Call) -> str:
    match call.func:
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name
    return ""


def _fix(call: cst.Call, kind: str, facts: Facts) -> Fix[Edit] | None:
    if kind == "one_hot":
        names = facts.readable(call, *match.count_names.of_classes())
        if len(names) != 1:
            return None
        text = facts.with_arguments(call, call, num_classes=names[0])
        return Fix(f"Say how many classes there are: `num_classes={names[0]}`", (Replace(call, text),), Safety.UNSAFE)
    total = _total(call, facts) if kind == "repeat_interleave" else None
    if total is None:
        return None
    text = facts.with_arguments(call, call, output_size=total)
    return Fix(f"Say how long the result is: `output_size={total}`", (Replace(call, text),), Safety.UNSAFE)


def _total(call: cst.Call, facts: Facts) -> str | None:
    """The sum of the repeats, where a name holds it or they are made of a list of the host; None where nobody knows."""
    is_method = facts.name(call.func) is None
    repeats = next((arg.value for arg in call.args if arg.keyword is not None and arg.keyword.value == "repeats"), None)
    places = [arg.value for arg in call.args if arg.keyword is None]
    if repeats is None and len(places) > (0 if is_method else 1):
        repeats = places[0 if is_method else 1]
    if repeats is None:
        return None
    made = facts.definition(repeats) if isinstance(repeats, cst.Name) else repeats
    match made:
        case cst.Call(func=func, args=[cst.Arg(value=cst.Name() as data, keyword=None), *_]):
            if facts.name(func) in ("torch.tensor", "torch.as_tensor") and facts.value(data).value.kind == "list":
                return facts.ask(match.name_of_sum, call, facts.at(data)) or f"sum({data.value})"
    return facts.ask(match.name_of_sum, call, facts.at(repeats))
