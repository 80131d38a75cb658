from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule

BUILTINS = ("max", "min", "sorted")
ON_TENSORS = {"max": "maximum", "min": "minimum"}


@rule("TPL105", names=BUILTINS, waits=("truth",), fix=Safety.UNSAFE, impact=Faster(many=True))
def check(call: cst.Call, facts: Facts) -> Findings:
    """Python's own `max`, `min` or `sorted` compares tensors, and the host waits for each comparison.

    `max(a, b)` is Python: it asks the GPU whether `b > a`, waits for the answer, and takes one of the two.

    Why
    ---
    A wait for each comparison, and one less for a list than it has elements, each at the end of all that is queued.

    Instead
    -------
    `torch.maximum(a, b)`, `x.clamp(min=1)` for a tensor and a number, `torch.stack(list).amax()` for a list, and `sort` of
    a tensor for `sorted`. Where the result bounds a slice or decides a branch, the host needs it in any case: make Python
    numbers of what is compared, once, with `int` or `tolist`.

    When it is fine
    ---------------
    Numbers of Python, tensors on the CPU, code behind a gate: these are not reported. Where nothing in sight runs it at every
    step it is a hint that fails no run.

    Fix safety
    ----------
    `torch.maximum` passes NaN on, where Python takes what was there first. Of equal elements each gets half of the
    gradient. `clamp` gives a tensor where `max` may have given the number.
    """
    func = call.func
    if not isinstance(func, cst.Name) or not facts.host_wait(call).known or facts.runs_seldom(call):
        return
    if any(arg.keyword is not None for arg in call.args):
        return  # a key is compared, and not what is given
    is_hot = facts.frequency(call).value >= Frequency.INFERENCE
    message = f"Python's `{func.value}` compares tensors, and the host waits for each comparison"
    if facts.uses(call) & {"indexes", "decides"}:  # the host needs the result in any case
        message += ": read each once, with `int`"
        fix = None
    else:
        fix = _fix(call, func.value, facts)
    yield Draft(call, message, because=(facts.host_wait(call),), fix=fix, is_hint=not is_hot)


def _fix(call: cst.Call, name: str, facts: Facts) -> Fix[Edit] | None:
    if name not in ON_TENSORS or len(call.args) != 2 or any(arg.star or arg.keyword is not None for arg in call.args):
        return None
    one, other = (arg.value for arg in call.args)
    kinds = [facts.value(each) for each in (one, other)]
    if not all(each.known for each in kinds):
        return None
    first, second = (each.value.kind for each in kinds)
    both = facts.spelling(f"torch.{ON_TENSORS[name]}")
    if first == second == "tensor" and both is not None:
        text = f"{both}({facts.source(one)}, {facts.source(other)})"
    elif {first, second} == {"tensor", "number"}:
        tensor, number = (one, other) if first == "tensor" else (other, one)
        text = f"{facts.operand(tensor)}.clamp({'min' if name == 'max' else 'max'}={facts.source(number)})"
    else:
        return None
    return Fix("Compare on the GPU", (Replace(call, text),), Safety.UNSAFE)
