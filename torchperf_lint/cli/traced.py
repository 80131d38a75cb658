"""What a trace is asked with findings beside it: after a run of the program, and by `--trace` of a lint."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.config.config import Configs, common_folder
from torchperf_lint.disk.write import output
from torchperf_lint.files.discover import SUFFIXES, discover
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report.sources import Sources
from torchperf_lint.report.summary import counted
from torchperf_lint.report.terminal import Ink, Pen
from torchperf_lint.report.traced import gained_share, in_words
from torchperf_lint.run.lint_file import LintFile
from torchperf_lint.run.run_files import over
from torchperf_lint.trace import differences, foreign, markdown, page, plain, table
from torchperf_lint.trace.analysis import Analysis, analyse
from torchperf_lint.trace.join import Join, Texts
from torchperf_lint.trace.predict import NO_GAIN
from torchperf_lint.trace.ranks import Ranks
from torchperf_lint.trace.report import Report
from torchperf_lint.trace.rows import Row, rows, traced_plains, unspoken

if TYPE_CHECKING:
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report.console import Console
    from torchperf_lint.trace.recording import Trace

FORMATS: Final = ("text", "json", "markdown", "html")
Wanted = Sequence[tuple[str, Path | None]]
"""Formats, each with the file it goes to."""


def reports(forms: Iterable[str], html: Path | None) -> Wanted:
    """The reports that some options ask for; raises `ConfigError`."""
    made: list[tuple[str, Path | None]] = [("html", html)] if html else []
    for each in forms:
        name, _, file = each.partition("=")
        if name not in FORMATS or (name == "html" and not file):
            raise ConfigError(f"--format {each}: text, json, markdown, or html=FILE")
        made.append((name, Path(file) if file else None))
    if sum(file is None for _, file in made) > 1:
        raise ConfigError("only one report can go to the standard output: write the others to files")
    return made


def report(traces: Mapping[int, Trace], wanted: Wanted, console: Console, gpu_price: float | None) -> None:
    """Lint what ran, and write every report that is wanted; of several ranks, the one that matters is reported."""
    ranks = Ranks(traces)
    trace = traces[ranks.shown]
    found = joined_with(analyse(trace, ranks.others), linted(trace), texts_of(Sources(Path.cwd())))
    differ = differences.between(traces, ranks)
    made = replace(found, differences=differ, gpu_price=gpu_price)
    if not any(file is None for _, file in wanted):
        beside = replace(console, findings_to=sys.stderr)  # the standard output is the program's
        beside.out(_rendered("text", made, console.colored(sys.stderr)))
    for name, file in wanted:
        text = _rendered(name, made, file is None and console.colored(console.findings))
        if file is None:
            console.out(text)
        else:
            put(file, text)


def joined(trace: Trace, findings: Sequence[Finding], texts: Texts) -> Report:
    """What is to be said of a trace and the findings of what ran."""
    return joined_with(analyse(trace), findings, texts)


def joined_with(analysis: Analysis, findings: Sequence[Finding], texts: Texts) -> Report:
    """What is to be said of a trace that was analysed, and of findings."""
    found = Join(analysis, texts).joined(findings)
    return Report(analysis, found, findings, rows(analysis, found.spoken), texts)


def _rendered(name: str, made: Report, color: bool) -> str:
    match name:
        case "json":
            return plain.render(made)
        case "markdown":
            return markdown.render(made)
        case "html":
            return page.render(made)
    said = table.render(made.analysis, made.rows, Pen(color), made.gpu_price)
    ranks = "".join(f"{each}\n" for each in made.differences.said)
    return f"{ranks}\n{said}" if made.differences.first else said + ranks


def put(file: Path, text: str) -> None:
    """Write a report; raises `ConfigError` where that cannot be."""
    try:
        output(file, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror or error}") from None


def linted(trace: Trace) -> list[Finding]:
    """The findings of the program's own files that ran."""
    paths = [
        each.path for each in trace.files if not each.path.startswith("site-packages/") and Path(each.path).is_file()
    ]
    if not paths:
        return []
    configs = Configs(common_folder(paths), {})
    found = discover(paths, configs)
    done = over(found.files, LintFile(configs))
    return sorted((finding for each in done for finding in each.findings), key=lambda finding: finding.order)


