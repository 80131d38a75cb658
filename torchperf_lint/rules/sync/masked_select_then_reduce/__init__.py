from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.sync.masked_select_then_reduce import match

FLOATS = ("floating", "float32", "float16", "bfloat16", "float64")
NEUTRAL = {
    "sum": "0", "mean": "0", "any": "False", "all": "True",
    "max": 'float("-inf")', "amax": 'float("-inf")', "min": 'float("inf")', "amin": 'float("inf")',
}  # fmt: skip
"""What changes nothing in a reduction."""


@rule(
    "TPL108",
    names=("masked_select", *NEUTRAL),
    waits=("shape",),
    screen=match.may_be_reduced,
    fix=Safety.UNSAFE,
    impact=Faster(many=True),
)
def check(node: cst.Subscript | cst.Call, facts: Facts) -> Findings:
    """Elements are selected with a mask, only to be reduced to one number.

    `x[mask].mean()` first copies what the mask selects. How much that is, only the GPU knows, so the host waits for it,
    and again in the backward pass, where the gradient is written back to those places.

    Why
    ---
    A reduction does not need the selection: with the other elements set to what changes nothing, zero for a sum, it
    gives the same. That is one pass through memory and no wait. On an H200 the sum over a selection of four million
    elements took 99 µs, and 58 µs with `torch.where`.

    Instead
    -------
    `torch.where(mask, x, 0).sum()`, and for the mean that sum over `mask.sum()`. Not `x * mask`: NaN times zero is NaN. For
    the same reason an operation whose backward multiplies with its input wants a harmless one where the mask is false:
    `torch.where(mask, torch.where(mask, x, 1).log(), 0).sum()`.

    When it is fine
    ---------------
    Where the same selection is used for heavier work as well, or the result is read by the host right away: that is
    not reported. Where nothing in sight runs it at every step, it is a hint that fails no run. Where nearly nothing is
    selected from a large tensor, indices may be faster.

    Fix safety
    ----------
    The same elements are added up in another order, so results differ by rounding. The mean of an empty selection stays
    NaN; the largest element of one raises an error today, and becomes minus infinity. A sum of float16 may overflow
    where a mean did not.
    """
    found = facts.ask(match.reduction, node)
    if found is None or facts.runs_seldom(node):
        return
    call, name, reduced = facts.node(found[0]), found[1], facts.node(found[2])
    selection, settings = facts.selection(reduced), _settings(call, reduced)
    if selection is None or selection.reads[0].node is not node or settings not in ("", "0") or _is_read(call, facts):
        return
    if facts.selects_for_more(selection.mask) or facts.tested_before(selection.mask):
        return  # another wait for the same mask stays
    yield Draft(
        facts.spot(call),
        "selecting before a reduction makes the host wait, for the size of what is selected",
        because=(facts.host_wait(node),),
        fix=_fix(call, name, reduced, settings, facts),
        about=call,
        is_hint=facts.frequency(call).value < Frequency.INFERENCE,
    )


def _settings(call: cst.Call, reduced: cst.BaseExpression) -> str | None:
    """The dimension that is reduced, where it is the only setting; "" for all of them."""
    rest = [arg for arg in call.args if arg.value is not reduced]
    match rest:
        case []:
            return ""
        case [cst.Arg(keyword=None | cst.Name("dim"), value=cst.Integer(value=value), star="")]:
            return value
    return None


def _is_read(call: cst.Call, facts: Facts) -> bool:
    """Whether the host reads the result at once, and so waits anyway."""
    match facts.parent(call):
        case cst.Attribute(attr=cst.Name("item" | "tolist" | "cpu" | "numpy")):
            return True
        case cst.Arg() as arg:
            above = facts.parent(arg)
            return isinstance(above, cst.Call) and facts.source(above.func) in ("float", "int", "bool", "print")
    return bool(facts.uses(call) & {"decides", "indexes"})


def _fix(call: cst.Call, name: str, reduced: cst.BaseExpression, settings: str, facts: Facts) -> Fix[Edit] | None:
    """The reduction over all elements, those that the mask leaves out set to what changes nothing."""
    where, selection = facts.spelling("torch.where"), facts.selection(reduced)
    if where is None or selection is None:
        return None
    mask, sources = facts.source(selection.mask), [read.source for read in selection.reads]
    shorts = {facts.dimensions_short(selection.mask, source) for source in sources}
    short = shorts.pop() if len(shorts) == 1 else None
    rank = facts.tensor(selection.mask).value.rank if facts.tensor(selection.mask).known else None
    if (name == "mean" and short != 0 and not settings) or (
        settings and (rank != 1 or name not in ("sum", "mean") or short is None)
    ):
        return None
    if (short or name == "mean") and any(isinstance(read.node, cst.Call) for read in selection.reads):
        return None  # `masked_select` spreads a mask the other way, and who knows how far
    dtype = facts.tensor(reduced).value.dtype if facts.tensor(reduced).known else None
    if (name in ("any", "all")) != (dtype == "bool") and name != "sum":
        return None
    is_broadcast = any(isinstance(read.node, cst.Call) for read in selection.reads)
    spread = mask if is_broadcast else facts.spread(selection.mask, sources[0])
    is_risky = not selection.linear and facts.may_carry_gradients(*sources)
    parts: dict[cst.CSTNode, str] = {}
    for read in selection.reads:
        safe = f"{where}({spread}, {facts.source(read.source)}, 1)"  # a zero gradient times NaN would be NaN
        parts[read.node] = safe if is_risky else facts.operand(read.source)
    everywhere = f"{where}({spread}, {facts.rewritten(reduced, parts)}, {NEUTRAL[name]})"
    method = "sum" if name == "mean" else name
    text = f"{everywhere}.{method}({settings})"
    if name == "mean":
        text = f"{text} / {facts.operand(selection.mask)}.sum()"
        text = f"({text})" if _binds_tighter(facts.parent(call)) else text
    is_float = name in ("sum", "mean", "any", "all") or dtype in FLOATS
    safety = Safety.UNSAFE if short is not None and is_float else Safety.SHOWN
    known = "" if short is not None else ", the mask with as many dimensions as the tensor"
    return Fix(f"Reduce over everything, with `torch.where`{known}", (Replace(call, text),), safety)


def _binds_tighter(node: cst.CSTNode | None) -> bool:
    """Whether a quotient needs parentheses in what it becomes part of."""
    match node:
        case cst.BinaryOperation(operator=cst.Add() | cst.Subtract()):
            return False
    return isinstance(node, cst.Attribute | cst.BinaryOperation | cst.UnaryOperation | cst.Subscript)
