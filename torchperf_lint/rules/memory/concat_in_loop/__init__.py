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
)
from torchperf_lint.rules.memory.concat_in_loop import match


@rule(
    "TPL502", names=("cat", "concat", "concatenate", "hstack", "vstack", "dstack"), screen=match.may_regrow,
    fix=Safety.UNSAFE, impact=Faster("for the loop alone"),
)  # fmt: skip
def check(call: cst.Call, facts: Facts) -> Findings:
    """A tensor is grown in a loop: each turn copies all that was gathered before.

    `x = torch.cat([x, new])` makes a new tensor and copies the old one into it, at every turn. After n turns what came
    first has been copied n times.

    Why
    ---
    The bytes that are moved grow with the square of the number of turns, each turn allocates a larger block, and at
    its end two copies of everything are alive. When gradients are on, each of the concatenations has a backward as well.

    Instead
    -------
    Append to a list, which copies nothing, and concatenate once after the loop. Where the final size is known,
    allocate it and write into slices. A method that gathers what it is given, as the `update` of a metric does, keeps a list
    that is joined where it is read: 500 updates of 256 rows of 10 numbers took 28 times as long by `cat` (27 to 28), and twice the
    memory, once by hand on an NVIDIA H100 80GB HBM3 with torch 2.11.0+cu130 (2026-11-26). That is a hint.

    When it is fine
    ---------------
    Where the loop itself needs the whole so far, as a decoder needs its prefix: that is not reported (a cache of fixed
    size may help there). Nor are loops of a few turns, loops over lists, which may be short, over chunks other than
    `x.chunk(len(x) // n)`, or around whole rounds of steps, and tensors on the CPU. A loop that nothing is seen to run for each batch,
    that goes through the batches of a loader, or calls anything but light operations of torch (what is called may be a model, or read
    a file; a product of matrices is not light) is a hint: a copy is little beside what each of its turns does. So is one whose turns
    wait for the GPU, and a row of indices that grows, `torch.arange(n) + start`: some thousands of numbers. Of methods that gather,
    only those are reported that read nothing of what they gathered, and whose class starts anew in a `reset`.

    Fix safety
    ----------
    The parts are appended to a list, and joined after the loop. The result is the same, but for what can go wrong on
    the way: shapes that do not fit raise after the loop and not in it, and all parts stay alive until the end. A part
    that is written in place later, or that a compiled callable may write over at its next turn (CUDA graphs do), is
    cloned; where the file does not show that, as it compiles elsewhere, it is joined as it is then.
    """
    joined, parts, target = facts.name(call.func), _parts(call), facts.ask(match.target, call)
    name = facts.node(target) if target is not None else None
    if joined not in match.JOINS or name is None or not any(part.deep_equals(name) for part in parts):
        return
    grown = None if facts.ask(match.is_around_steps, call) else facts.ask(match.grown, name)
    loop = facts.node(grown) if grown is not None else None
    if loop is None and facts.ask(match.is_gathered, call) and facts.may_use_gpu():
        message = f"`{facts.source(name)}` is copied whole at each call: keep a list, and join it where it is read"
        yield Draft(call, message, is_hint=True)
        return
    if loop is None or _turns(loop, facts) <= match.FEW or not facts.may_use_gpu():
        return
    value = facts.tensor(call)
    if not value.known or value.value.on_host or any(_on_host(part, facts) for part in parts):
        return
    message = f"`{facts.source(name)}` is copied whole at each turn of the loop: quadratic work"
    runs = facts.frequency_in_project_at(facts.at(call))
    is_hint = runs.value < Frequency.INFERENCE or facts.ask(match.does_much, loop) or facts.ask(match.counts, call)
    yield Draft(call, message, because=(value,), fix=_fix(name, call, parts, loop, facts), is_hint=is_hint)


def _parts(call: cst.Call) -> list[cst.BaseExpression]:
    """What is joined."""
    match call.args:
        case [cst.Arg(value=cst.List() | cst.Tuple() as listed, star="", keyword=None | cst.Name("tensors")), *_]:
            return [element.value for element in listed.elements]
    return []


