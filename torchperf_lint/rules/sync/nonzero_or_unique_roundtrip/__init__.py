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
    Remove,
    Replace,
    Safety,
    rule,
    safe_if,
)
from torchperf_lint.rules.sync.nonzero_or_unique_roundtrip import match

NAMES = ("nonzero", "where", "unique", "unique_consecutive", "len", "numel", "size", "shape")


@rule("TPL111", names=NAMES, waits=("shape",), screen=match.may_be_counted, fix=Safety.SAFE, impact=Faster(many=True))
def check(node: cst.Call | cst.Subscript, facts: Facts) -> Findings:
    """Indices or distinct values are made for something that a mask or a count would do.

    How many elements `torch.nonzero`, `torch.unique` and `x[mask]` give depends on the data, so the host waits for the
    GPU to tell. Often nobody needs those elements: the indices only say where to write a number, or the result is only
    counted.

    Why
    ---
    The wait empties the queue of the GPU, in the middle of a step. `target[torch.nonzero(m, as_tuple=True)] = 0` waits
    for the indices and once more to bring the number over; `target[m] = 0` does not wait at all.

    Instead
    -------
    Index with the mask. Count with `mask.count_nonzero()`, and distinct values by sorting: where a sorted tensor changes, a new
    value begins. Let a count decide with `torch.where`, so that it stays on the GPU.

    When it is fine
    ---------------
    Where the indices or values themselves are needed, or their number is a size: that is not reported. A count that is a
    number of Python for another reason is, in hot code alone. Reading `x[mask]` in place of `x[indices]` would wait just
    the same, and is not asked for.

    Fix safety
    ----------
    Indexing with the mask is safe where the condition is proven to be bool and made element by element from the tensor
    that is written, which is known to have dimensions. Otherwise the fix is unsafe: a mask of fewer elements than the
    tensor has raises an error where indices do not, and indices do for a tensor without dimensions. Counts become
    tensors: what prints or stores them sees a tensor of no dimensions, and floats that are infinite count as distinct.
    Both sides of a `torch.where` are computed, and a NaN in one can reach gradients.
    """
    wait = facts.host_wait(node)
    if facts.runs_seldom(node):
        return
    yield from _written(node, facts)
    count = facts.find(match.count, _only_read(node, facts))
    is_hot = facts.frequency(node).value >= Frequency.INFERENCE
    is_number = count is not None and "indexes" not in facts.uses(count)
    for things, found, fix in (
        ("elements or indices", facts.ask(match.counted_mask, node), _counted(node, facts)),
        ("distinct values", facts.ask(match.distinct, node), _distinct(node, facts)),
    ):
        if fix is not None or (is_hot and is_number and found is not None):
            message = f"the host waits for {things}, of which only the number is used"
            yield Draft(node, message, because=(wait,), fix=fix)


def _outer(node: cst.CSTNode, facts: Facts) -> cst.CSTNode | None:
    """What an expression is an operand of: the subscript whose index it is."""
    above = facts.parent(node)
    while isinstance(above, cst.Index | cst.SubscriptElement):
        above = facts.parent(above)
    return above


