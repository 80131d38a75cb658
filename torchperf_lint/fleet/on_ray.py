"""A scan on a cluster of Ray: a unit is a task of Ray Core, which places, retries and counts it.

A worker of Ray has threads and must not be copied, so each has a process beside it that is the same as a local worker:
one process, with the linter imported, that copies itself for each repository. It ends with its worker.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import ray
import ray.exceptions

from torchperf_lint.fleet.unit import Unit
from torchperf_lint.fleet.work import UnitJob
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.run.start_elsewhere import LIBRARY, command

AHEAD: Final = 4
"""Units for each core that are with Ray: more would wait there and take memory, fewer leave it without work."""
LOOK: Final = 10.0
"""Seconds between two looks at how large the cluster is by now."""
RETRIES: Final = 4
"""Times that Ray does a unit again whose process, worker or node has died."""
ROOM: Final = 200_000_000
"""Bytes that the process beside a worker needs, besides those of the repository."""


class BesideDiedError(RuntimeError):
    """The process beside a worker has died, not that of a repository; Ray does the unit again."""


class Beside:
    """The process beside a worker, for one scan."""

    def __init__(self, job: str) -> None:
        self.job = job
        started = command("torchperf_lint.fleet.work", "serve")
        self._process = subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=LIBRARY)
        self._send(job)

    def ask(self, unit: str) -> str:
        self._send(unit)
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        if not answer:
            raise BesideDiedError(f"exit code {self._process.wait()}")
        return answer

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _send(self, text: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{text}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise BesideDiedError(f"exit code {self._process.wait()}") from None


_beside: list[Beside] = []
"""That of this worker, if it has one."""


def work(job: str, unit: str) -> str:
    """What a task does."""
    if _beside and _beside[0].job != job:
        _beside.pop().end()
    if not _beside:
        _beside.append(Beside(job))
    try:
        return _beside[0].ask(unit)
    except BesideDiedError:
        _beside.clear()
        raise


def answers(job: UnitJob, units: Sequence[Unit], address: str) -> Iterator[tuple[Unit, dict[str, Any] | str]]:
    """How each unit went; in words, what its worker died of."""
    _connect(address)
    memory = job.limits.memory + ROOM
    if not any(node["Resources"].get("memory", 0) >= memory for node in ray.nodes() if node["Alive"]):
        raise ConfigError(f"no node of the cluster has {memory // 1_000_000:,} MB for a worker; say a smaller --memory")
    task = ray.remote(num_cpus=1, memory=memory, max_retries=RETRIES, retry_exceptions=[BesideDiedError])(work)
    said = job.to_text()
    pending: dict[Any, Unit] = {}
    waiting = iter(units)
    most, due = 0, 0.0
    try:
        while True:
            if time.monotonic() >= due:
                most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                due = time.monotonic() + LOOK
            for unit in itertools.islice(waiting, max(0, most - len(pending))):
                pending[task.remote(said, unit.to_text())] = unit
            if not pending:
                return
            ready, _ = ray.wait(list(pending), num_returns=1)
            for reference in ready:
                yield pending.pop(reference), _answer(reference)
    finally:
        ray.shutdown()


def _answer(reference: Any) -> dict[str, Any] | str:
    """How a unit went; in words, where its worker died again and again. What is the cluster's own fault is undone."""
    try:
        answer: dict[str, Any] = json.loads(ray.get(reference))
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError) as error:
        return f"its worker died {RETRIES + 1} times: {type(error).__name__}"
    except ray.exceptions.RayError as error:
        return {"undone": f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0][:200]}"}
    return answer


def _connect(address: str) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(
            address=address,
            log_to_driver=False,
            logging_level="error",
            include_dashboard=False if address == "local" else None,
        )
    except Exception as error:  # Ray raises of many kinds, the plainest too
        hint = "start one with `ray start --head`, or say --ray-address local"
        raise ConfigError(f"no Ray cluster answers at `{address}`: {hint} ({str(error)[:200]})") from None
