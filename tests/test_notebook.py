"""Notebooks: one program, cells found again, not a byte changed that was not fixed."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import fake_lint
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from torchperf_lint.files.document import UnreadableError, opened
from torchperf_lint.files.notebook import NotANotebookError, read
from torchperf_lint.files.notebook_program import Program, UntouchableError, program
from torchperf_lint.model.finding import Finding, Fix, Safety, TextEdit
from torchperf_lint.syntax.source import Place, Source, Span

if TYPE_CHECKING:
    from collections.abc import Sequence


def notebook(*texts: str, **more: Any) -> dict[str, Any]:
    """A notebook with cells of code, after one of prose."""
    prose = {"cell_type": "markdown", "metadata": {}, "source": ["# torch\n", "a.item()"]}
    outputs = [{"output_type": "stream", "name": "stdout", "text": ["a.item()\n", '"quoted" \\ ü\n']}]
    code = [
        {
            "cell_type": "code",
            "execution_count": number,
            "metadata": {"tags": ["x"]},
            "outputs": outputs,
            "source": text.splitlines(keepends=True),
        }
        for number, text in enumerate(texts)
    ]
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "z": 1.50,
        "a": 1e3,
    }
    return {"cells": [prose, *code], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5, **more}


def dumped(content: object, **style: Any) -> bytes:
    style.setdefault("indent", 1)
    return (json.dumps(content, **style) + "\n").encode()


def made(*texts: str) -> Program:
    return program(read(dumped(notebook(*texts))).cells, "nb.ipynb", fake_lint.lint)


def located(*texts: str) -> list[tuple[int | None, int, int, str]]:
    whole = made(*texts)
    found = [*whole.broken, *whole.located(fake_lint.lint(Source(whole.text, "nb.ipynb")))]
    return [(each.cell, each.span.start.line, each.span.start.column, each.code) for each in sorted(found, key=_order)]


def _order(finding: Finding) -> tuple[object, ...]:
    return finding.order


STYLES: list[dict[str, Any]] = [
    {},
    {"indent": None},
    {"indent": 4},
    {"indent": "\t", "ensure_ascii": False},
    {"indent": None, "separators": (",", ":")},
    {"sort_keys": True, "ensure_ascii": False},
]


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_nothing_changes_but_the_text_of_the_mended_cell(style: dict[str, Any]) -> None:
    before, after = notebook("import torch\n", "x = 'ü'\ny = 2"), notebook("import torch\n", "x = 'ü'\nz = 'é'\ny = 2")
    data = dumped(before, **style)
    assert read(data).with_texts({2: "import torch\n"}) == data
    assert read(data).with_texts({3: "x = 'ü'\nz = 'é'\ny = 2"}) == dumped(after, **style)


def test_a_text_that_is_one_string_stays_one() -> None:
    content = notebook("a")
    content["cells"][1]["source"] = "a\nb"
    mended = json.loads(read(dumped(content)).with_texts({2: "a\nc\n"}))
    assert mended["cells"][1]["source"] == "a\nc\n"


def test_a_cell_may_become_empty_and_an_empty_one_may_be_filled() -> None:
    data = dumped(notebook("a", ""))
    mended = json.loads(read(data).with_texts({2: "", 3: "b\nc"}))
    assert [cell["source"] for cell in mended["cells"][1:]] == [[], ["b\n", "c"]]


@given(
    st.lists(st.text("ab\n", max_size=4), max_size=8),
    st.lists(st.text("abc\n", max_size=3), max_size=3),
    st.integers(0, 12),
    st.integers(0, 12),
)
@example(["a = to", "rch\n", "b\nc\n", "d"], ["x\n"], 7, 9)
@example(["a\n", "b"], ["\nc"], 3, 3)
@example(["a\n", "b\n"], [], 2, 4)
def test_elements_of_a_cell_need_not_be_its_lines(parts: list[str], put: list[str], start: int, end: int) -> None:
    """What a text is cut into is for its editor: of the elements before and behind a change every byte stays."""
    content = notebook("")
    content["cells"][1]["source"] = parts
    data = dumped(content)
    old = "".join(parts)
    start, end = sorted((min(start, len(old)), min(end, len(old))))
    new = old[:start] + "".join(put) + old[end:]
    mended = read(data).with_texts({2: new})
    source = json.loads(mended)["cells"][1]["source"]
    assert "".join(source) == new
    kept = old[: old[:start].rfind("\n") + 1]
    before = [part for part, stop in zip(parts, accumulate(map(len, parts)), strict=True) if stop <= len(kept)]
    while before and not before[-1].endswith("\n"):
        before.pop()
    assert source[: len(before)] == before
    if new == old:
        assert mended == data


def test_each_line_stays_as_it_is_written() -> None:
    data = dumped(notebook("é = 1\nx\né = 2\n"), ensure_ascii=True).replace(b"\\u00e9 = 2", "é = 2".encode())
    mended = read(data).with_texts({2: "é = 1\ny\né = 2\n"})
    assert mended == data.replace(b'"x\\n"', b'"y\\n"')


def test_newlines_byte_order_mark_and_missing_last_newline_stay() -> None:
    data = b"\xef\xbb\xbf" + dumped(notebook("a", "b")).replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    mended = read(data).with_texts({3: "c"})
    assert mended == data.replace(b'"b"', b'"c"')


def test_only_cells_of_python_code_count_and_are_counted_as_people_count() -> None:
    assert [(cell.number, cell.text) for cell in read(dumped(notebook("a", "b"))).cells] == [(2, "a"), (3, "b")]
    for metadata in ({"kernelspec": {"language": "julia"}}, {"language_info": {"name": "R"}}):
        assert read(dumped(notebook("a", metadata=metadata))).cells == ()
    assert len(read(dumped(notebook("a", metadata={}))).cells) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"3",
        b"{}",
        b'{"nbformat": 3, "worksheets": []}',
        b'{"nbformat": 4, "cells": {}}',
        b'{"nbformat": "4", "cells": []}',
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"nbformat": 4, "cells": [' + b'{"a":' * 100_000,
        b'{"nbformat": ' + b"9" * 10_000 + b"}",
    ],
)
def test_what_is_no_notebook_is_one_finding(data: bytes) -> None:
    with pytest.raises(NotANotebookError):
        read(data)
    with pytest.raises(UnreadableError) as unreadable:
        opened(data, "nb.ipynb", fake_lint.lint)
    assert unreadable.value.finding.code == "TPL001"


@pytest.mark.parametrize("cell", [3, None, {}, {"cell_type": "code"}, {"cell_type": "code", "source": [3]}, []])
def test_odd_cells_are_passed_over(cell: object) -> None:
    content = notebook("a.item()")
    content["cells"].insert(0, cell)
    assert [each.number for each in read(dumped(content)).cells] == [3]


def test_the_cells_are_one_program_and_places_are_in_cells() -> None:
    texts = ("import torch", "for x in y:\n    print(a.item())\n", "", "b.item()")
    assert located(*texts) == [(3, 2, 11, "TPL101"), (5, 1, 1, "TPL101")]


@pytest.mark.parametrize(
    "magic",
    [
        "%matplotlib inline",
        "pip install -r requirements.txt",
        "!pip install 'torch",
        "!pip install \\\n    torch",
        "%pip install \\\n    gym \\\n    git+https://host/a.git@0e84a4d \\\n    torch",
        "# see \\\n!pip install torch==0e84a",
        "torch?",
        "??torch.nn",
        "x = !ls",
        "x, y = %sx ls",
        "for i in x:\n    %time f()",
        "if x:\n    !ls\nelse:\n    z = %env HOME",
        "%%time",
        "%%timeit -n 3",
        "%load_ext autoreload\n%autoreload 2",
        "x = (1\n  % 2)\n%cd /tmp",
        's = """\n%not magic\n"""\n%magic',
    ],
)
def test_magic_keeps_its_lines_and_comes_back(magic: str) -> None:
    text = f"{magic}\nprint(a.item())"
    line = text.count("\n") + 1
    whole = made("import torch", text, "c.item()")
    assert [(each[0], each[1]) for each in located("import torch", text, "c.item()")] == [(3, line), (4, 1)]
    assert whole.texts(whole.text)[3] == text
    mended = whole.text.replace("a.item()", "a.detach()").replace("import torch", "import os\nimport torch")
    assert whole.texts(mended) == {
        2: "import os\nimport torch",
        3: f"{magic}\nprint(a.detach())",
        4: "c.item()",
    }


def test_a_cell_in_another_language_is_not_linted() -> None:
    for magic in ("%%bash", "%%html", "%%writefile a.py"):
        assert located("import torch", f"{magic}\na.item()\n(", "a.item()") == [(4, 1, 1, "TPL101")]


def test_a_cell_that_an_editor_knows_to_be_no_python_is_passed_over() -> None:
    for language, numbers in (("shellscript", [3]), ("plaintext", [3]), ("python", [2, 3])):
        content = notebook("pip install torch", "a.item()")
        content["cells"][1]["metadata"] = {"vscode": {"languageId": language}}
        assert [each.number for each in read(dumped(content)).cells] == numbers


def test_a_broken_cell_is_one_finding_at_its_place_and_the_others_are_linted() -> None:
    texts = ("import torch\na.item()", "!ls\nprint(a.item()\n", "b.item()")
    assert located(*texts) == [(2, 2, 1, "TPL101"), (3, 2, 6, "TPL001"), (4, 1, 1, "TPL101")]
    whole = made(*texts)
    assert whole.texts(whole.text) == {2: texts[0], 3: texts[1], 4: texts[2]}


def _finding(*spans: tuple[int, int, int, int]) -> Finding:
    edits = tuple(TextEdit("nb", Span(Place(a, b), Place(c, d)), "x") for a, b, c, d in spans)
    (finding,) = fake_lint.lint(Source("a.item()", "nb"))
    return Finding(
        finding.code,
        "",
        "",
        finding.severity,
        finding.confidence,
        "nb",
        finding.span,
        "",
        fix=Fix("", edits, Safety.SAFE),
    )


@pytest.mark.parametrize(
    ("spans", "held"),
    [
        ([(1, 1, 1, 2)], True),
        ([(2, 1, 3, 1)], True),
        ([(3, 1, 3, 1)], True),
        ([(1, 1, 4, 2)], False),
        ([(2, 1, 3, 5)], False),
        ([(1, 1, 1, 2), (5, 1, 5, 2)], True),
        ([(4, 1, 4, 3)], False),
        ([(4, 1, 5, 3)], False),
        ([(7, 1, 7, 1)], False),
    ],
)
def test_no_edit_crosses_a_cell_or_touches_what_is_no_python(
    spans: Sequence[tuple[int, int, int, int]], held: bool
) -> None:
    """Lines: 1-2 a cell, 3 the mark of the next, 4 magic, 5 code, 6 the mark of the next, 7 another language."""
    whole = made("a = 1\nb = 2", "%magic\nc = 3", "%%bash\nls")
    (left,) = whole.within_cells(Source(whole.text), [_finding(*spans)])
    assert (left.fix is not None) is held


def test_an_edit_at_the_end_of_a_cell_without_a_newline_is_told_for_that_cell() -> None:
    whole = made("a = 1", "b = 2")
    insert = replace(
        _finding((2, 1, 2, 1)),
        span=Span(Place(1, 1), Place(1, 2)),
        fix=Fix("", (TextEdit("nb", Span(Place(2, 1), Place(2, 1)), "new()\n"),), Safety.SAFE),
    )
    (found,) = whole.located([insert])
    assert found.fix is not None
    (edit,) = found.fix.edits
    assert (edit.cell, edit.span, edit.content) == (2, Span(Place(1, 6), Place(1, 6)), "\nnew()")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace("pass  ", "pas  "),
        lambda text: text.replace("\n# ", "\n#  "),
        lambda text: text.replace("\npass", "\nif x: pass"),
        lambda text: "\n".join(line for line in text.split("\n") if "pass" not in line),
        lambda text: text + text,
    ],
)
def test_a_program_in_which_magic_or_cells_are_lost_is_refused(spoil: Any) -> None:
    whole = made("import torch", "%magic\na.item()", "!ls", "(")
    with pytest.raises(UntouchableError):
        whole.texts(spoil(whole.text))


@given(st.lists(st.text(st.sampled_from("ab%!?\n ='\"\\#():\u2028\r\x0c"), max_size=30), max_size=4))
@example(["files=!ls"])
def test_any_cells_come_back_as_they_were(texts: list[str]) -> None:
    content = notebook()
    content["cells"] += [{"cell_type": "code", "source": text} for text in texts]
    data = dumped(content)
    found = read(data)
    whole = program(found.cells, "nb.ipynb", fake_lint.lint)
    assert whole.texts(whole.text) == {cell.number: cell.text for cell in found.cells}
    assert found.with_texts(whole.texts(whole.text)) == data


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_jupyters_own_validator_takes_a_mended_notebook(style: dict[str, Any]) -> None:
    nbformat = pytest.importorskip("nbformat")
    content = notebook("import torch", "!ls\nprint(a.item(), 'ü')", nbformat_minor=4)
    document = opened(dumped(content, **style), "nb.ipynb", fake_lint.lint)
    mended = document.with_text(document.text.replace("a.item()", "a.detach()"))
    checked = nbformat.reads(mended.decode(), as_version=nbformat.NO_CONVERT)
    nbformat.validate(checked)
    assert checked.cells[2].source == "!ls\nprint(a.detach(), 'ü')"


def test_of_a_key_that_is_there_twice_the_last_counts() -> None:
    raw = b'{"nbformat": 4, "cells": 4, "cells": [{"cell_type": "code", "source": "a", "source": "b"}]}'
    found = read(raw)
    assert [cell.text for cell in found.cells] == ["b"]
    assert found.with_texts({1: "c"}) == raw.replace(b'"b"', b'"c"')
