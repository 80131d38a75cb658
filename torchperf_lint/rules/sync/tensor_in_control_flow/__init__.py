from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.sync.tensor_in_control_flow import match

ASKING = ("bool", "equal", "allclose", "is_nonzero")
RESIZING = ("cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack", "pad", "narrow", "interpolate")
PRODUCTS = ("matmul", "mm", "bmm", "mv", "einsum", "linear")

READ = "a number is read at every step for a condition: the host waits for it"
LEAVES = "an early exit asks a tensor, and the host waits each time (GPU sync): measure if it pays"


@rule("TPL103", frequency=Frequency.INFERENCE, waits=("truth", "read"), fix=Safety.UNSAFE, impact=Faster(many=True))
def check(
    node: cst.If
    | cst.While
    | cst.IfExp
    | cst.Assert
    | cst.BooleanOperation
    | cst.UnaryOperation
    | cst.Comparison
    | cst.CompFor
    | cst.Call,
    facts: Facts,
) -> Findings:
    """A tensor decides which way Python goes, so the host waits for its value.

    `if loss > 3:` looks cheap. The comparison is queued like any operation, but `if` needs its outcome now: the host
    waits until the GPU has done everything queued before it, and the GPU then idles until the host has queued more.

    Why
    ---
    A wait costs the work of the host that it no longer hides behind the GPU's: nothing in a step that the GPU is busy
    with anyway, up to the whole time of the host otherwise. In the middle of a step it costs most. It also breaks the
    graph of compiled code. `if loss.item() > 3:` is the same wait, written out.

    Instead
    -------
    Choose on the GPU: `torch.where(cond, a, b)`, `clamp`, a factor of 0 or 1. Gather flags on the GPU and read them
    once every so many steps. Put sanity checks behind a switch.

    When it is fine
    ---------------
    An early exit that saves much work pays for its wait: it is reported as `info`, so measure it. One that leaves a loop whose
    turns run a model, as a generation does where each text has ended, at once or by way of a flag, is not reported. What runs once an
    epoch or every so many steps, what stands behind a switch, and what asks for shapes and settings is not reported.

    Fix safety
    ----------
    `a if cond else b` over tensors becomes `torch.where(cond, a, b)`, and so does an `if` that does nothing but bind a
    name: both sides are computed, so an error of the side not taken happens too, and a NaN there can reach gradients.
    The result is a new tensor, of the dtype and the shape that both sides promote to. Other forms get no fix, nor does a
    choice where a side joins or pads tensors, slices one or picks from it with another, or begins as one without elements, for both
    sides must have one size; nor one whose condition names alone make, `length < longest`, that may be numbers of Python's.
    """
    if not (_asks(node) or _decides(node, facts)):
        return
    wait, asking = facts.host_wait(node), facts.asking(node)
    leaves = facts.leaves(asking)
    if facts.saves_turns(asking):
        return
    if asking is node and _reads(node):
        test = _test_around(node, facts)
        is_hint = test is None or facts.leaves(test)
        yield Draft(facts.waiting_part(node), READ, because=(wait,), is_hint=is_hint)
        return
    message = LEAVES if leaves else _message(asking)
    yield Draft(facts.waiting_part(node), message, because=(wait,), fix=_where(node, facts), is_hint=leaves)


def _reads(node: cst.CSTNode) -> bool:
    """Whether a node reads a number from a tensor."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name("item")), args=[]):
            return True
        case cst.Call(func=cst.Name("float" | "int"), args=[_]):
            return True
    return False


def _decides(node: cst.CSTNode, facts: Facts) -> bool:
    """Whether a number is read for a condition: at once, or by a name that is also logged."""
    above = facts.parent(node)
    if not _reads(node) or (isinstance(above, cst.BinaryOperation) and facts.tensor(above).known):
        return False  # what a tensor is multiplied by decides nothing
    uses = facts.uses(node)
    return "decides" in uses and uses <= {"decides", "accumulated", "logged"}


def _test_around(node: cst.CSTNode, facts: Facts) -> cst.CSTNode | None:
    """The statement in whose condition a read stands."""
    above = facts.parent(node)
    while isinstance(above, cst.BaseExpression | cst.ComparisonTarget | cst.Arg):
        above = facts.parent(above)
    return above if isinstance(above, cst.If | cst.While | cst.Assert) else None


def _asks(node: cst.CSTNode) -> bool:
    """Whether a node asks a tensor for its truth; of calls, some do."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(name)) | cst.Name(name)):
            return name in ASKING
    return True


def _message(node: cst.CSTNode) -> str:
    match node:
        case cst.While():
            return "a tensor decides whether the loop goes on: the host waits for it at every turn"
        case cst.Assert():
            return "an assertion on a tensor makes the host wait for it at every step"
        case cst.Call():
            return "the comparison answers with a Python bool: the host waits for it at every step"
        case cst.Comparison():
            return "a comparison that needs the truth of a tensor makes the host wait for it"
    return "a tensor decides a condition: the host waits for its value at every step"


def _where(node: cst.CSTNode, facts: Facts) -> Fix[Edit] | None:
    """`a if cond else b`, or `if cond: x = a`, over tensors as `torch.where`."""
    choice, where = facts.choice(node), facts.spelling("torch.where")
    if choice is None or where is None or facts.ask(match.is_of_python, choice.test):
        return None
    test, then, other = (facts.tensor(part) for part in (choice.test, choice.then, choice.other))
    if not (test.known and then.known and other.known) or test.value.dtype is None:
        return None
    if not (test.proven or facts.ask(match.is_worked_out, choice.test)):
        return None  # a number of Python's is no condition of `torch.where`
    ranks = {then.value.rank, other.value.rank} - {None}
    is_even = not any(_resizes(each, facts) for each in (choice.then, choice.other))
    is_even = is_even and not facts.ask(match.begins_empty, choice.other)
    if len(ranks) > 1 or not is_even or facts.ask(match.may_promote, choice.then, facts.at(choice.other)):
        return None
    condition = facts.source(choice.test) if test.value.dtype == "bool" else f"{facts.operand(choice.test)} != 0"
    chosen = f"{where}({condition}, {facts.source(choice.then)}, {facts.source(choice.other)})"
    bound = f"{choice.name.value} = {chosen}" if choice.name is not None else chosen
    return Fix("Choose on the GPU with `torch.where`", (Replace(node, bound),), Safety.UNSAFE)


def _resizes(part: cst.CSTNode, facts: Facts) -> bool:
    """Whether a side of a choice joins, pads, cuts or multiplies tensors as matrices: the other hardly has the same sizes."""
    match part:
        case cst.Call(func=cst.Attribute(attr=cst.Name(name)) | cst.Name(name)) if name in RESIZING + PRODUCTS:
            return True
        case cst.MatrixMultiply():
            return True
        case cst.Slice():
            return not (part.lower is None and part.upper is None and part.step is None)
        case cst.Index(value=index) if facts.tensor(index).known:
            return True
    return any(_resizes(below, facts) for below in part.children)
