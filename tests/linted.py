"""The linter as the tests of fixtures ask it: in one process each question is answered once, however many tests ask it.

`by_rule` gives all tests of a rule to the same process. Who has changed the linter itself asks it anew.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from fixture import Section

from torchperf_lint.config import settings_file
from torchperf_lint.config.config import Config, of_text
from torchperf_lint.engine import lint_text
from torchperf_lint.engine.precedence import rivals
from torchperf_lint.fixes.apply import Fixed, fix_text
from torchperf_lint.model.finding import Finding, Safety
from torchperf_lint.syntax.source import Source

PATH = "section.py"

Codes = frozenset[str]


def lint(section: Section, codes: Codes) -> list[Finding]:
    """What these rules find in a section, under its settings."""
    return list(_linted(section.text, _config(section, codes)))


def lint_anew(section: Section, codes: Codes) -> list[Finding]:
    """The same, asked of the linter as it is now."""
    return lint_text.lint(Source(section.text, PATH), _config(section, codes))


def fixed(section: Section, codes: Codes, allow: Safety = Safety.UNSAFE, *, text: str | None = None) -> Fixed:
    """What the fixes of these rules make of a section, or of another text under its settings."""
    return _fixed(section.text if text is None else text, _config(section, codes), allow)


def _config(section: Section, codes: Codes) -> Config:
    loaded = of_text(settings_file.from_line(section.settings))
    return replace(loaded, rules=codes, debug=True)  # a rule that raises shows its traceback


@cache
def _linted(text: str, config: Config) -> tuple[Finding, ...]:
    return tuple(lint_text.lint(Source(text, PATH), config))


@cache
def _fixed(text: str, config: Config, allow: Safety) -> Fixed:
    several = rivals if len(config.rules) > 1 else None
    return fix_text(text, PATH, lambda source: list(_linted(source.text, config)), allow, several)
