"""What the author of a rule is told: each error names the place and the cure."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from shell import Shell, write

from torchperf_lint import rules
from torchperf_lint.engine import lint_text
from torchperf_lint.rule import all_rules, place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RULE = """\
from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Facts, Findings, rule


@rule({arguments})
def check(call: {node}, facts: Facts) -> Findings:
    \"""A rule.\"""
    return iter(())
"""
BY_CODE = {rule.code: rule for rule in all_rules()}
LINT = lint_text.lint
"""The engine, before a fixture puts a fake in its place."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A family of rules of a test, beside those that there are."""
    family = tmp_path / "rules" / "of_a_test"
    family.mkdir(parents=True)
    (family / "__init__.py").touch()
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(family.parent)])
    yield family
    for name in [name for name in sys.modules if name.startswith("torchperf_lint.rules.of_a_test")]:
        del sys.modules[name]


FREE = next(code for number in range(501, 600) if (code := f"TPL{number}") not in BY_CODE)


@pytest.mark.parametrize(
    ("arguments", "node", "said"),
    [
        ('"TPL590"', "cst.Cal", "`call` must be annotated with LibCST nodes out of"),
        ('"TPL501"', "cst.Call", f"{place(BY_CODE['TPL501'].check)} has the code TPL501 too; {FREE} is free"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_is_refused_with_its_place(folder: Path, arguments: str, node: str, said: str) -> None:
    (folder / "wrong.py").write_text(RULE.format(arguments=arguments, node=node), encoding="utf-8")
    with pytest.raises(TypeError) as refused:
        all_rules.__wrapped__()
    assert str(refused.value).startswith(f"{folder / 'wrong.py'}:8: ")
    assert said in str(refused.value)


def test_a_rule_whose_annotations_are_no_text_is_told_how_they_become_one(folder: Path) -> None:
    text = RULE.format(arguments='"TPL590"', node="cst.Call").replace("from __future__ import annotations", "")
    (folder / "wrong.py").write_text(text, encoding="utf-8")
    with pytest.raises(TypeError, match="start the file with `from __future__ import annotations`"):
        all_rules.__wrapped__()


def test_a_rule_beside_the_others_is_found(folder: Path) -> None:
    (folder / "right.py").write_text(RULE.format(arguments='"TPL590"', node="cst.Call"), encoding="utf-8")
    assert "TPL590" in {rule.code for rule in all_rules.__wrapped__()}


@pytest.mark.usefixtures("empty_project")
@pytest.mark.parametrize("arguments", [["--debug"], ["--debug", "--fix"], []])
def test_debug_shows_where_a_rule_raised(run: Shell, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    broken = replace(BY_CODE["TPL501"], check=lambda *_: 1 / 0)
    monkeypatch.setattr(lint_text, "all_rules", lambda: (broken,))
    monkeypatch.setattr(lint_text, "lint", LINT)
    write("a.py", "import torch\nfor x in range(3):\n    x.backward()\n    torch.cuda.empty_cache()\n")
    assert run(*arguments, "--format", "concise") == 2
    assert run.out.startswith(
        "a.py:4:5: TPL002 rule TPL501 cache-flush-in-loop raised ZeroDivisionError (test_rule_errors.py"
    )
    shown = "rule TPL501 cache-flush-in-loop raised:\nTraceback (most recent call last):\n" in run.err
    assert shown is bool(arguments)
    assert ("in <lambda>" in run.err) is bool(arguments)


@pytest.mark.usefixtures("empty_project")
def test_debug_shows_where_the_engine_raised(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint_text, "lint", lambda *_: 1 / 0)
    write("a.py")
    assert run("--debug") == 2
    assert "ZeroDivisionError: division by zero\n" in run.err
    assert "Traceback" in run.err
