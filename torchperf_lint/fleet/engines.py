"""Who does the units: the processes of this machine, or a cluster of Ray; both do the very same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from torchperf_lint.fleet.unit import Unit
from torchperf_lint.fleet.work import UnitJob
from torchperf_lint.run import parallel

Receipt = dict[str, Any]
Engine = Callable[[UnitJob, Sequence[Unit]], Iterator[tuple[Unit, Receipt]]]
"""How each unit went, as it comes; a unit that is lost is written down as that."""


def local(jobs: int | None) -> Engine:
    """The processes of this machine."""

    def run(job: UnitJob, units: Sequence[Unit]) -> Iterator[tuple[Unit, Receipt]]:
        count = jobs or parallel.cores()
        texts = [unit.to_text() for unit in units]
        job.prepare()
        many = count > 1 and len(units) > 1
        answers = parallel.together(job, texts, count) if many else parallel.alone(job, texts)
        for text, answer in answers:
            unit = Unit.from_text(text)
            yield unit, (job.lose(unit, str(answer)) if isinstance(answer, parallel.Died) else json.loads(answer))

    return run


def ray(address: str) -> Engine:
    """A cluster."""

    def run(job: UnitJob, units: Sequence[Unit]) -> Iterator[tuple[Unit, Receipt]]:
        from torchperf_lint.fleet.on_ray import answers

        for unit, answer in answers(job, units, address):
            yield unit, (job.lose(unit, answer) if isinstance(answer, str) else answer)

    return run
