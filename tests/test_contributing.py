"""The recipe for a rule in CONTRIBUTING.md, done to the letter: the rule is found, and finds what its fixture announces."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fixture import Fixture
from test_rule_errors import folder

from torchperf_lint.config.config import Config
from torchperf_lint.engine import lint_text
from torchperf_lint.fixes.apply import fix_text
from torchperf_lint.model.finding import Safety
from torchperf_lint.rule import SECTIONS, all_rules
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from torchperf_lint.model.finding import Finding

__all__ = ["folder"]

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="no checkout")


def block(name: str) -> str:
    """A program of the page, by the mark above it."""
    found = re.search(rf"<!-- {name} -->\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_the_rule_of_the_recipe_finds_what_its_fixture_announces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "sleep_in_step.py").write_text(block("the rule"), encoding="utf-8")
    rules = all_rules.__wrapped__()
    rule = next(each for each in rules if each.code == "TPL999")
    assert all(rule.sections[title] for title in (*SECTIONS, "Fix safety"))
    monkeypatch.setattr(lint_text, "all_rules", lambda: rules)
    config = Config(root=Path.cwd(), rules=frozenset({"TPL999"}), cache=False)

    def lint(source: Source) -> list[Finding]:
        return lint_text.lint(source, config)

    path = folder / "fixture.py"
    path.write_text(block("the fixture"), encoding="utf-8")
    sections = Fixture(path).sections
    assert [section.kind for section in sections] == ["doc", "ok", "ok", "ok"]
    for section in sections:
        source = Source(section.text)
        found = [(each.span.start.line, each.code, source.cut(each.span)) for each in lint(source)]
        assert found == [(each.line, each.code, each.text) for each in section.expected], section.title
    fixed = fix_text(sections[0].text, "fixture.py", lint, Safety.UNSAFE)
    assert "time.sleep" not in fixed.text
    assert not fixed.failures
