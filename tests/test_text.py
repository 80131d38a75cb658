"""The report for people, line by line."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import fake_lint
import pytest
from reported import finding, shown, span

from torchperf_lint.model.finding import Finding, Fix, Note, Safety, TextEdit
from torchperf_lint.report.console import Console
from torchperf_lint.report.terminal import width
from torchperf_lint.syntax.source import Source, Span

if TYPE_CHECKING:
    from pathlib import Path


def text(root: Path, source: str, *findings: Finding) -> str:
    (root / "src/train.py").write_text(source, encoding="utf-8", newline="")
    return shown("text", root, *findings)


def test_text_shows_the_line_the_evidence_and_the_fix(root: Path) -> None:
    assert shown("text", root, finding()) == (
        """\
warning[TPL101]: `loss.item()` makes the host wait for the GPU in every step
  --> src/train.py:5:14 (scalar-read-every-step, likely)
   |
 2 | for x, y in loader:
   | - the loop calls `.backward()`
   …
 5 |     total += loss.item()
   |              ^^^^^^^^^^^
   |
   = fix (unsafe): read it after the loop
 5 -     total += loss.item()
 5 +     total += loss.detach()

"""
    )


def test_text_shows_a_span_of_several_lines_with_an_arm(root: Path) -> None:
    source = "x = torch.zeros(\n\t3,\n)\n"
    assert text(root, source, finding(span=span(1, 5, 3, 2), because=(), fix=None)) == (
        """\
warning[TPL101]: `loss.item()` makes the host wait for the GPU in every step
  --> src/train.py:1:5 (scalar-read-every-step, likely)
   |
 1 | / x = torch.zeros(
 2 | |     3,
 3 | | )
   | |_^
   |

"""
    )


def test_text_fills_a_gap_of_one_line_and_shows_other_files_apart(root: Path) -> None:
    (root / "src/model.py").write_text("a\nb\n", encoding="utf-8")
    notes = (Note("here", "src/train.py", 3, 5), Note("there", "src/model.py", 2, 1))
    lines = shown("text", root, finding(because=notes, fix=None)).splitlines()
    assert lines[2:] == [
        "   |",
        " 3 |     loss = model(x, y)",
        "   |     - here",
        " 4 |     loss.backward()",
        " 5 |     total += loss.item()",
        "   |              ^^^^^^^^^^^",
        "   |",
        "  ::: src/model.py:2:1",
        "   |",
        " 2 | b",
        "   | - there",
        "   |",
        "",
    ]


@pytest.mark.parametrize(
    ("edits", "diff"),
    [
        ([(span(1, 1, 2, 1), "")], [" 1 - a = 1"]),
        ([(span(2, 1, 2, 1), "new\n")], [" 2 + new"]),
        ([(span(1, 1, 1, 2), "x"), (span(1, 5, 1, 6), "9")], [" 1 - a = 1", " 1 + x = 9"]),
        (
            [(span(1, 1, 1, 2), "x"), (span(3, 1, 3, 2), "y")],
            [" 1 - a = 1", " 1 + x = 1", "   …", " 3 - c = 3", " 3 + y = 3"],
        ),
        ([(span(1, 5, 2, 6), "0")], [" 1 - a = 1", " 2 - b = 2", " 1 + a = 0"]),
        ([(span(9, 1, 9, 2), "x")], []),
    ],
)
def test_text_shows_a_fix_as_the_lines_that_change(root: Path, edits: list[tuple[Span, str]], diff: list[str]) -> None:
    fix = Fix("title", tuple(TextEdit("src/train.py", at, content) for at, content in edits), Safety.SHOWN)
    lines = text(root, "a = 1\nb = 2\nc = 3\n", finding(span=span(1, 1, 1, 2), because=(), fix=fix)).splitlines()
    assert lines[5:7] == ["   |", "   = suggestion: title"]
    assert lines[7:-1] == diff


def test_text_shows_how_a_long_fix_begins(root: Path) -> None:
    source = "".join(f"line{number}\n" for number in range(1, 31))
    fix = Fix("title", (TextEdit("src/train.py", span(1, 1, 31, 1), "with a:\n"),), Safety.SHOWN)
    lines = text(root, source, finding(span=span(1, 1, 1, 2), because=(), fix=fix)).splitlines()
    assert lines[7:-1] == [
        *(f" {number} - line{number}" for number in range(1, 7)),
        "   … 24 more lines",
        " 1 + with a:",
    ]


def test_text_stands_straight_under_wide_and_combining_characters(root: Path) -> None:
    source = "名前 = e\u0301.item()\n"
    lines = text(root, source, finding(span=span(1, 6, 1, 15), because=(), fix=None)).splitlines()
    assert width(lines[3].partition("e\u0301")[0]) == lines[4].index("^") == len(" 1 | 名前 = ") + 2
    assert lines[4].count("^") == width("e\u0301.item()")


def test_text_shows_what_is_around_the_mark_of_a_very_long_line(root: Path) -> None:
    source = "x = [" + "1, " * 3_000_000 + "loss.item()]\n"
    at = source.index("loss")
    lines = text(root, source, finding(span=span(1, at + 1, 1, at + 12), because=(), fix=None)).splitlines()
    assert max(map(len, lines)) < 250
    assert lines[3][lines[4].index("^") :].startswith("loss.item()")


def test_text_survives_a_file_that_has_changed_or_gone(root: Path) -> None:
    assert "TPL101" in text(root, "", finding())
    assert "TPL101" in text(root, "one line", finding())
    assert "TPL101" in shown("text", root, finding(path="src/gone.py"))


def test_a_cell_of_a_notebook_is_shown_from_the_cell(root: Path) -> None:
    cells = [{"cell_type": "code", "source": ["import torch\n", "a.item()"]}]
    (root / "nb.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}), encoding="utf-8")
    (made,) = fake_lint.lint(Source("import torch\na.item()", "nb.ipynb"))
    lines = shown("text", root, replace(made, cell=1, because=(), fix=None)).splitlines()
    assert lines[1:5] == [
        "  --> nb.ipynb:cell 1:2:1 (scalar-read-every-step)",
        "   |",
        " 2 | a.item()",
        "   | ^^^^^^^^",
    ]


def test_lines_are_no_wider_than_the_terminal(root: Path) -> None:
    """What is around the finding is shown of a long line; evidence beside that is told without its place."""
    text = "x = 1\n" + "loss = " + "f(x) + " * 20 + "loss.item()\n"
    start = text.index("loss.item()") - len("x = 1\n") + 1
    (root / "src/train.py").write_text(text, encoding="utf-8")
    made = finding(span=span(2, start, 2, start + 11), because=(Note("far away", "src/train.py", 2, 1),))
    out = shown("text", root, made, columns=60)
    code = [line for line in out.splitlines() if line.startswith((" 2 |", "   |"))]
    assert max(map(len, code)) <= 60
    assert [line for line in code if "loss.item()" in line]
    assert code[code.index(next(line for line in code if "loss.item()" in line)) + 2].strip().endswith("^" * 11)
    assert "   | … far away" in code


def test_a_stream_that_has_no_such_letters_gets_dots_and_escapes() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Console(findings_to=stream).out("3 more \u2026 \xe9\n")
    stream.flush()
    assert stream.buffer.getvalue() == b"3 more ... \\xe9\n"  # type: ignore[attr-defined]
