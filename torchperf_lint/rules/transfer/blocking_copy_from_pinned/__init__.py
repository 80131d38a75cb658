from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule, safe_if
from torchperf_lint.rules.transfer.blocking_copy_from_pinned import match

STREAMS = ("Stream", "wait_stream", "record_stream", "wait_event")


@rule(
    "TPL205",
    names=("to", "cuda"),
    frequency=Frequency.INFERENCE,
    screen=match.may_be_pinned,
    fix=Safety.SAFE,
    impact=Faster(host_work=(5, 10), many=True),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A batch lies in page-locked memory, and the host waits for its copy all the same.

    `pin_memory=True` puts the batches of a loader where the GPU can fetch them by itself. Without `non_blocking=True` the
    host stands by until it has done so, and until all that was queued before the copy is done as well.

    Why
    ---
    The copy itself takes as long either way. What is lost is the time in which the host could have queued the forward
    pass, or fetched the next batch: the GPU runs dry at the start of each step. Half of what page-locked memory is for
    is that nobody has to wait.

    Instead
    -------
    Say `non_blocking=True`. Kernels that read the copy are queued behind it, so nothing reads it too early.

    When it is fine
    ---------------
    Where you write into the page-locked memory again yourself, the copy must be over first: such buffers are not
    reported. Nor are files that work with streams of their own, copies outside of loops, and copies to the host, for
    which `non_blocking=True` is a trap.

    Fix safety
    ----------
    A loader gives fresh memory at each turn, and PyTorch hands it out again only when the copy is over, so for its
    batches the fix is safe. It is unsafe where the way from the loader is not wholly in view, where a `collate_fn` may
    give objects whose `.to` knows no `non_blocking`, where the move changes the dtype too, and for tensors that you page-lock
    yourself: whoever writes into those behind the copy may write too early.
    """
    move = facts.move(call)
    if not isinstance(call.func, cst.Attribute) or not move.has_device or move.vague or not move.sure:
        return
    asked = any(arg.keyword is not None and arg.keyword.value == "non_blocking" for arg in call.args)
    if asked or move.non_blocking is not False or move.device in ("cpu", "pinned", "other"):
        return
    receiver = call.func.value
    source = facts.value(receiver)
    if not source.known or source.value.kind not in ("tensor", "tensor_tree") or source.value.device != "pinned":
        return
    loader = facts.ask(match.loader, receiver)
    if (
        facts.mentions(*STREAMS)
        or facts.ask(match.is_changed_after, receiver)
        or not (loader.known or _is_fresh(receiver, facts))
    ):
        return
    exact = (
        loader.known
        and loader.value.ref == "torch.utils.data.DataLoader"
        and "collate_fn" not in (loader.value.items or ())
    )
    safety = safe_if(loader) if exact and move.device is not None and not move.has_dtype else Safety.UNSAFE
    text = facts.with_arguments(call, call, non_blocking="True")
    yield Draft(
        facts.spot(call),
        f"the host waits for `.{call.func.attr.value}`, though its source is page-locked: say `non_blocking=True`",
        because=(source,),
        fix=Fix("Let the host go on: `non_blocking=True`", (Replace(call, text),), safety),
    )


def _is_fresh(receiver: cst.BaseExpression, facts: Facts) -> bool:
    """Whether a tensor is page-locked anew each time, so that nobody can write into it while it is copied."""
    made = facts.definition(receiver) if isinstance(receiver, cst.Name) else receiver
    if not isinstance(made, cst.Call) or facts.loop(made) is not facts.loop(receiver):
        return False
    return isinstance(made.func, cst.Attribute) and made.func.attr.value == "pin_memory"
