from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule

INTEGERS = ("int64", "int32")
SIZED = (
    "range", "arange", "zeros", "ones", "empty", "full", "rand", "randn", "eye", "randperm", "new_zeros", "new_ones",
    "new_empty", "new_full", "view", "reshape", "expand", "narrow", "repeat", "split", "chunk", "unflatten",
)  # fmt: skip
CASTS = ("int", "item")


@rule("TPL115", frequency=Frequency.INFERENCE, waits=("size", "read"), fix=Safety.UNSAFE, impact=Faster(many=True))
def check(node: cst.Subscript | cst.Call, facts: Facts) -> Findings:
    """A value on the GPU is used as a size, a bound or an index, so the host waits for it.

    Shapes live on the host. `torch.arange(lengths.max())` and `x[:, :lengths.max()]` cannot go on before the number has
    come over from the GPU, nor can `x[t]` with a `t` of no dimensions: the result is a view, and where it starts is for
    the host to say.

    Why
    ---
    The host waits until the GPU has done all that was queued before; then the GPU idles until there is new work. In a
    loop over time steps that happens at each of them. In compiled code it breaks the graph.

    Instead
    -------
    Use a length that the host knows: `x.shape[1]`, and a mask for the rest; keep a copy of lengths and of a scheduler's
    table on the CPU, from before they were moved. For an index, `x.index_select(0, t.view(1)).squeeze(0)` and indices of
    one dimension leave the number on the GPU. Where the host needs a number several times, read it once with `int(...)`:
    each use of the tensor waits again, and only the first is reported.

    When it is fine
    ---------------
    Where the size saves more work than the wait costs. Numbers that come from the CPU, indices of one or more
    dimensions, and code that runs once are not reported.

    Fix safety
    ----------
    `x[t]` becomes an `index_select`. Its result is a copy: what is written into it does not reach `x`. A negative `t`
    is an error there. Sizes and bounds get no fix, for what the host knows instead is yours to say.
    """
    wait = facts.host_wait(node)
    part = facts.waited_for(wait)
    if wait.value.form == "size" and facts.waited_before(node):
        return
    if wait.value.form == "size" and isinstance(node, cst.Subscript):
        held, given = facts.value(node.value), facts.value(node)
        is_name = given.known and given.value.kind == "string"
        if held.known and held.value.kind != "tensor" and (is_name or facts.frequency(node).value < Frequency.STEP):
            return  # to look up a name for what was found, the host needs the number
        message = "the host needs this index, or bound, and waits until the GPU has it"
        yield Draft(node, message, because=(wait,), about=part, fix=_fix(node, facts))
    elif wait.value.form == "size" or _is_size(node, facts):
        yield Draft(_spot(node, facts), "the host needs this size, and waits until the GPU has it", because=(wait,))


def _spot(node: cst.CSTNode, facts: Facts) -> cst.CSTNode:
    return facts.spot(node) if isinstance(node, cst.Call) else node


def _called(node: cst.CSTNode | None) -> str:
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name)):
            return name
    return ""


def _is_size(node: cst.CSTNode, facts: Facts) -> bool:
    """Whether a value is read to be a size or a bound: in place, or by a name that is used for nothing else."""
    if _called(node) == "range":
        return True
    if _called(node) not in CASTS:
        return False
    match _place(node, facts):
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]):
            reads = facts.reads_after(name)
            return bool(reads) and all(_is_use(_place(read, facts), facts) for read in reads)
        case place:
            return _is_use(place, facts)


def _place(node: cst.CSTNode, facts: Facts) -> cst.CSTNode | None:
    """What takes a number, whatever is added to it on the way."""
    above = facts.parent(node)
    while (
        isinstance(above, cst.BinaryOperation | cst.UnaryOperation | cst.Arg | cst.Index | cst.Tuple | cst.Element)
        or _called(above) in CASTS
    ):
        above = facts.parent(above) if above is not None else None
    return above


def _is_use(place: cst.CSTNode | None, facts: Facts) -> bool:
    match place:
        case cst.Call():
            return _called(place) in SIZED
        case cst.Slice():
            element = facts.parent(place)
            base = facts.parent(element) if element is not None else None
            return isinstance(base, cst.Subscript) and facts.tensor(base.value).known
    return False


def _fix(node: cst.Subscript, facts: Facts) -> Fix[Edit] | None:
    """`x[t]` as an `index_select`."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=index))]:
            pass
        case _:
            return None
    base, held = facts.tensor(node.value), facts.tensor(index)
    if (
        not (base.known and held.known)
        or base.value.on_host
        or held.value.rank != 0
        or held.value.dtype not in INTEGERS
    ):
        return None
    above = facts.parent(node)
    if not isinstance(facts.statement(node), cst.SimpleStatementLine | cst.SimpleStatementSuite) or isinstance(
        above, cst.AssignTarget | cst.AugAssign
    ):
        return None
    if isinstance(above, cst.Attribute) and above.attr.value.endswith("_"):
        return None
    reader = facts.parent(above) if isinstance(above, cst.Attribute | cst.Arg) else None
    if isinstance(reader, cst.Call) and facts.host_wait(reader).known:
        return None  # Ex) x[t].item(): what is picked is read, so the host waits here all the same
    text = f"{facts.operand(node.value)}.index_select(0, {facts.operand(index)}.view(1)).squeeze(0)"
    return Fix("Select on the GPU", (Replace(node, text),), Safety.UNSAFE)
