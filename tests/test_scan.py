"""The tokens that tell the shape of a text."""

from __future__ import annotations

import io
import sys
import tokenize
from operator import itemgetter
from pathlib import Path

import programs
import pytest
from for_each import for_each

from torchperf_lint.syntax.scan import Kind, scan

HERE = Path(__file__).parent
TEXTS = {"training": programs.TRAINING, "windows": programs.WINDOWS, **programs.PLACES}
TEXTS |= {path.name: path.read_text("utf-8") for path in HERE.glob("*.py")}
every_text = for_each(TEXTS.items(), itemgetter(0))


def found(text: str, kind: Kind) -> list[str]:
    return [text[start:end] for each, start, end in scan(text) if each is kind]


@every_text
def test_tokens_are_those_of_python(named: tuple[str, str]) -> None:
    """The comments are those of `tokenize`, brackets balance, and nothing but blanks lies between tokens."""
    _, text = named
    tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    position = depth = 0
    for kind, start, end in scan(text):
        assert text[position:start].strip(" \t\f\r\n") == ""
        assert end > start
        position = end
        depth += (kind is Kind.OPEN) - (kind is Kind.CLOSE)
        assert depth >= 0
        if kind is Kind.COMMENT:
            assert comments
            assert comments.pop(0) == text[start:end]
    assert text[position:].strip(" \t\f") == ""
    assert depth == 0
    assert not comments


@pytest.mark.parametrize(
    "text",
    [
        "'#' \"#\" '''#\n#''' r'\\\\' f'#' f'{a}#' rf'\\{a}#' b'#\\'#'",
        "f'{a:#x}' f'{a!r:#>{b}}' f'{{#' f'}}#'",
        "f\"{d['#']}\" f'{f\"{a}#\"}#'",
        "f'\\N{NUMBER SIGN}#' f'{a}\\'#{b}'",
        "f'''\n{a}\n#{b:\n}#\n'''",
        "'a\\\n#b'",
    ],
)
def test_strings_hold_no_comments(text: str) -> None:
    assert found(text, Kind.COMMENT) == []
    assert found(text + "  # here", Kind.COMMENT) == ["# here"]


@pytest.mark.parametrize(
    "text",
    [
        'f"{d["#"]}"',
        "f'{f'{f'{a['#']}'}'}#'",
        'f"{x:{y["#"]}}#"',
        "f'{a  # a comment\n}'",
        "t'{a!r:#>5}#'",
        "f'{(lambda x: x[\"#\"])(1):#}'",
    ],
)
def test_fields_are_read_as_python_3_12_reads_them(text: str) -> None:
    assert found(text, Kind.COMMENT) == (["# a comment"] if "comment" in text else [])
    assert len(found(text, Kind.OPEN)) == len(found(text, Kind.CLOSE))
    if sys.version_info >= (3, 12) and not text.startswith("t"):
        compile(text, "", "eval")


@pytest.mark.parametrize(
    "text", ["'a\n# b", '"""a\n# b', "f'{a\n# b", "f'{a:# b", "f'a{", "f'{{{", "((\n# b", "}\n# b", "\\"]
)
def test_what_ends_nowhere_ends_all_the_same(text: str) -> None:
    assert all(0 <= start < end <= len(text) for _, start, end in scan(text))


def test_lines_inside_strings_are_none() -> None:
    text = 'a = """\n\n"""\nb = f"""{\nc}\n"""\\\n\r\nd(\n)\r'
    assert [text[:start].count("\n") for kind, start, _ in scan(text) if kind is Kind.LINE] == [2, 6, 7, 8]
    assert len(found(text, Kind.JOIN)) == 1
