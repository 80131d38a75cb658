"""One run of measurements: the device, a process for each plan, and what is done when something gives way."""

from __future__ import annotations

import importlib.util
import math
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Final

from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Safety
from torchperf_lint.verify import child, stats, verdict
from torchperf_lint.verify.bench import bench_of
from torchperf_lint.verify.plan import Plan, Shapes, shrunk, unknown_shapes
from torchperf_lint.verify.verdict import Device, Measured

HOST_WORK: Final = (0.0, 5.0, 10.0)
"""Milliseconds of the host's own work in a step at which the cost of waits is measured."""
SECONDS: Final = 2.0
"""What one comparison of times may take in one process, set-up and warm-up included."""
START: Final = 5.0
"""What a process takes to start torch and to compare results, some of the time."""
COMPILE: Final = 15.0
"""What a process takes besides to compile a bench about that, more or less: most of it in a C++ compiler, on a CPU."""
PROCESSES: Final = 2
"""So many at least measure a plan, as they differ in what none of them can see."""
MOST_PROCESSES: Final = 6
"""Where the interval holds what parts a gain from none."""
PATIENCE: Final = 120.0
"""The time limit of a bench, in seconds, where the user gives none."""
FIRST: Final = 300.0
"""Starting torch for the first time can take this long."""

NEEDS_GPUS: Final = "needs two GPUs"
RANKS_MARGIN: Final = 0.8
"""The share of the time limit after which the ranks of a bench are asked where they stand."""

INSTALL: Final = 'measuring needs torch, which is not installed: pip install "torchperf-lint[verify]"'

Plain = dict[str, Any]
Ask = Callable[..., Plain]
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """What the command line says of measuring."""

    device: str = "auto"
    timeout: float = PATIENCE
    shapes: Shapes = field(default_factory=dict)
    host_work: float | None = None


def options(device: str | None, timeout: float | None, shapes: Iterable[str], host_work: float | None) -> Options:
    """The options, checked; raises `ConfigError`."""
    wanted = device or "auto"
    if not re.fullmatch(r"auto|cpu|cuda(:\d{1,3})?", wanted):
        raise ConfigError(f"`--verify-device` must be auto, cpu, cuda or cuda:N, not `{wanted[:80]}`")
    said: dict[str, str] = {}
    for shape in shapes:
        name, equals, value = shape.partition("=")
        if not equals or not value:
            raise ConfigError(f"`--shape` takes NAME=VALUE, not `{shape[:80]}`")
        said[name.strip()] = value.strip()
    for wrong in unknown_shapes(said):
        raise ConfigError(f"`--shape`: {wrong}")
    return Options(wanted, PATIENCE if timeout is None else timeout, said, host_work)


