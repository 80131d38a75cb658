from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Fix, Remove, Safety, Wrong, rule
from torchperf_lint.rules.transfer.non_blocking_d2h_then_host_read import match

STREAMS = ("Stream", "stream", "wait_stream", "record_stream")
"""Signs of copies that are meant to run beside the rest."""


@rule(
    "TPL206",
    names=("to", "copy_"),
    screen=match.may_be_early,
    fix=Safety.UNSAFE,
    impact=Wrong("the host reads numbers that have not arrived yet"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """The host reads the result of a copy that it did not wait for.

    `x.to("cpu", non_blocking=True)` returns at once, with memory that the GPU has not written yet. What reads it before
    the copy is done finds what was there before: zeros, or values of another tensor. Nothing raises an error. This is
    about right values, not about speed: the cure takes the time that the copy needs, and a measurement shows it slower.

    Why
    ---
    Copies to the GPU may go on behind the host's back, for kernels that need them are queued behind them. The host is
    not in that queue. Whether it reads too early depends on how busy the GPU is, so tests seldom catch it.

    Instead
    -------
    Leave `non_blocking=True` away. Where several tensors come back, queue all copies with it, then wait once, with
    `torch.cuda.synchronize()` or an event recorded behind the copies, and read then.

    When it is fine
    ---------------
    Where something waits before the host reads: a `synchronize()` of the device, a stream or an event, or another read
    of the GPU behind the copy. That is not reported, nor is a result that is only kept or handed on, also as an array
    of NumPy or a slice, which read nothing, nor a copy into memory that is not page-locked, for which the host waits anyway.

    Fix safety
    ----------
    Without `non_blocking` the host waits for the copy, so it reads what the copy brings. That is what the code means
    to read. If something out of sight waited already, the copy only loses its time beside other work. In a file with
    streams of its own there is no fix: there the copy is meant to go on, and what lacks is the wait for its event.
    """
    flag = next((arg for arg in call.args if arg.keyword is not None and arg.keyword.value == "non_blocking"), None)
    if flag is None or facts.constant(flag.value) is not True or not facts.may_use_gpu():
        return
    source = _source(call, facts)
    if source is None:
        return
    copied, read = facts.value(source), facts.ask(match.early_read, call)
    is_of_host = copied.known and not (copied.value.kind in ("tensor", "tensor_tree") and copied.value.maybe_cuda)
    if not read.known or is_of_host:
        return
    message = "the host reads this copy without waiting for it, so it may find what was there before"
    # On a stream of one's own the copy is meant to go on behind the host's back: what lacks is the wait for its event.
    fix = Fix("Wait for it", (Remove(flag),), Safety.UNSAFE) if not facts.mentions(*STREAMS) else None
    yield Draft(facts.spot(call), message, because=(read, copied), fix=fix)


def _source(call: cst.Call, facts: Facts) -> cst.BaseExpression | None:
    """What is copied to page-locked memory of the host: `x.to("cpu")` makes such memory, `y.copy_(x)` has it if `y` has."""
    match call.func:
        case cst.Attribute(value=source, attr=cst.Name(value="to")):
            move = facts.move(call)
            return source if move.device == "cpu" and move.sure else None
        case cst.Attribute(value=target, attr=cst.Name(value="copy_")) if call.args[0].keyword is None:
            into = facts.tensor(target)
            return call.args[0].value if into.known and into.value.device == "pinned" else None
    return None
