"""What `torchperf-lint check` does: settings, files, findings, reports, exit code, in this order."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.cli import inspect, output
from torchperf_lint.config.config import Config, absolute, load
from torchperf_lint.config.settings_file import KINDS, from_line
from torchperf_lint.files.discover import discover, is_left_out
from torchperf_lint.model.catalogue import RULE_RAISED
from torchperf_lint.model.exit_codes import BROKEN, CLEAN, INTERRUPTED
from torchperf_lint.model.failure import ConfigError, Failure
from torchperf_lint.model.outcome import Outcome
from torchperf_lint.report.console import Console
from torchperf_lint.report.progress import Progress
from torchperf_lint.report.sources import Sources
from torchperf_lint.report.summary import counted
from torchperf_lint.run import baseline
from torchperf_lint.run.baseline import Baseline
from torchperf_lint.run.lint_file import Done, LintFile
from torchperf_lint.run.run_files import over

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torchperf_lint.run.fix_file import FixFile
    from torchperf_lint.run.lint_file import FileJob
    from torchperf_lint.verify.during_check import Verification

STDIN: Final = "-"
UNNAMED: Final = "<stdin>"


def check(options: Mapping[str, Any]) -> int:
    """Lint what a command line, as click read it, names; the answer is the exit code."""
    console = Console(options["color"], bool(options["quiet"]))
    paths = options["paths"] or (".",)
    _refuse_contradictions(options, paths)
    config = _config(options, paths[0])
    _refuse_what_cannot_be_written(options, config)
    if options["show_settings"]:
        return inspect.settings(config, console)
    if options["profile"] or options["debug"]:
        config = replace(config, jobs=1, cache=False, debug=bool(options["debug"]))
    accepted = baseline.read(config.baseline) if config.baseline and not options["write_baseline"] else Baseline()
    run = _Check(options, config, console, accepted, _verification(options, config, console))
    lint = run.stdin if paths == (STDIN,) else partial(run.files, paths)
    if options["profile"]:
        from torchperf_lint.cli.profile import profiled

        return profiled(lint, console)
    return lint()


def _refuse_what_cannot_be_written(options: Mapping[str, Any], config: Config) -> None:
    """Says before the work what its results could not be written to."""
    named = options["write_baseline"]
    output.refuse_links([file for _, file in output.outputs(config)], config)
    output.refuse_links([named and absolute(named)], config)
    if named and not baseline.may_be_at(absolute(named)):
        raise ConfigError(f"{named}: not written, because this file exists and is not a baseline of this tool")


def _refuse_contradictions(options: Mapping[str, Any], paths: Sequence[str]) -> None:
    """Refuses what does not go together, rather than leave out half of it without a word."""
    if STDIN in paths and len(paths) > 1:
        raise ConfigError("`-` (standard input) cannot be combined with other paths")
    if options["add_ignores"] is not None and options["fix"]:
        raise ConfigError("`--add-ignores` cannot be combined with `--fix`: fix first, then silence what is left")
    if not (options["add_ignores"] or "").isprintable():
        raise ConfigError("`--add-ignores`: the reason must be one line of text, as it becomes a comment")
    if options["shape"] and not options["verify"]:
        raise ConfigError("`--shape` needs `--verify`")


def _config(options: Mapping[str, Any], first: str) -> Config:
    named = options["stdin_filename"] or "." if first == STDIN else first
    start = absolute(named)
    line = from_line({name: value for name, value in options.items() if name.replace("_", "-") in KINDS})
    file = options["config"] and absolute(options["config"])
    return load(start if start.is_dir() else start.parent, line, file=file, isolated=bool(options["isolated"]))


def _verification(options: Mapping[str, Any], config: Config, console: Console) -> Verification | None:
    """The measuring that `--verify` asks for."""
    if not options["verify"]:
        return None
    from torchperf_lint.verify.during_check import Verification

    return Verification(options, config, console)


@dataclass(frozen=True)
class _Check:
    """One call of `check`."""

    options: Mapping[str, Any]
    config: Config
    console: Console
    accepted: Baseline
    verification: Verification | None = None

    def files(self, paths: Sequence[str]) -> int:
        """Lint, or fix, files and folders."""
        start = time.perf_counter()
        found = discover(paths, self.config)
        if self.options["show_files"]:
            return inspect.files(found, self.config, self.console)
        if not found.files and not found.failures:
            self.console.warn("no Python files found under the given paths")
        fixing, sources = self._fixing(paths), Sources(self.config.root)
        if self.verification is not None:
            fixing = self._verified(self._over(found.files, LintFile(self.config)), sources, fixing)
        done = self._over(found.files, fixing or LintFile(self.config))
        outcome = _outcome(done, found.failures, self.config, start)
        if self.options["diff"]:
            return output.patches(outcome, done, self.console)
        return self._report(outcome, done, Sources(self.config.root), self.console)

    def _over(self, files: Sequence[str], job: FileJob) -> list[Done]:
        progress = Progress(wanted=not self.console.quiet)
        try:
            return over(files, job, progress)
        finally:
            progress.clear()

    def stdin(self) -> int:
        """Lint the standard input; what is fixed goes to the standard output, and findings to the standard error."""
        start = time.perf_counter()
        named, fixing, console = self.options["stdin_filename"], self._fixing(()), self.console
        data = sys.stdin.buffer.read()
        path = str(absolute(named)) if named else UNNAMED
        done = Done(path)
        if not (named and self.config.force_exclude and is_left_out(absolute(named), self.config)):
            if self.verification is not None:
                given = {self.config.reported(Path(path)): data}
                found, _ = LintFile(self.config).content(path, data)
                fixing = self._verified([found], Sources(self.config.root, given), fixing)
            done, data = (fixing or LintFile(self.config)).content(path, data)
        outcome = _outcome([done], (), self.config, start)
        if self.options["diff"]:
            return output.patches(outcome, [done], console)
        if fixing is not None:
            sys.stdout.buffer.write(data)
            console = replace(console, findings_to=sys.stderr)
        given = {self.config.reported(Path(path)): data}
        return self._report(outcome, [done], Sources(self.config.root, given), console)

    def _fixing(self, paths: Iterable[str]) -> FixFile | None:
        """What is to be done besides linting, to what lies within some paths."""
        hides = self.options["add_ignores"]
        if not (self.options["diff"] or self.config.fix or hides is not None):
            return None
        from torchperf_lint.run.fix_file import FixFile
        from torchperf_lint.run.may_write import limits

        within = limits(paths, self.config)
        return FixFile(self.config, self.accepted.fingerprints, hides, bool(self.options["diff"]), within=within)

    def _verified(self, done: Sequence[Done], sources: Sources, fixing: FixFile | None) -> FixFile | None:
        """What is left to be done once everything is measured: to apply what is confirmed, if something is to be applied."""
        assert self.verification is not None
        known = self.accepted.fingerprints
        findings = [finding for each in done for finding in each.findings if finding.fingerprint not in known]
        self.verification.measure(findings, sources.data)
        if self.verification.interrupted:
            return None
        return fixing and replace(fixing, confirmed=self.verification.confirmed)

    def _report(self, outcome: Outcome, done: Sequence[Done], sources: Sources, console: Console) -> int:
        if self.options["write_baseline"]:
            return _write_baseline(absolute(self.options["write_baseline"]), outcome, console)
        outcome = self._without_accepted(outcome, done)
        if self.verification is not None:
            outcome = replace(outcome, verified=self.verification.by_fingerprint)
        if self.options["statistics"]:
            output.statistics(outcome, self.config, console)
        else:
            output.findings(outcome, sources, self.config, console)
            if self.verification is not None:
                output.measurements(self.verification, self.config, console)
        output.fixed(outcome, done, self.config, console, hidden=self.options["add_ignores"] is not None)
        code = output.end(outcome, self.config, console, exit_zero=bool(self.options["exit_zero"]))
        return INTERRUPTED if self.verification is not None and self.verification.interrupted else code

    def _without_accepted(self, outcome: Outcome, done: Iterable[Done]) -> Outcome:
        """An outcome without what the baseline accepts; says which of its entries match nothing any more."""
        linted = {self.config.reported(Path(each.path)) for each in done}
        for entry in self.accepted.gone(outcome.findings, linted):
            stale = f"no finding matches this entry any more: {entry.path}: {entry.code} {entry.message}"
            self.console.warn(f"{self.config.baseline}: {stale}")
        known = self.accepted.fingerprints
        left = [each for each in outcome.findings if each.fingerprint not in known]
        if hidden := len(outcome.findings) - len(left):
            self.console.note(f"{counted(hidden, 'finding')} accepted by {self.config.baseline}")
        return replace(outcome, findings=left)


def _outcome(done: Sequence[Done], failures: Iterable[Failure], config: Config, start: float) -> Outcome:
    failed = [Failure(config.reported(Path(each.path)), each.failure) for each in done if each.failure]
    return Outcome(
        root=config.root,
        findings=sorted((finding for each in done for finding in each.findings), key=attrgetter("order")),
        failures=sorted((*failures, *failed)),
        files=len(done),
        seconds=time.perf_counter() - start,
    )


def _write_baseline(path: Path, outcome: Outcome, console: Console) -> int:
    accepted = [finding for finding in outcome.findings if finding.code != RULE_RAISED]
    baseline.write(path, accepted)
    console.note(f"{counted(len(accepted), 'finding')} accepted in {path}")
    return BROKEN if outcome.broke else CLEAN
