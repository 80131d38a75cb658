import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Findings, Fix, Heat, Replace, Safety, rule


@rule("TPL103", heat=Heat.H1, waits=True, fix=Safety.UNSAFE)
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
    graph of compiled code.

    Instead
    -------
    Choose on the GPU: `torch.where(cond, a, b)`, `clamp`, a factor of 0 or 1. Gather flags on the GPU and read them
    once every so many steps. Put sanity checks behind a switch.

    When it is fine
    ---------------
    An early exit that saves much work pays for its wait: measure it. What runs once an epoch, or every so many steps,
    is not reported.

    Fix safety
    ----------
    `a if cond else b` over tensors becomes `torch.where(cond, a, b)`: both sides are computed, so an error or a side
    effect of the side not taken happens too, and a NaN there can reach gradients. Other forms get no fix.
    """
    if isinstance(node, cst.Call) and facts.name(node.func) not in ("torch.equal", "torch.allclose", "builtins.bool"):
        return
    wait = facts.host_wait(node)
    if wait.value.form != "truth":
        return
    fix = _where(node, facts) if isinstance(node, cst.IfExp) else None
    yield Draft(facts.waiting_part(node), _message(node), because=(wait,), fix=fix)


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


def _where(node: cst.IfExp, facts: Facts) -> Fix[Edit] | None:
    """`a if cond else b` over tensors as `torch.where`."""
    where = facts.spelling("torch.where")
    sides = [facts.tensor(node.body), facts.tensor(node.orelse)]
    if where is None or not all(side.known for side in sides):
        return None
    parts = ", ".join(facts.source(part) for part in (node.test, node.body, node.orelse))
    return Fix("Choose on the GPU with `torch.where`", (Replace(node, f"{where}({parts})"),), Safety.UNSAFE)
