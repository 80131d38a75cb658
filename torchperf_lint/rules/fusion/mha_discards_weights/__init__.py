from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Fix, LessMemory, Replace, Safety, rule
from torchperf_lint.rules.fusion.mha_discards_weights import match

SINCE = (2, 0)
"""The torch in which the layer has a fused kernel."""
NEED_WEIGHTS = 4
"""The place of `need_weights` among the arguments of `forward`."""


@rule(
    "TPL603",
    names=("MultiheadAttention",),
    screen=match.may_discard,
    fix=Safety.UNSAFE,
    impact=LessMemory("for that layer alone", many=True),
)
def check(node: cst.Subscript | cst.Assign, facts: Facts) -> Findings:
    """`nn.MultiheadAttention` computes attention weights that are thrown away.

    By default it returns the averaged weights beside the output. To have them, it must write the whole matrix of weights
    to memory, and so cannot use the fused kernel of `scaled_dot_product_attention`. Code that takes `[0]`, or names the
    second result `_`, pays for that and gets nothing.

    Why
    ---
    The weights have a value for each pair of positions in each head. Writing and averaging them costs memory traffic
    that grows with the square of the sequence, in the forward pass and again in the backward pass; the fused kernels
    never write them. pytorch/pytorch#100347 discusses the default.

    Instead
    -------
    Pass `need_weights=False`; the second result is then None.

    When it is fine
    ---------------
    When the weights are used: read, returned, or taken by a hook. Then pass `need_weights=True` to say so. Before torch 2.0, where
    the layer has no fused kernel, nothing is reported.

    Fix safety
    ----------
    `need_weights=False` selects another kernel: results differ by rounding, and with dropout other random numbers are
    drawn. A row whose keys are all masked may become NaN in one and zero in the other.
    """
    if facts.settings.target < SINCE:
        return
    call = _discarding(node, facts)
    if call is None or any(arg.star for arg in call.args) or len(call.args) == 0:
        return
    attention = facts.value(call.func)
    if not attention.known or attention.value.kind != "module" or attention.value.ref != "torch.nn.MultiheadAttention":
        return
    given = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    positional = [arg for arg in call.args if arg.keyword is None]
    if given & {"need_weights", "average_attn_weights"} or len(positional) > NEED_WEIGHTS:
        return
    query = facts.value(call.args[0].value)
    if (query.known and query.value.on_host) or facts.mentions("register_forward_hook", "register_full_backward_hook"):
        return
    fix = Fix(
        "Pass `need_weights=False`",
        (Replace(call, facts.with_arguments(call, call, need_weights="False")),),
        Safety.UNSAFE,
    )
    yield Draft(
        facts.spot(call),
        "attention weights are computed and thrown away, which rules out the fused kernel",
        because=(attention,),
        fix=fix,
    )


def _discarding(node: cst.Subscript | cst.Assign, facts: Facts) -> cst.Call | None:
    """The call of which only the first result is kept."""
    match node:
        # Ex) self.attention(x, x, x)[0]
        case cst.Subscript(
            value=cst.Call() as call, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer(value="0")))]
        ):
            return call
        # Ex) x, _ = self.attention(x, x, x)
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Tuple(elements=[_, cst.Element(value=cst.Name() as weights)]))],
            value=cst.Call() as call,
        ):
            unread = not facts.reads_after(weights) and not facts.ask(match.is_read_after, node, weights.value)
            return call if facts.function(node) is not None and unread else None
        # Ex) out = self.attention(x, x, x); x = x + out[0]
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as result)], value=cst.Call() as call):
            reads = facts.reads_after(result)
            return call if reads and all(_takes_first(read, facts) for read in reads) else None
    return None


def _takes_first(read: cst.Name, facts: Facts) -> bool:
    match facts.parent(read):
        case cst.Subscript(
            value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer(value="0")))]
        ) if value is read:
            return True
    return False
