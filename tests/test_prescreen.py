"""What is done to show LibCST less loses nothing: without it every rule says the same, in whatever order the rules are asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from fixture import Fixture, Section, fixtures
from for_each import for_each_section
from linted import lint, lint_anew

from torchperf_lint.engine import lint_text
from torchperf_lint.facts.sync import cannot_wait
from torchperf_lint.rule import all_rules
from torchperf_lint.syntax.tree import Tree

pytestmark = pytest.mark.slow

RULES = all_rules()
CODES = frozenset(rule.code for rule in RULES)


def questions(patch: pytest.MonkeyPatch) -> None:
    """The screens of rules, and what they name among the nodes of a file."""
    rules = tuple(replace(rule, screen=None, among=None) for rule in lint_text.all_rules())
    patch.setattr(lint_text, "all_rules", lambda: rules)


def order(patch: pytest.MonkeyPatch) -> None:
    """That rules are asked in their own order: of each two the other one is asked first. Drawn programs are asked by chance."""
    rules = lint_text.all_rules()[::-1]
    patch.setattr(lint_text, "all_rules", lambda: rules)


def looks(patch: pytest.MonkeyPatch) -> None:
    """What cannot wait by its form."""
    patch.setattr(cannot_wait, "may_wait", lambda module, node: True)


def statements(patch: pytest.MonkeyPatch) -> None:
    """Statements that are parsed alone."""
    patch.setattr(Tree, "_glance", lambda *_: None)


SAVINGS: tuple[Callable[[pytest.MonkeyPatch], None], ...] = (order, questions, looks, statements)


@for_each_section(fixtures())  # of every fixture, for a rule is also asked about the programs of others
def test_nothing_is_lost(fixture: Fixture, section: Section) -> None:
    """Without any of it; each saving leaves out only, so what one of them loses is found then. Alone, each tells which it was."""
    saving = lint(section, CODES)
    if without(SAVINGS, section) != saving:
        for each in SAVINGS:
            assert without((each,), section) == saving, each.__name__
        assert without(SAVINGS, section) == saving


def without(savings: tuple[Callable[[pytest.MonkeyPatch], None], ...], section: Section) -> object:
    with pytest.MonkeyPatch.context() as patch:
        for each in savings:
            each(patch)
        return lint_anew(section, CODES)


def test_some_rules_ask() -> None:
    assert any(rule.screen is not None or rule.among is not None for rule in RULES)
