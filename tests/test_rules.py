"""Every rule against its fixture: it fires where the fixture says and nowhere else, and its fixes keep their promises."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from fixture import Fixture, Section, fixtures

from torchperf_lint import engine
from torchperf_lint.config import Config
from torchperf_lint.finding import Finding, Safety
from torchperf_lint.rule import SECTIONS, Rule, all_rules
from torchperf_lint.syntax.source import Source

FIXTURES = fixtures()
RULES = {rule.name: rule for rule in all_rules()}
PATH = "section.py"


def lint(text: str, codes: frozenset[str]) -> list[Finding]:
    return engine.lint(Source(text, PATH), Config(root=Path.cwd(), rules=codes))


SECTIONS_OF_ALL = [
    pytest.param(fixture, section, id=f"{fixture.name}:{section.first}") for fixture in FIXTURES for section in fixture.sections
]


@pytest.mark.parametrize(("fixture", "section"), SECTIONS_OF_ALL)
def test_findings_are_those_that_the_lines_announce(fixture: Fixture, section: Section) -> None:
    codes = frozenset({RULES[fixture.name].code} | fixture.codes)
    source = Source(section.text, PATH)
    found = [(f.span.start.line, f.code, " ".join(source.cut(f.span).split())) for f in lint(section.text, codes)]
    expected = [(e.line, e.code, e.text) for e in section.expected]
    assert sorted(found) == sorted(expected), section.title
    if section.kind in ("ok", "missed"):
        assert not section.expected, f"a section `{section.kind}` announces findings"
    else:
        assert section.expected, f"a section `{section.kind}` announces nothing"


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_rule_has_a_fixture_with_traps(rule: Rule) -> None:
    fixture = next((each for each in FIXTURES if each.name == rule.name and each.family == rule.family), None)
    assert fixture is not None, f"tests/rules/{rule.family}/{rule.name.replace('-', '_')}.py is missing"
    kinds = [section.kind for section in fixture.sections]
    assert kinds.count("doc") == 1
    assert kinds.count("ok") >= 3
    assert all(section.title.strip() for section in fixture.sections)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_rule_explains_itself(rule: Rule) -> None:
    assert rule.summary
    assert len(rule.summary) <= 100
    for title in SECTIONS:
        assert rule.sections.get(title), f"{rule.code} has no section {title!r}"
    if rule.safety is Safety.UNSAFE or rule.safety is Safety.SAFE:
        assert rule.sections.get("Fix safety"), f"{rule.code} does not say how safe its fix is"


def test_no_fixture_without_a_rule() -> None:
    assert {fixture.name for fixture in FIXTURES} <= set(RULES)


@pytest.mark.parametrize(("fixture", "section"), SECTIONS_OF_ALL)
def test_messages_keep_to_their_grammar(fixture: Fixture, section: Section) -> None:
    for finding in lint(section.text, frozenset({RULES[fixture.name].code})):
        assert len(finding.message) <= 100, finding.message
        assert not finding.message.endswith("."), finding.message
        assert finding.message.count("`") % 2 == 0
        assert len(finding.because) <= engine.NOTES


def test_order_of_rules_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = list(all_rules())
    codes = frozenset(rule.code for rule in rules)
    texts = [section.text for fixture in FIXTURES for section in fixture.sections]
    before = [lint(text, codes) for text in texts]
    random.Random(0).shuffle(rules)
    monkeypatch.setattr(engine, "all_rules", lambda: tuple(rules))
    assert [lint(text, codes) for text in texts] == before


def test_sections_parse() -> None:
    for fixture in FIXTURES:
        for section in fixture.sections:
            ast.parse(section.text)
