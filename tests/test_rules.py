"""Every rule against its fixture: it fires where the fixture says and nowhere else, and its fixes keep their promises."""

from __future__ import annotations

import ast
import inspect
import io
import re
import tokenize
from collections import Counter
from difflib import get_close_matches
from pathlib import Path

import pytest
from fixture import Fixture, Section, fixtures
from for_each import for_each_section
from linted import PATH, fixed, lint

from torchperf_lint.engine import lint_text
from torchperf_lint.facts.facade import Facts
from torchperf_lint.fixes.apply import Fixed
from torchperf_lint.model.finding import Safety
from torchperf_lint.rule import SECTIONS, Rule, all_rules, place
from torchperf_lint.syntax.source import Source

FIXTURES = fixtures()
RULES = {rule.name: rule for rule in all_rules()}


@for_each_section(FIXTURES)
def test_findings_are_those_that_the_lines_announce(fixture: Fixture, section: Section) -> None:
    codes = frozenset({RULES[fixture.name].code} | fixture.codes)
    source = Source(section.text, PATH)
    found = [(f.span.start.line, f.code, " ".join(source.cut(f.span).split())) for f in lint(section, codes)]
    expected = [(e.line, e.code, e.text) for e in section.expected]
    assert sorted(found) == sorted(expected), section.title
    if section.kind in ("ok", "missed"):
        assert not section.expected, f"a section `{section.kind}` announces findings"
    else:
        assert section.expected, f"a section `{section.kind}` announces nothing"


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: f"{rule.code}-{rule.name}")
def test_rule_has_a_fixture_with_traps(rule: Rule) -> None:
    fixture = next((each for each in FIXTURES if each.name == rule.name and each.family == rule.family), None)
    assert fixture is not None, f"tests/rules/{rule.family}/{rule.name.replace('-', '_')}.py is missing"
    kinds = [section.kind for section in fixture.sections]
    assert kinds.count("doc") == 1
    assert kinds.count("ok") >= 3
    assert all(section.title.strip() for section in fixture.sections)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: f"{rule.code}-{rule.name}")
def test_rule_explains_itself(rule: Rule) -> None:
    assert rule.summary
    assert len(rule.summary) <= 100
    needed = (*SECTIONS, "Fix safety") if rule.safety in (Safety.UNSAFE, Safety.SAFE) else SECTIONS
    for title in needed:
        cure = f"write `{title}`, a line of dashes below it, and then the text"
        assert rule.sections.get(title), f"{place(rule.check)}: the docstring has no section `{title}`: {cure}"


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: f"{rule.code}-{rule.name}")
def test_a_rule_asks_what_facts_can_answer(rule: Rule) -> None:
    source = Path(inspect.getsourcefile(rule.check) or "")
    known = {*dir(Facts), "settings", "module", "analysis", "tree"}
    for path in source.parent.glob("*.py") if source.name == "__init__.py" else [source]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Attribute(value=ast.Name(id="facts"), attr=asked):
                    near = "".join(f"; did you mean `{each}`?" for each in get_close_matches(asked, known, 1))
                    where = "questions are in torchperf_lint/facts/questions/"
                    assert asked in known, f"{path}:{node.lineno}: `Facts` has no `{asked}`{near} ({where})"


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_names_let_a_rule_see_what_its_fixture_announces(fixture: Fixture) -> None:
    rule = RULES[fixture.name]
    for section in fixture.sections:
        announced = any(each.code == rule.code for each in section.expected)
        cure = f"add what is called in `{section.title}` ({fixture.path}:{section.first}), or the rule is never asked"
        assert not rule.names or not announced or rule.names & set(re.findall(r"\w+", section.text)), (
            f"{place(rule.check)}: `names` are {', '.join(sorted(rule.names))}: {cure}"
        )


def test_no_fixture_without_a_rule() -> None:
    assert {fixture.name for fixture in FIXTURES} <= set(RULES)


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_messages_keep_to_their_grammar(fixture: Fixture) -> None:
    codes = frozenset({RULES[fixture.name].code})
    for finding in (each for section in fixture.sections for each in lint(section, codes)):
        assert len(finding.message) <= 100, finding.message
        assert not finding.message.endswith("."), finding.message
        assert finding.message.count("`") % 2 == 0
        assert len(finding.because) <= lint_text.NOTES + 1, "one more may say what it costs"


def test_sections_parse() -> None:
    for fixture in FIXTURES:
        for section in fixture.sections:
            ast.parse(section.text)


# ---- fixes


def comments(text: str) -> list[str]:
    """The comments of a text, as tokens; those of marks are gone already."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sorted(token.string for token in tokens if token.type == tokenize.COMMENT)


def blessed(fixture: Fixture) -> str:
    """What all fixes make of a fixture: its sections one after the other, each with its title."""
    codes = frozenset({RULES[fixture.name].code})
    parts = []
    for section in fixture.sections:
        result = fixed(section, codes).text
        if result != section.text:
            shown = result.removeprefix(fixture.preamble).strip("\n")
            parts.append(f"# {section.kind}: {section.title}\n" + re.sub(r"\n{4,}", "\n\n\n", shown) + "\n")
    return "\n\n".join(parts)


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_fixes_make_what_was_blessed(fixture: Fixture, request: pytest.FixtureRequest) -> None:
    text = blessed(fixture)
    if request.config.getoption("--bless"):
        if text:
            fixture.fixed.write_text(text, encoding="utf-8")
        else:
            fixture.fixed.unlink(missing_ok=True)
    before = fixture.fixed.read_text(encoding="utf-8") if fixture.fixed.exists() else ""
    assert before == text, f"if this is what the fixes should make of it, write it with `--bless`: {fixture.fixed}"


@for_each_section(FIXTURES)
def test_fixes_keep_their_promises(fixture: Fixture, section: Section) -> None:
    rule = RULES[fixture.name]
    codes = frozenset({rule.code})
    offered = [f.fix for f in lint(section, codes) if f.fix is not None]
    assert all(rule.safety is not None and fix.safety <= rule.safety for fix in offered), "safer than the rule declares"
    applicable = [fix for fix in offered if fix.safety > Safety.SHOWN]
    result = fixed(section, codes)
    assert not result.failures, [failure.reason for failure in result.failures]
    assert bool(applicable) == (result.text != section.text)
    if not applicable:
        return
    ast.parse(result.text)
    assert Counter(comments(section.text)) <= Counter(comments(result.text)), "a comment was lost"
    again = fixed(section, codes, text=result.text)
    assert again.text == result.text, "a second run changes something"


@pytest.mark.slow
@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_fixes_of_rules_together_converge(fixture: Fixture) -> None:
    """Of all rules; and of those that are on by default, where another one has found or mended something."""
    every, default = (
        frozenset(rule.code for rule in all_rules() if rule.default or chosen) for chosen in (True, False)
    )
    for section in fixture.sections:
        result = converged(section, every)
        if not default >= {each.code for each in (*lint(section, every), *result.applied)}:
            converged(section, default)


def converged(section: Section, codes: frozenset[str]) -> Fixed:
    """What the fixes of some rules make of a section: a program that they leave as it is."""
    result = fixed(section, codes)
    assert not result.failures, [(section.title, each.finding.code, each.reason) for each in result.failures]
    ast.parse(result.text)
    again = fixed(section, codes, text=result.text)
    assert again.text == result.text, section.title
    return result
