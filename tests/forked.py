"""The processes that measure a bench as copies of one that has imported torch, which takes most of the time of a small bench.

How they are started, heard and ended otherwise is asked of those that Python starts.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from importlib import import_module
from pathlib import Path
from typing import Any

Plain = dict[str, Any]

WORKER = "torchperf_lint.verify.worker"
RANK = "torchperf_lint.verify.rank"
SECONDS = 110


def ask(request: Plain, folder: Path) -> Plain:
    """What the process answers; what rank 0 answers, where there are several."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch", "torch._dynamo", RANK])
    said = folder / "said"
    meeting = {**request, "meeting": str(folder / "meeting")}
    each = [{**meeting, "rank": number} for number in range(request["ranks"])] if "ranks" in request else [request]
    processes = [context.Process(target=_answer, args=(asked, said)) for asked in each]
    for process in processes:
        process.start()
    try:
        processes[0].join(SECONDS)
        assert processes[0].exitcode == 0
        found: Plain = json.loads(said.read_bytes())
        return found
    finally:
        for process in processes:
            process.kill()
            process.join()


def _answer(request: Plain, said: Path) -> None:
    from torchperf_lint.verify import ranks

    if "rank" in request:
        os.environ |= ranks._environment(request)
    result = import_module(RANK if "rank" in request else WORKER).answer(request, lambda _: None)
    if request.get("rank", 0) == 0:
        said.write_text(json.dumps(result), encoding="utf-8")
    os._exit(0)  # as `serve` does: nothing is cleared away