def _on_host(part: cst.BaseExpression, facts: Facts) -> bool:
    """Whether a part is on the CPU; then all of them are, for they are joined."""
    match part:
        case cst.Call(func=cst.Attribute(attr=cst.Name("cpu"))):
            return True
    found = facts.value(part)
    return found.known and found.value.on_host


def _turns(loop: cst.For | cst.While, facts: Facts) -> float:
    """How often a loop may turn; 0 where nothing says that it is often."""
    if not isinstance(loop, cst.For) or facts.ask(match.is_cut_by_size, loop):
        return float("inf")
    if match.is_of_few(facts.source(loop.iter)) or facts.ask(match.counts_down, loop):
        return 0
    turns, frequency = _length(loop.iter, facts), facts.ask(match.frequency, loop).value
    # Data, whose items go to the GPU or to a model: not one of the lists of a `forward`, nor what is known to be one.
    is_data = frequency >= Frequency.STEP or (frequency == Frequency.INFERENCE and not facts.value(loop.iter).known)
    return turns or (float("inf") if is_data and not facts.serves_forward(loop) else 0)


def _length(iterated: cst.BaseExpression, facts: Facts) -> float:
    match iterated:
        # Ex) range(len(layers))
        case cst.Call(func=cst.Name("range"), args=[cst.Arg(value=cst.Call(func=cst.Name("len"), args=[counted]))]):
            return _length(counted.value, facts)
        # Ex) range(3), range(1, steps)
        case cst.Call(func=cst.Name("range"), args=[*_, cst.Arg(value=stop)]) if len(iterated.args) < 3:
            count = facts.constant(stop)
            return count if isinstance(count, int) else float("inf")
        case cst.Call(func=cst.Name("zip"), args=args) if args:
            return min(_length(arg.value, facts) for arg in args)
        case cst.Call(func=func, args=[first, *_]) if facts.source(func).rpartition(".")[2] in match.SAME_TURNS:
            return _length(first.value, facts)
    found = facts.value(iterated)
    if not found.known:
        return 0
    if found.value.kind in ("list", "tuple") and found.value.items:
        return len(found.value.items)
    counts = found.value.elem is not None and found.value.elem.kind == "number"
    # A parameter of `forward` is taken for a tensor, and one that is iterated is a list of them as often as not.
    is_tensor = found.value.kind == "tensor" and (found.proven or not facts.serves_forward(iterated))
    return float("inf") if counts or is_tensor or found.value.kind in ("loader", "dataset") else 0


def _fix(
    name: cst.Name | cst.Attribute,
    call: cst.Call,
    parts: list[cst.BaseExpression],
    loop: cst.For | cst.While,
    facts: Facts,
) -> Fix[Edit] | None:
    """A list before the loop, an append in it, one concatenation behind."""
    first, *rest = parts
    if (
        not isinstance(name, cst.Name)
        or not isinstance(facts.parent(call), cst.Assign)
        or facts.ask(match.has_first_turn, name)
    ):
        return None
    listed = f"{name.value}_parts"
    if not first.deep_equals(name) or facts.mentions(listed):
        return None
    is_reused = facts.mentions(*match.REUSING)
    new = [_kept(part, is_reused, facts) for part in rest]
    append = f"{listed}.append({new[0]})" if len(new) == 1 else f"{listed} += [{', '.join(new)}]"
    settings = "".join(f", {facts.source(arg)}" for arg in call.args[1:])
    edits = (
        InsertBefore(loop, f"{listed} = [{name.value}]"),
        Replace(facts.parent(call) or call, append),
        InsertAfter(loop, f"{name.value} = {facts.source(call.func)}({listed}{settings})"),
    )
    return Fix("Gather the parts in a list and join them once", edits, Safety.UNSAFE)


def _kept(part: cst.BaseExpression, is_reused: bool, facts: Facts) -> str:
    """A part as the list holds it: a copy, where its memory may be written over before all parts are joined."""
    return (
        f"{facts.operand(part)}.clone()" if is_reused or facts.ask(match.is_changed_after, part) else facts.source(part)
    )
