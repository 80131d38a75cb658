"""What a tree was at a revision of git: the files that differ from what they are now, for `--against`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from torchperf_lint.model.failure import ConfigError

GIT: Final = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--literal-pathspecs")
"""Git as a repository cannot make it run something."""


def files_at(root: Path, revision: str) -> tuple[dict[Path, bytes], list[Path]]:
    """The files that were another or gone since, with what they held, and those that were not there."""
    if revision.startswith("-"):
        raise ConfigError(f"--against {revision}: not a revision")
    commit = _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip().decode()
    differ = _names(root, "diff", "--no-ext-diff", "--no-textconv", "--name-only", "--no-renames", "-z", commit)
    there = set(_names(root, "ls-tree", "-r", "-z", "--name-only", commit))
    new = _names(root, "ls-files", "--others", "--exclude-standard", "-z")
    held = {Path(name): _git(root, "cat-file", "blob", f"{commit}:{name}") for name in differ if name in there}
    return held, [Path(name) for name in (*differ, *new) if name not in there]


def _names(root: Path, *arguments: str) -> list[str]:
    return [name for name in _git(root, *arguments).decode("utf-8", "surrogateescape").split("\0") if name]


def _git(root: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run([*GIT, "-C", str(root), *arguments], capture_output=True, check=False)
    except OSError as error:
        raise ConfigError(f"--against needs git: {error.strerror or error}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip() or "there is no such revision here"
        raise ConfigError(f"--against: git {arguments[0]}: {said}")
    return done.stdout
