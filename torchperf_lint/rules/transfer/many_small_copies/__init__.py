from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.transfer.many_small_copies import match

MAKING = ("tensor", "as_tensor", "FloatTensor", "LongTensor", "Tensor", "DoubleTensor", "IntTensor")


@rule(
    "TPL211",
    names=(*MAKING, "cpu"),
    screen=match.may_be_many,
    fix=Safety.UNSAFE,
    impact=Faster("for that copy alone"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A tensor is copied in many small parts, where one copy would do.

    `torch.tensor([array, array, ...])` goes through all arrays number by number, in Python's words. A list to which
    `x.cpu()` is appended at each turn makes the host wait at each turn.

    Why
    ---
    An array is one block of memory, and `np.stack` copies blocks; number by number takes a hundred times as long, and torch
    itself warns of it. A copy to the CPU waits for all that is queued on the GPU, so the next turn starts with an empty queue.

    Instead
    -------
    `torch.from_numpy(np.stack(arrays))`, or `torch.tensor(np.array(arrays), dtype=...)`. Append what is on the GPU and copy
    once, behind the loop: `torch.cat(parts).cpu()`.

    When it is fine
    ---------------
    Where all parts together do not fit on the GPU: features of a whole dataset, images. The linter cannot know their
    size, and that form is a hint that fails no run; so is a list of arrays that nothing in sight reads at every step, or in a file
    that names no GPU. A program without one, and what stands behind a gate, is not reported.

    Fix safety
    ----------
    The numbers and the dtype stay what they were; arrays of different shapes raise another error.
    """
    sort = facts.ask(match.sort_of, call)
    if sort == "arrays" and facts.may_use_gpu():
        is_hot = facts.names_gpu() and facts.frequency(call).value >= Frequency.INFERENCE
        message = "a list of arrays is read number by number: join them with NumPy first"
        yield Draft(call, message, fix=_fix(call, facts), is_hint=not is_hot)
    elif sort == "parts" and facts.may_use_gpu() and not facts.gated(call) and not facts.runs_seldom(call):
        message = "a part goes to the CPU at each turn, and the host waits: join them on the GPU, and copy once"
        yield Draft(call, message, is_hint=True)


def _fix(call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    array = facts.spelling("numpy.array")
    listed = call.args[0].value
    if array is None or (facts.name(call.func) or "") not in ("torch.tensor", "torch.as_tensor"):
        return None
    return Fix("Join them with NumPy first", (Replace(listed, f"{array}({facts.source(listed)})"),), Safety.UNSAFE)
