"""The parts of the README that are written by the program: a report, what `reveal` shows, the speed, settings, rules.

Each stands between two marks, `<!-- begin NAME -->` and `<!-- end NAME -->`; the rest is the author's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from torchperf_lint.cli.options import OPTIONS
from torchperf_lint.config import selection
from torchperf_lint.config.config import VENDOR, Alignment, Config
from torchperf_lint.config.settings_file import KINDS, LINE_ONLY
from torchperf_lint.docs.checkout import EXAMPLE, MEASURED
from torchperf_lint.docs.example import example
from torchperf_lint.engine.reveal_text import reveal
from torchperf_lint.model.catalogue import Entry, entries
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.record import url
from torchperf_lint.report import known_lines
from torchperf_lint.report.terminal import Pen
from torchperf_lint.syntax.source import Source

FAMILIES: Final = {
    "lint": "The linter itself",
    "sync": "The host waits for the GPU",
    "transfer": "Copies between host and GPU",
    "precision": "Precision and tensor cores",
    "autograd": "Autograd",
    "memory": "Memory",
    "fusion": "Optimizers, attention, fusion",
    "compile": "Compiling and capturing",
    "distributed": "Several GPUs",
    "misuse": "Misuse",
}
WITHOUT_OPTION: Final = {
    "per-file-ignores": 'Rules not to run in files that match a pattern: `{"tests/*" = ["TPL1"]}`.',
    "project-root": "The folder that imports are resolved in, and that baselines name files from.",
    "hot-functions": "Functions that run at every step though the file does not show it, by dotted name.",
    "sync-allowed": "Functions in which GPU syncs are intended, by dotted name.",
    "alignment-min-dim": "The size from which a misaligned layer is reported.",
}
"""The help of settings that have no option on the command line."""


REVEALED: Final = "total += loss.item()"
"""The line of the example that `reveal` is shown on."""


def filled(text: str) -> str:
    """A README with all parts as they are now."""
    for name, part in PARTS.items():
        marked = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not marked.search(text):
            raise ConfigError(f"the README has no part `<!-- begin {name} -->`")
        content = part()
        text = marked.sub(lambda found, content=content: f"{found[1]}{content}\n{found[2]}", text)  # type: ignore[misc]
    return text


def _report() -> str:
    text = EXAMPLE.read_text(encoding="utf-8")
    made = example("", text, selection.chosen(), f"{EXAMPLE.parent.name}/{EXAMPLE.name}")
    return f"```text\n{made.report.rstrip()}\n```"


def _reveal() -> str:
    path = f"{EXAMPLE.parent.name}/{EXAMPLE.name}"
    source = Source(EXAMPLE.read_text(encoding="utf-8"), path)
    shown = [line for line in reveal(source, Config(root=EXAMPLE.parent.parent)) if line.text.strip() == REVEALED]
    return f"```text\n{known_lines.as_text(path, shown, Pen(color=False), path).rstrip()}\n```"


def _rules() -> str:
    parts = []
    for family, title in FAMILIES.items():
        members = [entry for entry in entries() if entry.family == family]
        if members:
            rows = "\n".join(map(_row, members))
            parts.append(
                f"### {title}\n\n| code | name | default | severity | fix | finds |\n|---|---|---|---|---|---|\n{rows}"
            )
    return "\n\n".join(parts)


def _row(entry: Entry) -> str:
    state = "on" if entry.default else "off"
    link = f"[{entry.code}]({url(entry.code, entry.name)})"
    return f"| {link} | {entry.name} | {state} | {entry.severity} | {entry.safety or '–'} | {entry.summary} |"


def _settings() -> str:
    helps = {option.opts[0].removeprefix("--"): option.help for option in OPTIONS} | WITHOUT_OPTION
    defaults = {each.name.replace("_", "-"): getattr(Config(), each.name) for each in fields(Config)}
    rows = [
        f"| `{name}` | {_default(name, defaults)} | {_plainly(helps[name])} |"
        for name in KINDS
        if name not in LINE_ONLY
    ]
    return "| setting | default | what it says |\n|---|---|---|\n" + "\n".join(rows)


def _default(name: str, defaults: dict[str, Any]) -> str:
    match name, defaults.get(name):
        case "select", _:
            return "all that are on by default"
        case "exclude", tuple() as folders if folders == VENDOR:
            return "the usual folders of tools"
        case "format", _:
            return '`"text"`'
        case "alignment-min-dim", Alignment(linear=linear, conv=conv):
            return f"`{{linear = {linear}, conv = {conv}}}`"
        case "sort", _:
            return '`"impact"` on a terminal, else `"path"`'
        case "target-torch", str() as newest:
            return f'what `pyproject.toml` requires, else `"{newest}"`'
        case "per-file-ignores", _:
            return "`{}`"
        case "project-root", _:
            return "the repository"
        case _, bool() as flag:
            return f"`{str(flag).lower()}`"
        case _, tuple() | None if name in (
            "extend-select",
            "ignore",
            "extend-exclude",
            "hot-functions",
            "sync-allowed",
        ):
            return "`[]`"
        case _, None:
            return "–"
        case _, value:
            return f'`"{value}"`'


def _plainly(text: str | None) -> str:
    """A help text as a cell of a table."""
    return re.sub(r" \(default: [^)]*\)| \(the default\)", "", text or "").replace("|", "\\|")


def _speed() -> str:
    """As `tests/benchmarks/compare.py --record` left it: on three packages, and on five that hold many times as much."""
    return "\n\n".join(
        (MEASURED / f"{name}.md").read_text(encoding="utf-8").rstrip() for name in ("speed", "speed-large")
    )


PARTS: Final[dict[str, Callable[[], str]]] = {
    "report": _report,
    "reveal": _reveal,
    "speed": _speed,
    "settings": _settings,
    "rules": _rules,
}
