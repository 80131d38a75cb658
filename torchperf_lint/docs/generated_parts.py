"""Parts of pages written by hand that the program writes: a report, what `reveal` shows, the speed, settings, rules.

Each stands between two marks, `<!-- begin NAME -->` and `<!-- end NAME -->`; the rest is the author's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from torchperf_lint.config import selection
from torchperf_lint.config.config import Config
from torchperf_lint.docs import settings
from torchperf_lint.docs.checkout import EXAMPLE, MEASURED
from torchperf_lint.docs.example import example
from torchperf_lint.engine.reveal_text import reveal
from torchperf_lint.model.catalogue import Entry, entries
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Severity
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
REVEALED: Final = "total += loss.item()"
"""The line of the example that `reveal` is shown on."""


def filled(text: str, parts: Sequence[str]) -> str:
    """A page with these parts as they are now."""
    for name in parts:
        marked = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not marked.search(text):
            raise ConfigError(f"a page has no part `<!-- begin {name} -->`")
        content = PARTS[name]()
        text = marked.sub(lambda found, content=content: f"{found[1]}{content}\n{found[2]}", text)  # type: ignore[misc]
    return text


def _report() -> str:
    text = EXAMPLE.read_text(encoding="utf-8")
    made = example("", text, selection.chosen(), f"{EXAMPLE.parent.name}/{EXAMPLE.name}", short_hints=True)
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
    return f"| [{entry.code}]({entry.page}.md) | {entry.name} | {state} | {entry.severity} | {entry.safety or '–'} | {entry.summary} |"


def _families() -> str:
    """A line a family, with its first rule that is worth a warning as the example."""
    rows = []
    for family, title in list(FAMILIES.items())[1:]:
        members = [entry for entry in entries() if entry.family == family]
        shown = next((entry for entry in members if entry.default and entry.severity is not Severity.INFO), members[0])
        link = f"[{shown.name}]({url(shown.code, shown.name)})"
        rows.append(f"| {members[0].code[:4]} | {title} | {len(members)} | {link}: {shown.summary} |")
    return "\n".join(("| codes | about | rules | for example |", "|---|---|---|---|", *rows))


def _speed() -> str:
    """As `tests/benchmarks/compare.py --record` left it: on three packages, and on five that hold many times as much."""
    return "\n\n".join(
        (MEASURED / f"{name}.md").read_text(encoding="utf-8").rstrip() for name in ("speed", "speed-large")
    )


PARTS: Final[dict[str, Callable[[], str]]] = {
    "report": _report,
    "reveal": _reveal,
    "speed": _speed,
    "settings": settings.table,
    "rules": _rules,
    "families": _families,
}
ON_PAGES: Final = {
    "README.md": ("report", "reveal", "families"),
    "rules_docs/configure.md": ("settings",),
    "rules_docs/rules.md": ("rules",),
    "rules_docs/speed.md": ("speed",),
}
"""The pages that have such parts."""
