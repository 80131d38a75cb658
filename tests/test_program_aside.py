"""Copies of a tree: what is copied, what a run leaves behind, what is swept; and what the tree was at a revision."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from rights import of_an_owner

from torchperf_lint.model.failure import ConfigError
from torchperf_lint.verify.program import aside as module
from torchperf_lint.verify.program.aside import HOLD, PREFIX, Aside, aside, sweep
from torchperf_lint.verify.program.revision import files_at

Tree = dict[str, str]


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tree"
    for path, text in {
        "train.py": "x",
        "src/model.py": "y",
        "data/a.txt": "z",
        "__pycache__/a.pyc": "",
        ".git/HEAD": "r",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return folder


@pytest.fixture
def copy(top: Path) -> Iterator[Aside]:
    with ExitStack() as stack:
        (made,) = aside(top, ("one",), stack)
        yield made
    assert not list(Path(tempfile.gettempdir()).iterdir()), "nothing is left behind"


def files(folder: Path) -> Tree:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in found}


PLAIN = {"data/a.txt": "z", "src/model.py": "y", "train.py": "x"}


def test_what_a_program_needs_is_copied(copy: Aside) -> None:
    assert files(copy.folder) == PLAIN
    assert copy.moved(copy.original / "src") == copy.folder / "src"
    assert copy.moved(Path("/elsewhere")) == Path("/elsewhere")


def test_after_a_run_the_copy_is_what_it_was(copy: Aside, top: Path) -> None:
    before = files(top)
    copy.become({Path("train.py"): b"changed"})
    assert files(copy.folder) == PLAIN | {"train.py": "changed"}
    (copy.folder / "runs/1").mkdir(parents=True)
    (copy.folder / "runs/1/ckpt.pt").write_text("weights", encoding="utf-8")
    (copy.folder / "src/model.py").write_text("overwritten", encoding="utf-8")
    (copy.folder / "data/a.txt").unlink()
    (copy.folder / "train.py").write_text("overwritten", encoding="utf-8")
    copy.become({Path("train.py"): b"changed"})
    assert files(copy.folder) == PLAIN | {"train.py": "changed"}
    assert not (copy.folder / "runs").exists()
    copy.become({Path("src/model.py"): b"other"})
    assert files(copy.folder) == PLAIN | {"src/model.py": "other"}
    copy.become({})
    assert files(copy.folder) == PLAIN
    assert files(top) == before


def test_a_file_that_is_forgotten_stays_away(copy: Aside) -> None:
    copy.forget(Path("train.py"))
    copy.become(copy.changed)
    assert "train.py" not in files(copy.folder)


def test_data_is_linked_and_code_never(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DATA", 1000)
    (top / "data/big.bin").write_bytes(b"0" * 2000)
    (top / "src/table.py").write_bytes(b"#" * 2000)
    (top / "src/weights.bin").write_bytes(b"0" * 2000)
    with ExitStack() as stack:
        (copy,) = aside(top, ("one",), stack)
        assert sorted(map(str, copy.linked)) == ["data", "src/weights.bin"]
        assert (copy.folder / "data").is_symlink()
        assert not (copy.folder / "src/table.py").is_symlink()
        (copy.folder / "new.txt").write_text("", encoding="utf-8")
        copy.become({})
        assert (copy.folder / "data/big.bin").exists()
        assert (copy.folder / "src/weights.bin").exists()
    assert (top / "data/big.bin").exists(), "what is linked outlives the copy"


def test_what_is_linked_is_never_written_through_its_link(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DATA", 1000)
    (top / "data/big.bin").write_bytes(b"0" * 2000)
    before = files(top)
    with ExitStack() as stack:
        (copy,) = aside(top, ("one",), stack)
        assert copy.linked == [Path("data")]
        copy.forget(Path("data/a.txt"))
        copy.forget(Path("data"))
        assert files(top) == before
        assert (copy.folder / "data/a.txt").exists(), "data stays"
        for _ in range(2):  # as a second run finds it
            copy.become({Path("data/a.txt"): b"older", Path("data/deep/b.txt"): b"was there"})
            assert (copy.folder / "data/a.txt").read_text(encoding="utf-8") == "older"
            assert (copy.folder / "data/deep/b.txt").exists()
            assert (copy.folder / "data/big.bin").stat().st_size == 2000
            assert files(top) == before
        copy.become({})
        assert files(top) == before
        assert files(copy.folder) == {name: text for name, text in before.items() if "__pycache__" not in name}


def test_a_link_out_of_the_tree_is_never_written_through(top: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "model.py").write_text("theirs", encoding="utf-8")
    (top / "package").symlink_to(other)
    with ExitStack() as stack:
        (copy,) = aside(top, ("one",), stack)
        copy.become({Path("package/model.py"): b"mended", Path("package/new.py"): b"new"})
        assert (copy.folder / "package/model.py").read_text(encoding="utf-8") == "mended"
        copy.forget(Path("package/model.py"))
        copy.become({})
    assert files(other) == {"model.py": "theirs"}


def test_what_was_a_folder_becomes_a_file_and_back(copy: Aside) -> None:
    copy.become({Path("src"): b"a file", Path("train.py/inside.py"): b"in a folder"})
    assert files(copy.folder) == {"data/a.txt": "z", "src": "a file", "train.py/inside.py": "in a folder"}
    copy.become({Path("src"): b"a file", Path("train.py/inside.py"): b"in a folder"})
    assert files(copy.folder) == {"data/a.txt": "z", "src": "a file", "train.py/inside.py": "in a folder"}


def test_links_and_environments(top: Path) -> None:
    (top / "link.py").symlink_to("train.py")
    (top / "absolute.py").symlink_to(top / "train.py")
    (top / "venv").mkdir()
    (top / "venv/pyvenv.cfg").write_text("", encoding="utf-8")
    with ExitStack() as stack:
        (copy,) = aside(top, ("one",), stack)
        assert (copy.folder / "link.py").readlink() == Path("train.py")
        assert (copy.folder / "absolute.py").readlink() == copy.folder / "train.py"
        assert (copy.folder / "venv").is_symlink()
        copy.become({})
        assert (copy.folder / "absolute.py").readlink() == copy.folder / "train.py"


def test_a_tree_that_is_too_large_is_an_error_that_names_what_is(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 1_000)
    monkeypatch.setattr(module, "DATA", 1_500)
    for number in range(3):
        (top / f"data/{number}.bin").write_bytes(b"0" * 400)
    (top / "data/x.py").write_text("", encoding="utf-8")
    (top / "src/p.bin").write_bytes(b"0" * 400)
    with ExitStack() as stack, pytest.raises(ConfigError, match="of code and small files would have to be copied"):
        aside(top, ("one",), stack)
    assert not list(Path(tempfile.gettempdir()).iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="locks are of another kind there")
def test_what_a_killed_run_left_is_swept_and_what_another_holds_is_not(top: Path) -> None:
    script = (
        "import sys, time, tempfile; from contextlib import ExitStack; from pathlib import Path\n"
        f"tempfile.tempdir = {tempfile.gettempdir()!r}\n"
        "from torchperf_lint.verify.program.aside import aside\n"
        f"stack = ExitStack(); aside(Path({str(top)!r}), ('one',), stack); print('ready', flush=True); time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        (left,) = Path(tempfile.gettempdir()).glob(f"{PREFIX}*")
        sweep()
        assert (left / HOLD).exists(), "another process holds it"
        process.kill()
    sweep()
    assert not left.exists()


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    for name in ("kept.py", "edited.py", "gone.py"):
        (folder / name).write_text(f"# {name}\n", encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    (folder / "edited.py").write_text("# other\n", encoding="utf-8")
    (folder / "gone.py").unlink()
    (folder / "new.py").write_text("", encoding="utf-8")
    (folder / "staged.py").write_text("", encoding="utf-8")
    git(folder, "add", "staged.py")
    return folder


def test_what_a_tree_was_at_a_revision(repository: Path) -> None:
    held, gone = files_at(repository, "HEAD")
    assert held == {Path("edited.py"): b"# edited.py\n", Path("gone.py"): b"# gone.py\n"}
    assert sorted(gone) == [Path("new.py"), Path("staged.py")]


def test_a_folder_of_a_repository_is_compared_by_its_own_names(repository: Path) -> None:
    (repository / "sub").mkdir()
    (repository / "sub/a.py").write_text("old", encoding="utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "two")
    (repository / "sub/a.py").write_text("new", encoding="utf-8")
    assert files_at(repository / "sub", "HEAD") == ({Path("a.py"): b"old"}, [])


def test_links_submodules_and_pointers_stay(repository: Path) -> None:
    (repository / "link.py").symlink_to("kept.py")
    (repository / "weights.bin").write_text("version https://git-lfs.github.com/spec/v1\noid 1\n", encoding="utf-8")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    git(repository, "add", "-A", "--", "link.py", "weights.bin")
    git(repository, "commit", "-qm", "two")
    (repository / "module").mkdir()
    (repository / "weights.bin").write_bytes(b"what they are")
    held, gone = files_at(repository, "HEAD")
    assert not {Path("link.py"), Path("module"), Path("weights.bin")} & (held.keys() | set(gone))


def test_names_that_git_would_not_write_are_none(repository: Path) -> None:
    blob = subprocess.run(
        ["git", "hash-object", "-w", "kept.py"], cwd=repository, check=True, capture_output=True
    ).stdout.decode().strip()  # fmt: skip
    inner = b"100644 evil.py\0" + bytes.fromhex(blob)
    trees = [inner]
    for _ in range(2):
        name = _object(repository, "tree", trees[-1])
        trees.append(b"40000 ..\0" + bytes.fromhex(name))
    tree = _object(repository, "tree", trees[-1])
    commit = f"tree {tree}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nm\n".encode()
    held, _ = files_at(repository, _object(repository, "commit", commit))
    assert not held


def _object(repository: Path, kind: str, data: bytes) -> str:
    """An object as nobody's git would make it."""
    whole = f"{kind} {len(data)}".encode() + b"\0" + data
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    path = repository / ".git/objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole))
    return name


