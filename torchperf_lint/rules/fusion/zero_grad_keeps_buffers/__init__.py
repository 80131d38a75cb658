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
    Remove,
    Replace,
    Safety,
    rule,
)
from torchperf_lint.rules.fusion.zero_grad_keeps_buffers import match

ZEROING = ("zero_", "fill_")
STABLE = (
    "CUDAGraph", "make_graphed_callables", "graph", "gradient_as_bucket_view", "register_comm_hook", "FSDP",
    "FullyShardedDataParallel", "_flatten_dense_tensors", "register_post_accumulate_grad_hook",
)  # fmt: skip
OWNERS = ("apex", "deepspeed")
"""Signs that something keeps the addresses of gradients, or owns them."""


@rule("TPL606", names=("zero_grad", *ZEROING), frequency=Frequency.STEP, fix=Safety.UNSAFE, impact=Faster())
def check(call: cst.Call, facts: Facts) -> Findings:
    """Gradients are filled with zeros instead of being dropped.

    `zero_grad()` drops gradients since torch 2.0: the next backward pass writes them anew. With `set_to_none=False`, or
    with `p.grad.zero_()` in a loop, each gradient is overwritten with zeros first, and the backward pass then has to read
    them, add to them, and write them back.

    Why
    ---
    One more pass of writes over all gradients, and an addition in place of an assignment for each of them; and their
    memory stays taken during the forward pass, when activations could use it.

    Instead
    -------
    `optimizer.zero_grad()`, before the forward pass.

    When it is fine
    ---------------
    Where something needs the gradients to stay where they are: CUDA graphs, gradients that are views of the buckets of
    `DistributedDataParallel`, code that reads `.grad` and expects a tensor; and where zeros are meant, because some of
    the parameters are not to be trained. None of these is reported. What it costs is a part of what the optimizer does: it is a
    warning where a program steps several optimizers side by side, whose steps are short, and else a hint that fails no run.

    Fix safety
    ----------
    A parameter that gets no gradient in a step has None and not zeros: the optimizer then skips it, where with zeros
    it would still apply weight decay and momentum. Code in another file that reads `.grad` has to expect None.
    """
    edit: Edit | None
    match call:
        # Ex) optimizer.zero_grad(set_to_none=False), model.zero_grad(False)
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("zero_grad")), args=[cst.Arg(star="") as asked]):
            known = facts.value(owner)
            is_ours = known.known and known.value.kind in ("optimizer", "module")
            if not is_ours or facts.constant(asked.value) is not False:
                return
            because, edit = (known,), Remove(asked)
            message = f"`{facts.source(call)}` writes zeros over all gradients, for backward to add to"
        # Ex) for p in model.parameters(): p.grad.zero_()
        case cst.Call(func=cst.Attribute(value=zeroed, attr=cst.Name(value=method))) if method in ZEROING:
            gradient = _gradient(zeroed)
            if gradient is None or not _is_weight(gradient.value, call, facts) or not _is_zero(call, facts):
                return
            because, edit = (facts.tensor(gradient.value),), _dropped(call, gradient, facts)
            message = f"`{facts.source(call)}` writes zeros over each gradient, for backward to add to"
        case _:
            return
    if facts.mentions(*STABLE) or facts.imports(*OWNERS) or _is_needed(call, facts):
        return
    if not facts.may_use_gpu():
        return
    fix = Fix("Drop the gradients", (edit,), Safety.UNSAFE) if edit is not None else None
    yield Draft(call, message, because=because, fix=fix, is_hint=not facts.steps_several_optimizers())


def _gradient(node: cst.BaseExpression) -> cst.Attribute | None:
    """The `p.grad` of `p.grad` and `p.grad.data`."""
    match node:
        case cst.Attribute(attr=cst.Name("data"), value=cst.Attribute(attr=cst.Name("grad")) as inner):
            return inner
        case cst.Attribute(value=cst.Name(), attr=cst.Name("grad")):
            return node
    return None


def _is_weight(node: cst.BaseExpression, call: cst.Call, facts: Facts) -> bool:
    """Whether a name is that of a loop over parameters."""
    loop = facts.loop(call)
    if not isinstance(loop, cst.For) or not isinstance(node, cst.Name):
        return False
    target = loop.target.elements[-1].value if isinstance(loop.target, cst.Tuple) else loop.target
    if (
        not target.deep_equals(node)
        or not facts.ask(match.clears_all, loop, node.value)
        or facts.mentions("set_to_none")
    ):
        return False
    weight = facts.tensor(node)
    return weight.known and not weight.value.on_host


def _is_zero(call: cst.Call, facts: Facts) -> bool:
    """`x.zero_()` or `x.fill_(0)`."""
    return not call.args or (len(call.args) == 1 and facts.constant(call.args[0].value) in (0, 0.0))


def _dropped(call: cst.Call, gradient: cst.Attribute, facts: Facts) -> Edit | None:
    return Replace(call, f"{facts.source(gradient)} = None") if isinstance(facts.parent(call), cst.Expr) else None


def _is_needed(call: cst.Call, facts: Facts) -> bool:
    """Whether gradients are read otherwise, or what is cleared is so between a backward pass and its step."""
    return facts.ask(match.reads_gradients, call) or facts.ask(match.is_before_step, call)
