"""What a run prints instead of findings: the settings, the files, counts by rule."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchperf_lint.config.config import Alignment, Config, shown_path
from torchperf_lint.config.settings import LINE_ONLY
from torchperf_lint.model.exit_codes import BROKEN, CLEAN
from torchperf_lint.model.finding import Confidence, Safety, Severity
from torchperf_lint.report.json_text import json_text
from torchperf_lint.report.terminal import visible

if TYPE_CHECKING:
    from torchperf_lint.files.discover import Discovered
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report.console import Console


def settings(config: Config, console: Console) -> int:
    """The settings as a `torchperf-lint.toml` that says the same, each with its origin."""
    lines = [f"# project: {visible(str(config.root))}", f"# file: {visible(str(config.file or 'none'))}"]
    for each in fields(config):
        if each.name not in ("root", "folder", "file", "project_root", "origins", "like", "debug"):
            name, value = each.name.replace("_", "-"), getattr(config, each.name)
            origin = visible(config.origins.get(each.name, "default"))
            if value is None:
                lines.append(f"# {name}: not set")
            elif name in LINE_ONLY or (name == "format" and any(file for _, file in value)):
                lines.append(f"# {name}: {_toml(value)}  # {origin}, and not for a file")
            else:
                shown = _toml(value) if value or name != "per-file-ignores" else "{}"
                lines.append(f"{'select' if name == 'rules' else name} = {shown}  # {origin}")
    console.out("\n".join(lines) + "\n")
    return CLEAN


def _toml(value: Any) -> str:
    match value:
        case bool() | int() if not isinstance(value, Severity):
            return str(value).lower()
        case Confidence() | Severity() | str() | Path():
            return json_text(str(value))
        case Alignment(linear=linear, conv=conv):
            return f"{{linear = {linear}, conv = {conv}}}"
        case (str() as name, None):
            return _toml(name)
        case (str() as name, Path() as file):
            return _toml(f"{name}={file}")
        case ((str(), tuple()), *_):
            return f"{{{', '.join(f'{_toml(pattern)} = {_toml(codes)}' for pattern, codes in value)}}}"
        case _:
            return f"[{', '.join(_toml(each) for each in (sorted(value) if isinstance(value, frozenset) else value))}]"


def files(found: Discovered, console: Console) -> int:
    """The files that would be linted."""
    shown = visible if console.findings.isatty() else _as_path
    console.out("".join(f"{shown(shown_path(Path(path)))}\n" for path in found.files))
    for failure in found.failures:
        console.error(f"{failure.path}: {failure.message}")
    return BROKEN if found.failures else CLEAN


def _as_path(name: str) -> str:
    """A path that a program can open, though the log of a CI service would take the line for a command to it."""
    return f"./{name}" if name.lstrip().startswith("::") else name


def statistics(outcome: Outcome, name: str, console: Console) -> None:
    """How many findings each rule has, the most frequent first, how bad they are, and what was measured of it."""
    counts = Counter(finding.code for finding in outcome.findings)
    worst = {each.code: each for each in sorted(outcome.findings, key=lambda finding: finding.severity)}
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    fixable = {finding.code for finding in outcome.findings if finding.fix and finding.fix.safety > Safety.SHOWN}
    if name == "json":
        rows = [
            {
                "code": code,
                "name": worst[code].name,
                "count": count,
                "fixable": code in fixable,
                "severity": str(worst[code].severity),
                "impact": impact.to_plain() if (impact := worst[code].impact) is not None else None,
            }
            for code, count in ordered
        ]
        console.out(json_text(rows, indent=2) + "\n")
        return
    digits = max((len(str(count)) for count in counts.values()), default=0)
    for code, count in ordered:
        each = worst[code]
        measured = f", {each.impact.words}" if each.impact is not None else ""
        mark = "*" if code in fixable else " "
        console.out(f"{count:>{digits}}  {code} [{mark}] {each.name} ({each.severity}{measured})\n")
