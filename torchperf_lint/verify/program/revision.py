"""What a tree was at a revision of git: the files that differ from what they are now, for `--against`.

What differs is found by the names of contents and not by `git diff`, which runs filters that a repository names.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from torchperf_lint.disk.read import stream
from torchperf_lint.model.failure import ConfigError

GIT: Final = (
    "git",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "--no-replace-objects",
    "--literal-pathspecs",
)
"""Git as a repository cannot make it run something."""
ALONE: Final = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
"""Nor to speak to another one, which can run something too."""
OTHERS: Final = frozenset(
    f"GIT_{each}"
    for each in "DIR WORK_TREE COMMON_DIR INDEX_FILE OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES NAMESPACE PREFIX".split()
)
"""Variables that name another repository than that of the folder; git sets some of them in a hook."""
LARGEST: Final = 1_000_000_000
"""Bytes that differ, in all."""
POINTER: Final = b"version https://git-lfs.github.com/spec/"
"""What git keeps of a file whose content lies elsewhere."""
PATIENCE: Final = 120
"""Seconds for git: a pipe in the place of one of its files would keep it for ever."""
MEMORY: Final = 2_000_000_000
"""Bytes for git: a link to a device in the place of one of its files would have it take all there is."""
_REGULAR: Final = (b"100644", b"100755")
_PIECE: Final = 1 << 20


def files_at(root: Path, revision: str) -> tuple[dict[Path, bytes], list[Path]]:
    """The files that were another or gone since, with what they held, and those that were not there.

    Links and submodules stay as they are now.
    """
    if not revision or revision.startswith("-") or "\0" in revision:
        raise ConfigError(f"--against {revision}: not a revision")
    commit = _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip().decode()
    there: dict[Path, tuple[bytes, int]] = {}
    others: set[Path] = set()
    for entry in _lines(_git(root, "ls-tree", "-r", "-l", "-z", commit)):
        described, _, name = entry.partition(b"\t")
        mode, _, blob, size = described.split()
        if mode in _REGULAR:
            there[_path(name)] = (blob, int(size))
        else:
            others.add(_path(name))
    now = map(_path, _lines(_git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z")))
    differ = {path: kept for path, kept in there.items() if _inside(path) and not _is_still(root / path, *kept)}
    gone = [path for path in dict.fromkeys(now) if _inside(path) and path not in there and path not in others]
    return _held(root, differ), gone


def _bound() -> None:
    """What git does from now on takes so much memory at the most, where the system can see to that."""
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


_BOUND: Final = _bound if os.name == "posix" else None


def _lines(data: bytes) -> list[bytes]:
    return [entry for entry in data.split(b"\0") if entry]


def _path(name: bytes) -> Path:
    return Path(os.fsdecode(name))


def _inside(path: Path) -> bool:
    """Whether a name stays in the tree: one that git would never write may be in its objects all the same."""
    return bool(path.parts) and not path.is_absolute() and not path.drive and ".." not in path.parts


def _is_still(path: Path, blob: bytes, size: int) -> bool:
    """Whether a file holds what git kept by some name."""
    if path.is_symlink():
        return False
    digest = hashlib.sha256() if len(blob) == 64 else hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % size)
    try:
        if path.stat().st_size != size:
            return False
        with stream(path, size) as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError:
        return False
    return digest.hexdigest().encode("ascii") == blob


def _held(root: Path, kept: Mapping[Path, tuple[bytes, int]]) -> dict[Path, bytes]:
    if sum(size for _, size in kept.values()) > LARGEST:
        raise ConfigError(f"--against: what differs is more than {LARGEST:,} bytes")
    asked = b"".join(blob + b"\n" for blob, _ in kept.values())
    contents = _contents(_git(root, "cat-file", "--batch", given=asked)) if kept else iter(())
    found = dict(zip(kept, contents, strict=True))
    return {path: data for path, data in found.items() if not data.startswith(POINTER)}


def _contents(answer: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        words = answer[at:end].split()
        if len(words) != 3:
            raise ConfigError("--against: the repository lacks contents of that revision")
        at = end + 1 + int(words[2])
        yield answer[end + 1 : at]
        at += 1


def _git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    command = [*GIT, "-C", str(root), *arguments]
    try:
        environment = {name: value for name, value in os.environ.items() if name not in OTHERS} | ALONE
        done = subprocess.run(
            command, input=given, capture_output=True, check=False, env=environment, timeout=PATIENCE, preexec_fn=_BOUND
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ConfigError(f"--against: git {arguments[0]} takes more than {PATIENCE} s") from None
    except OSError as error:
        raise ConfigError(f"--against needs git: {error.strerror or error}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip() or "there is no such revision here"
        raise ConfigError(f"--against: git {arguments[0]}: {said}")
    return done.stdout