def _written(node: cst.Call | cst.Subscript, facts: Facts) -> Findings:
    """`x[torch.nonzero(cond, as_tuple=True)] = 0`, also through a name: the indices wait, and so does each write."""
    condition = facts.find(match.indexed, node)
    if condition is None:
        return
    match facts.parent(node):
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]):
            places = [_outer(read, facts) for read in facts.reads_after(name)]
            is_kept = isinstance(condition, cst.Name | cst.Attribute)  # a mask that may change until it is used
        case _:
            places, is_kept = [_outer(node, facts)], False
    written = [place for place in places if isinstance(place, cst.Subscript) and _is_filled(place, facts)]
    if not written or len(written) < len(places):
        return
    held = facts.tensor(condition)
    is_bool = held.known and held.value.dtype == "bool"
    text = facts.source(condition) if is_bool else f"{facts.operand(condition)}.bool()"
    covers = [facts.same_shape(condition, place.value) for place in written]
    has_dimensions = all(facts.tensor(place.value).value.rank for place in written)
    safety = safe_if(held, *covers) if is_bool and has_dimensions and not is_kept else Safety.UNSAFE
    fix: Fix[Edit] = Fix("Index with the mask", (Replace(node, text),), safety)
    message = "a mask is turned into indices, which makes the host wait; the mask itself can be the index"
    yield Draft(node, message, because=(facts.host_wait(node),), fix=fix)
    for place in written:
        wait = facts.host_wait(place)
        if wait.known:
            text = "a number written through indices waits; under a mask it would not"
            yield Draft(place, text, because=(wait,), fix=fix)


def _is_filled(place: cst.Subscript, facts: Facts) -> bool:
    """Whether a number is written to a place that has one index."""
    match facts.parent(facts.parent(place) or place):
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value) if (
            target is place and len(place.slice) == 1
        ):
            held = facts.value(value)
            return held.known and held.value.kind == "number" and facts.tensor(place.value).known
    return False


def _counted(node: cst.Call | cst.Subscript, facts: Facts) -> Fix[Edit] | None:
    """`total / len(x[mask])`: a count that only meets tensors."""
    found = facts.ask(match.counted_mask, node)
    if found is None:
        return None
    mask, count = facts.node(found[0]), facts.node(found[1])
    used = _only_read(count, facts)
    match facts.parent(used):
        case cst.BinaryOperation(left=left, right=right):
            other = facts.tensor(right if left is used else left)
            if other.known and not other.value.on_host:
                held = _only_read(node, facts)
                assign = facts.parent(node) if held is not node else None
                edits: list[Edit] = [Replace(count, f"{facts.operand(mask)}.count_nonzero()")]
                return Fix("Count the mask", (*edits, *([Remove(assign)] if assign is not None else [])), Safety.UNSAFE)
    return None


def _distinct(node: cst.Call | cst.Subscript, facts: Facts) -> Fix[Edit] | None:
    """`if len(torch.unique(t)) < 2: loss = 0 * loss`: the count and what depends on it, in one."""
    found, where = facts.ask(match.distinct, node), facts.spelling("torch.where")
    if found is None or where is None:
        return None
    tensor, apart = facts.node(found[0]), found[1]
    values = _only_read(node, facts)
    count = facts.find(match.count, values)
    compared = facts.parent(_only_read(count, facts)) if count is not None else None
    if count is None or not isinstance(compared, cst.Comparison) or len(compared.comparisons) != 1:
        return None
    flag = _only_read(compared, facts)
    choice = facts.parent(flag)
    chosen = facts.ask(match.choice, choice) if isinstance(choice, cst.If) and choice.test is flag else None
    if choice is None or chosen is None:
        return None
    ordered = f"{facts.operand(tensor)}.flatten()" + (".sort().values" if apart else "")
    named = values is not node
    steps = f"{facts.source(values) if named else ordered}.diff().count_nonzero() + 1"
    is_inside = flag is compared and _only_read(count, facts) is count
    test = facts.rewritten(flag, {count: steps}) if is_inside else facts.source(flag)
    name, value = chosen.name.id, facts.node(chosen.value)
    new = f"{name} {chosen.sign} {facts.operand(value)}" if chosen.sign else facts.source(value)
    edits: list[Edit] = [Replace(choice, f"{name} = {where}({test}, {new}, {name})")]
    edits += [Replace(node, ordered)] if named else []
    edits += [Replace(count, steps)] if not is_inside else []
    return Fix("Count on the GPU and choose with `torch.where`", tuple(edits), Safety.UNSAFE)


def _only_read(node: cst.BaseExpression, facts: Facts) -> cst.BaseExpression:
    return facts.find(match.only_read, node) or node
