from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Replace, Safety, rule, safe_if
from torchperf_lint.rules.sync.any_guard_around_masked_write import match

FLOATS = ("floating", "float32", "float16", "bfloat16", "float64")
INTEGERS = ("integral", "int64", "int32", "int16", "int8", "uint8")


@rule(
    "TPL104",
    names=match.NAMES,
    among=match.guards,
    waits=("truth", "read", "shape"),
    screen=match.may_be_guard,
    fix=Safety.SAFE,
    impact=Faster(host_work=(0, 5), many=True),
)
def check(node: cst.If | cst.Call, facts: Facts) -> Findings:
    """A write under a mask is guarded by a question whether the mask selects anything.

    `if mask.any(): x[mask] = 0` reads a value from the GPU to save a write that does nothing when nothing is selected.
    The write itself does not wait; the question does.

    Why
    ---
    `if` needs the answer now, so the host waits until the GPU has done everything queued before it, and the GPU idles
    until the host has queued more. What the guard saves is a kernel of a few microseconds.

    Instead
    -------
    Write without asking. A fill under an empty mask leaves everything as it is.

    When it is fine
    ---------------
    Where the block does more than fill under that mask, or has an `else`: that is not reported.

    Fix safety
    ----------
    Safe where the tensor is proven to be new, to need no gradient and to be kept for none, the mask is made element by
    element from it, and the number fits its dtype. Otherwise unsafe: an in-place write on a tensor that autograd
    needs, be it through a view, raises an error even if it changes nothing, and so does a mask of another shape. `x =
    x.masked_fill(...)` gives a copy, where the guard may have left the tensor itself.
    """
    asked = facts.ask(match.asked_for_any, node)
    if asked is None or facts.runs_seldom(node):
        return
    guard, mask = facts.node(asked[0]), facts.node(asked[1])
    if guard.orelse is not None or isinstance(facts.parent(guard), cst.If):
        return
    safety = Safety.SAFE
    written = []
    for line in guard.body.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else [line]:
            found = _fill(small, mask, facts)
            if found is None:
                return
            safety = min(safety, found)
            written.append(facts.source(small))
    fix: Fix[Edit] = Fix("Write without asking", (Replace(guard, "\n".join(written)),), safety)
    message = "asking whether the mask selects anything makes the host wait; the write would not"
    yield Draft(guard.test, message, because=(facts.host_wait(node),), fix=fix)


def _fill(statement: cst.CSTNode, mask: cst.BaseExpression, facts: Facts) -> Safety | None:
    """How safe it is to do a statement always; None if it is no fill with a number under the mask."""
    match statement:
        # Ex) x[mask] = 0
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=tensor) as place)], value=value):
            index = facts.mask(place)
        # Ex) x.masked_fill_(mask, 0)
        case cst.Expr(
            value=cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("masked_fill_")), args=[index_arg, value_arg])
        ):
            index, value = index_arg.value, value_arg.value
        # Ex) x = x.masked_fill(mask, 0)
        case cst.Assign(
            targets=[cst.AssignTarget(target=target)],
            value=cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("masked_fill")), args=[index_arg, value_arg]),
        ) if target.deep_equals(tensor):
            return (
                Safety.UNSAFE if _is_same(index_arg.value, mask, facts) and _is_number(value_arg.value, facts) else None
            )
        # Ex) x = torch.where(mask, 0, x)
        case cst.Assign(
            targets=[cst.AssignTarget(target=target)], value=cst.Call(func=func, args=[index_arg, value_arg, kept])
        ):
            is_choice = facts.name(func) == "torch.where" and target.deep_equals(kept.value)
            fits = is_choice and _is_same(index_arg.value, mask, facts) and _is_number(value_arg.value, facts)
            return Safety.UNSAFE if fits else None
        case _:
            return None
    if index is None or not _is_same(index, mask, facts) or not _is_number(value, facts):
        return None
    held, number = facts.tensor(tensor), facts.value(value)
    if not held.known:
        return None
    fits = held.value.dtype in FLOATS or (held.value.dtype in INTEGERS and number.value.dtype == "int")
    if held.value.grad is not False or not fits or not facts.ask(match.is_unsaved, tensor):
        return Safety.UNSAFE
    return safe_if(held, number, facts.tensor(mask), facts.same_shape(mask, tensor))


def _is_same(one: cst.BaseExpression, other: cst.BaseExpression, facts: Facts) -> bool:
    return facts.source(one) == facts.source(other)


def _is_number(value: cst.BaseExpression, facts: Facts) -> bool:
    held = facts.value(value)
    return held.known and held.value.kind == "number"
