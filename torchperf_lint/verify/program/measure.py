"""`--verify PATHS -- COMMAND`: the user's program before and after the fixes, in copies of the tree."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.run.fix_file import FixFile
from torchperf_lint.trace.launch import FORWARDED
from torchperf_lint.verify.program.aside import Aside, aside
from torchperf_lint.verify.program.changes import AS_IT_IS, Change, Verdict
from torchperf_lint.verify.program.compare import Ratio
from torchperf_lint.verify.program.runs import Options, Run, Runner, outside
from torchperf_lint.verify.program.search import Search, StoppedError
from torchperf_lint.verify.telling import Telling
from torchperf_lint.verify.verdict import DIFFERENT, FASTER, NOT_MEASURED

if TYPE_CHECKING:
    from torchperf_lint.config.config import Configs
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.report.console import Console

BEFORE: Final = "before"
AFTER: Final = "after"
PRECISION: Final = "TPL3"
"""The codes of rules that are about precision."""
ROUNDS: Final = "it computes with fewer digits, which is meant: look at your metrics"
DRAWS: Final = "it draws other random numbers, which is meant: the GPU has a generator of its own"
RANDOM: Final = re.compile(r"\b(rand\w*|normal|bernoulli|multinomial)\(")

Say = Callable[[Verdict], str]
"""A verdict in a line, as it is told when it comes."""


@dataclass
class Measurement:
    """What was measured of a program, as far as it came."""

    command: tuple[str, ...]
    verdicts: list[Verdict] = field(default_factory=list)
    by_fix: Mapping[str, Verdict] = field(default_factory=dict)
    itself: Ratio | None = None
    own: float = 0.0
    """The share by which losses of the original are others with the last digit of its parameters changed."""
    base: Run | None = None
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False

    @property
    def confirmed(self) -> frozenset[str]:
        """The fixes that pay."""
        return frozenset(fix for fix, each in self.by_fix.items() if each.verdict == FASTER)

    @property
    def by_fingerprint(self) -> dict[str, dict[str, Any]]:
        """What findings carry in reports for machines."""
        return {fix: _plain(verdict, self.base) for fix, verdict in self.by_fix.items()}


@dataclass
class Program:
    """The program of the user, the tree that it is in, and how long it may take."""

    options: Options
    root: Path
    here: Path
    precision: float
    seconds: float
    console: Console

    def with_fixes(
        self, findings: Sequence[Finding], configs: Configs, say: Say, gains: Mapping[str, float]
    ) -> Measurement:
        """Measure the fixes of findings: all together, then those that matter in the order of what is expected of them."""
        fixes = Fixes(findings, configs, self.root)
        found = Measurement(self.options.command)
        if not fixes.names:
            found.notes.append("Nothing to measure: no finding has a fix that can be applied.")
            return found
        with ExitStack() as stack:
            before, after = self._copies(stack)
            runner = self._runner(before, stack)

            def ready(change: Change) -> Aside:
                if not change:
                    return before
                after.become(fixes.applied(change))
                return after

            meant = {each.fingerprint: why for each in findings if (why := _meant(each)) is not None}
            self._search(runner, ready, fixes.names, found, say, gains, meant)
        return found

    def against(self, changed: Mapping[Path, bytes], gone: Sequence[Path], say: Say) -> Measurement:
        """Measure the tree as it is against one in which some files are other ones: an older revision."""
        found = Measurement(self.options.command)
        with ExitStack() as stack:
            before, after = self._copies(stack)
            for path in gone:  # first: a link may lie where a folder was
                before.forget(path)
            before.become(dict(changed))
            runner = self._runner(before, stack)
            self._search(runner, lambda change: after if change else before, [AS_IT_IS], found, say, {}, both=True)
        return found

    def _copies(self, stack: ExitStack) -> list[Aside]:
        stack.enter_context(interruptible())
        copies = aside(self.root, (BEFORE, AFTER), stack)
        linked = ", ".join(sorted(map(str, copies[0].linked)))
        if linked:
            self.console.note(f"Linked, not copied, so what is written there reaches the original: {linked}")
        named = ", ".join(outside(self.options.command, self.here, self.root))
        if named:
            self.console.note(f"Outside of the tree, so what is written there is written for real: {named}")
        return copies

    def _runner(self, copy: Aside, stack: ExitStack) -> Runner:
        logs = copy.beside("runs")
        runner = Runner(self.options, self.here, logs)
        stack.callback(runner.end)
        return runner

    def _search(
        self,
        runner: Runner,
        ready: Callable[[Change], Aside],
        fixes: Sequence[str],
        found: Measurement,
        say: Say,
        gains: Mapping[str, float],
        meant: Mapping[str, str] = MappingProxyType({}),
        *,
        both: bool = False,
    ) -> None:
        """Measure in the copies that are made ready for each change; what is known stays if it is interrupted."""
        tell = Telling(wanted=not self.console.quiet)

        def came(verdict: Verdict) -> None:
            tell.clear()
            self.console.note(say(verdict))

        search = Search(
            lambda change: runner.results(ready(change)), lambda: runner.results(ready(()), nudged=True),
            lambda change: runner.timed(ready(change)), tell, came, gains, meant, self.precision, both, self.seconds,
        )  # fmt: skip
        try:
            search.run(fixes)
        except StoppedError as stopped:
            if not search.verdicts:
                raise ConfigError(f"the program cannot be measured: {stopped}") from None
            found.notes.append(f"The original failed, so the rest was not measured: {stopped}")
        except KeyboardInterrupt:
            found.interrupted = True
        finally:
            tell.clear()
        found.verdicts, found.by_fix = search.verdicts, search.by_fix()
        found.itself, found.base, found.own = search.itself, search.base, search.own
        found.notes += search.notes


@contextmanager
def interruptible() -> Iterator[None]:
    """Whoever asks the process to end, a job that is cancelled or a terminal that closes, is answered as Ctrl-C is."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    mine = FORWARDED if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.signal(number, interrupt) for number in mine if signal.getsignal(number) == signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Fixes:
    """Fixes of findings, and what files become with some of them."""

    def __init__(self, findings: Sequence[Finding], configs: Configs, root: Path) -> None:
        self._configs = configs
        self._root = root
        self._paths: dict[str, Path] = {}
        for each in findings:
            path = Path(os.path.abspath(each.path))  # noqa: PTH100 - by its text alone, as it was found
            allowed = each.fix is not None and each.fix.safety >= configs.of(path).allow
            if allowed and path.is_relative_to(root):
                self._paths[each.fingerprint] = path
        self.names = sorted(self._paths, key=lambda name: (self._paths[name], name))

    def applied(self, change: Change) -> dict[Path, bytes]:
        """The files that some fixes change, by their path in the tree."""
        job = FixFile(self._configs, confirmed=frozenset(change))
        changed = {}
        for path in {self._paths[name] for name in change}:
            data = read_file(path)
            _, fixed = job.content(str(path), data)
            if fixed != data:
                changed[path.relative_to(self._root)] = fixed
        return changed


