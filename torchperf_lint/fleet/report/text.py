"""The report of a scan for a terminal, a log, a mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from torchperf_lint.fleet.report.figures import Change, Changes, Figures
from torchperf_lint.report.summary import counted
from torchperf_lint.report.terminal import visible

SHOWN: Final = 20
"""Rows of a table; the page and the files have them all."""
LONGEST: Final = 60


def render(found: Figures, changed: Changes | None) -> str:
    """The whole report."""
    parts = [summary(found), _rules(found), _fixes(found), _repositories(found), _errors(found)]
    if changed is not None:
        parts.append(_changed(changed))
    return "\n\n".join(part for part in parts if part) + "\n"


def summary(found: Figures) -> str:
    findings = counted(found.findings, "finding")
    return (
        f"{_repositories_of(len(found.repositories))}, {counted(found.files, 'file')}, {found.lines:,} lines; "
        f"{counted(found.torch_files, 'file')} with "
        f"{found.torch_lines:,} lines mention torch\n{findings}, {found.rate(found.findings):.2f} in a thousand of these lines"
    )


def _repositories_of(count: int) -> str:
    return f"{count:,} {'repository' if count == 1 else 'repositories'}"


def _rules(found: Figures) -> str:
    rows = [
        [
            each.code, each.name, each.severity, f"{each.findings:,}", f"{found.rate(each.findings):.3f}",
            f"{len(each.repositories):,}",
        ]
        for each in found.rules[:SHOWN]
    ]  # fmt: skip
    return _table(["rule", "", "worst", "findings", "in 1,000 lines", "repositories"], rows, found.rules)


def _fixes(found: Figures) -> str:
    rows = [
        [
            each.code, each.name, f"{each.fixes['safe']:,}", f"{each.fixes['unsafe']:,}", f"{len(each.files):,}",
            f"{len(each.fixed_in):,}",
        ]
        for each in found.by_fix[:SHOWN]
    ]  # fmt: skip
    table = _table(["fix of", "", "safe", "unsafe", "files", "repositories"], rows, found.by_fix)
    return table and f"What fixes would change\n\n{table}"


def _repositories(found: Figures) -> str:
    rows = [
        [
            visible(each.name)[-LONGEST:], f"{each.findings:,}", f"{each.warnings:,}", f"{each.lines:,}",
            f"{found.rate(each.findings, each.lines):.2f}",
        ]
        for each in found.repositories[:SHOWN]
        if each.findings
    ]  # fmt: skip
    with_some = [each for each in found.repositories if each.findings]
    return _table(["repository", "findings", "warnings", "lines", "in 1,000 lines"], rows, with_some, texts=1)


def _errors(found: Figures) -> str:
    if not found.errors:
        return ""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(found.errors.items()))
    lines = [
        f"  {visible(where)[-LONGEST:]}: {kind}: {visible(message)}" for where, kind, message in found.lost[:SHOWN]
    ]
    if found.errors.total() > SHOWN:
        lines.append(f"  … and {found.errors.total() - SHOWN:,} more")
    return "\n".join([f"Not linted: {kinds}", *lines])


def _changed(changed: Changes) -> str:
    head = f"Since the scan before: {changed.new:,} new, {changed.gone:,} gone, {changed.same:,} as they were"
    others = [
        f"{_repositories_of(len(names))} {how}"
        for names, how in ((changed.added, "only now"), (changed.removed, "only before"))
        if names
    ]
    parts = [
        "; ".join([head, *others]),
        _table(["rule", "new", "gone"], _rows(changed.rules), changed.rules, texts=1),
        _table(["repository", "new", "gone"], _rows(changed.repositories), changed.repositories, texts=1),
        *(_listed(how, rows, count) for how, rows, count in (
            ("New", changed.new_ones, changed.new), ("Gone", changed.gone_ones, changed.gone),
        )),
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part)


def _listed(how: str, rows: Sequence[dict[str, Any]], count: int) -> str:
    lines = [f"  {visible(place(row))}: {row['code']} {visible(row['message'])}" for row in rows[:SHOWN]]
    if count > SHOWN:
        lines.append(f"  … and {count - SHOWN:,} more")
    return "\n".join([f"{how}:", *lines]) if lines else ""


def place(row: dict[str, Any]) -> str:
    """Where a finding is."""
    cell = f"cell {row['cell']}:" if row["cell"] is not None else ""
    return f"{row['repository']}: {row['path']}:{cell}{row['line']}"


def _rows(changed: Sequence[Change]) -> list[list[str]]:
    return [[visible(each.name)[-LONGEST:], f"{each.new:,}", f"{each.gone:,}"] for each in changed[:SHOWN]]


def _table(head: list[str], rows: list[list[str]], every: Sequence[object], texts: int = 2) -> str:
    """Columns under each other, texts to the left and numbers to the right; says how many rows are not shown."""
    if not rows:
        return ""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(
            word.ljust(width) if index < texts or word in ("info", "warning", "error", "worst") else word.rjust(width)
            for index, (word, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    ]
    if len(every) > len(rows):
        lines.append(f"… and {len(every) - len(rows):,} more")
    return "\n".join(lines)
