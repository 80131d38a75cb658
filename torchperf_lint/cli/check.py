"""What `torchperf-lint check` does: settings, files, findings, reports, exit code, in this order."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.cli import contradictions, inspect, output
from torchperf_lint.cli.asked_trace import asked_trace
from torchperf_lint.cli.contradictions import STDIN
from torchperf_lint.config.config import Config, Configs, absolute, common_folder, placed, shown_path
from torchperf_lint.config.no_links import refuse_links
from torchperf_lint.config.settings import KINDS
from torchperf_lint.config.settings_file import from_line
from torchperf_lint.files.discover import discover, is_left_out
from torchperf_lint.model.catalogue import RULE_RAISED
from torchperf_lint.model.exit_codes import BROKEN, CLEAN, INTERRUPTED
from torchperf_lint.model.failure import ConfigError, Failure
from torchperf_lint.model.finding import Severity
from torchperf_lint.model.outcome import Outcome
from torchperf_lint.model.paths import with_paths
from torchperf_lint.report.console import Console
from torchperf_lint.report.progress import Progress
from torchperf_lint.report.sources import Sources
from torchperf_lint.report.summary import counted
from torchperf_lint.run import baseline
from torchperf_lint.run.baseline import Baseline, fingerprints
from torchperf_lint.run.lint_file import Done, LintFile
from torchperf_lint.run.run_files import over

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torchperf_lint.cli.traced import Asked
    from torchperf_lint.run.fix_file import FixFile
    from torchperf_lint.run.lint_file import FileJob
    from torchperf_lint.verify.during_check import Measuring

UNNAMED: Final = "<stdin>"


def check(options: Mapping[str, Any]) -> int:
    """Lint what a command line, as click read it, names; the answer is the exit code."""
    console = Console(options["color"], bool(options["quiet"]))
    paths = options["paths"] or (".",)
    contradictions.refuse(options, paths)
    if options["watch"]:
        from torchperf_lint.cli.watch import watch

        return watch(partial(_once, options, paths, console), partial(_watched, options, paths), console)
    return _once(options, paths, console)


def _watched(options: Mapping[str, Any], paths: Sequence[str]) -> list[str]:
    """The files that a check looks at, with those of its settings."""
    configs = _configs(options, paths)
    files = discover(paths, configs).files
    settings = {str(configs.of(Path(file)).file or "") for file in files} | {str(configs.run.file or "")}
    return sorted({*files, *filter(None, settings)})


def _once(options: Mapping[str, Any], paths: Sequence[str], console: Console) -> int:
    configs = _configs(options, paths)
    _refuse_what_cannot_be_written(options, configs.run)
    if options["against"]:
        from torchperf_lint.verify.program.command import against

        return against(options, configs, console)
    if options["show_settings"]:
        return inspect.settings(configs.run, console)
    trace = asked_trace(options)
    run = _Check(options, configs, console, _verification(options, configs, console, trace), trace)
    lint = run.stdin if paths == (STDIN,) else partial(run.files, paths)
    if options["profile"]:
        from torchperf_lint.cli.profile import profiled

        return profiled(lint, console)
    return lint()


def _refuse_what_cannot_be_written(options: Mapping[str, Any], config: Config) -> None:
    """Says before the work what its results could not be written to."""
    named = options["write_baseline"]
    reports = [file for _, file in output.outputs(config)]
    refuse_links([*reports, *(each and absolute(each) for each in (named, options["html"]))], config.root)
    if named and not baseline.may_be_at(absolute(named)):
        raise ConfigError(f"{named}: not written, because this file exists and is not a baseline of this tool")


def _configs(options: Mapping[str, Any], paths: Sequence[str]) -> Configs:
    line = from_line({name: value for name, value in options.items() if name.replace("_", "-") in KINDS})
    if options["profile"] or options["debug"]:
        line |= {"jobs": 1, "cache": False, "debug": bool(options["debug"])}
    named = [options["stdin_filename"] or "."] if paths == (STDIN,) else paths
    file = options["config"] and absolute(options["config"])
    return Configs(common_folder(named), line, file=file, isolated=bool(options["isolated"]))


def _verification(
    options: Mapping[str, Any], configs: Configs, console: Console, trace: Asked | None
) -> Measuring | None:
    """The measuring that `--verify` asks for."""
    if not options["verify"]:
        return None
    if options["command"]:
        from torchperf_lint.verify.program.command import ProgramVerification

        return ProgramVerification(
            options, _to_measure(options), console, trace.expected if trace is not None else None
        )
    from torchperf_lint.verify.during_check import Verification

    return Verification(options, configs, console, trace.words if trace is not None else None)


def _to_measure(options: Mapping[str, Any]) -> Configs:
    """Settings under which fixes are applied in a copy: those that are asked for, or, where nothing is fixed, all."""
    allowed = {} if options["fix"] else {"fix": True, "unsafe_fixes": True}
    return _configs({**options, **allowed}, options["paths"] or (".",))


@dataclass(frozen=True)
class _Check:
    """One call of `check`."""

    options: Mapping[str, Any]
    configs: Configs
    console: Console
    verification: Measuring | None = None
    trace: Asked | None = None

    def files(self, paths: Sequence[str]) -> int:
        """Lint, or fix, files and folders."""
        start = time.perf_counter()
        found = discover(paths, self.configs)
        if self.options["show_files"]:
            return inspect.files(found, self.console)
        if not found.files and not found.failures:
            self.console.warn("no Python files found under the given paths")
        accepted = self._accepted(found.files)
        fixing, sources = self._fixing(found.files, paths, accepted), Sources(Path.cwd())
        if self.verification is not None:
            fixing = self._verified(self._over(found.files, LintFile(self.configs)), sources, fixing, accepted)
        done = self._over(found.files, fixing or LintFile(self.configs))
        outcome = _outcome(done, found.failures, start)
        if self.options["diff"]:
            return output.patches(outcome, done, self.console)
        return self._report(outcome, done, accepted, Sources(Path.cwd()), self.console)

    def _over(self, files: Sequence[str], job: FileJob) -> list[Done]:
        progress = Progress(wanted=not self.console.quiet)
        try:
            return over(files, job, progress)
        finally:
            progress.clear()

    def stdin(self) -> int:
        """Lint the standard input; what is fixed goes to the standard output, and findings to the standard error."""
        start = time.perf_counter()
        named, console = self.options["stdin_filename"], self.console
        path = str(absolute(named)) if named else UNNAMED
        accepted = self._accepted([path])
        fixing = self._fixing([path], (), accepted)
        data = sys.stdin.buffer.read()
        shown, config = shown_path(Path(path)), self.configs.of(Path(path))
        done = Done(path)
        if not (named and config.force_exclude and is_left_out(absolute(named), config)):
            if self.verification is not None:
                found = LintFile(self.configs).content(path, data)[0].shown(self.configs)
                fixing = self._verified([found], Sources(Path.cwd(), {shown: data}), fixing, accepted)
            done, data = (fixing or LintFile(self.configs)).content(path, data)
            done = done.shown(self.configs)
        outcome = _outcome([done], (), start)
        if self.options["diff"]:
            return output.patches(outcome, [done], console)
        if fixing is not None:
            sys.stdout.buffer.write(data)
            console = replace(console, findings_to=sys.stderr)
        return self._report(outcome, [done], accepted, Sources(Path.cwd(), {shown: data}), console)

    def _accepted(self, files: Iterable[str]) -> dict[Path, Baseline]:
        """The baselines of files."""
        if self.options["write_baseline"]:
            return {}
        named = {self.configs.of(Path(file)).baseline for file in files} | {self.configs.run.baseline}
        return {path: baseline.read(path) for path in sorted(filter(None, named))}

    def _fixing(self, files: Iterable[str], paths: Iterable[str], accepted: Mapping[Path, Baseline]) -> FixFile | None:
        """What is to be done to files besides linting, within some paths."""
        hides, dry = self.options["add_ignores"], bool(self.options["diff"])
        if not (dry or hides is not None or any(self.configs.of(Path(file)).fix for file in files)):
            return None
        from torchperf_lint.run import may_write
        from torchperf_lint.run.fix_file import FixFile

        return FixFile(self.configs, fingerprints(accepted), hides, dry, within=may_write.given(paths))

    def _verified(
        self, done: Sequence[Done], sources: Sources, fixing: FixFile | None, accepted: Mapping[Path, Baseline]
    ) -> FixFile | None:
        """What is left to be done once everything is measured: to apply what is confirmed, if something is to be applied."""
        assert self.verification is not None
        known = fingerprints(accepted)
        findings = [finding for each in done for finding in each.findings if finding.fingerprint not in known]
        self.verification.measure(findings, sources.data)
        if self.verification.interrupted:
            return None
        return fixing and replace(fixing, confirmed=self.verification.confirmed)

    def _report(
        self,
        outcome: Outcome,
        done: Sequence[Done],
        accepted: Mapping[Path, Baseline],
        sources: Sources,
        console: Console,
    ) -> int:
        config = self.configs.run
        if self.options["write_baseline"]:
            return self._write_baseline(absolute(self.options["write_baseline"]), outcome)
        outcome = self._without_accepted(outcome, done, accepted)
        if self.verification is not None:
            outcome = replace(outcome, verified=self.verification.by_fingerprint)
        if self.trace is not None:
            if self.options["html"]:
                self.trace.page(self.options["html"], outcome, sources)
            outcome, waiting = self.trace.of(outcome, sources, console)
        if self.options["statistics"]:
            output.statistics(outcome, config, console)
        else:
            output.findings(outcome, sources, config, console, self._shown(config))
            if self.verification is not None:
                output.measurements(self.verification, config, console)
            if self.trace is not None:
                output.of_trace(self.trace, waiting, config, console)
        output.fixed(outcome, done, self.configs, console, hidden=self.options["add_ignores"] is not None)
        code = output.end(outcome, self.configs, console, exit_zero=bool(self.options["exit_zero"]))
        return INTERRUPTED if self.verification is not None and self.verification.interrupted else code

    def _shown(self, config: Config) -> output.Shown:
        """How much reports for people show: hints in full where they fail the run, or their rule was asked for."""
        asked = any(self.options[name] for name in ("show_hints", "select", "extend_select"))
        return output.Shown(self.options["max_per_rule"], asked or config.fail_level is Severity.INFO)

    def _without_accepted(self, outcome: Outcome, done: Sequence[Done], accepted: Mapping[Path, Baseline]) -> Outcome:
        """An outcome without what the baselines accept; says which of their entries match nothing any more."""
        known = fingerprints(accepted)
        found = {finding.fingerprint for finding in outcome.findings}
        for path, each in accepted.items():
            for entry in each.gone(found, self._linted(done, path)):
                stale = f"no finding matches this entry any more: {entry.path}: {entry.code} {entry.message}"
                self.console.warn(f"{shown_path(path)}: {stale}")
        left = [each for each in outcome.findings if each.fingerprint not in known]
        if hidden := len(outcome.findings) - len(left):
            self.console.note(f"{counted(hidden, 'finding')} accepted by {', '.join(map(shown_path, accepted))}")
        return replace(outcome, findings=left)

    def _linted(self, done: Iterable[Done], path: Path) -> set[str]:
        """What the projects of the linted files that a baseline is for call them."""
        files = [Path(each.path) for each in done]
        configs = [(file, self.configs.of(file)) for file in files]
        return {config.in_project(file) for file, config in configs if config.baseline == path}

    def _write_baseline(self, path: Path, outcome: Outcome) -> int:
        findings = tuple(finding for finding in outcome.findings if finding.code != RULE_RAISED)
        accepted = with_paths(findings, self._in_project)
        baseline.write(path, accepted)
        self.console.note(f"{counted(len(accepted), 'finding')} accepted in {shown_path(path)}")
        return BROKEN if outcome.broke else CLEAN

    def _in_project(self, shown: str) -> str:
        return self.configs.of(placed(shown)).in_project(placed(shown))


def _outcome(done: Sequence[Done], failures: Iterable[Failure], start: float) -> Outcome:
    failed = [Failure(shown_path(Path(each.path)), each.failure) for each in done if each.failure]
    return Outcome(
        root=Path.cwd(),
        findings=sorted((finding for each in done for finding in each.findings), key=attrgetter("order")),
        failures=sorted((*failures, *failed)),
        files=len(done),
        seconds=time.perf_counter() - start,
    )
