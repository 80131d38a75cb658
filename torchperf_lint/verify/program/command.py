"""The command line of a measured program: which command, how long, and what it says in the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.disk.write import output
from torchperf_lint.model.exit_codes import CLEAN, FINDINGS, INTERRUPTED
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report.json_text import json_text
from torchperf_lint.report.terminal import Pen
from torchperf_lint.verify.program import table
from torchperf_lint.verify.program.changes import AS_IT_IS
from torchperf_lint.verify.program.measure import Measurement, Program
from torchperf_lint.verify.program.revision import files_at
from torchperf_lint.verify.program.runs import Options
from torchperf_lint.verify.verdict import DIFFERENT, SLOWER

if TYPE_CHECKING:
    from torchperf_lint.config.config import Configs
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.report.console import Console

FORMATS: Final = ("text", "json", "markdown")
"""The reports of a comparison with a revision."""
UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0}
Read = Callable[[str], "bytes | None"]
Expected = Callable[["Sequence[Finding]"], Mapping[str, float]]
"""What a trace predicts of findings: the share of a step that each would gain."""


class ProgramVerification:
    """The measurements of one check with a command: as `verify.during_check.Verification`, of another program."""

    def __init__(
        self, options: Mapping[str, Any], configs: Configs, console: Console, expected: Expected | None
    ) -> None:
        self._program = program(options, configs.run.root, console)
        self._configs = configs
        self._expected = expected
        self._places: dict[str, str] = {}
        self._found = Measurement(self._program.options.command)

    @property
    def interrupted(self) -> bool:
        return self._found.interrupted

    def measure(self, findings: Sequence[Finding], _: Read) -> None:
        """Measure what the fixes of findings gain; an interrupt ends the measuring and keeps what is done."""
        self._places = {each.fingerprint: f"{each.code} {each.path}:{each.span.start.line}" for each in findings}
        gains = self._expected(findings) if self._expected is not None else {}
        self._found = self._program.with_fixes(
            findings, self._configs, lambda verdict: table.in_a_line(verdict, self._places), gains
        )

    @property
    def confirmed(self) -> frozenset[str]:
        return self._found.confirmed

    @property
    def by_fingerprint(self) -> dict[str, dict[str, Any]]:
        return self._found.by_fingerprint

    def table(self, *, color: bool) -> str:
        return table.render(self._found, self._places, Pen(color))


def against(options: Mapping[str, Any], configs: Configs, console: Console) -> int:
    """The tree as it is against a revision; the answer is the exit code."""
    reports = [(form, file or configs.run.output_file) for form, file in configs.run.format]
    if unknown := [form for form, _ in reports if form not in FORMATS]:
        raise ConfigError(f"--format {unknown[0]}: a comparison of revisions is reported as {', '.join(FORMATS)}")
    measured = program(options, configs.run.root, console)
    revision = options["against"]
    changed, gone = files_at(measured.root, revision)
    places = {AS_IT_IS: f"{AS_IT_IS}, against {revision}"}
    found = measured.against(changed, gone, lambda verdict: table.in_a_line(verdict, places))
    for form, file in reports:
        if file is None:
            console.out(_rendered(form, found, places, color=console.colored(console.findings)))
        else:
            output(file, _rendered(form, found, places, color=False).encode("utf-8", "backslashreplace"))
    if found.interrupted:
        return INTERRUPTED
    limit = options["fail_slower"]
    if limit is None:
        return CLEAN
    worse = (
        each.verdict == DIFFERENT
        or (each.verdict == SLOWER and each.ratio is not None and each.ratio.high < 1 / (1 + limit))
        for each in found.verdicts
    )
    return FINDINGS if any(worse) else CLEAN


def _rendered(form: str, found: Measurement, places: Mapping[str, str], *, color: bool) -> str:
    if form == "text":
        return table.render(found, places, Pen(color))
    return (
        table.markdown(found, places) if form == "markdown" else json_text(table.plain(found, places), indent=2) + "\n"
    )


def program(options: Mapping[str, Any], root: Path, console: Console) -> Program:
    """The program that a command line names; raises `ConfigError`."""
    here = Path.cwd()
    root = root if here.is_relative_to(root) else here
    chosen = Options(tuple(options["command"]), options["steps"], bool(options["deterministic"]))
    return Program(chosen, root, here, options["precision"] or 0.02, options["time"] or 600.0, console)


def share(text: str, name: str) -> float:
    """`2%` or `0.02` as a number."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)(%?)", text.strip())
    if match is None or not 0 < (value := float(match[1]) / (100 if match[2] else 1)) < 1:
        raise ConfigError(f"{name} {text[:40]}: a share is meant, such as 2%")
    return value


def duration(text: str, name: str) -> float:
    """`90s`, `10m`, `1h` or a number of seconds."""
    match = re.fullmatch(r"(\d{1,6}(?:\.\d+)?)([smh]?)", text.strip())
    if match is None or not (value := float(match[1]) * UNITS[match[2] or "s"]):
        raise ConfigError(f"{name} {text[:40]}: a time is meant, such as 90s or 10m")
    return value
