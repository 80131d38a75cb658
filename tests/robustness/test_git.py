"""What the files of git in a hostile folder may try on `--against` and on a fleet's scan: nothing runs, and it ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from torchperf_lint.fleet import git as git_module
from torchperf_lint.fleet.git import Revision
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.verify.program import revision

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not there"),
    pytest.mark.skipif(sys.platform != "linux", reason="pipes, devices and bounds on memory as Linux has them"),
]

Attack = Callable[[Path, str], None]
"""What is done to the folder of git, given a program that must not run."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A working tree of which one file has changed since its only commit, and one is new."""
    found = tmp_path / "tree"
    found.mkdir()
    (found / "a.py").write_text("x = 1\n", encoding="utf-8")
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "first"]):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", str(found), *who, *arguments], check=True, capture_output=True)
    (found / "a.py").write_text("x = 2\n", encoding="utf-8")
    (found / "new.py").write_text("y = 1\n", encoding="utf-8")
    return found


@pytest.fixture
def trap(tmp_path: Path) -> str:
    path = tmp_path / "trap.sh"
    path.write_text(f"#!/bin/sh\ntouch {tmp_path}/PWNED\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def _configured(text: str, name: str = "config") -> Attack:
    def attack(git: Path, trap: str) -> None:
        with (git / name).open("a", encoding="utf-8") as file:
            file.write(text.format(trap=trap))

    return attack


COMMANDS = """
[core]
\tfsmonitor = {trap}
\thooksPath = .
\tsshCommand = {trap}
\tgitProxy = {trap}
\taskPass = {trap}
\tpager = {trap}
\talternateRefsCommand = {trap}
[alias]
\tls-files = !{trap}
\trev-parse = !{trap}
[filter "x"]
\tclean = {trap}
\tsmudge = {trap}
\tprocess = {trap}
[diff "x"]
\ttextconv = {trap}
[protocol "ext"]
\tallow = always
"""
NEWER = "\n[core]\n\trepositoryformatversion = 1\n[extensions]\n"


def _of_worktrees(git: Path, trap: str) -> None:
    _configured(f"{NEWER}\tworktreeConfig = true\n")(git, trap)
    _configured(COMMANDS, "config.worktree")(git, trap)


def _included(git: Path, trap: str) -> None:
    (git / "more").write_text(COMMANDS.format(trap=trap), encoding="utf-8")
    _configured('\n[include]\n\tpath = more\n[includeIf "gitdir:/**"]\n\tpath = more\n')(git, trap)


def _attributes(git: Path, trap: str) -> None:
    (git / "info/attributes").write_text("* filter=x diff=x\n", encoding="utf-8")
    _configured(COMMANDS)(git, trap)


def _promised(git: Path, trap: str) -> None:
    """A partial clone whose other half is behind a program."""
    remote = '\n[remote "origin"]\n\turl = ext::{trap}\n\tpromisor = true\n'
    _configured(f"{NEWER}\tpartialClone = origin\n{remote}{COMMANDS}")(git, trap)


def _alternate(git: Path, _: str) -> None:
    (git / "objects/info/alternates").write_text(f"{git}/objects\n../objects\n/\n", encoding="utf-8")


RUN_NOTHING = {
    "commands": _configured(COMMANDS),
    "worktreeConfig": _of_worktrees,
    "include": _included,
    "attributes": _attributes,
    "partial clone": _promised,
    "alternates": _alternate,
}


@pytest.mark.parametrize("attack", RUN_NOTHING.values(), ids=RUN_NOTHING)
def test_settings_of_git_run_nothing(tree: Path, trap: str, attack: Attack) -> None:
    attack(tree / ".git", trap)
    differ, gone = revision.files_at(tree, "HEAD")
    assert (differ, gone) == ({Path("a.py"): b"x = 1\n"}, [Path("new.py")])
    found = Revision(tree / ".git", "main", tree.parent / "own").files(lambda _: True, 1000)
    assert list(found) == [("a.py", b"x = 1\n")]
    assert not (tree.parent / "PWNED").exists()


@pytest.mark.parametrize("elsewhere", ["/", "../.."])
def test_a_working_tree_elsewhere_names_nothing_outside_of_the_folder(tree: Path, elsewhere: str) -> None:
    _configured(f"\n[core]\n\tworktree = {elsewhere}\n")(tree / ".git", "")
    differ, gone = revision.files_at(tree, "HEAD")
    assert not [each for each in (*differ, *gone) if each.is_absolute() or ".." in each.parts]


@pytest.mark.parametrize(
    "names", [["GIT_DIR"], ["GIT_DIR", "GIT_WORK_TREE"], ["GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE"]]
)
def test_variables_of_git_name_no_other_repository(
    tree: Path, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a hook of another repository, where git sets them."""
    other = tree.parent / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    places = {"GIT_WORK_TREE": other, "GIT_OBJECT_DIRECTORY": other / ".git/objects", "GIT_INDEX_FILE": other / "none"}
    for name in names:
        monkeypatch.setenv(name, str(places.get(name, other / ".git")))
    assert revision.files_at(tree, "HEAD") == ({Path("a.py"): b"x = 1\n"}, [Path("new.py")])


def test_variables_of_git_run_nothing(tree: Path, trap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_PROXY_COMMAND"):
        monkeypatch.setenv(name, trap)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", trap)
    assert revision.files_at(tree, "HEAD") == ({Path("a.py"): b"x = 1\n"}, [Path("new.py")])
    assert not (tree.parent / "PWNED").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["objects/info/alternates", "commondir"])
def test_git_does_not_take_all_memory(tree: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hit: it read a device to its end, for as long as there was memory, or two minutes."""
    monkeypatch.setattr(revision, "MEMORY", 100_000_000)
    (tree / ".git" / name).symlink_to("/dev/zero")
    with pytest.raises(ConfigError, match=r"(?i)out of memory"):
        revision.files_at(tree, "HEAD")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["objects/info/alternates", "commondir", "shallow", "index", "refs/heads/main", "HEAD"]
)
def test_git_waits_for_no_pipe_for_ever(tree: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revision, "PATIENCE", 1)
    path = tree / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with pytest.raises(ConfigError, match="takes more than 1 s"):
        revision.files_at(tree, "HEAD")


def test_a_git_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository may make git work for ever; a scan of thousands goes on to the next."""
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    git.chmod(0o755)
    (tmp_path / "repository" / "refs").mkdir(parents=True)
    (tmp_path / "repository" / "objects").mkdir()
    (tmp_path / "repository" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    monkeypatch.setenv("PATH", f"{git.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git_module, "LONGEST", 0.2)
    with pytest.raises(TimeoutError, match="git rev-parse: no end after"):
        Revision(tmp_path / "repository", "main", tmp_path / "own")
