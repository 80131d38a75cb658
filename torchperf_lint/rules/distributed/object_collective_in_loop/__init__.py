from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.distributed.object_collective_in_loop import match

TENSORS = {"all_gather_object": "all_gather", "broadcast_object_list": "broadcast", "gather_object": "gather"}
"""What does for tensors what these do for objects."""


@rule(
    "TPL805",
    names=("all_gather_object", "broadcast_object_list", "gather_object", "scatter_object_list"),
    frequency=Frequency.INFERENCE,
    screen=match.is_on_gpu,
    fix=Safety.UNSAFE,
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Objects are sent between the ranks at every step.

    `all_gather_object`, `broadcast_object_list` and their kin pickle what they are given, on the host, send its length first and
    then its bytes as a tensor, and unpickle what arrives.

    Why
    ---
    Over NCCL the bytes are copied to the GPU, sent, and copied back, and the host waits for that two times or more. A tensor of
    the GPU is copied to the host just to be pickled.

    Instead
    -------
    Send tensors: `all_gather`, `all_gather_into_tensor`, `broadcast`. Objects that do not change are sent once; what is only logged
    is gathered where it is logged.

    When it is fine
    ---------------
    Before and after training, at the end of an evaluation, behind a condition that seldom holds, and over a group of gloo: none of
    these is reported. In a loop that evaluates, it is reported where what is sent is a tensor.

    Fix safety
    ----------
    For a tensor without dimensions, which has the same size on all ranks, it becomes an `all_gather`. Each result is then on
    the GPU of its own rank: what was pickled came back on the GPU of the rank that sent it.
    """
    if not facts.ask(match.is_on_gpu, call):
        return
    sent = facts.ask(match.sent, call)
    held = facts.tensor(facts.node(sent)) if sent is not None else None
    is_tensor = held is not None and held.known
    is_hot = facts.frequency(call).value >= Frequency.STEP and facts.in_training_step(call)
    if not facts.may_use_gpu() or not (is_hot or is_tensor):
        return
    name = facts.ask(match.short, call)
    because = (held,) if is_tensor and held is not None else ()
    message = f"`{name}` pickles what it sends, and the host waits for it"
    if is_tensor and name in TENSORS:
        message = f"`{name}` pickles a tensor on the host, at every turn: `{TENSORS[name]}` sends it as it is"
    yield Draft(call, message, because=because, fix=_fix(call, facts) if is_tensor else None)


def _fix(call: cst.Call, facts: Facts) -> Fix[Edit] | None:
    """An `all_gather`, where the list that is filled is made right above."""
    found = facts.ask(match.filled, call)
    if found is None:
        return None
    sent, count = facts.source(facts.node(found.sent)), facts.source(facts.node(found.count))
    edits = (
        Replace(
            facts.node(found.made), f"[torch.empty_like({sent}) for _ in range({count})]".replace("torch.", found.torch)
        ),
        Replace(facts.node(found.called), found.instead),
    )
    return Fix("Gather tensors", edits, Safety.UNSAFE)
