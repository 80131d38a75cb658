from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Fact, Facts, Faster, Findings, Frequency, Wait, rule
from torchperf_lint.rules.sync.sync_inside_forward import match

WHOLE = ("cpu", "numpy", "to", "type")
"""What hands all values of a tensor to the host."""

ON_HOST = ("numpy", "double")
"""What is made of a tensor of the host to work on it there: an array, or the precision that GPUs are slow at."""

JOINS = ("torch.stack", "torch.cat")
"""What gathers several values, to read them at once."""

ITEMS = "numbers of the GPU are read one by one to make a tensor of them: `torch.stack` keeps them there"
SIZES = {
    "shape": "how many there are, the GPU must count",
    "index": "how many a mask selects, the GPU must count",
}


@rule(
    "TPL102",
    frequency=Frequency.INFERENCE,
    waits=("truth", "scalar", "size", "read", "shape", "index"),
    screen=match.may_be_said,
    impact=Faster(many=True),
)
def check(
    node: cst.Call
    | cst.Subscript
    | cst.If
    | cst.While
    | cst.Assert
    | cst.BooleanOperation
    | cst.UnaryOperation
    | cst.Comparison,
    facts: Facts,
) -> Findings:
    """The host waits for the GPU in the middle of a model.

    `if torch.isnan(h).any():`, `int(lengths.max())` and `x[mask]` look like any other line of `forward`, but each needs
    a value or a size from the GPU before Python can go on. The GPU has then done all that was queued, and idles until
    the host has queued more.

    Why
    ---
    In the middle of a step a wait costs the lead that the host has built up, in each layer anew: a NaN check in every layer
    slows down even a step that the GPU is busy with. It also ends the graph of `torch.compile`, and no CUDA graph can be captured.

    Instead
    -------
    Keep sizes and decisions on the host: shapes, settings, lengths that the loader had anyway. Choose with `torch.where` and a
    mask of the full size, gather flags in a buffer on the GPU, read it every so many steps, and put checks behind a switch.

    When it is fine
    ---------------
    Where what follows is so much smaller that it pays, or needs the host (a matching on the CPU, another runtime), or a generation
    ends. A size that only the data tells (`x[mask]`, `nonzero`) is a hint, where no rule knows another form for what is done with
    it. So are one or two waits of a module of which nothing shows that a step runs several: eight were measured. Not reported: code
    behind a gate, in a branch for other devices, for tracing or scripting; checks of shapes, dtypes and devices; `nms` and its
    like, which have no other form; what goes straight to the host (`x[mask].cpu()`), or is stacked and read at once.
    Outside of a model conditions and reads are for other rules, but for numbers of which a tensor is made: those are hints.
    """
    if not facts.ask(match.may_be_said, node):
        return
    wait = facts.host_wait(node)
    inside = facts.serves_forward(node)
    message = _message(node, wait, facts) if inside else _of_loop(node, wait, facts)
    if message is not None:
        is_hint = wait.value.form in SIZES or message is ITEMS  # what has another form is for other rules
        yield Draft(facts.waiting_part(node), message, because=(wait,), is_hint=is_hint)


def _message(node: cst.CSTNode, wait: Fact[Wait], facts: Facts) -> str | None:
    """What to say of a wait inside `forward`; None where it is not for this rule."""
    if facts.leaves(asks := facts.asking(node)) or facts.saves_turns(asks) or facts.choice(node) is not None:
        return None  # worth a measurement, or curable: TPL103 says so
    place = f"`{facts.ask(match.place, node)}`"
    match wait.value.form:
        case "truth" if isinstance(node, cst.Call):
            return f"{facts.ask(match.shown, node)} answers on the host, which waits for the GPU in {place}"
        case "truth":
            return f"a condition asks a tensor: the host waits for the GPU in {place}"
        case "scalar" | "size" if not facts.waited_before(node):
            return f"the host waits for the GPU in {place}: {wait.value.says}"
        case "read" if not _is_handed_over(node, facts):
            return f"{facts.ask(match.shown, node)} makes the host wait for the GPU in {place}"
        case "shape" | "index" if not _is_inherent(node, facts):
            return f"the host waits for the GPU in {place}: {SIZES[wait.value.form]}"
    return None


def _of_loop(node: cst.CSTNode, wait: Fact[Wait], facts: Facts) -> str | None:
    """What to say of a wait in a loop over steps, of those that are not for other rules."""
    if wait.value.form == "read":
        return ITEMS
    if _is_inherent(node, facts):
        return None
    return f"the host waits for the GPU at every step: {SIZES[wait.value.form]}"


def _is_inherent(node: cst.CSTNode, facts: Facts) -> bool:
    """Whether a size that depends on the data has no other form, or was said already."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(name)) | cst.Name(name)):
            return match.call_names.leaves_some(name)
        case cst.Subscript():
            return facts.ask(match.is_repeated, node) or _goes_to_host(node, facts)
    return False


def _goes_to_host(node: cst.CSTNode, facts: Facts) -> bool:
    """Whether what is selected goes straight to the host, which waits for it there in any case: `x[m].cpu()`."""
    above = facts.parent(node)
    match above:
        case cst.Attribute(value=held, attr=cst.Name(name)) if held is node:
            return name in ("cpu", "numpy", "tolist") or _goes_to_host(above, facts)
        case cst.Call(func=func) if func is node:
            return _goes_to_host(above, facts)
        case cst.Arg():
            return _goes_to_host(above, facts)
        case cst.Call(func=func) if (facts.name(func) or "").startswith("torch."):
            return _goes_to_host(above, facts)
    return False


def _is_handed_over(node: cst.CSTNode, facts: Facts) -> bool:
    """Whether a whole tensor goes to the host to stay there, to a caller, to NumPy; or several values are read at once."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Call(func=joins), attr=cst.Name("tolist"))):
            return facts.name(joins) in JOINS or facts.ask(match.edits_arrays, node)
        case cst.Call(func=cst.Attribute(attr=cst.Name("tolist"))):
            return facts.ask(match.edits_arrays, node)
        case cst.Call(func=cst.Attribute(attr=cst.Name(name))) if name in WHOLE:
            if facts.ask(match.becomes_list, node):
                return facts.ask(match.edits_arrays, node)
            above = facts.parent(node)
            goes_on = isinstance(above, cst.Attribute) and above.attr.value in ON_HOST
            is_kept = bool(facts.uses(node) & {"returned", "sent", "stored"})
            return name == "numpy" or goes_on or is_kept or _selects_on_host(node, facts)
    return False


def _selects_on_host(node: cst.CSTNode, facts: Facts) -> bool:
    """Whether something is a part of the index of a tensor on the host, which must have it there: `x.cpu()[y.cpu() > 0]`."""
    above = facts.parent(node)
    while isinstance(above, cst.BaseExpression | cst.BaseSlice | cst.SubscriptElement | cst.ComparisonTarget):
        if isinstance(above, cst.Subscript):
            held = facts.tensor(above.value)
            return above.value is not node and held.known and held.value.on_host
        node, above = above, facts.parent(above)
    return False
