"""A program, what the linter says of it, and what the fixes make of it.

The program of a rule is the `doc` section of its fixture, with those imports of the fixture that it uses. Knows nothing
of pages.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint import report
from torchperf_lint.config.config import of_text
from torchperf_lint.config.settings_file import from_line
from torchperf_lint.docs.checkout import ROOT
from torchperf_lint.engine import lint_text
from torchperf_lint.engine.precedence import rivals
from torchperf_lint.fixes.apply import fix_text
from torchperf_lint.fixes.patch import diff
from torchperf_lint.model.finding import Finding, Safety
from torchperf_lint.model.outcome import Outcome
from torchperf_lint.report.sources import Sources
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PATH: Final = "example.py"
_FOR_TESTS: Final = re.compile(r"^# (run|set): .*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A program as a page shows it."""

    title: str
    text: str
    findings: tuple[Finding, ...]
    report: str
    patch: str
    """What all fixes do, those that are unsafe too; empty where they do nothing."""
    where: str = ""
    """The settings under which that is so, as the beginning of a sentence; empty where they are the defaults."""


def example(
    title: str,
    text: str,
    codes: frozenset[str],
    path: str = PATH,
    settings: Mapping[str, object] | None = None,
    *,
    short_hints: bool = False,
) -> Example:
    """What becomes of a program under some rules."""
    config = replace(of_text(from_line(settings or {})), root=ROOT, rules=codes)
    findings = lint_text.lint(Source(text, path), config)
    outcome = Outcome(ROOT, findings, files=1)
    view = report.View(Sources(ROOT, {path: text.encode()}), ROOT, short_hints=short_hints)
    fixed = fix_text(text, path, lambda source: lint_text.lint(source, config), Safety.UNSAFE, rivals)
    patch = "".join(diff(text, fixed.text, path).splitlines(keepends=True)[2:])
    said = ", ".join(f"`{name.replace('_', '-')} = {value!r}`" for name, value in (settings or {}).items())
    shown = report.render("text", outcome, view)
    return Example(title, text, tuple(findings), shown, patch, f"With {said}, " if said else "")


def program(fixture: Any, section: Any) -> str:
    """A section of a fixture as a program of its own."""
    body = "\n".join(section.text.splitlines()[len(fixture.preamble.splitlines()) :]).strip("\n") + "\n"
    body = _FOR_TESTS.sub("", body)
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    head = "\n".join(_needed(fixture.preamble, used))
    between = "\n" if body.startswith(("import ", "from ")) else "\n\n\n"
    return head + between + body if head else body


def _needed(preamble: str, used: set[str]) -> Iterator[str]:
    """The statements of a preamble without the imports that a program does not use."""
    lines, previous = preamble.splitlines(), 0
    for statement in ast.parse(preamble).body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names = [each for each in statement.names if _bound(each) in used]
            if not names:
                continue
            text = ast.unparse(type(statement)(**{**dict(ast.iter_fields(statement)), "names": names}))
        else:
            text = ast.get_source_segment(preamble, statement) or ""
        if previous and not all(lines[previous : statement.lineno - 1]):
            yield ""
        previous = statement.end_lineno or statement.lineno
        yield text


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]
