from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.transfer.plain_attribute_moved_in_forward import match

COMPLEX = ("complex64", "complex128")
"""A buffer of complex numbers loses their imaginary part when its module goes to another dtype."""
MOVES = ("to", "cuda", "type_as")


@rule(
    "TPL203",
    names=MOVES,
    frequency=Frequency.INFERENCE,
    waits=("copy",),
    screen=match.may_be_plain,
    fix=Safety.UNSAFE,
    impact=Faster(),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A tensor of a module stays on the CPU when the module moves, and is copied to the GPU at each call.

    `self.grid = torch.arange(8)` is a plain attribute: `module.cuda()` and `module.to(device)` do not know of it. So
    `forward` has to fetch it each time, and the host waits for the copy.

    Why
    ---
    A copy from pageable memory makes the host wait for all that the GPU was told to do before. It also keeps the module
    from being captured in a CUDA graph.

    Instead
    -------
    `self.register_buffer("grid", torch.arange(8), persistent=False)`: a buffer goes where its module goes, and one that is
    not persistent leaves the `state_dict` as it is.

    An object that is no module has no buffers: a processor of logits, a loss of its own. Its tensor stays where `__init__`
    made it, and is a hint: keep the copy, `self.grid = self.grid.to(x.device)`, or make it there.

    When it is fine
    ---------------
    Where the result is kept (`self.grid = self.grid.to(x.device)`) it is copied once: that is not reported. Nor are
    parameters, buffers, tensors in lists, and complex numbers, which a buffer would lose half of under `.half()`.

    Fix safety
    ----------
    Values stay as they are, as long as the module is moved to where its inputs are; a module without parameters, or one that moves
    its own parts by itself, is often moved by nobody, so there the move stays. A buffer follows `.half()` and `.double()`
    too, is copied for each replica, and is sent from rank 0 by `DistributedDataParallel`. torch before 1.6 has none that is
    not saved: no fix there.
    """
    attribute = _attribute(call)
    if attribute is None:
        return
    held, plain = facts.tensor(attribute), facts.ask(match.plain, attribute)
    if plain is None or not held.known or held.value.device != "cpu":
        return
    move = facts.move(call)
    if move.vague or not move.sure or held.value.dtype in COMPLEX or facts.ask(match.is_meant, call):
        return
    name = attribute.attr.value
    if not facts.ask(match.is_of_module, call):
        message = f"`{name}` stays on the CPU, where `__init__` made it, and is copied to the GPU at each call"
        yield Draft(facts.spot(call), message, because=(held,), is_hint=True)
        return
    message = f"`{name}` is no buffer, so it stays on the CPU and is copied to the GPU at each call"
    fix = _fix(call, attribute, facts.node(plain), facts) if facts.settings.has_unsaved_buffers else None
    yield Draft(facts.spot(call), message, because=(held,), fix=fix, is_hint=not facts.ask(match.is_in_step, call))


def _attribute(move: cst.Call) -> cst.Attribute | None:
    """The attribute that is moved, or of which a part is: `self.grid.cuda()`, `self.grid[:n].cuda()`."""
    moved = move.func.value if isinstance(move.func, cst.Attribute) else None
    while isinstance(moved, cst.Subscript):
        moved = moved.value
    return moved if isinstance(moved, cst.Attribute) else None


def _move(read: cst.BaseExpression, facts: Facts) -> cst.Call | None:
    """The move of what is read, or of a part of it."""
    above = facts.parent(read)
    match above:
        case cst.Subscript(value=value) if value is read:
            return _move(above, facts)
        case cst.Attribute(attr=cst.Name(value=name)) if name in MOVES:
            call = facts.parent(above)
            return call if isinstance(call, cst.Call) and call.func is above else None
    return None


def _fix(call: cst.Call, attribute: cst.Attribute, bound: cst.Assign, facts: Facts) -> Fix[Edit]:
    """A buffer in `__init__`, and no move of it in the other methods."""
    this, name = facts.source(attribute.value), attribute.attr.value
    kept = f'{this}.register_buffer("{name}", {facts.source(bound.value)}, persistent=False)'
    edits: list[Edit] = [Replace(bound, kept)]
    for read in facts.ask(match.reads, attribute) if facts.ask(match.is_moved, call) else []:
        move = _move(facts.node(read), facts)
        if move is None or not isinstance(move.func, cst.Attribute):
            continue
        asked = facts.move(move)
        if asked.has_device and not asked.vague and asked.device != "cpu":
            _, dtype = facts.placing(move)
            edits.append(Replace(move, facts.source(move.func.value) + (f".to({dtype})" if dtype is not None else "")))
    return Fix(f"Keep it in a buffer: `{this}.{name}`", tuple(edits), Safety.UNSAFE)