def _meant(finding: Finding) -> str | None:
    """Why a fix is meant to change what is computed."""
    if finding.code.startswith(PRECISION):
        return ROUNDS
    edits = finding.fix.edits if finding.fix is not None else ()
    return DRAWS if any(RANDOM.search(each.content) for each in edits) else None


def _plain(verdict: Verdict, base: Run | None) -> dict[str, Any]:
    about = base.about if base is not None and base.about else {}
    words = verdict.verdict if verdict.reason is None else f"{verdict.verdict}: {verdict.reason}"
    measurements = []
    if verdict.ratio is not None and verdict.before is not None and verdict.after is not None:
        measurements.append(
            {
                "clock": "step", "host_work_ms": 0.0, "before_ms": round(verdict.before[0], 4),
                "after_ms": round(verdict.after[0], 4), "speedup": round(verdict.ratio.speedup, 3),
                "low": round(verdict.ratio.low, 3), "high": round(verdict.ratio.high, 3),
            }
        )  # fmt: skip
    return {
        "verdict": words,
        "same": None if verdict.verdict == NOT_MEASURED else verdict.verdict != DIFFERENT,
        "max_difference": verdict.apart,
        "waits_before": None,
        "waits_after": None,
        "peak_before": verdict.before[1] if verdict.before else None,
        "peak_after": verdict.after[1] if verdict.after else None,
        **dict.fromkeys(
            f"{what}_{when}" for what in ("graphs", "recompiles", "compile_s") for when in ("before", "after")
        ),
        "measurements": measurements,
        "shapes": {},
        "assumed": [],
        "device": about.get("gpu") or "CPU",
        "torch": about.get("torch", ""),
    }
