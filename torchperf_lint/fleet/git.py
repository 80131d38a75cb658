"""The files of a git repository at a revision, by git's plumbing, with nothing of the repository that could run.

git runs in a repository of our own, which has its own settings and no hooks, and borrows the objects and the names of
the other. So no setting of the other is read, nothing is fetched, and no checkout runs filters.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from torchperf_lint.disk.read import UnfitFileError, read_file
from torchperf_lint.disk.write import create

LARGEST_REFS: Final = 500_000_000
"""Bytes of the list of packed names."""
LONGEST: Final = 600
"""Seconds for one command of git: a repository whose objects never end to be unpacked ends it, with a word."""
_SHA256: Final = re.compile(rb"^\s*objectformat\s*=\s*sha256\s*$", re.IGNORECASE | re.MULTILINE)
_CONFIG: Final = "[core]\n\trepositoryformatversion = {version}\n\tbare = true\n{more}"
_OTHER_OBJECTS: Final = "[extensions]\n\tobjectformat = sha256\n"


def git_folder(path: Path) -> Path | None:
    """The folder with objects and names of a repository, bare or not; None where there is none."""
    return next((each for each in (path, path / ".git") if _is_git(each)), None)


def _is_git(path: Path) -> bool:
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


class Revision:
    """A repository at a revision; an `OSError` where there is no such thing."""

    def __init__(self, repository: Path, revision: str, own: Path) -> None:
        self._environment = _environment(own, repository / "objects")
        _borrow(repository, own)
        if not revision or revision.startswith("-") or "\0" in revision:
            raise UnfitFileError(f"no revision is called `{revision[:200]}`")
        try:
            found = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        except UnfitFileError:
            raise UnfitFileError(f"the repository has no commit `{revision[:200]}`") from None
        self.commit = found.decode("ascii").strip().removeprefix("--end-of-options\n")

    def files(self, wanted: Callable[[str], bool], largest: int) -> Iterator[tuple[str, bytes | str]]:
        """The wanted regular files, by path; in words why one is not read."""
        names: list[tuple[str, str]] = []
        for entry in self._run("ls-tree", "-r", "-z", "-l", "--full-tree", self.commit).split(b"\0"):
            described, _, name = entry.partition(b"\t")
            path = os.fsdecode(name)
            if not described.startswith((b"100644 blob", b"100755 blob")) or not wanted(path):
                continue
            _, _, blob, size = described.split()
            if int(size) > largest:
                yield path, f"larger than {largest:,} bytes"
            else:
                names.append((path, blob.decode("ascii")))
        yield from zip((path for path, _ in names), self._blobs([blob for _, blob in names]), strict=True)

    def _blobs(self, blobs: Sequence[str]) -> Iterator[bytes | str]:
        answer = self._run("cat-file", "--batch", given="".join(f"{each}\n" for each in blobs).encode("ascii"))
        at = 0
        for _ in blobs:
            end = answer.index(b"\n", at)
            words = answer[at:end].split()
            at = end + 1
            if len(words) != 3:
                yield "its content is missing in the repository"
                continue
            yield answer[at : at + int(words[2])]
            at += int(words[2]) + 1

    def _run(self, *arguments: str, given: bytes = b"") -> bytes:
        try:
            done = subprocess.run(
                ["git", "--no-pager", "--no-replace-objects", *arguments],
                input=given,
                capture_output=True,
                env=self._environment,
                check=False,
                timeout=LONGEST,
            )
        except FileNotFoundError:
            raise UnfitFileError("git is not installed") from None
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"git {arguments[0]}: no end after {LONGEST} seconds") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise UnfitFileError(f"git {arguments[0]}: {said[:200] or f'exit code {done.returncode}'}")
        return done.stdout


def _environment(own: Path, objects: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "GIT_DIR": str(own),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ATTR_NOSYSTEM": "1",
        "LC_ALL": "C",
    }


def _borrow(repository: Path, own: Path) -> None:
    """Make a repository of our own that has the names of another, and not its settings."""
    own.mkdir()
    (own / "refs").symlink_to(repository / "refs", target_is_directory=True)
    create(own / "HEAD", read_file(repository / "HEAD", 10_000))
    if (repository / "packed-refs").exists():
        create(own / "packed-refs", read_file(repository / "packed-refs", LARGEST_REFS))
    other = _SHA256.search(read_file(repository / "config", 1_000_000)) if (repository / "config").exists() else None
    text = _CONFIG.format(version=1 if other else 0, more=_OTHER_OBJECTS if other else "")
    create(own / "config", text.encode("ascii"))
