"""What a run says and how it ends: reports, errors, the last line, the exit code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from torchperf_lint.cli import inspect
from torchperf_lint.config.config import placed
from torchperf_lint.disk.write import output
from torchperf_lint.model.exit_codes import BROKEN, CLEAN, FINDINGS
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Safety
from torchperf_lint.model.formats import FOR_PEOPLE
from torchperf_lint.report import View, render, summary
from torchperf_lint.report.console import WIDE
from torchperf_lint.report.ranking import groups
from torchperf_lint.report.summary import counted
from torchperf_lint.report.terminal import Pen, visible
from torchperf_lint.version import is_compiled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchperf_lint.cli.traced import Asked
    from torchperf_lint.config.config import Config, Configs
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report.console import Console
    from torchperf_lint.report.sources import Sources
    from torchperf_lint.run.lint_file import Done
    from torchperf_lint.trace.rows import Row
    from torchperf_lint.verify.during_check import Measuring

LONG: Final = 10.0
"""Seconds of a run that a reader would like to be shorter."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How much of the findings the reports for people show."""

    most: int | None
    """At most so many of each rule."""
    hints: bool
    """Whether hints are shown like all others."""


def findings(outcome: Outcome, sources: Sources, config: Config, console: Console, asked: Shown) -> None:
    """Write every report that is wanted."""
    most = asked.most
    for name, file in outputs(config):
        color = console.color == "always" if file else console.colored(console.findings)
        shown = first_of_each(outcome, most) if most and name in FOR_PEOPLE else outcome
        if left := len(outcome.findings) - len(shown.findings):
            console.note(f"{counted(left, 'more finding')} not shown (`--max-per-rule {most}`)")
        width = console.width if file is None else WIDE
        view = View(
            sources, Path.cwd(), color, by_impact(config, console, file), short_hints=not asked.hints, columns=width
        )
        text = render(name, shown, view)
        if file is None:
            console.out(text)
            continue
        try:
            output(file, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise ConfigError(f"{file}: {error.strerror or error}") from None


def first_of_each(outcome: Outcome, most: int) -> Outcome:
    """An outcome with the first findings of each rule."""
    seen: Counter[str] = Counter()
    kept = []
    for each in outcome.findings:
        seen[each.code] += 1
        if seen[each.code] <= most:
            kept.append(each)
    return replace(outcome, findings=kept)


def by_impact(config: Config, console: Console, file: Path | None) -> bool:
    """Whether a report for people begins with what matters most: where nobody said, it does on a terminal."""
    if config.sort is not None:
        return config.sort == "impact"
    return file is None and console.findings.isatty()


def measurements(verification: Measuring, config: Config, console: Console) -> None:
    """Write the table of what was measured, where a report for people goes to the terminal."""
    if any(name in FOR_PEOPLE and file is None for name, file in outputs(config)):
        console.out(verification.table(color=console.colored(console.findings)))


def of_trace(trace: Asked, waiting: Sequence[Row], config: Config, console: Console) -> None:
    """Write what a trace shows besides the findings, where a report for people goes to the terminal."""
    if any(name in FOR_PEOPLE and file is None for name, file in outputs(config)):
        console.out(trace.table(waiting, Pen(console.colored(console.findings))))


def statistics(outcome: Outcome, config: Config, console: Console) -> None:
    """Write counts by rule instead."""
    inspect.statistics(outcome, outputs(config)[0][0], console)


def patches(outcome: Outcome, done: Sequence[Done], console: Console) -> int:
    """Write what would change; the answer is the exit code."""
    text = "".join(each.patch for each in done)
    if console.findings.isatty():
        console.out("\n".join(map(visible, text.split("\n"))))
    else:
        console.raw(text)
    _failures(outcome, console)
    _refusals(done, console)
    console.note(f"{sum(each.fixed for each in done):,} would be fixed.")
    if outcome.broke:
        return BROKEN
    return FINDINGS if any(each.patch for each in done) else CLEAN


def fixed(outcome: Outcome, done: Sequence[Done], configs: Configs, console: Console, *, hidden: bool) -> None:
    """Say what was done to files, if something was to be done."""
    _refusals(done, console)
    count = sum(each.fixed for each in done)
    if hidden:
        console.note(f"{count:,} hidden by comments.")
    elif any(configs.of(Path(each.path)).fix for each in done):
        unsafe = [each.path for each in outcome.findings if each.fix and each.fix.safety is Safety.UNSAFE]
        left = sum(not configs.of(placed(path)).unsafe_fixes for path in unsafe)
        more = f", {left:,} need `--unsafe-fixes`" if left else ""
        console.note(f"{count:,} fixed{more}.")


def _failures(outcome: Outcome, console: Console) -> None:
    for failure in outcome.failures:
        console.error(f"{failure.path}: {failure.message}")


def _refusals(done: Sequence[Done], console: Console) -> None:
    for note in (note for each in done for note in each.notes):
        console.warn(note)


def end(outcome: Outcome, configs: Configs, console: Console, *, exit_zero: bool) -> int:
    """Say what failed and what it comes to; the answer is the exit code."""
    _failures(outcome, console)
    if outcome.files and all(name in FOR_PEOPLE or file for name, file in outputs(configs.run)):
        if by_impact(configs.run, console, None) and (begin := summary.first(outcome)):
            console.note(begin)
        console.note(summary.line(outcome))
        if outcome.findings and console.findings.isatty():
            worst = groups(outcome.findings, outcome.traced)[0][0]
            console.note(f"`torchperf-lint rule {worst.code}` explains a rule.")
        if outcome.seconds >= LONG and console.findings.isatty() and not is_compiled():
            console.note("This is the build of plain Python; the compiled wheel takes two thirds of the time.")
    if outcome.broke:
        return BROKEN
    fails = any(each.severity >= configs.of(placed(each.path)).fail_level for each in outcome.findings)
    return FINDINGS if fails and not exit_zero else CLEAN


def outputs(config: Config) -> list[tuple[str, Path | None]]:
    """Each report with where it goes; at most one goes to the output file or the standard output."""
    if sum(file is None for _, file in config.format) > 1:
        raise ConfigError(
            "only one report can go to the standard output: write the others to files, `--format sarif=report.sarif`"
        )
    return [(name, file or config.output_file) for name, file in config.format]
