from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Frequency, rule
from torchperf_lint.rules.memory.cache_grown_by_cat import match


@rule("TPL506", names=("cat",), screen=match.is_grown, impact=Faster("for the cache of one layer alone"))
def check(call: cst.Call, facts: Facts) -> Findings:
    """The cache of keys and values is copied whole for each token that is generated.

    `k = torch.cat([past_key, k], dim=-2)` makes a new tensor for all tokens so far, and copies them into it, to add one.

    Why
    ---
    What is moved grows with the square of the length, in every layer, and old and new cache are alive together. Each new
    size asks the allocator for another block, and nothing of changing shape can be captured in a CUDA graph.

    Instead
    -------
    Allocate the cache once for the longest sequence, and write the new token into it: `cache[:, :, at : at + 1] = k`, and
    look at `cache[:, :, : at + 1]`. Transformers has `StaticCache` for that, `cache_implementation="static"`.

    When it is fine
    ---------------
    Short sequences, small models, and beams that are reordered at each token: a tenth of a second in a minute is not worth
    the code. Where nothing in sight runs it for each token, as in the `forward` of a layer, which may be given a learned
    prefix instead of a cache, it is a hint that fails no run. Not reported: the cache of a model that works on chunks of a
    stream, which is cut to some chunks, and what a step of a training joins, for there nothing grows from token to token.
    """
    if not facts.ask(match.is_grown, call) or not facts.may_use_gpu() or facts.in_compiled(call) or facts.gated(call):
        return
    if facts.ask(match.has_pair, call):
        return  # the keys of the same cache are spoken of
    joined = facts.value(call)
    if (joined.known and joined.value.on_host) or facts.runs_seldom(call) or facts.in_training_step(call):
        return
    runs = facts.frequency(call)
    if facts.serves_forward(call):  # a prefix that is learned goes this way too, once
        message = "where it runs for each token, the cache is copied whole each time: allocate it once, write into it"
        yield Draft(call, message, (joined, runs), is_hint=True)
    else:
        message = "the cache is copied whole for each token: allocate it once, and write the new token into it"
        yield Draft(call, message, (joined, runs), is_hint=runs.value < Frequency.INFERENCE)
