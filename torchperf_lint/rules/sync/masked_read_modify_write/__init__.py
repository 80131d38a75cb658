from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.sync.masked_read_modify_write import match

FLOATS = ("floating", "float32", "float16", "bfloat16", "float64")
OPERATORS = ("", "+=", "-=", "*=", "/=", "**=", "&=", "|=", "^=")


@rule("TPL110", waits=("index",), fix=Safety.UNSAFE, impact=Faster(many=True))
def check(node: cst.Subscript, facts: Facts) -> Findings:
    """Elements under a mask are rewritten, and the host waits to learn which they are.

    `x[mask] = y[mask]` and `x[mask] *= 2` turn the mask into a list of indices. How long that list is, only the GPU
    knows, so the host stops until the GPU has come that far: once to read, and once more to write.

    Why
    ---
    For an operation on each element the list is not needed: computing it everywhere and choosing with the mask is one
    kernel that streams through memory, and nothing waits. Measured on an H200, `x[mask] = y[mask]` took twelve times as
    long as `torch.where`, before the cost of the wait.

    Instead
    -------
    `x = torch.where(mask, y, x)`, or `x.copy_(torch.where(mask, y, x))` where others hold the same tensor; of a number
    itself, `x[mask] = 0.5`, and not a tensor of it. Where the backward of an operation multiplies with its input
    (`sqrt`, `log`, a product), choose a harmless input first: `torch.where(mask, torch.where(mask, x, 1).sqrt(), x)`.
    Otherwise NaN or infinity where the mask is false times a gradient of zero becomes NaN.

    When it is fine
    ---------------
    Where the mask saves heavy work, such as a network that runs on the selected rows alone: that is not reported, nor is
    a Python number, as in `x[mask] = 0`, which does not wait. Where nothing in sight runs it at every step, it is a hint
    that fails no run. Over a large tensor a mask that is nearly empty may be faster: measure it.

    Fix safety
    ----------
    All elements are computed, so rounding may differ where kernels do, and anomaly detection sees the NaN of one that is
    not chosen. A tensor that only this name holds is bound anew; any other is overwritten in place, as before. Where
    the shapes are not known, the fix is only shown.
    """
    mask = facts.mask(node)
    if mask is None or facts.runs_seldom(node):
        return
    if facts.selects_for_more(mask) or facts.tested_before(mask):
        return  # another wait for the same mask stays
    statement = _statement(node, facts)
    if not isinstance(statement, cst.Assign | cst.AugAssign):
        return
    value, is_plain = statement.value, isinstance(statement, cst.Assign)
    operator = "" if is_plain else facts.rewritten(statement, {node: "", value: ""}).strip()
    selection = facts.selection(value)
    if selection is not None and facts.source(selection.mask) != facts.source(mask):
        return
    held = facts.value(value)
    is_number = held.known and (held.value.kind == "number" or held.value.rank == 0)
    if operator not in OPERATORS or (selection is None and not is_number and not _spreads(node, mask, value, facts)):
        return
    does = "updating a tensor" if operator else "reading and writing" if selection is not None else "writing a tensor"
    message = f"{does} under a mask makes the host wait for the indices of the mask"
    fix = _fix(node, mask, statement, value, operator, facts)
    is_hint = facts.frequency(node).value < Frequency.INFERENCE
    yield Draft(node, message, because=(facts.host_wait(node),), fix=fix, about=statement, is_hint=is_hint)


def _statement(node: cst.Subscript, facts: Facts) -> cst.CSTNode | None:
    """The assignment whose one target a subscript is."""
    match above := facts.parent(node):
        case cst.AssignTarget():
            whole = facts.parent(above)
            return whole if isinstance(whole, cst.Assign) and len(whole.targets) == 1 else None
    return above


