"""Which edits change the code of a file, and which answers of the cache hold after one."""

from __future__ import annotations

import ast
import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from test_cache import FINDINGS, answers

from torchperf_lint.config.config import Config
from torchperf_lint.facts.project.contents import Names, code_of
from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.model.finding import Note


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(root=tmp_path, cache_dir=tmp_path / "cache")


CODE = "x = 1\nif x:\n    y = '# no comment'\n"
SAME = (
    "x = 1  # a comment\nif x:\n    y = '# no comment'\n",
    "# it's one\nx = 1\n\n\nif x:\n# here\n    # and here\n    y = '# no comment'#\n",
    'x = 1\nif x:  # """\n    y = \'# no comment\'\n\t\n  # at the end',
    "# coding: utf-8\nx = 1\nif x:\n    y = '# no comment'\n",
)
OTHER = (
    "x = 2\nif x:\n    y = '# no comment'\n",
    "x = 1\nif x:\n    y = '# another'\n",
    "x = 1\nif x:\n    y = '''# no comment'''\n",
    "x = 1  # type: int\nif x:\n    y = '# no comment'\n",
    "x = 1 \\ # a comment\nif x:\n    y = '# no comment'\n",
    "# coding: latin-1\nx = 1\nif x:\n    y = '# no comment'\n",
)


@pytest.mark.parametrize("text", SAME)
def test_comments_and_empty_lines_are_no_code(text: str) -> None:
    assert code_of(text.encode()).strip() == code_of(CODE.encode()).strip()


@pytest.mark.parametrize("text", OTHER)
def test_what_python_or_the_linter_reads_is_code(text: str) -> None:
    assert code_of(text.encode()).strip() != code_of(CODE.encode()).strip()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('f"{x["# a"]}"\n', 'f"{x["# b"]}"\n'),
        ('f"}}{x:{y["# a"]}}"\n', 'f"}}{x:{y["# b"]}}"\n'),
        ('f"{x\n # a "\n}" # b\n', 'f"{x\n # a "\n}" # c\n'),
        ("x = '''\n\n# a\n'''\n", "x = '''\n# a\n'''\n"),
        ("x = 1 \\\n\ny = 2\n", "x = 1 \\\ny = 2\n"),
        ("x = 1 \\\r\n\r\ny = 2\r\n", "x = 1 \\\r\ny = 2\r\n"),
        ("x = r'\\' # a'\n", "x = r'\\' # b'\n"),
        ("# a\ry = 1\n", "# a\ry = 2\n"),
        ("x = 1\n    # a\n  y = 2\n", "x = 1\n    # a\n    y = 2\n"),
    ],
)
def test_what_only_looks_like_a_comment_is_code(one: str, other: str) -> None:
    assert code_of(one.encode()) != code_of(other.encode())


def test_real_files_mean_the_same_without_what_is_left_out() -> None:
    """And with what drawn edits add to them."""
    draw = random.Random(0)
    folder = Path(torch.__file__).parent
    for path in draw.sample(sorted(folder.glob("*/*.py")), 60):
        data = path.read_bytes()
        tree = ast.parse(data)
        assert ast.dump(ast.parse(code_of(data))) == ast.dump(tree), path
        starts = sorted({each.lineno for each in tree.body if not getattr(each, "decorator_list", ())})
        lines = data.splitlines(keepends=True)
        for start in reversed(draw.sample(starts, min(3, len(starts)))):
            lines.insert(start - 1, draw.choice((b"\n", b'# it\'s """ one\n', b"   # an odd place\n\n")))
        assert code_of(b"".join(lines)) == code_of(data), path


def test_a_file_that_changed_has_another_name(tmp_path: Path) -> None:
    names, whole = Names(), len(Names().of(tmp_path, b"")) // 2
    before, commented, after = (
        names.of(tmp_path / "a.py", code) for code in (b"x = 1\n", b"x = 1  # once\n", b"x = 2\n")
    )
    assert before[:whole] != commented[:whole]
    assert before[whole:] == commented[whole:] != after[whole:]
    assert before == names.of(tmp_path / "a.py", b"x = 1\n") == names.of(tmp_path / "b.py", b"x = 1\n")


def test_an_answer_holds_where_a_comment_was_edited_and_no_place_of_the_file_is_shown(config: Config) -> None:
    path, other = str(config.root / "a.py"), config.root / "other.py"
    other.write_text(CODE, encoding="utf-8")
    reads = Reads("a", set(), {"other": (str(other), Names().of(other, other.read_bytes()))})
    shown = (replace(FINDINGS[0], because=(Note("made here", "other.py", 2, 1),)), *FINDINGS[1:])
    told = (replace(FINDINGS[0], because=(Note("called at every step: `other.py:2` → here", "a.py", 2, 1),)),)
    for findings, is_shown in ((FINDINGS, False), (shown, True), (told, True)):
        other.write_text(CODE, encoding="utf-8")
        answers(config).put(path, "1", findings, reads)
        assert answers(config).get(path, "1") == findings
        other.write_text(f"# a comment\n{CODE}", encoding="utf-8")
        assert (answers(config).get(path, "1") is None) is is_shown
        other.write_text(CODE.replace("1", "2"), encoding="utf-8")
        assert answers(config).get(path, "1") is None
        other.unlink()
        assert answers(config).get(path, "1") is None
