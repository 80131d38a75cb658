"""Patterns as git reads them: the same answers as git, in a time that grows with the pattern and not with its powers."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from torchperf_lint.config.glob_syntax import parsed
from torchperf_lint.config.globs import Globs
from torchperf_lint.files.gitignore import GitIgnore

GIT = pytest.mark.skipif(shutil.which("git") is None, reason="git says what is right")
EXAMPLES = int(os.environ.get("TORCHPERF_LINT_EXAMPLES", "60"))
ODD = re.compile(r"(?:\A|.*[^/*!])\*\*+(?:/|\\/)|.*/\*\*+\\/", re.DOTALL)
"""`a**/b`: what git makes of it depends on its version, which is why its manual says to write something else."""

NAMES = st.text(st.sampled_from("ab.-]!\\[ é"), min_size=1, max_size=4).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PIECES = st.sampled_from(
    ["a", "b", ".", "-", "é", "*", "**", "?", "/", "/", "**/", "/**", "[ab]", "[!a]", "[^a]", "[a-b]", "[]a]", "[!]a]", "[a-]",
     "[\\]]", "[[:alpha:]]", "[![:alpha:]]", "[[:x:]]", "[[:alpha]", "[a", "]", "\\", "\\*", "\\a", " ", "\\ ", "!", "#", "[/]", "[a/b]"]
)  # fmt: skip
PATTERNS = st.lists(PIECES, min_size=1, max_size=7).map("".join)


def by_git(folder: Path, paths: list[str]) -> set[str]:
    """Those of some paths that git leaves out."""
    asked = b"\0".join(os.fsencode(path) for path in paths)
    said = subprocess.run(
        ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=folder, input=asked, capture_output=True, check=False,
    )  # fmt: skip
    assert said.returncode in (0, 1), said.stderr
    return {os.fsdecode(path) for path in said.stdout.split(b"\0") if path}


def by_us(folder: Path, paths: list[str]) -> set[str]:
    found = set()
    for path in paths:
        file = folder / path
        rules = GitIgnore.above(file)
        if rules.ignores_with_parents(file, folder=file.is_dir()):
            found.add(path)
    return found


@pytest.mark.slow
@GIT
@settings(max_examples=EXAMPLES)
@given(
    st.lists(PATTERNS.filter(lambda text: not ODD.match(text)), min_size=1, max_size=4),
    st.lists(PATTERNS.filter(lambda text: not ODD.match(text)), max_size=2),
    st.lists(PATHS, min_size=1, max_size=6),
)
@example(["*", "!a/", "!*.b"], ["b"], ["a/c.b", "a/b", "b"])
@example(["a*b*", "**/b", "a/**/b", "a/**"], [], ["a/b", "a/a/b", "ab", "aab", "b", "a"])
@example(["[z-a]", "[a-", "a\\", "/", "//", "!", "\\!", "\\#", "a\\ ", "a  "], [], ["z", "a ", "!", "#", "a", "a\\"])
@example(["a/"], ["!b"], ["a/b", "b/a"])
def test_what_is_left_out_is_what_git_leaves_out(
    tmp_path_factory: pytest.TempPathFactory, patterns: list[str], deeper: list[str], paths: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True, capture_output=True)
    made = []
    for path in paths:
        file = folder / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        except OSError:  # one of them is a folder of another
            continue
        made.append(path)
    (folder / ".gitignore").write_text("\n".join(patterns) + "\n", encoding="utf-8")
    if (folder / "a").is_dir():
        (folder / "a/.gitignore").write_text("\r\n".join(deeper), encoding="utf-8", newline="")
    asked = sorted({*made, *(str(parent) for path in made for parent in Path(path).parents if parent.name)})
    assert by_us(folder, asked) == by_git(folder, asked)
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    "pattern",
    ["a*" * 30 + "b", "*a" * 30 + "*b", "**/a/" * 30 + "b", "?*" * 30 + "b", "[a-z]*" * 30 + "!", "a/**/" * 30 + "b"],
)
def test_stars_do_not_make_it_slow(pattern: str) -> None:
    """It took 15 s at nine stars and four times as long for each further one."""
    path = "a/" * 100 + "a" * 200
    start = time.process_time()
    for _ in range(20):
        assert Globs((pattern,)).verdict(path) is None
    assert time.process_time() - start < 1


def test_a_star_costs_as_much_as_a_letter() -> None:
    """By counting and not by the clock: a state for each byte of a pattern, and each byte of a path is read once."""
    for pattern in ("a*a*a*a*a*a*a*a*b", "**/**/**/x*", "a/**/b/**/c"):
        glob = parsed(pattern)
        assert glob is not None
        assert len(glob.steps) <= len(pattern)


@pytest.mark.slow
def test_twenty_thousand_patterns(tmp_path: Path) -> None:
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefgh_", k=8)) for _ in range(20_000)]
    for lists in (words, [f"*{word}*" for word in words], [f"/src/**/{word}/*.py" for word in words]):
        start = time.process_time()
        globs = Globs((*lists, "*.pyc", "!keep.pyc"))
        assert globs.verdict(f"src/x/{words[7]}/a.py", folder=True) is (True if lists[0][0] == "/" else None)
        assert globs.verdict("a/b.pyc") is True
        assert globs.verdict("a/keep.pyc") is False
        assert time.process_time() - start < 10
        start = time.process_time()
        for number in range(100):
            globs.verdict(f"src/package/folder_{number}/module_{number}.py")
        assert time.process_time() - start < 1.5


def test_which_patterns_cover_a_path() -> None:
    globs = Globs(("tests/*", "tests", "*.py", "src/**", "/a.py", "tests/b/", "x/"))
    assert globs.covering("tests/b/a.py") == {"tests/*", "tests", "*.py", "tests/b/"}
    assert globs.covering("a.py") == {"*.py", "/a.py"}
    assert globs.covering("x") == set()
