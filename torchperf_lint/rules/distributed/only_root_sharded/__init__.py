from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, rule
from torchperf_lint.rules.distributed.only_root_sharded import match


@rule("TPL808", names=("FullyShardedDataParallel", "fully_shard"), screen=match.shards_root_alone)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A model is sharded as one piece.

    `FullyShardedDataParallel` and `fully_shard` gather the weights of a unit when it runs, and let go of them behind it. Without
    `auto_wrap_policy`, or calls for the layers inside, the whole model is one unit.

    Why
    ---
    All weights are gathered before the first layer runs and stay up to the end: each GPU holds the whole model at once, which is
    what sharding is to avoid, and nothing is left to compute while they travel.

    Instead
    -------
    Make each block a unit: `auto_wrap_policy=ModuleWrapPolicy({Block})`, or

        for block in model.blocks:
            fully_shard(block)
        fully_shard(model)

    When it is fine
    ---------------
    A model of one block, or `ShardingStrategy.NO_SHARD`. A model that comes from elsewhere may be sharded inside already, so
    this is reported only where the function that shards it has made it, and the file has no other word for wrapping or sharding.
    """
    if facts.ask(match.shards_root_alone, call) and facts.may_use_gpu():
        yield Draft(
            call,
            "the whole model is one unit: all weights are gathered at once, and nothing runs meanwhile",
            about=call,
        )