@pytest.mark.parametrize("revision", ["nowhere", "--upload-pack=touch x", "HEAD:kept.py"])
def test_what_is_no_revision_is_an_error(repository: Path, revision: str) -> None:
    with pytest.raises(ConfigError, match="--against"):
        files_at(repository, revision)


def test_outside_of_a_repository_there_are_no_revisions(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--against"):
        files_at(tmp_path, "HEAD")


def test_a_repository_runs_nothing(repository: Path) -> None:
    trap = repository / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {repository}/PWNED\n", encoding="utf-8")
    trap.chmod(0o755)
    for setting in ("core.fsmonitor", "diff.external", "core.pager", "diff.x.textconv", "core.sshCommand"):
        git(repository, "config", setting, str(trap))
    for setting in ("clean", "smudge", "process"):
        git(repository, "config", f"filter.x.{setting}", str(trap))
    (repository / ".gitattributes").write_text("*.py diff=x filter=x\n", encoding="utf-8")
    files_at(repository, "HEAD")
    assert not (repository / "PWNED").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("place", [".gitignore", ".git/info/exclude", ".git/included"])
def test_git_does_not_wait_for_a_pipe_for_ever(repository: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchperf_lint.verify.program.revision.PATIENCE", 0.5)
    git(repository, "config", "include.path", "included")
    (repository / place).unlink(missing_ok=True)
    os.mkfifo(repository / place)
    with pytest.raises(ConfigError, match=r"takes more than 0\.5 s"):
        files_at(repository, "HEAD")


def test_a_revision_is_what_its_name_says(repository: Path) -> None:
    """Names of contents that git would replace by others are taken at their word."""
    (repository / "gone.py").write_text("# another\n", encoding="utf-8")
    git(repository, "add", "gone.py")
    git(repository, "replace", "HEAD:gone.py", ":gone.py")
    assert files_at(repository, "HEAD")[0][Path("gone.py")] == b"# gone.py\n"


def test_a_file_that_goes_while_it_is_copied_was_not_there(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def copy2(source: Path, target: Path) -> None:
        source.unlink()
        real(source, target)

    real = module.shutil.copy2
    monkeypatch.setattr(module.shutil, "copy2", copy2)
    with ExitStack() as stack:
        (made,) = aside(top, ("one",), stack)
        made.become({Path("train.py"): b"w"})
        assert files(made.folder) == {"train.py": "w"}


def test_a_file_that_goes_before_it_is_measured_has_no_size(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_entries", lambda _: iter([(top / "nothing.txt", False)]))
    with ExitStack() as stack:
        (made,) = aside(top, ("one",), stack)
    assert not made.linked


def test_what_cannot_be_copied_is_said(top: Path) -> None:
    with of_an_owner() as is_closed:
        if not is_closed:
            pytest.skip("files are open to root")
        (top / "data/a.txt").chmod(0)
        with ExitStack() as stack, pytest.raises(ConfigError, match=r"a\.txt: cannot be copied to measure aside"):
            aside(top, ("one",), stack)
