"""What is done to show LibCST less loses nothing: without it every rule says the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fixture import Fixture, Section, fixtures
from linted import lint, lint_anew
from test_rules import RULES

from torchperf_lint.engine import lint_text
from torchperf_lint.facts.sync import cannot_wait
from torchperf_lint.rule import all_rules
from torchperf_lint.syntax.tree import Tree

pytestmark = pytest.mark.slow

ASKING = {rule.name for rule in all_rules() if rule.screen is not None or rule.among is not None}


def sections() -> list[object]:
    """Of every fixture, for a rule is also asked about the programs of others."""
    return [
        pytest.param(fixture, section, id=f"{fixture.name}:{section.first}")
        for fixture in fixtures()
        for section in fixture.sections
    ]


@pytest.mark.parametrize(("fixture", "section"), sections())
def test_questions_lose_nothing(fixture: Fixture, section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = frozenset(RULES[name].code for name in ASKING)
    asked = lint(section, codes)
    rules = tuple(replace(rule, screen=None, among=None) for rule in all_rules())
    monkeypatch.setattr(lint_text, "all_rules", lambda: rules)
    assert lint_anew(section, codes) == asked


@pytest.mark.parametrize(("fixture", "section"), sections())
def test_looks_lose_nothing(fixture: Fixture, section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = frozenset({"TPL100"})
    looked = lint(section, codes)
    monkeypatch.setattr(cannot_wait, "may_wait", lambda module, node: True)
    assert lint_anew(section, codes) == looked


@pytest.mark.parametrize(("fixture", "section"), sections())
def test_statements_alone_lose_nothing(fixture: Fixture, section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = frozenset(rule.code for rule in all_rules())
    alone = lint(section, codes)
    monkeypatch.setattr(Tree, "_glance", lambda *_: None)
    assert lint_anew(section, codes) == alone


def test_some_rules_ask() -> None:
    assert ASKING