class Session:
    """Measures plans one after the other; what is done stays there when the rest is interrupted."""

    def __init__(
        self, chosen: Options, tell: Tell, ask: Ask | None = None, say: Callable[[Measured], None] = lambda _: None
    ) -> None:
        self.options = chosen
        self.tell = tell
        self.say = say
        self.ask = ask or child.ask
        self.done: list[Measured] = []
        self.device = self._device()

    def measure(self, plans: Sequence[Plan]) -> list[Measured]:
        """What comes of each plan; `done` grows as it goes, and each result is told as it comes."""
        started = time.monotonic()
        for number, plan in enumerate(plans, 1):
            said = f"measuring {number} of {len(plans)}: {plan.code or plan.name}"
            self.tell(said)
            if number > 1:
                left = (len(plans) - number + 1) * (time.monotonic() - started) / (number - 1)
                said += f", some {math.ceil(left)} s left"
            self.done.append(self._measured(plan, partial(self._tell, said)))
            self.say(self.done[-1])
        return self.done

    def _tell(self, said: str, stage: str) -> None:
        self.tell(f"{said}, {stage}")

    def _device(self) -> Device:
        if importlib.util.find_spec("torch") is None:
            raise ConfigError(INSTALL)
        self.tell("starting torch")
        about = self.ask({"about": self.options.device}, FIRST)
        if "failed" in about:
            raise ConfigError(f"torch does not start: {about['failed']}")
        if about["device"] is None:
            raise ConfigError(f"`--verify-device {self.options.device}`: {about['reason']}")
        return Device(about["name"], about["torch"], about["device"] != "cpu", about)

    def notices(self) -> list[str]:
        """What is worth saying about the device."""
        about = self.device.about
        if self.device.cuda:
            return []
        why = "MPS is not measured: nothing there tells waits from work" if about.get("mps") else "no GPU here"
        why = "measuring on the CPU, as asked" if self.options.device == "cpu" else why
        return [f"{why}: what a CPU can show is measured on it, the rest needs CUDA"]

    def duration(self, plans: Sequence[Plan]) -> str | None:
        """How long the measuring of plans will take, said beforehand; None where nothing can be measured."""
        works = [
            (len(self._works(plan)), START + COMPILE * bench_of(plan.module).compiles)
            for plan in plans
            if self._obstacle(plan) is None
        ]
        if not works:
            return None
        low = sum(start + SECONDS * each + (PROCESSES - 1) * (start + SECONDS) for each, start in works)
        high = sum(start + SECONDS * each + (MOST_PROCESSES - 1) * (start + SECONDS) for each, start in works)
        low, high = (min(each, len(works) * self.options.timeout) for each in (low, high))
        unit, size = ("seconds", 1) if high <= 90 else ("minutes", 60)
        least, most = (max(1, math.ceil(each / size)) for each in (low, high))
        return f"{len(works)} to measure: some {least} to {most} {unit}"

    def _works(self, plan: Plan) -> list[float]:
        """The host's own work, in milliseconds, at which a plan is measured."""
        bench = bench_of(plan.module)
        return sorted({*HOST_WORK, self._counts(plan)}) if bench.waits else [0.0]

    def _counts(self, plan: Plan) -> float:
        """That one of them by which the verdict goes."""
        return 0.0 if self.options.host_work is None or not bench_of(plan.module).waits else self.options.host_work

    def _obstacle(self, plan: Plan) -> str | None:
        """Why a plan cannot be measured here."""
        if plan.programs is None:
            return "the rule's fix does not apply to its own bench"
        bench = bench_of(plan.module)
        if bench.needs_cuda and not self.device.cuda:
            return "needs CUDA" if bench.ranks == 1 else NEEDS_GPUS
        if bench.needs_cuda and bench.ranks > self.device.gpus:
            return NEEDS_GPUS
        return None

    def _place(self, plan: Plan) -> str:
        """The device that a plan is measured on: the ranks of a bench each have a GPU of their own, or all the CPU."""
        ranks = bench_of(plan.module).ranks
        return "cpu" if ranks > max(1, self.device.gpus) else str(self.device.about["device"])

    def _measured(self, plan: Plan, on_stage: Tell) -> Measured:
        if (obstacle := self._obstacle(plan)) is not None:
            return verdict.not_measured(plan, obstacle)
        found = self._asked(plan, on_stage)
        smaller = shrunk(plan) if found.reason == "out of memory" else None
        if smaller is None:
            return found
        self.tell(f"{plan.code or plan.name}: out of memory, trying a quarter of it")
        return self._asked(smaller, on_stage)

    def _asked(self, plan: Plan, on_stage: Tell) -> Measured:
        assert plan.programs is not None
        counts = self._counts(plan)
        request = {
            "module": plan.module,
            "before": plan.programs.before,
            "after": plan.programs.after,
            "exact": plan.programs.safety is Safety.SAFE,
            "settings": dict(plan.settings),
            "device": self._place(plan),
            "ranks": bench_of(plan.module).ranks,
            "host_work": self._works(plan),
            "seconds": SECONDS,
            "only_times": False,
        }
        started = time.monotonic()
        results = [self._answer(request, self.options.timeout, on_stage)]
        first = time.monotonic() - started
        again = request | {"only_times": True, "host_work": [counts]}
        while True:
            found = verdict.of(plan, pooled(results), counts)
            left = self.options.timeout - (time.monotonic() - started)
            if "clocks" not in results[-1] or left < first or _is_enough(found, len(results)):
                return found
            results.append(self._answer(again, left, on_stage))

    def _answer(self, request: Plain, seconds: float, on_stage: Tell) -> Plain:
        """What a process answers, with what it was measured on where that is not the one device of the session."""
        found = self.ask({**request, "limit": seconds * RANKS_MARGIN}, seconds, on_stage)
        ranks = request["ranks"]
        if ranks == 1:
            return found
        on_cpu = request["device"] == "cpu"
        return {
            **found,
            "device": f"the CPU, {ranks} processes" if on_cpu else f"{ranks} × {self.device.name}",
            "ranks": ranks,
        }


def _is_enough(found: Measured, processes: int) -> bool:
    """Whether the next process would change nothing that is said."""
    clock = found.clock
    if clock is None or found.verdict == verdict.DIFFERENT or processes >= MOST_PROCESSES:
        return True
    return processes >= PROCESSES and not stats.is_at_an_edge(clock["low"], clock["high"])


def pooled(results: Sequence[Plain]) -> Plain:
    """What the processes of one plan found: the first one looked at everything, the others at some of its times."""
    first = results[0]
    if "clocks" not in first:
        return first
    rounds: dict[tuple[str, float], list[stats.Rounds]] = {}
    for result in results:
        for each in result.get("clocks", ()):
            rounds.setdefault((each["clock"], each["host_work_ms"]), []).append(each["rounds"])
    clocks = [
        {"clock": clock, "host_work_ms": work, **asdict(stats.summarise(found))}
        for (clock, work), found in rounds.items()
    ]
    return {**first, "clocks": clocks}


def by_fingerprint(done: Iterable[Measured], device: Device) -> dict[str, dict[str, Any]]:
    """What was measured, for each finding that it stands for, as the JSON report shows it."""
    return {place: each.to_plain(device) for each in done for place in each.plan.places}


def confirmed(done: Iterable[Measured]) -> frozenset[str]:
    """The findings whose fix may be applied."""
    return frozenset(place for each in done if each.confirmed for place in each.plan.places)
