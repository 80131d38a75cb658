"""Whatever program is drawn: linting does not raise, and fixes parse, come to rest and keep every comment.

TORCHPERF_LINT_EXAMPLES=20000 python -m pytest tests/robustness/test_properties.py      a long run
"""

from __future__ import annotations

import ast
import io
import json
import sys
import tokenize
import warnings
from collections import Counter

import pytest
from examples import CONFIG, some
from grammar import programs
from hypothesis import assume, event, given
from hypothesis import strategies as st

from torchperf_lint.engine.lint_text import lint
from torchperf_lint.engine.precedence import rivals
from torchperf_lint.files import notebook
from torchperf_lint.fixes.apply import fix_text
from torchperf_lint.model.catalogue import DOES_NOT_PARSE, RULE_RAISED
from torchperf_lint.model.finding import Finding, Safety
from torchperf_lint.model.record import from_plain, to_plain
from torchperf_lint.run.lint_file import lint_bytes
from torchperf_lint.syntax.source import Source

pytestmark = pytest.mark.slow

PATH = "drawn.py"


def found(source: Source) -> list[Finding]:
    return lint(source, CONFIG)


def parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError:
        return False
    return True


def is_refused_with_python(text: str, findings: list[Finding]) -> bool:
    """Whether a text is one TPL001 where Python refuses it; before 3.12 it refuses f-strings that are read all the same."""
    codes = [each.code for each in findings]
    is_refused = codes == [DOES_NOT_PARSE]
    assert is_refused or DOES_NOT_PARSE not in codes
    return is_refused is not parses(text) or (not is_refused and sys.version_info < (3, 12))


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n")).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@some
@given(programs())
def test_linting_never_raises(text: str) -> None:
    source = Source(text, PATH)
    findings = found(source)
    assert not [each.message for each in findings if each.code == RULE_RAISED]
    assert is_refused_with_python(text, findings)
    assert findings == sorted(findings, key=lambda each: each.order)
    event("with findings" if findings else "without")
    for each in findings:
        start, end = source.extent(each.span)
        assert 0 <= start <= end <= len(text)
        assert from_plain(json.loads(json.dumps(to_plain(each)))) == each
    assert len({each.fingerprint for each in findings}) == len(findings)
    assert found(source) == findings


@some
@given(programs(), st.sampled_from([Safety.SAFE, Safety.UNSAFE]))
def test_fixes_parse_come_to_rest_and_keep_comments(text: str, allow: Safety) -> None:
    assume(parses(text))
    fixed = fix_text(text, PATH, found, allow, rivals)
    event(f"{bool(fixed.applied)} {allow}")
    assert parses(fixed.text)
    assert (fixed.text != text) is bool(fixed.applied)
    again = fix_text(fixed.text, PATH, found, allow, rivals)
    assert again.text == fixed.text
    unused = Counter(each for each in comments(text) if "tpl: ignore" in each or "noqa" in each)
    if allow is Safety.SAFE:
        lost = comments(text) - comments(fixed.text)
        assert set(lost) <= set(unused), "only a suppression that hides nothing may go"


@some
@given(
    st.lists(
        st.one_of(programs(), st.text(max_size=80), st.sampled_from(["%time x\n", "!ls\n", "%%bash\nx y\n"])),
        max_size=2,
    )
)
def test_notebooks_of_programs(cells: list[str]) -> None:
    plain = [{"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} for cell in cells]
    raw = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"torch": 1}, "cells": plain}, indent=1)
    findings = lint_bytes(raw.encode(), "drawn.ipynb", CONFIG)
    assert not [each.message for each in findings if each.code == RULE_RAISED]
    numbers = {cell.number for cell in notebook.read(raw.encode()).cells}
    assert {each.cell for each in findings} <= numbers
    for each in findings:
        assert each.cell is not None
        assert each.span.start.line <= cells[each.cell - 1].count("\n") + cells[each.cell - 1].count("\r") + 1


@some
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    for name in ("drawn.py", "drawn.ipynb"):
        findings = lint_bytes(data + b" torch", name, CONFIG)
        assert not [each.message for each in findings if each.code == RULE_RAISED]


@some
@given(programs(), st.data())
def test_a_program_with_a_piece_missing(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    cut = text[:start] + text[data.draw(st.integers(start, len(text))) :]
    findings = found(Source(cut, PATH))
    assert not [each.message for each in findings if each.code == RULE_RAISED]
    assert is_refused_with_python(cut, findings)
