from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import (
    Draft,
    Edit,
    Facts,
    Faster,
    Findings,
    Fix,
    Frequency,
    InsertAfter,
    InsertBefore,
    Replace,
    Safety,
    rule,
    safe_if,
)

LONG = 40
"""Longer names of buffers nobody wants."""


@rule("TPL114", frequency=Frequency.STEP, waits=("copy",), fix=Safety.SAFE, impact=Faster(many=True))
def check(node: cst.Subscript, facts: Facts) -> Findings:
    """A tensor on the GPU is indexed with a list or array of the host, which is copied over each time.

    `x[:, [0, 2]]` makes a tensor of the list, copies it to the GPU and waits for the copy. So do a NumPy array and an
    index tensor on the CPU; in training the backward pass copies the index once more.

    Why
    ---
    The copy is tiny, but it comes from pageable memory: the host waits until the GPU has done all that was queued
    before it. A slice costs nothing, an index that is on the GPU already no wait.

    Instead
    -------
    Take a slice where the numbers follow each other. Keep a constant index on the GPU: as a buffer of the module
    (`register_buffer(..., persistent=False)`), or made once before the loop. An index that is new at each step can be
    drawn on the GPU, or copied from pinned memory with `non_blocking=True`.

    When it is fine
    ---------------
    Single numbers, slices and masks need no copy of an index. Code that runs once, tensors on the CPU and what is
    behind a gate are not reported; of an index that is used several times, the first use is.

    Fix safety
    ----------
    `torch.arange(n)` or `range(n)` as an index is made on the GPU instead, which gives the same. A list of numbers that follow each
    other becomes a slice, and that is unsafe: the slice is a view, so that writing into it changes the original tensor,
    and where the list would raise for a number that is too large, the slice ends early. Other constant lists are shown
    as a buffer, or as a tensor made before the loop, and never changed for you.
    """
    wait = facts.host_wait(node)
    part = facts.waited_for(wait)
    if part is node or not isinstance(part, cst.BaseExpression):
        return
    held = facts.value(part)
    if not held.known or held.value.dtype == "bool" or (isinstance(part, cst.Name) and facts.waited_before(node)):
        return
    kinds = {"tensor": "an index on the CPU", "ndarray": "a NumPy array", "iterator": "a `range`"}
    what = kinds.get(held.value.kind, "a list")
    message = f"{what} is copied to the GPU each time to index with it, and the host waits for the copy"
    yield Draft(node, message, because=(wait,), fix=_fix(node, part, facts))


def _fix(node: cst.Subscript, part: cst.BaseExpression, facts: Facts) -> Fix[Edit] | None:
    if _arange(part, facts) is not None:
        return _made_there(node, facts)
    match part:
        case cst.Call(func=cst.Name("range")) if facts.value(part).value.kind == "iterator":
            return _counted_there(node, part, facts)
    numbers = _numbers(part, facts)
    if not numbers:
        return None
    others = [each.slice for each in node.slice if not (isinstance(each.slice, cst.Index) and each.slice.value is part)]
    span = _slice(numbers)
    if span is not None and all(_is_plain(each) for each in others):
        return Fix(f"Take the slice `{span}`", (Replace(part, span),), Safety.UNSAFE)
    return _hoisted(node, part, numbers, facts)


def _made_there(node: cst.Subscript, facts: Facts) -> Fix[Edit] | None:
    """Every `torch.arange` of an index on the device of what is indexed."""
    indices = [each.slice.value for each in node.slice if isinstance(each.slice, cst.Index)]
    held = [(index, found) for index in indices if (found := facts.tensor(index)).known and found.value.on_host]
    edits = [
        Replace(index, facts.with_arguments(index, factory, device=f"{node.value.value}.device"))
        for index, found in held
        if isinstance(node.value, cst.Name)
        and found.value.dtype == "int64"
        and (factory := _arange(index, facts)) is not None
    ]
    if len(edits) < len(held):
        return None
    safety = safe_if(facts.tensor(node.value), *(found for _, found in held))
    return Fix("Make the index on the GPU", tuple(edits), safety)


def _counted_there(node: cst.Subscript, part: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """`x[range(n), labels]` with a `torch.arange(n)` on the device of what is indexed."""
    arange = facts.spelling("torch.arange")
    if arange is None or not isinstance(node.value, cst.Name) or any(each.keyword or each.star for each in part.args):
        return None
    given = ", ".join(facts.source(each.value) for each in part.args)
    made = f"{arange}({given}, device={node.value.value}.device)"
    return Fix("Make the index on the GPU", (Replace(part, made),), safe_if(facts.tensor(node.value)))


def _arange(part: cst.BaseExpression, facts: Facts) -> cst.Call | None:
    """The `torch.arange(n)` that an index is, below what only gives it another shape."""
    match part:
        case cst.Call(func=func) if facts.name(func) == "torch.arange":
            return part
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("unsqueeze" | "view" | "reshape" | "expand"))):
            return _arange(inner, facts)
        case cst.Subscript(value=inner):
            return _arange(inner, facts)
    return None


def _numbers(part: cst.BaseExpression, facts: Facts) -> list[int]:
    """The whole numbers of a list that is written out."""
    if not isinstance(part, cst.List):
        return []
    found = [facts.constant(element.value) for element in part.elements]
    return found if all(isinstance(each, int) and not isinstance(each, bool) for each in found) else []


def _is_plain(part: cst.BaseSlice) -> bool:
    """A slice, `...` or `None`: next to anything else a list pairs up with it."""
    match part:
        case cst.Slice() | cst.Index(value=cst.Ellipsis() | cst.Name("None")):
            return True
    return False


def _slice(numbers: list[int]) -> str | None:
    """`[2, 3, 4]` as `2:5`, `[0, 2]` as `0:3:2`, `[-2, -1]` as `-2:`."""
    first, last = numbers[0], numbers[-1]
    step = numbers[1] - first if len(numbers) > 1 else 1
    if step < 1 or (first < 0 <= last) or numbers != list(range(first, last + 1, step)):
        return None
    end = "" if last == -1 else str(last + 1)
    return f"{first}:{end}" if step == 1 else f"{first}:{end}:{step}"


def _hoisted(node: cst.Subscript, part: cst.BaseExpression, numbers: list[int], facts: Facts) -> Fix[Edit] | None:
    """The index as a buffer of the module, or made before the loop; called by its numbers, so that no two share a name."""
    name = "_".join(["index", *(str(each).replace("-", "minus") for each in numbers)])
    tensor, loop, constructor = facts.spelling("torch.tensor"), facts.loop(node), facts.constructor(node)
    if tensor is None or len(name) > LONG or facts.mentions(name):
        return None
    made = f"{tensor}({facts.source(part)}"
    if loop is not None:
        held = facts.source(node.value)
        device = f"{held}.device" if facts.readable(loop, held) else '"cuda"'
        edits = (InsertBefore(loop, f"{name} = {made}, device={device})"), Replace(part, name))
        return Fix("Make the index once, on the GPU", edits, Safety.SHOWN)
    if constructor is None or not facts.settings.has_unsaved_buffers:
        return None
    this = constructor.params.params[0].name.value
    kept = InsertAfter(constructor.body.body[-1], f'{this}.register_buffer("{name}", {made}), persistent=False)')
    return Fix("Keep the index as a buffer", (kept, Replace(part, f"{this}.{name}")), Safety.SHOWN)
