"""Findings about a file or about the linter, not about code: it does not parse, a rule raised, it was given up."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from typing import Final

from torchperf_lint.engine.apply_rule import Broken
from torchperf_lint.engine.fingerprint import Fingerprints
from torchperf_lint.facts.index.module import Module
from torchperf_lint.model.catalogue import DOES_NOT_PARSE, GIVEN_UP, RULE_RAISED, by_code
from torchperf_lint.model.failure import raised_at
from torchperf_lint.model.finding import Confidence, Finding, Severity
from torchperf_lint.rule import Rule
from torchperf_lint.syntax.source import Place, Source, Span, SyntaxFault, TooLargeFault
from torchperf_lint.syntax.tree import Tree

_OF_PYTHON_2: Final = "Missing parentheses in call to"
"""What Python says of `print "x"`, and of `exec`: nobody runs such a file, so it is left over."""


def of_rules(broken: list[Broken], tree: Tree, module: Module, fingerprints: Fingerprints) -> list[Finding]:
    """The findings that rules raised, and once for each place that LibCST alone refuses what they ask about."""
    raised = [_raised(*each, tree, module, fingerprints) for each in broken if not isinstance(each[2], SyntaxFault)]
    refused = {each[2].place: each[2] for each in broken if isinstance(each[2], SyntaxFault)}
    unreadable = [each for each in refused.values() if not isinstance(each, TooLargeFault)]
    return [*raised, *(unread(tree.source, each, fingerprints) for each in unreadable)]


def too_large(broken: list[Broken]) -> str | None:
    """Why a file was given up while rules looked at it, if it was too large for that."""
    return next((each[2].message for each in broken if isinstance(each[2], TooLargeFault)), None)


def _raised(
    rule: Rule, node: ast.AST, error: Exception, tree: Tree, module: Module, fingerprints: Fingerprints
) -> Finding:
    """The finding that a rule raised: rule, file and line of both."""
    message = f"rule {rule.code} {rule.name} raised {type(error).__name__} ({raised_at(error)}): please report it"
    place = tree.place(module.with_string(node))
    return about(tree.source, RULE_RAISED, message, Span(place, place), fingerprints)


def show_tracebacks(broken: list[Broken]) -> None:
    """Write where each rule that raised did so, for its author."""
    import traceback

    for rule, _, error in broken:
        sys.stderr.write(f"rule {rule.code} {rule.name} raised:\n")
        traceback.print_exception(error)


def unread(source: Source, fault: SyntaxFault, fingerprints: Fingerprints) -> Finding:
    """The finding that a file, or a statement that LibCST alone refuses, does not parse."""
    found = about(source, DOES_NOT_PARSE, fault.message, Span(fault.place, fault.place), fingerprints)
    return replace(found, severity=Severity.INFO) if fault.message.startswith(_OF_PYTHON_2) else found


def given_up(source: Source, reason: str | None, chosen: frozenset[str], fingerprints: Fingerprints) -> list[Finding]:
    """The finding that not all was said of a file, where there is a reason for that."""
    if reason is None or GIVEN_UP not in chosen:
        return []
    return [about(source, GIVEN_UP, reason, Span(Place(1, 1), Place(1, 1)), fingerprints)]


def about(source: Source, code: str, message: str, span: Span, fingerprints: Fingerprints) -> Finding:
    """A finding about the file or the linter, not about its code."""
    entry = by_code()[code]
    fingerprint = fingerprints.of(code, span)
    return Finding(code, entry.name, message, entry.severity, Confidence.PROVEN, source.path, span, fingerprint)
