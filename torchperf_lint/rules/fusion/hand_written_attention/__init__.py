from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule
from torchperf_lint.rules.fusion.hand_written_attention import match, small

SINCE = (2, 0)
"""The first torch that has `scaled_dot_product_attention`."""


@rule("TPL602", among=match.softmaxes, screen=match.is_attention, impact=Faster("for attention alone", many=True))
def check(call: cst.Call, facts: Facts) -> Findings:
    """Attention is written out, and its scores and weights go through memory.

    `softmax(q @ k.mT / sqrt(d)) @ v` makes a tensor with a number for each query and each key, several times over: the
    scores, scaled, masked, the weights, dropped out, and each of them again for the backward pass.
    `F.scaled_dot_product_attention` works block by block in the chip's own memory, and keeps none of them.

    Why
    ---
    For a sequence of length n these tensors have n² elements for each head, and attention is bound by moving them. Their
    memory is what limits the length of sequences and the batch as well.

    Instead
    -------
    `F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p if self.training else 0.0)`, since torch 2.0. It
    divides by the square root of the last dimension of `q` itself; another factor is `scale=`. A boolean mask says with
    True where attention may look, the opposite of `masked_fill`; one of numbers is added. A causal mask is `is_causal=True`.

    When it is fine
    ---------------
    Where the weights are wanted: returned, kept, looked at; that is not reported. Nor are scores that go through more than
    scaling and masks, attention over channels (`q = q.transpose(-2, -1)` comes first), attention of one query, as that of a class
    token `x[:, 0]`, code that is compiled, a file that has the fused way as well, a function of which a comment names it, what is seen
    to run once, and projects that run with a torch before 2.0. Short sequences and odd sizes of heads gain less.

    It is a hint where something that is trained is added to the scores: with the gradient of such a bias the fused way took
    1.0 to 1.7 times as long on an H200 for 196 or 197 tokens, in float32 and in half precision, 0.8 times for windows of 49, and
    saves less memory. So it is for queries of five dimensions, which the fused kernels do not take, for a plain `bmm` of what no line
    splits into heads, as among the few columns of a table, and in a program that computes in float32, as a project does that trains
    and of which no file says anything of half precision: for 197 tokens it took 1.2 to 1.4 times as long, with half of
    the memory or less, and from some 1000 on it is the faster one.
    """
    if facts.settings.target < SINCE:
        return
    if not facts.ask(match.is_attention, call) or match.knows_fused(facts) or not facts.may_use_gpu():
        return
    if facts.in_compiled(call) or facts.runs_seldom(call) or facts.ask(small.is_of_one_query, call):
        return
    if any(facts.comments_say(each, match.comment_words.names_fused_attention) for each in _statements(call, facts)):
        return
    weights = facts.value(call)
    if weights.known and (weights.value.kind != "tensor" or weights.value.on_host):
        return
    runs = facts.frequency(call)
    message = "attention by hand moves its scores through memory; `scaled_dot_product_attention` does not"
    is_of_float32 = facts.product_precision() == "float32" or match.trains_in_float32(facts)
    may_not_gain = is_of_float32 or facts.ask(match.has_learned_bias, call) or facts.ask(small.is_of_odd_rank, call)
    yield Draft(facts.spot(call), message, (weights, runs), is_hint=may_not_gain or runs.value < Frequency.INFERENCE)


def _statements(node: cst.CSTNode, facts: Facts) -> Iterator[cst.CSTNode]:
    """The statements around a node, up to its function."""
    at: cst.CSTNode | None = node
    while at is not None and not isinstance(at, cst.FunctionDef):
        if isinstance(at, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            yield at
        at = facts.parent(at)
