"""Suppression comments: where they go, and that they hide what they were put for."""

from __future__ import annotations

import ast

import fake_lint
import pytest

from torchperf_lint.fixes.add_ignores import with_ignores
from torchperf_lint.model.catalogue import DOES_NOT_PARSE
from torchperf_lint.syntax.source import Source

MARK = "# tpl: ignore[TPL101]"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a.item()\n", f"a.item()  {MARK}\n"),
        ("a.item()", f"a.item()  {MARK}"),
        ("a.item()\r\nb\r\n", f"a.item()  {MARK}\r\nb\r\n"),
        ("a.item(); b.item()\n", f"a.item(); b.item()  {MARK}\n"),
        ("a.item()  # why\n", f"a.item()  # why  {MARK}\n"),
        ("a.item()  # noqa: TPL101\n", f"a.item()  # noqa: TPL101  {MARK}\n"),
        ("a.item()  # tpl: ignore[TPL201] so\n", "a.item()  # tpl: ignore[TPL101, TPL201] so\n"),
        ("x = f(\n    a.item(),\n)\n", f"x = f(\n    a.item(),  {MARK}\n)\n"),
        ("x = a.item() + \\\n    1\n", f"x = a.item() + \\\n    1  {MARK}\n"),
        ('x = a.item(), """\ntext\n""", 1\n', f'x = a.item(), """\ntext\n""", 1  {MARK}\n'),
        ('x = f"""\n{\na.item()\n}\n"""\n', f'x = f"""\n{{\na.item()\n}}\n"""  {MARK}\n'),
        ("if a.item():\n    pass\n", f"if a.item():  {MARK}\n    pass\n"),
        ("x = '#', a.item()\n", f"x = '#', a.item()  {MARK}\n"),
    ],
)
def test_a_comment_goes_where_it_can_stand(before: str, after: str) -> None:
    commented = with_ignores(before, fake_lint.lint(Source(before)), "")
    assert commented == after
    if 'f"' not in before:
        assert ast.dump(ast.parse(commented)) == ast.dump(ast.parse(before))


def test_a_reason_and_several_codes_on_a_line() -> None:
    findings = fake_lint.lint(Source("a.item()\n"))
    assert with_ignores("a.item()\n", findings, "so be it") == f"a.item()  {MARK} so be it\n"


def test_what_no_comment_hides_gets_none() -> None:
    (finding,) = fake_lint.lint(Source("torch\n(\n"))
    assert finding.code == DOES_NOT_PARSE
    assert with_ignores("torch\n(\n", [finding], "") == "torch\n(\n"


def test_every_finding_that_got_a_comment_is_hidden() -> None:
    text = "a.item()\nx = [b.item(),\n     c.item()]\n"
    assert fake_lint.lint(Source(with_ignores(text, fake_lint.lint(Source(text)), ""))) == []
