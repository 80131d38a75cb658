"""Findings that a project has accepted for now, in a file: they are not reported until they change.

A finding is known by its fingerprint, which holds no line number, so it is still known when lines above it move.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import output
from torchperf_lint.model.failure import ConfigError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from torchperf_lint.model.finding import Finding

VERSION: Final = 1
LARGEST: Final = 20_000_000
"""Bytes: some eighty thousand findings."""
_HEAD: Final = re.compile(rb'\{\s*("version": *\d+,\s*"findings"|\Z)')
"""How a baseline begins, which tells one from what is not ours."""


@dataclass(frozen=True, slots=True, order=True)
class Accepted:
    """An entry of a baseline; all but the fingerprint is for people who read the file."""

    path: str
    code: str
    message: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a project has accepted."""

    entries: tuple[Accepted, ...] = ()

    @property
    def fingerprints(self) -> frozenset[str]:
        return frozenset(entry.fingerprint for entry in self.entries)

    def gone(self, found: Collection[str], linted: Collection[str]) -> list[Accepted]:
        """The entries for linted files that no fingerprint of what was found matches any more."""
        return [entry for entry in self.entries if entry.path in linted and entry.fingerprint not in found]


def fingerprints(baselines: Mapping[Path, Baseline]) -> frozenset[str]:
    """All that baselines accept."""
    return frozenset().union(*(each.fingerprints for each in baselines.values()))


def read(path: Path) -> Baseline:
    """The baseline in a file."""
    try:
        content = json.loads(read_file(path, LARGEST))
        version, entries = content["version"], tuple(map(_accepted, content["findings"]))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}; `--write-baseline` makes a baseline") from None
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ConfigError(f"{path}: not a baseline of this tool; `--write-baseline` makes one") from None
    if version != VERSION:
        raise ConfigError(
            f"{path}: this is a baseline of version {version!r:.40}, and this tool reads version {VERSION}"
        )
    return Baseline(entries)


def may_be_at(path: Path) -> bool:
    """Whether a baseline may be written there: over another one, damaged or not, or where nothing is yet."""
    try:
        return not path.is_file() or _HEAD.match(read_file(path)[:100] or b"{") is not None
    except OSError:
        return False


def write(path: Path, findings: Sequence[Finding]) -> None:
    """Accept all findings there are."""
    entries = sorted(Accepted(each.path, each.code, each.message, each.fingerprint) for each in findings)
    rows = [
        {"path": each.path, "code": each.code, "message": each.message, "fingerprint": each.fingerprint}
        for each in entries
    ]
    try:
        output(path, (json.dumps({"version": VERSION, "findings": rows}, indent=1) + "\n").encode("ascii"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None


def _accepted(entry: dict[str, object]) -> Accepted:
    path, code, message, fingerprint = (str(entry[key]) for key in ("path", "code", "message", "fingerprint"))
    return Accepted(path, code, message, fingerprint)
