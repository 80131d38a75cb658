from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import (
    Draft,
    Edit,
    Fact,
    Facts,
    Faster,
    Findings,
    Fix,
    Frequency,
    InsertBefore,
    Replace,
    Safety,
    Value,
    rule,
    safe_if,
)
from torchperf_lint.rules.sync.many_scalar_reads import match, side_by_side

ROWS = "the rows of a tensor are read one by one, and the host waits for each: read the tensor once"
MANY = 4
"""Fewer reads side by side are next to one: the GPU is idle behind the first."""
OF_ITEMS = "a number of each item is read by itself, and the host waits for each of them"


@rule("TPL107", names=("item", "float", "int", "tolist"), waits=("read",), fix=Safety.SAFE, impact=Faster(many=True))
def check(call: cst.Call, facts: Facts) -> Findings:
    """Many numbers are read from the GPU one by one.

    `[v.item() for v in t]` stops once for each element: the host asks for a number, waits, gets eight bytes, and asks
    for the next. `t.tolist()` asks once for all of them.

    Why
    ---
    A read of one number takes about as long as a read of thousands, so hundreds in a row take many times as long as
    one `tolist()`; and where the GPU has work queued in between, each of them waits for it. The time of a whole step
    need not change, though: the first read waits for the GPU, the others only for themselves.

    Instead
    -------
    `t.tolist()` for a tensor, also where its rows are read one by one: `rows = t.tolist()`, then `rows[i]`.
    `torch.stack(losses).tolist()` for tensors without dimensions in a list or a dict. 64 rows took 27 times as long one by one
    (once, by hand, on an H100 or H200). Best of all none: add up on the GPU, index with tensors, and read what is left once.

    When it is fine
    ---------------
    On the CPU, behind a gate, in tests, and once an epoch: none of these is reported. Nor are two or three numbers side by side where
    nothing shows that a step reads them many times: the GPU is idle behind the first. Where nothing in sight runs the
    reads at every step, it is a hint that fails no run.

    Fix safety
    ----------
    `t.tolist()` gives the numbers that `item()` gave, for a tensor known to have one dimension. In a loop it is unsafe:
    the loop could change the tensor between two reads. Stacking raises for an empty list, and for several devices.
    """
    wait = facts.host_wait(call)
    source = _operand(call)
    if source is None:
        rows = facts.ask(match.of_rows, call)
        if rows is not None and _is_worth_it(call, (), rows, facts) and not facts.waited_before(call):
            yield Draft(facts.waiting_part(call), ROWS, because=(wait,), about=call, is_hint=True)
        return
    series = facts.ask(match.series, source)
    if series is None:
        if facts.frequency(call).value >= Frequency.INFERENCE:
            around = facts.ask(match.comprehension, source)
            if around is None:
                yield from _side_by_side(call, facts)
            else:
                yield Draft(facts.waiting_part(call), OF_ITEMS, because=(wait,), about=facts.node(around))
        return
    collection = facts.node(series.collection)
    held = facts.value(collection)
    if not held.known or not _is_worth_it(call, series.items, held.value, facts):
        return
    name, kind = facts.source(collection), "a tensor" if held.value.kind == "tensor" else "a list"
    shown = f"`{name}`" if len(name) <= 30 and "\n" not in name else kind
    message = f"the elements of {shown} are read one by one, and the host waits for each of them"
    fix = _fix(series, held, facts)
    is_hint = facts.frequency(call).value < Frequency.INFERENCE
    yield Draft(facts.waiting_part(call), message, because=(wait,), fix=fix, about=call, is_hint=is_hint)


def _operand(call: cst.Call) -> cst.BaseExpression | None:
    """The tensor that is read."""
    match call:
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name("item"))):
            return value
        case cst.Call(func=cst.Name(), args=[cst.Arg(value=value, keyword=None, star="")]):
            return value
    return None


def _is_worth_it(call: cst.Call, items: tuple[Value, ...], held: Value, facts: Facts) -> bool:
    """A tensor of the GPU is never read so but by mistake; what may be there matters where it is hot."""
    hot = facts.frequency(call).value >= Frequency.INFERENCE
    if held.kind == "tensor":
        return hot or held.device in ("cuda", "maybe")
    return hot and held.kind in ("list", "tuple", "dict") and any(item.kind == "tensor" for item in items)


# ---- numbers side by side


def _side_by_side(call: cst.Call, facts: Facts) -> Findings:
    """`return {"loss": loss.item(), "kl": kl.item()}`: reported at the first."""
    around, calls = facts.ask(side_by_side.beside, call) or (None, [])
    waits = [(each, facts.host_wait(each)) for each in map(facts.node, calls) if _operand(each) is not None]
    reads = [each for each, wait in waits if wait.known and wait.value.form == "read"]
    if len(reads) < 2 or reads[0] is not call:
        return
    message = f"{len(reads)} numbers are read one by one, and the host waits for each of them"
    about = facts.node(around) if around is not None else None
    yield Draft(call, message, because=(facts.host_wait(call),), about=about, needs_many=len(reads) < MANY)


# ---- the fix


def _fix(series: match.Series, held: Fact[Value], facts: Facts) -> Fix[Edit] | None:
    """One read of all: `tolist()` of a tensor of one dimension, or of a stack of tensors of none."""
    source, stack = facts.operand(facts.node(series.collection)), facts.spelling("torch.stack")
    by = series.by
    if held.value.kind == "tensor":
        if held.value.rank != 1 or not series.reads:
            return None
        edits = _items(series, source, facts) if by == "items" else _by_index(series, facts)
        safety = safe_if(held) if series.plain and by == "items" else Safety.UNSAFE
        return Fix("Read all elements at once with `tolist()`", edits, safety) if edits else None
    if stack is None or not series.stacks or not series.whole:
        return None
    new = f"{stack}({source}).tolist()"
    if by == "values":
        new = f"dict(zip({source}, {stack}(tuple({source}.values())).tolist()))"
    around = facts.node(series.around)
    return Fix("Stack them and read all at once", (Replace(around, new),), Safety.UNSAFE)


def _items(series: match.Series, source: str, facts: Facts) -> tuple[Edit, ...]:
    """`for v in t: f(v.item())` as `for v in t.tolist(): f(v)`."""
    if series.whole:
        return (Replace(facts.node(series.around), f"{source}.tolist()"),)
    edits: list[Edit] = [Replace(facts.node(series.collection), f"{source}.tolist()")]
    for read in map(facts.node, series.reads):
        match read.func:
            case cst.Attribute(value=cst.Name(name)):
                edits.append(Replace(read, name))
    return tuple(edits)


def _by_index(series: match.Series, facts: Facts) -> tuple[Edit, ...]:
    """`for i in range(n): f(t[i].item())` with `t_values = t.tolist()` above it."""
    collection, around = facts.node(series.collection), facts.node(series.around)
    above = around if isinstance(around, cst.For) else facts.statement(around)
    if not isinstance(collection, cst.Name) or not isinstance(above, cst.For | cst.SimpleStatementLine):
        return ()
    listed = f"{collection.value}_values"
    edits: list[Edit] = [InsertBefore(above, f"{listed} = {collection.value}.tolist()")]
    for read in map(facts.node, series.reads):
        match read:
            case cst.Call(func=cst.Attribute(value=cst.Subscript(slice=[index]))):
                edits.append(Replace(read, f"{listed}[{facts.source(index)}]"))
            case cst.Call(args=[cst.Arg(value=cst.Subscript(value=base))]):
                edits.append(Replace(base, listed))
    return () if facts.mentions(listed) else tuple(edits)
