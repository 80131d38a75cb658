"""What a draft is worth where it stands: a warning only where the source shows what was measured, else information that says why.

a wait behind another one, or right before one that stays     little is left to wait for
a wait, a layer or an operation of which a step has one        many were measured, or it alone: nobody knows its share
one in a loop over weights, in each layer of a model           a step has many: what was measured
a read in a loop whose loader has no workers                   the host could make the next batch meanwhile: measured, too
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Final

from torchperf_lint.engine.apply_rule import GATED_FAMILY, PlacedDraft
from torchperf_lint.facts.facade import Evidence, Facts
from torchperf_lint.facts.index.module import Module
from torchperf_lint.model.finding import Severity
from torchperf_lint.rule import Faster, Rule, Wrong

MOST_BEHIND: Final = 4
"""So many waits of which no rule speaks may lie between two of which one does."""

ONE_WAIT: Final = "nothing shows that a step waits here many times: `torchperf-lint trace` tells what it costs in a run"
ONE: Final = "nothing shows that a step has many of these: `torchperf-lint trace` tells what it costs in a run"


def weighed(drafts: list[PlacedDraft], module: Module, facts: Facts) -> list[PlacedDraft]:
    """Drafts; those say less of which the source does not show that what was measured of their rule holds where they stand."""
    spoken = {(each.rule.code, each.origin) for each in drafts}
    behind = [replace(each, less=_behind_wait(each, spoken, facts)) for each in drafts]
    # One behind another is mended with it: they are one finding.
    mended = {each.origin for each in drafts if _is_wait(each)}
    before = [
        replace(each, less=facts.waits_soon_at(each.origin, mended)) if _is_timed(each) else each for each in behind
    ]
    later = {module.statement(each.origin) for each in behind if each.less is not None and each.origin in mended}
    mended_by = _statements(before, later, module)
    every = [_repeated(each, mended_by, module, facts) if _needs_many(each) else each for each in before]
    return _joined(every, module, facts)


def _joined(drafts: list[PlacedDraft], module: Module, facts: Facts) -> list[PlacedDraft]:
    """Drafts about waits; each knows the one right behind whose wait it waits, whatever rule speaks of that."""
    waits = [each for each in drafts if speaks_of_waits(each.rule)]
    at: dict[ast.AST, PlacedDraft] = {}
    for each in waits:
        at.setdefault(module.statement(each.origin), each)
    for each in waits:
        at[each.origin] = each
    heads: dict[int, PlacedDraft | None] = {id(each): _head(each, at, module, facts) for each in waits}
    for placed in drafts:
        for each in _selected_before(placed, at, facts):
            heads[id(each)] = heads[id(each)] or placed
    return [
        replace(each, behind=(head.rule.code, head.span)) if (head := heads.get(id(each))) is not None else each
        for each in drafts
    ]


def _selected_before(placed: PlacedDraft, at: dict[ast.AST, PlacedDraft], facts: Facts) -> Iterator[PlacedDraft]:
    """The drafts of the selections right above one that a rule with a cure for all of them speaks of: `x[mask]; y[mask]`."""
    node = placed.origin
    if speaks_of_waits(placed.rule) or not isinstance(node, ast.Subscript) or not facts.wait_at(node).known:
        return
    index = ast.dump(node.slice)
    for _ in range(MOST_BEHIND):
        found = facts.just_waited_at(node)
        if found is None or not isinstance(found.node, ast.Subscript):
            return
        node = found.node
        if node in at and at[node].origin is node and ast.dump(node.slice) == index:
            yield at[node]


def speaks_of_waits(rule: Rule) -> bool:
    """Whether what a rule finds are waits."""
    return rule.family == GATED_FAMILY or bool(rule.waits)


def _head(placed: PlacedDraft, at: dict[ast.AST, PlacedDraft], module: Module, facts: Facts) -> PlacedDraft | None:
    """The draft of the last wait before one of which any rule speaks, with next to no work for the GPU since."""
    node, own = placed.origin, module.statement(placed.origin)
    for _ in range(MOST_BEHIND):
        found = facts.just_waited_at(node)
        if found is None:
            return None
        node = found.node
        statement = module.statement(node)
        head = at.get(node) or (at.get(statement) if statement is not own else None)
        if head is None and (within := facts.waits_within_at(node)) is not None:
            head = at.get(within)
        if head is not None:
            return head if head is not placed else None
    return None


def _statements(drafts: list[PlacedDraft], later: Set[ast.stmt], module: Module) -> dict[str, frozenset[ast.stmt]]:
    """By rule, the statements whose waits go when its findings are mended: those of each rule that is worth it, those right
    behind them, and all of its own."""
    every = later | {module.statement(each.origin) for each in drafts if _is_wait(each)}
    own: dict[str, set[ast.stmt]] = {each.rule.code: set() for each in drafts}
    for each in drafts:
        if not each.draft.is_hint:
            own[each.rule.code].add(module.statement(each.origin))
    return {code: frozenset(every | statements) for code, statements in own.items()}


def _behind_wait(placed: PlacedDraft, spoken: Set[tuple[str, ast.AST]], facts: Facts) -> Evidence | None:
    """The wait right above one, unless the same rule speaks of it: then both are one finding."""
    found = facts.just_waited_at(placed.origin) if _is_timed(placed) else None
    return found if found is not None and (placed.rule.code, found.node) not in spoken else placed.less


def _repeated(
    placed: PlacedDraft, mended_by: dict[str, frozenset[ast.stmt]], module: Module, facts: Facts
) -> PlacedDraft:
    """A draft with what shows that a step has many of it, or with what says that nothing does."""
    many = facts.many_times_at(placed.origin)
    if many is None and _is_timed(placed) and _is_of_whole_step(placed):
        many = facts.batch_after_at(placed.origin)
    if many is None:
        said = ONE_WAIT if _is_wait(placed) else ONE
        return replace(placed, less=Evidence(facts.place_at(placed.origin), said, module.path))
    stays = facts.waits_beside_at(placed.origin, mended_by[placed.rule.code]) if _is_wait(placed) else None
    return replace(placed, less=stays, more=many)


def _needs_many(placed: PlacedDraft) -> bool:
    """Whether what was measured of a rule holds only where a step has many of what it finds."""
    claim = placed.rule.impact
    return _is_worth(placed) and claim is not None and not isinstance(claim, Wrong) and claim.many


def _is_of_whole_step(placed: PlacedDraft) -> bool:
    return isinstance(placed.rule.impact, Faster) and not placed.rule.impact.of


def _is_wait(placed: PlacedDraft) -> bool:
    """Whether a draft says that the host waits, and that it need not."""
    return speaks_of_waits(placed.rule) and _is_worth(placed)


def _is_timed(placed: PlacedDraft) -> bool:
    """The same of one whose rule asks for a wait of the linted place itself."""
    return bool(placed.rule.waits) and _is_worth(placed)


def _is_worth(placed: PlacedDraft) -> bool:
    rule = placed.rule
    is_more = rule.severity is not Severity.INFO and rule.default
    return is_more and placed.less is None and not placed.draft.is_hint
