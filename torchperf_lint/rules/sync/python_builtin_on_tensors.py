from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule

BUILTINS = ("max", "min", "sorted", "any", "all")
ON_ONE_TENSOR = ("any", "all")
"""These go through the elements of a tensor, and stop where the answer is clear."""
ON_TENSORS = {"max": "maximum", "min": "minimum"}


@rule("TPL105", names=BUILTINS, waits=("truth",), fix=Safety.UNSAFE, impact=Faster(many=True))
def check(call: cst.Call, facts: Facts) -> Findings:
    """Python's own `max`, `min`, `sorted`, `any` or `all` looks at tensors, and the host waits for each.

    `max(a, b)` is Python: it asks the GPU whether `b > a`, waits for the answer, and takes one of the two. `any(mask)` takes
    the mask apart and asks for its elements in turn.

    Why
    ---
    A wait for each comparison, and one less for a list than it has elements, each at the end of all that is queued. `any` of
    1,024 elements of which none is set took 169 times as long as `.any()` (143 to 189), on an NVIDIA H100 80GB HBM3 with torch
    2.11.0+cu130 (2026-11-26).

    Instead
    -------
    `torch.maximum(a, b)`, `x.clamp(min=1)` for a tensor and a number, `torch.stack(list).amax()` for a list, `sort` of a tensor
    for `sorted`, `mask.any()` and `mask.all()`, which are one wait. Where the result bounds a slice or decides a branch, the
    host needs it in any case: make Python numbers of what is compared, once, with `item` or `tolist`. `max` of one tensor is `x.max()`,
    or the `max` of `x.tolist()` where its elements are read anyway.

    When it is fine
    ---------------
    Numbers of Python, tensors on the CPU, code behind a gate: these are not reported. Where nothing in sight runs it at every
    step it is a hint that fails no run. `any` of a list of tensors waits too, for each: other rules speak of that.

    Fix safety
    ----------
    `torch.maximum` passes NaN on, where Python takes what was there first. Of equal elements each gets half of the
    gradient. `clamp` gives a tensor where `max` may have given the number, and so does `.any()` where `any` gave a `bool`.
    """
    func = call.func
    if not isinstance(func, cst.Name) or not facts.host_wait(call).known or facts.runs_seldom(call):
        return
    if any(arg.keyword is not None for arg in call.args):
        return  # a key is compared, and not what is given
    if func.value in ON_TENSORS and len(call.args) == 2 and facts.compiled_at(facts.at(call)).known:
        return  # Dynamo makes `torch.maximum` or `clamp` of it
    is_hot = facts.frequency(call).value >= Frequency.INFERENCE
    if func.value in ON_ONE_TENSOR:
        yield from _asked(call, func.value, facts, is_hot=is_hot)
        return
    fix: Fix[Edit] | None
    message = f"Python's `{func.value}` compares tensors, and the host waits for each comparison"
    if func.value in ON_TENSORS and len(call.args) == 1 and facts.value(call.args[0].value).value.kind == "tensor":
        message = (
            f"Python's `{func.value}` waits for the elements of a tensor one by one: `.{func.value}()` is one operation"
        )
        text = f"{facts.operand(call.args[0].value)}.{func.value}()"
        fix = Fix("Ask the GPU once", (Replace(call, text),), Safety.UNSAFE)
    elif facts.uses(call) & {"indexes", "decides"}:  # the host needs the result in any case
        message += ": read each once, with `item`"
        fix = None
    else:
        fix = _fix(call, func.value, facts)
    yield Draft(call, message, because=(facts.host_wait(call),), fix=fix, is_hint=not is_hot)


def _asked(call: cst.Call, name: str, facts: Facts, *, is_hot: bool) -> Findings:
    """What `any` or `all` says of a tensor itself; what goes through a list of them, each rule of a wait speaks of."""
    tensor = facts.value(call.args[0].value)
    if not tensor.known or tensor.value.kind != "tensor" or tensor.value.rank == 0:
        return
    text = f"{facts.operand(call.args[0].value)}.{name}()"
    message = f"Python's `{name}` waits for the elements of a tensor one by one: `.{name}()` waits once"
    fix: Fix[Edit] = Fix("Ask the GPU once", (Replace(call, text),), Safety.UNSAFE)
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
