"""The ranks of a bench as copies of a process that has imported torch, which takes most of the time of a small bench.

How they are started, heard and ended otherwise, `test_verify_ranks.py` asks of those that Python starts.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path
from typing import Any

Plain = dict[str, Any]

IMPORTED = ["torch", "torch._dynamo", "torchperf_lint.verify.rank"]
SECONDS = 110


def ask(request: Plain, folder: Path) -> Plain:
    """What rank 0 answers."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    said = folder / "said"
    each = [{**request, "meeting": str(folder / "meeting"), "rank": number} for number in range(request["ranks"])]
    ranks = [context.Process(target=_be_a_rank, args=(asked, said)) for asked in each]
    for rank in ranks:
        rank.start()
    try:
        ranks[0].join(SECONDS)
        assert ranks[0].exitcode == 0
        found: Plain = json.loads(said.read_bytes())
        return found
    finally:
        for rank in ranks:
            rank.kill()
            rank.join()


def _be_a_rank(request: Plain, said: Path) -> None:
    from torchperf_lint.verify import rank, ranks

    os.environ |= ranks._environment(request)
    result = rank.answer(request, lambda _: None)
    if request["rank"] == 0:
        said.write_text(json.dumps(result), encoding="utf-8")
    os._exit(0)  # as `serve` does: nothing is cleared away
