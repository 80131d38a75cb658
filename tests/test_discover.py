"""Which files are linted: what is found, what is left out, what stands in the way."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from same_settings import SameSettings

from torchperf_lint.config.config import Config
from torchperf_lint.config.globs import is_pattern
from torchperf_lint.files.discover import EVERY_FILE, discover, mentions_torch

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    monkeypatch.chdir(tmp_path)
    return Config(root=tmp_path, folder=tmp_path)


def tree(root: Path, *paths: str) -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("import torch\n", encoding="utf-8")


def found(config: Config, *paths: str | Path) -> list[str]:
    """What is discovered, relative to the root."""
    named = [str(config.root / path) for path in paths or (".",)]
    discovered = discover(named, SameSettings(config))
    assert not discovered.failures
    return [config.in_project(config.root / path) for path in discovered.files]


def ignore(folder: Path, *lines: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_modules_and_notebooks_in_a_stable_order(config: Config) -> None:
    tree(config.root, "b.py", "a/z.ipynb", "a/b.py", "c.pyi", "d.txt", "e", ".hidden/f.py", "a.py")
    assert found(config) == [".hidden/f.py", "a.py", "a/b.py", "a/z.ipynb", "b.py"]
    assert found(config, "b.py", "a", ".", "a/b.py") == found(config)


def test_folders_that_hold_nobodys_own_code_are_left_out(config: Config) -> None:
    tree(
        config.root,
        "a.py",
        ".venv/x.py",
        "src/node_modules/x.py",
        "build/lib/x.py",
        "x/site-packages/y.py",
        "dist/x.py",
    )
    assert found(config) == ["a.py"]
    assert found(replace(config, exclude=())) != ["a.py"]


def test_what_is_named_is_taken_whatever_the_patterns_say(config: Config) -> None:
    tree(config.root, ".venv/lib/x.py", "script", "stub.pyi", "skip/y.py")
    config = replace(config, extend_exclude=("skip",))
    assert found(config, ".venv/lib/x.py", "script", "stub.pyi") == [".venv/lib/x.py", "script"]
    assert found(config, ".venv") == [".venv/lib/x.py"]
    assert found(config, "skip") == ["skip/y.py"]
    assert found(replace(config, force_exclude=True), ".venv/lib/x.py", "script", "skip/y.py", "skip") == ["script"]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        (("a",), ["b/a.txt.py", "b/c.py", "test_x.py"]),
        (("/a",), ["b/a.txt.py", "b/c.py", "test_x.py"]),
        (("b/c.py",), ["a/b.py", "b/a.txt.py", "test_x.py"]),
        (("test_*",), ["a/b.py", "b/a.txt.py", "b/c.py"]),
        (("*.txt.py", "a/"), ["b/c.py", "test_x.py"]),
        (("**/b.py",), ["b/a.txt.py", "b/c.py", "test_x.py"]),
        (("b/*", "!b/c.py"), ["a/b.py", "b/c.py", "test_x.py"]),
    ],
)
def test_excludes_are_written_as_gitignore_writes_them(
    config: Config, patterns: tuple[str, ...], left: list[str]
) -> None:
    tree(config.root, "a/b.py", "b/a.txt.py", "b/c.py", "test_x.py")
    assert found(replace(config, extend_exclude=patterns)) == left


def test_gitignore_at_every_level_and_the_nearest_decides(config: Config) -> None:
    (config.root / ".git").mkdir()
    tree(
        config.root, "a.py", "gen/a.py", "pkg/a.py", "pkg/gen/a.py", "pkg/keep/a.py", "pkg/keep/b.py", "pkg/sub/gen.py"
    )
    ignore(config.root, "gen/", "b.py", "# a comment", "", "[z-a]")
    ignore(config.root / "pkg", "!b.py", "sub/*.py")
    assert found(config) == ["a.py", "pkg/a.py", "pkg/keep/a.py", "pkg/keep/b.py"]
    assert len(found(replace(config, gitignore=False))) == 7


def test_gitignore_above_the_named_folder_up_to_the_repository(config: Config) -> None:
    outside = config.root
    repository = outside / "repo"
    (repository / ".git" / "info").mkdir(parents=True)
    (repository / ".git" / "info" / "exclude").write_text("private.py\n", encoding="utf-8")
    tree(repository, "src/a.py", "src/gen.py", "src/private.py", "src/out/b.py")
    ignore(outside, "a.py")
    ignore(repository, "gen.py", "/src/out")
    assert found(config, "repo/src") == ["repo/src/a.py"]
    assert found(config, "repo/src/out") == ["repo/src/out/b.py"]
    forced = replace(config, force_exclude=True)
    assert found(forced, "repo/src/out", "repo/src/out/b.py", "repo/src/gen.py", "repo/src/a.py") == ["repo/src/a.py"]


def test_a_repository_inside_another_has_its_own_rules(config: Config) -> None:
    (config.root / ".git").mkdir()
    (config.root / "inner" / ".git").mkdir(parents=True)
    tree(config.root, "inner/a.py")
    ignore(config.root, "a.py")
    assert found(config, "inner") == ["inner/a.py"]


def test_links_to_folders_are_not_entered_and_no_file_is_taken_twice(config: Config) -> None:
    tree(config.root, "a/b.py", "other/c.py")
    (config.root / "a/loop").symlink_to(config.root, target_is_directory=True)
    (config.root / "a/again.py").symlink_to(config.root / "a/b.py")
    (config.root / "a/broken.py").symlink_to(config.root / "nowhere.py")
    (config.root / "a/first.py").symlink_to(config.root / "other/c.py")
    (config.root / "a/second.py").symlink_to(config.root / "other/c.py")
    assert found(config, "a") == ["a/b.py", "a/first.py"]
    assert found(config) == ["a/b.py", "other/c.py"]
    assert found(config, "a/loop/other") == ["a/loop/other/c.py"]


def test_pipes_and_folders_with_the_name_of_a_file_are_skipped(config: Config) -> None:
    tree(config.root, "a.py", "folder.py/b.py")
    os.mkfifo(config.root / "pipe.py")
    assert found(config) == ["a.py", "folder.py/b.py"]
    (failure,) = discover([str(config.root / "pipe.py")], SameSettings(config)).failures
    assert (failure.path, failure.message) == ("pipe.py", "not a regular file")


def test_what_is_not_there_is_said_and_the_rest_found(config: Config) -> None:
    tree(config.root, "a.py")
    discovered = discover([str(config.root / "none.py"), str(config.root / "a.py")], SameSettings(config))
    assert [(each.path, each.message) for each in discovered.failures] == [("none.py", "No such file or directory")]
    assert len(discovered.files) == 1


@pytest.mark.usefixtures("permissions_hold")
def test_a_folder_without_permission_is_said_and_the_rest_found(config: Config) -> None:
    tree(config.root, "a.py", "closed/b.py")
    (config.root / "closed").chmod(0)
    try:
        discovered = discover([str(config.root)], SameSettings(config))
    finally:
        (config.root / "closed").chmod(0o700)
    assert [(each.path, each.message) for each in discovered.failures] == [("closed", "Permission denied")]
    assert len(discovered.files) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_of_any_bytes(config: Config) -> None:
    names = [b"\xff.py", b"with space.py", b"new\nline.py", "名前.py".encode()]
    for name in names:
        with open(os.path.join(os.fsencode(config.root), name), "w") as file:  # noqa: PTH118, PTH123
            file.write("import torch\n")
    assert sorted(os.fsencode(path) for path in found(config)) == sorted(names)


def test_nothing_at_all(config: Config) -> None:
    assert found(config) == []


def test_the_cheap_test_and_the_switch_that_turns_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(EVERY_FILE, raising=False)
    assert mentions_torch(b"from torch import nn")
    assert not mentions_torch(b"import numpy")
    assert mentions_torch("import ｔｏｒｃｈ".encode())
    assert not mentions_torch("# zażółć\nimport numpy".encode())
    monkeypatch.setenv(EVERY_FILE, "1")
    assert mentions_torch(b"")


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("utf-7", b"import +AHQAbwByAGMAaA-"),
        ("unicode_escape", b"import \\x74orch"),
        ("raw_unicode_escape", b"import \\u0074orch"),
        ("cp932", "import ｔｏｒｃｈ".encode("cp932")),
        ("gb18030", "import ｔｏｒｃｈ".encode("gb18030")),
        ("iso2022_jp", "import ｔｏｒｃｈ".encode("iso2022_jp")),
    ],
)
def test_the_word_in_an_encoding_of_its_own(encoding: str, line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python imports torch there; the bytes have no such word."""
    monkeypatch.delenv(EVERY_FILE, raising=False)
    assert mentions_torch(f"# coding: {encoding}\n".encode() + line)
    assert not mentions_torch(f"# coding: {encoding}\nimport numpy".encode())


@pytest.mark.parametrize("word", ["ｔｏｒｃｈ", "𝐭𝐨𝐫𝐜𝐡"])
@pytest.mark.parametrize("mark", ["", "\ufeff", " \n"])
def test_a_notebook_with_escaped_letters_that_python_reads_as_plain(
    word: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(EVERY_FILE, raising=False)
    for name in (word, "ｎｕｍｐｙ"):
        data = (mark + json.dumps({"cells": [{"source": [f"import {name}\n"]}]})).encode()
        assert mentions_torch(data) == (name == word)


@pytest.mark.parametrize("text", ["!", "a\\", "[z-a]"])
def test_patterns_that_say_nothing(text: str) -> None:
    assert not is_pattern(text)
