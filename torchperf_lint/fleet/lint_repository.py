"""One repository in a folder: linted as `check` would lint that folder, and its rows.

The settings are those of each file's nearest configuration inside of the repository; nothing above it counts, so a
repository gives the same rows wherever it lies.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchperf_lint.config.config import Configs, placed
from torchperf_lint.disk.read import read_file
from torchperf_lint.files.discover import discover, mentions_torch
from torchperf_lint.fleet.unit import LARGEST
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.paths import with_paths
from torchperf_lint.model.record import to_plain
from torchperf_lint.run.lint_file import LintFile
from torchperf_lint.run.run_files import over
from torchperf_lint.syntax.digest import digest

if TYPE_CHECKING:
    from torchperf_lint.fleet.tables import Row, Rows
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.run.lint_file import Done


@dataclass(frozen=True, slots=True)
class Rules:
    """What a scan says of settings."""

    config: str | None = None
    """A file of settings that holds for all repositories."""
    isolated: bool = False

    def configs(self, folder: Path) -> Configs:
        line = {"cache": False, "jobs": 1}
        file = Path(self.config) if self.config else None
        return Configs(folder, line, file=file, isolated=self.isolated, within=folder)


def lint(folder: Path, rules: Rules, part: Sequence[int] | None) -> Rows | int:
    """The rows of a repository, or of a slice of it; a number says into how many slices it is to be cut."""
    try:
        configs = rules.configs(folder)
        found = discover([str(folder)], configs)
    except ConfigError as error:
        return {"errors": [_error("settings", None, str(error).replace(f"{folder}{os.sep}", ""))]}
    chosen, count = _share(found.files, part)
    if part is None and count > 1:
        return count
    done = over(chosen, LintFile(configs))
    errors = [_error("file", _below(failure.path, folder), failure.message) for failure in found.failures]
    errors += [_error("file", _below(each.path, folder), each.failure) for each in done if each.failure]
    if part is not None and part[0]:
        errors = [each for each in errors if each["path"] in {_below(path, folder) for path in chosen}]
    return {
        "findings": _findings(done, folder),
        "files": [_file(each, folder) for each in done if not each.failure],
        "errors": sorted(errors, key=lambda row: (row["path"], row["message"])),
    }


def _share(files: Sequence[str], part: Sequence[int] | None) -> tuple[list[str], int]:
    """The files of a slice, and how many slices there are: neighbours together, by size."""
    sizes = [_size(path) for path in files]
    count = part[1] if part is not None else -(-sum(sizes) // LARGEST) or 1
    if count == 1:
        return list(files), 1
    total, before, chosen = max(sum(sizes), 1), 0, []
    for path, size in zip(files, sizes, strict=True):
        if part is not None and min(before * count // total, count - 1) == part[0]:
            chosen.append(path)
        before += size
    return chosen, count


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _findings(done: Sequence[Done], folder: Path) -> list[Row]:
    found = (finding for each in done for finding in each.findings)
    inside = (with_paths(finding, lambda path: _below(path, folder)) for finding in found)
    return [_row(finding) for finding in sorted(inside, key=attrgetter("order"))]


def _row(finding: Finding) -> Row:
    plain = to_plain(finding)
    impact: Mapping[str, Any] = plain["impact"] or {}
    kept = {name: plain[name] for name in ("path", "cell", "code", "name", "severity", "confidence", "message")}
    return kept | {
        "line": plain["start"]["line"],
        "column": plain["start"]["column"],
        "end_line": plain["end"]["line"],
        "end_column": plain["end"]["column"],
        "fingerprint": plain["fingerprint"],
        "fix": str(finding.fix.safety) if finding.fix else None,
        "fix_title": finding.fix.title if finding.fix else None,
        **{name: impact.get(name) for name in ("metric", "low", "high", "setting")},
        "because": plain["because"],
        "also": plain["also"],
    }


def _file(done: Done, folder: Path) -> Row:
    try:
        data = read_file(done.path)
    except OSError:
        data = b""
    return {
        "path": _below(done.path, folder),
        "bytes": len(data),
        "lines": _lines(done.path, data),
        "torch": mentions_torch(data),
        "findings": len(done.findings),
        "content": digest([data]),
    }


def _lines(path: str, data: bytes) -> int:
    """Lines of code: of a notebook, those of its cells."""
    if not path.endswith(".ipynb"):
        return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    try:
        cells = [cell for cell in json.loads(data)["cells"] if cell["cell_type"] == "code"]
        return sum(len("".join(cell["source"]).splitlines()) for cell in cells)
    except (ValueError, LookupError, TypeError, RecursionError):
        return 0


def _below(shown: str, folder: Path) -> str:
    """A path as reports show it, as its repository calls it; the name of a text in no file stays."""
    path = placed(shown)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else shown


def _error(kind: str, path: str | None, message: str | None) -> Row:
    return {"path": path, "kind": kind, "message": message or ""}
