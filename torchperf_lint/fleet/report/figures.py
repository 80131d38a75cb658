"""The figures of a scan, and what has changed from one to another, read from the tables a batch at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from torchperf_lint.fleet import tables
from torchperf_lint.model.failure import ConfigError

FIXES: Final = ("safe", "unsafe")
"""Fixes that `--fix` can apply; others are only shown."""


@dataclass
class Rule:
    """What was found of a rule."""

    code: str
    name: str
    severities: Counter[str] = field(default_factory=Counter)
    fixes: Counter[str] = field(default_factory=Counter)
    files: set[tuple[str, str]] = field(default_factory=set)
    """Those that a fix would change."""
    repositories: set[str] = field(default_factory=set)
    fixed_in: set[str] = field(default_factory=set)
    """Repositories that a fix would change."""

    @property
    def findings(self) -> int:
        return self.severities.total()

    @property
    def severity(self) -> str:
        """The worst that its findings are."""
        return min(self.severities, key=("error", "warning", "info").index)


@dataclass
class Repository:
    """What was found in a repository."""

    name: str
    findings: int = 0
    warnings: int = 0
    """Those that are warnings or errors."""
    lines: int = 0


@dataclass
class Figures:
    """What a scan has found."""

    rules: list[Rule] = field(default_factory=list)
    """The most frequent first."""
    repositories: list[Repository] = field(default_factory=list)
    """Those with most findings first."""
    files: int = 0
    torch_files: int = 0
    lines: int = 0
    torch_lines: int = 0
    """Lines of files that mention torch: what findings are counted against."""
    errors: Counter[str] = field(default_factory=Counter)
    lost: list[tuple[str, str, str]] = field(default_factory=list)
    """Repository, kind and message of errors."""

    @property
    def findings(self) -> int:
        return sum(each.findings for each in self.rules)

    def rate(self, findings: int, lines: int | None = None) -> float:
        """Findings in a thousand lines."""
        return 1000 * findings / max(1, self.torch_lines if lines is None else lines)

    @property
    def by_fix(self) -> list[Rule]:
        """The rules whose fixes change most."""
        fixable = [each for each in self.rules if each.fixes]
        return sorted(fixable, key=lambda each: (-each.fixes.total(), each.code))


@dataclass
class Change:
    """What has changed in the findings of a rule, or of a repository."""

    name: str
    new: int = 0
    gone: int = 0


@dataclass
class Changes:
    """What has changed from one scan to another, in repositories that are in both."""

    same: int
    rules: list[Change]
    repositories: list[Change]
    added: list[str]
    """Repositories that only the later scan has."""
    removed: list[str]
    new_ones: list[dict[str, Any]]
    """Findings of the later scan that are new, not more than are shown."""
    gone_ones: list[dict[str, Any]]
    """Findings of the earlier scan that are gone."""

    @property
    def new(self) -> int:
        return sum(each.new for each in self.rules)

    @property
    def gone(self) -> int:
        return sum(each.gone for each in self.rules)


MOST: Final = 500
"""Errors, changed findings and rows of a table that are shown, so that a page of ten thousand repositories opens; all are counted."""
LONGEST: Final = 200
"""Of what is said of a scan that cannot be read."""
_Known = Counter[tuple[str, str, str]]


def figures(out: Path) -> Figures:
    found, rules, repositories = Figures(), dict[str, Rule](), dict[str, Repository]()
    for row in rows(out, "files", ["repository", "lines", "torch"]):
        repository = repositories.setdefault(row["repository"], Repository(row["repository"]))
        found.files += 1
        found.lines += row["lines"]
        if row["torch"]:
            found.torch_files += 1
            found.torch_lines += row["lines"]
            repository.lines += row["lines"]
    for row in rows(out, "findings", ["repository", "path", "code", "name", "severity", "fix"]):
        rule = rules.setdefault(row["code"], Rule(row["code"], row["name"]))
        _count(rule, row)
        repository = repositories.setdefault(row["repository"], Repository(row["repository"]))
        repository.findings += 1
        repository.warnings += row["severity"] != "info"
    for row in rows(out, "errors", ["repository", "path", "kind", "message"]):
        found.errors[row["kind"]] += 1
        if len(found.lost) < MOST:
            place = row["repository"] if row["path"] is None else f"{row['repository']}: {row['path']}"
            found.lost.append((place, row["kind"], row["message"]))
    found.rules = sorted(rules.values(), key=lambda each: (-each.findings, each.code))
    found.repositories = sorted(repositories.values(), key=lambda each: (-each.findings, each.name))
    return found


def _count(rule: Rule, row: dict[str, Any]) -> None:
    rule.severities[row["severity"]] += 1
    rule.repositories.add(row["repository"])
    if row["fix"] in FIXES:
        rule.fixes[row["fix"]] += 1
        rule.files.add((row["repository"], row["path"]))
        rule.fixed_in.add(row["repository"])


def changes(before: Path, after: Path) -> Changes:
    """What is new and what is gone; a finding is known by its fingerprint, which holds no line number."""
    there = [{row["repository"] for row in rows(out, "files", ["repository"])} for out in (before, after)]
    both = there[0] & there[1]
    was, now = (_known(out, both) for out in (before, after))
    rules, repositories = defaultdict[str, Counter[bool]](Counter), defaultdict[str, Counter[bool]](Counter)
    for found, is_new in ((now - was, True), (was - now, False)):
        for (repository, code, _), count in found.items():
            rules[code][is_new] += count
            repositories[repository][is_new] += count
    return Changes(
        same=(was & now).total(),
        rules=_changes(rules),
        repositories=_changes(repositories),
        added=sorted(there[1] - both),
        removed=sorted(there[0] - both),
        new_ones=_those(after, now - was),
        gone_ones=_those(before, was - now),
    )


def _those(out: Path, wanted: _Known) -> list[dict[str, Any]]:
    """Some of the findings with these names."""
    found: list[dict[str, Any]] = []
    for row in rows(out, "findings", ["repository", "path", "cell", "line", "code", "message", "fingerprint"]):
        name = (row["repository"], row["code"], row["fingerprint"])
        if len(found) < MOST and wanted[name] > 0:
            wanted[name] -= 1
            found.append(row)
    return sorted(found, key=lambda row: (row["repository"], row["path"], row["cell"] or 0, row["line"]))


def _known(out: Path, repositories: set[str]) -> _Known:
    found = rows(out, "findings", ["repository", "code", "fingerprint"])
    return Counter(
        (row["repository"], row["code"], row["fingerprint"]) for row in found if row["repository"] in repositories
    )


def _changes(counted: dict[str, Counter[bool]]) -> list[Change]:
    found = [Change(name, new=count[True], gone=count[False]) for name, count in counted.items()]
    return sorted(found, key=lambda each: (-each.new - each.gone, each.name))


def rows(out: Path, table: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Some columns of a table of a scan."""
    import pyarrow.dataset

    files = tables.files(out, table)
    if not files:
        raise ConfigError(f"{out}: no scan is here")
    try:
        data = pyarrow.dataset.dataset(files, format="parquet", schema=tables.schema(table))
        for batch in data.to_batches(columns=columns):
            _check(batch)
            yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        why = str(error).partition("\n")[0]
        raise ConfigError(f"{out}: damaged, or no scan of this tool: {why[:LONGEST]}") from None


def _check(batch: Any) -> None:
    """Raise `ValueError` where rows are none that a scan writes: it may have been made by somebody else."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if column.null_count and name not in tables.EMPTY_AT_TIMES:
            raise ValueError(f"a row without `{name}`")
        if name in tables.WORDS and not all(map(tables.WORDS[name].fullmatch, column.unique().to_pylist())):
            raise ValueError(f"a `{name}` that there is not")