def _spreads(node: cst.Subscript, mask: cst.BaseExpression, value: cst.BaseExpression, facts: Facts) -> bool:
    """Whether a value goes to every selected row, and is not a list of values, one for each."""
    held, short = facts.tensor(value), facts.dimensions_short(mask, node.value)
    if not held.known or short is not None:
        return held.known and 0 < (held.value.rank or 0) <= (short or 0)
    match value:
        case cst.Call(func=cst.Attribute(value=moved, attr=cst.Name("to" | "type" | "type_as"))):
            return _spreads(node, mask, moved, facts)
    # A parameter has no row for each selected element.
    return isinstance(value, cst.Attribute) and held.value.grad is True


def _fix(
    node: cst.Subscript,
    mask: cst.BaseExpression,
    statement: cst.CSTNode,
    value: cst.BaseExpression,
    operator: str,
    facts: Facts,
) -> Fix[Edit] | None:
    """`torch.where`, bound anew or copied in."""
    number = facts.bare_number(value)
    if number is not None and not operator:
        title = "Write the number itself, which does not wait"
        return Fix(title, (Replace(value, facts.source(number)),), Safety.UNSAFE)
    where, target, selection = facts.spelling("torch.where"), node.value, facts.selection(value)
    reads = selection.reads if selection is not None else ()
    sources = [read.source for read in reads]
    short = facts.dimensions_short(mask, target)
    if where is None or not _is_plain(target) or (short or 0) < 0:
        return None
    is_risky = not _is_linear(value, operator, facts) and facts.may_carry_gradients(target, *sources)
    is_named = (is_risky or short is None) and not _is_plain(mask) and not facts.mentions("mask")
    chosen = facts.spread(mask, target, "mask" if is_named else "")

    def everywhere(source: cst.BaseExpression) -> str:
        return f"{where}({chosen}, {facts.source(source)}, 1)" if is_risky else facts.operand(source)

    new = facts.rewritten(value, {read.node: everywhere(read.source) for read in reads})
    if operator:
        is_tight = value in [read.node for read in reads] or facts.operand(value) == facts.source(value)
        new = f"{everywhere(target)} {operator.removesuffix('=')} {new if is_tight else f'({new})'}"
    name = facts.source(target)
    new = f"{where}({chosen}, {new}, {name})"
    rebinds = facts.ask(match.owns, target) and _keeps_dtype(target, value, sources, operator, facts)
    known = short is not None and all(facts.dimensions_short(mask, each) == short for each in sources)
    widened = "" if short is not None else ", the mask with as many dimensions as the tensor"
    text = f"mask = {facts.source(mask)}\n" * is_named + (f"{name} = {new}" if rebinds else f"{name}.copy_({new})")
    title = f"Choose with `torch.where`{widened}"
    return Fix(title, (Replace(statement, text),), Safety.UNSAFE if known else Safety.SHOWN)


def _is_linear(value: cst.BaseExpression, operator: str, facts: Facts) -> bool:
    """Whether the backward pass needs no value of what is read."""
    selection = facts.selection(value)
    held = facts.value(value)
    by_number = held.known and (held.value.kind == "number" or (held.value.rank == 0 and held.value.grad is False))
    is_linear = operator in ("", "+=", "-=") or (by_number and operator in ("*=", "/="))
    return is_linear and (selection is None or selection.linear)


def _is_plain(node: cst.BaseExpression) -> bool:
    """A name, or an attribute of one: what can be written twice."""
    return isinstance(node, cst.Name) or (isinstance(node, cst.Attribute) and _is_plain(node.value))


def _keeps_dtype(
    target: cst.BaseExpression,
    value: cst.BaseExpression,
    sources: list[cst.BaseExpression],
    operator: str,
    facts: Facts,
) -> bool:
    """Whether the result has the dtype that the target has."""
    old, new = facts.tensor(target).value.dtype, facts.value(value).value
    if operator and new and (new.kind == "number" or new.rank == 0):
        return True  # in place, it raises where the result would not fit
    if sources and all(each.deep_equals(target) for each in sources):
        return old in (None, *FLOATS) or bool(new and new.dtype == old)
    return bool(new) and old not in (None, "floating", "integral") and new.dtype == old