def texts_of(sources: Sources) -> Texts:
    """The lines of files as they are now."""

    def texts(path: str, cell: int | None) -> Sequence[str] | None:
        source = sources.of(path, cell)
        return None if source is None else source.text.splitlines()

    return texts


def own_texts(sources: Sources, findings: Sequence[Finding]) -> Texts:
    """The same, of code in the working folder and of what was linted: whoever wrote a trace may name any file in it."""
    every = texts_of(sources)
    linted = {each.path for each in findings}
    top = os.path.realpath(sources.root)

    def texts(path: str, cell: int | None) -> Sequence[str] | None:
        return every(path, cell) if path in linted or _is_own(path, top) else None

    return texts


def _is_own(path: str, top: str) -> bool:
    try:
        return path.endswith(SUFFIXES) and Path(os.path.realpath(os.path.join(top, path))).is_relative_to(top)  # noqa: PTH118
    except ValueError:  # no name that a file can have
        return False


@dataclass(frozen=True)
class Asked:
    """The trace that `--trace` names, asked during a lint."""

    analysis: Analysis
    least: float
    """`--min-gain`: the share of a step from which findings are shown."""

    def of(self, outcome: Outcome, sources: Sources, console: Console) -> tuple[Outcome, list[Row]]:
        """An outcome with what the trace says of its findings, and all lines that wait or load."""
        found = Join(self.analysis, texts_of(sources)).joined(outcome.findings)
        plains = traced_plains(self.analysis, found)
        left = [each for each in outcome.findings if gained_share(plains[each.fingerprint]) >= self.least]
        if hidden := len(outcome.findings) - len(left):
            console.note(f"{counted(hidden, 'finding')} would gain less than {self.least:.1%} of a step")
        return replace(outcome, findings=left, traced=plains), rows(self.analysis, found.spoken)

    def words(self, findings: Sequence[Finding]) -> dict[str, str]:
        """What the trace says of findings, in words."""
        found = Join(self.analysis, texts_of(Sources(Path.cwd()))).joined(findings)
        return {name: in_words(plain) for name, plain in traced_plains(self.analysis, found).items()}

    def expected(self, findings: Sequence[Finding]) -> dict[str, float]:
        """The share of a step that findings are predicted to gain; those of which nothing is expected are not there."""
        found = Join(self.analysis, texts_of(Sources(Path.cwd()))).joined(findings)
        step = self.analysis.predicted.step_ms
        return {
            name: traced.gain.ms / step
            for name, traced in found.findings.items()
            if traced.gain is not None and traced.gain.ms > 0 and traced.verdict != NO_GAIN and step
        }

    def page(self, file: Path, outcome: Outcome, sources: Sources) -> None:
        """Write the report as one HTML file, with what `--verify` measured; raises `ConfigError`."""
        made = joined_with(self.analysis, outcome.findings, own_texts(sources, outcome.findings))
        put(file, page.render(replace(made, measured=outcome.verified)))

    def table(self, found: Sequence[Row], pen: Pen) -> str:
        """What the trace shows besides the findings."""
        silent = unspoken(found)
        spoken = [row for row in found if row.findings]
        shown = table.render(self.analysis, silent, pen, hidden=spoken)
        if not found or not self.analysis.trace.has_gpu:
            return shown
        title = "Waits and loaders that no finding speaks of:" if silent else "Findings speak of every wait."
        return f"{pen(title, Ink.BOLD)}\n{shown}"


def asked(options: Mapping[str, Any]) -> Asked:
    """The trace that some options name; raises `ConfigError` where it cannot be read."""
    if options["trace"] is None:
        if options["min_gain"] is not None:
            raise ConfigError("`--min-gain` needs `--trace`: only a trace of the program knows gains")
        raise ConfigError("`--html` needs `--trace`: the page shows a run of the program")
    return Asked(analyse(foreign.read(Path(options["trace"]))), _share(options["min_gain"]))


def _share(text: str | None) -> float:
    """`1%`, `0.01` or nothing."""
    if text is None:
        return 0.0
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ConfigError(f"--min-gain {text}: a share of a step is meant, such as 1% or 0.01")
    return value
