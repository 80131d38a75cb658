"""Lint one file: parse, apply the rules, settle who speaks, suppress, sort.

    text --ast.parse--> outline --each rule--> drafts --who speaks, what it is worth--> findings

Knows no rule by name: `apply_rule` lets one speak, who does where several claim one expression is for
`precedence`, and what is a warning where for `worth`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from torchperf_lint.engine import faults, precedence, unsaid, worth
from torchperf_lint.engine.apply_rule import Broken, PlacedDraft, apply_rule
from torchperf_lint.engine.fingerprint import Fingerprints
from torchperf_lint.engine.projects import project_of
from torchperf_lint.facts.domain.budget import LARGEST, LINTED, GaveUpError
from torchperf_lint.facts.facade import Evidence, Facts, Settings, Sure
from torchperf_lint.facts.index.looks import NOW
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import told
from torchperf_lint.facts.interpret.interpreter import neighbour_of
from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.facts.project.neighbours import Neighbours
from torchperf_lint.facts.project.surroundings import Surroundings
from torchperf_lint.model.catalogue import UNUSED_SUPPRESSION, entries
from torchperf_lint.model.finding import Confidence, Finding, Fix, Note, Safety, Severity, TextEdit
from torchperf_lint.model.impact import impacts
from torchperf_lint.rule import Draft, Rule, all_rules
from torchperf_lint.syntax import suppress
from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Place, Source, SyntaxFault, TooLargeFault
from torchperf_lint.syntax.tree import Tree

if TYPE_CHECKING:
    import libcst as cst

    from torchperf_lint.config.config import Config

NOTES: Final = 3
"""A finding shows at most so many pieces of evidence: the shortest chain that a reader needs."""

ONE_IN_A_FUNCTION: Final = frozenset(("sync", "transfer", "memory", "fusion"))
"""Families of which a rule says one thing of a function, wherever it sees it there; a graph breaks at each place anew."""

DRAFTS: Final = 5_000
"""After so many findings in one file nobody reads the next; each takes time to write down."""


def lint(source: Source, config: Config, reads: Reads | None = None) -> list[Finding]:
    """The findings of one file, sorted; `reads` is told what they stand on besides it."""
    chosen = config.rules_for(source.path)
    try:
        tree, module = read(source, config)
    except TooLargeFault as fault:
        return faults.given_up(source, fault.message, chosen, Fingerprints(source, None))
    except SyntaxFault as fault:
        return [faults.unread(source, fault, Fingerprints(source, None))]
    looker = NOW.begin(module)
    facts = facts_of(tree, module, config, reads)
    fingerprints = Fingerprints(source, module)
    rules = [rule for rule in all_rules() if rule.code in chosen]
    broken: list[Broken] = []
    drafts, given_up = _apply(rules, facts, module, tree, config, broken)
    settled = worth.weighed(precedence.settle(drafts), module, facts)
    each_alone = precedence.AUDIT in chosen  # the audit view names each place by itself
    left_out = {} if each_alone else unsaid.left_out(settled, chosen, module, facts)
    unsaid_drafts = [each for each in settled if id(each) in left_out]
    settled = [each for each in settled if id(each) not in left_out]
    findings = list(_findings(settled, each_alone, source, tree, module, fingerprints, broken))
    findings += faults.given_up(source, faults.too_large(broken) or given_up, chosen, fingerprints)
    kept, unused = _suppress(source, tree, findings, unsaid_drafts, chosen, fingerprints)
    LINTED.files += facts.spent()
    if facts.neighbours is not None:
        facts.neighbours.write_down(looker.looked, told.of)
    if config.debug:
        faults.show_tracebacks(broken)
    others = faults.of_rules(broken, tree, module, fingerprints)
    return sorted([*kept, *others, *unused], key=lambda finding: finding.order)


def _apply(
    rules: list[Rule], facts: Facts, module: Module, tree: Tree, config: Config, broken: list[Broken]
) -> tuple[list[PlacedDraft], str | None]:
    """What the rules have to say of a file, and why they were stopped, if they were."""
    every = (each for rule in rules for each in apply_rule(rule, facts, module, tree, config, broken))
    drafts = list(islice(every, DRAFTS))
    if facts.gave_up():
        return drafts, "given up: it takes more steps than any program needs, so not all rules have seen all of it"
    if next(every, None) is not None:
        return drafts, f"given up after {DRAFTS:,} findings: not all rules have seen all of it"
    return drafts, None


def origins(source: Source, config: Config) -> tuple[dict[str, cst.CSTNode], Facts]:
    """The node that made each finding of a file, by fingerprint, and the facts of the file: for who asks on."""
    tree, module = read(source, config)
    facts = facts_of(tree, module, config, None)
    fingerprints = Fingerprints(source, module)
    rules = [rule for rule in all_rules() if rule.code in config.rules_for(source.path)]
    drafts, _ = _apply(rules, facts, module, tree, config, [])
    nodes = {fingerprints.of(each.rule.code, each.span): each.origin for each in precedence.settle(drafts)}
    return {fingerprint: tree.cst(node) for fingerprint, node in nodes.items()}, facts


def read(source: Source, config: Config) -> tuple[Tree, Module]:
    """The trees and the outline of a text; a file that another one imported before has its outline already."""
    (project, _), path = project_of(config), config.root / source.path
    known = project.known(path, source.text, source.path)
    if known is not None:
        return Tree(source, known.tree), known
    tree = parse(source)
    try:
        module = Module(tree.root, source.path, project.name_of(path), source.text)
    except GaveUpError:
        raise TooLargeFault(f"it has more than {LARGEST:,} expressions and statements") from None
    if not tree.is_lowered:
        project.keep(path, module, source.text)
    return tree, module


def facts_of(tree: Tree, module: Module, config: Config, reads: Reads | None) -> Facts:
    (project, shared), path = project_of(config), config.root / module.path
    reads = reads if reads is not None else Reads()
    around = Surroundings(project, path, reads)
    program = Program(around.module, around.note, around.glance)
    program.add(module)
    minimum = (config.alignment_min_dim.linear, config.alignment_min_dim.conv)
    settings = Settings(config.target_torch, config.hot_functions, minimum, assume_compiled=config.assume_compiled)
    facts = Facts(program, module, tree, settings, shared)
    facts.neighbours = Neighbours(project, path, reads, lambda program, module: neighbour_of(program, module, shared))
    facts.neighbours.start(facts.analysis, around)
    return facts


# ---- findings


def _findings(
    drafts: list[PlacedDraft],
    each_alone: bool,
    source: Source,
    tree: Tree,
    module: Module,
    fingerprints: Fingerprints,
    broken: list[Broken],
) -> Iterator[Finding]:
    numbers: dict[Function, int] = {}
    for each in drafts:
        try:
            found = _finding(each, source, tree, module, fingerprints)
            is_part = each.rule.family in ONE_IN_A_FUNCTION or found.severity is Severity.INFO
            number = numbers.setdefault(module.function_of(each.origin), len(numbers))
            if not each_alone:
                found = replace(found, function=number if is_part else None, behind=each.behind)
            yield found
        except Exception as error:  # noqa: PERF203 - each for itself
            broken.append((each.rule, each.origin, error))


def _finding(placed: PlacedDraft, source: Source, tree: Tree, module: Module, fingerprints: Fingerprints) -> Finding:
    rule, draft = placed.rule, placed.draft
    return Finding(
        code=rule.code,
        name=rule.name,
        message=draft.message,
        severity=severity(placed),
        confidence=confidence(placed),
        path=source.path,
        span=placed.span,
        fingerprint=fingerprints.of(rule.code, placed.span),
        because=_notes(tree, module, placed),
        impact=None if _is_hint(placed) else impacts().get(rule.code),
        fix=_resolved(draft, tree),
    )


def severity(placed: PlacedDraft) -> Severity:
    """How bad what a rule says is, where it stands."""
    return Severity.INFO if _is_hint(placed) else placed.rule.severity


def _is_hint(placed: PlacedDraft) -> bool:
    return placed.draft.is_hint or placed.less is not None


def confidence(placed: PlacedDraft) -> Confidence:
    """How sure all is that a draft stands on."""
    facts = [*placed.draft.because, *([placed.frequency] if placed.frequency is not None else [])]
    return Confidence.PROVEN if all(fact.sure is Sure.PROVEN for fact in facts) else Confidence.LIKELY


def _notes(tree: Tree, module: Module, placed: PlacedDraft) -> tuple[Note, ...]:
    """The evidence as notes: of what the rule stands on, then of when the code runs, and of what it costs there."""
    hot = list(placed.frequency.because[:1]) if placed.frequency is not None else []
    worth = [each for each in (placed.more, placed.less) if each is not None]
    last = hot + worth
    shown: dict[tuple[str, Place], Note] = {}
    for evidence in [each for fact in placed.draft.because for each in fact.because][: 2 * NOTES] + last:
        found = note(evidence, tree, module)
        key = (found.message, Place(found.line, found.column))
        if key not in shown and (len(shown) < NOTES - len(hot) or evidence in last):
            shown[key] = found
    return tuple(shown.values())


def note(evidence: Evidence, tree: Tree, module: Module) -> Note:
    """A piece of evidence as a note: its node as a place."""
    if evidence.path in (None, module.path):
        place = tree.place(module.with_string(evidence.node))
        return Note(evidence.message, module.path, place.line, place.column)
    node = evidence.node
    return Note(evidence.message, str(evidence.path), getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


def _resolved(draft: Draft, tree: Tree) -> Fix[TextEdit] | None:
    if draft.fix is None:
        return None
    from torchperf_lint.fixes.resolve import resolve

    return resolve(draft.fix, tree)


# ---- suppressions


def _suppress(
    source: Source,
    tree: Tree,
    findings: list[Finding],
    unsaid_drafts: list[PlacedDraft],
    chosen: frozenset[str],
    fingerprints: Fingerprints,
) -> tuple[list[Finding], list[Finding]]:
    """The findings that no comment silences, and findings about the comments that silence nothing, not even what is left out."""
    comments = suppress.read(source, tree)
    kept = [finding for finding in findings if not comments.hides(finding.code, finding.name, finding.span)]
    if UNUSED_SUPPRESSION not in chosen:
        return kept, []
    for each in unsaid_drafts:
        comments.hides(each.rule.code, each.rule.name, each.span)
    unasked = {word for rule in all_rules() if rule.code not in chosen for word in (rule.code, rule.name)}
    rules = {word for entry in entries() for word in (entry.code, entry.name)}
    unused = []
    for comment in islice(comments.unused(unasked=unasked, rules=rules), DRAFTS):
        fault = faults.about(source, UNUSED_SUPPRESSION, comment.message, comment.span, fingerprints)
        if comment.removal is not None:
            edit = TextEdit(source.path, comment.removal, "")
            fault = replace(fault, fix=Fix("Remove it", (edit,), Safety.SAFE))
        unused.append(fault)
    if len(unused) == DRAFTS:
        unused += faults.given_up(
            source, f"given up after {DRAFTS:,} comments that silence nothing", chosen, fingerprints
        )
    return kept, unused
