"""Apply one rule to one file: which nodes it could fire on, whether what it declares holds there, and what it says.

    outline --kinds, names, form--> candidates --frequency, waits, screen--> rule(node, facts) --> drafts

All but the last is asked of Python's own tree. Only then is LibCST shown the statement.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.facade import Evidence, Fact, Facts, Frequency, Sure, seeming
from torchperf_lint.facts.index.module import Module
from torchperf_lint.model.finding import Severity
from torchperf_lint.rule import Draft, Faster, Rule, Wrong
from torchperf_lint.syntax.source import Span
from torchperf_lint.syntax.tree import NotAlone, Tree

if TYPE_CHECKING:
    from torchperf_lint.config.config import Config

GATED_FAMILY: Final = "sync"
"""Behind a gate nobody wants to hear of waits; the audit view, which is off by default, shows them all the same."""
COMPILED_FAMILY: Final = "compile"
"""Of compiled code what compiles it is asked, too, whether an option leaves it off."""
OF_HOT_CODE: Final = ("sync", "transfer", "fusion")
"""Families that say more of what runs often: where only a name suggests that, it is a hint."""


@dataclass(frozen=True, slots=True)
class PlacedDraft:
    """A draft with the rule that wrote it, where it stands, and how often it runs there."""

    rule: Rule
    draft: Draft
    span: Span
    about: Span
    frequency: Fact[Frequency] | None
    origin: ast.AST
    """The node that the rule was called with."""
    less: Evidence | None
    """Why this costs less than what was measured: an option must be asked for, or it is no part of a training."""
    more: Evidence | None = None
    """What shows that what was measured holds here: a step has many of it."""
    behind: tuple[str, Span] | None = None
    """The code and place of the draft right behind whose wait it waits."""


Bar = Literal["test", "gate", "seldom", "other", "allowed"]
"""What can keep a rule from being asked about a node: test code, a gate, too seldom run, no node of its sort, `sync-allowed`."""

Broken = tuple[Rule, ast.AST, Exception]
"""A rule that raised, at which node, and what."""

Speaks = Callable[[], bool]
"""Whether a rule would say anything of a node: asked before files are read for it."""


def apply_rule(
    rule: Rule, facts: Facts, module: Module, tree: Tree, config: Config, broken: list[Broken]
) -> Iterator[PlacedDraft]:
    """What one rule has to say of a file; where it raises that is written down, and the rest goes on.

    Where the file has taken more steps than any program needs, nothing more is said; `facts.gave_up` tells.
    """
    if rule.default and facts.is_of_tests():
        return
    for node in candidates(rule, facts, module):
        try:
            if rule.waits and facts.waits_in_no_form_at(node):
                continue  # another rule has asked
            if facts.gave_up():
                return
            speaks = partial(_speaks, rule, facts, module, tree, node)
            bar, seen = asked(rule, facts, module, node, config, speaks)
            if bar is not None:
                continue
            frequency = _frequency(rule, facts, node)
            for draft in _as_called(rule, seen, module, tree, node):
                if for_nobody(rule, facts, node) or (draft.is_hint and _is_only_guessed(rule, facts, node)):
                    break
                span = facts.span(draft.node)
                about = facts.span(draft.about) if draft.about is not None else span
                yield PlacedDraft(rule, draft, span, about, frequency, node, _less(rule, facts, node, frequency, draft))
        except GaveUpError:
            return
        except Exception as error:
            broken.append((rule, node, error))


def for_nobody(rule: Rule, facts: Facts, node: ast.AST) -> str | None:
    """Why nobody wants to hear of a node; None where somebody may."""
    if rule.waits and facts.is_on_host_by_makers_at(node):
        return "all who make this object keep its tensor on the host"
    if not rule.default:
        return None
    if rule.waits and facts.is_only_tested_at(node):
        return "nothing but a test says that a tensor ever comes here"
    if facts.unused_at(node):
        return "nothing in the project uses this code"
    if facts.host_only_at(node) is not None:
        return "no GPU can run this code"
    if rule.family != COMPILED_FAMILY and facts.never_eager_at(node):
        return "only what traces, scripts or exports comes here"
    if rule.family in OF_HOT_CODE and isinstance(rule.impact, Faster) and facts.once_a_generation_at(node) is not None:
        return "a whole generation runs beside this each time"
    if facts.never_asked_for_at(node):
        return "every caller switches this off"
    is_passed_by = rule.frequency is not None and facts.is_passed_by_at(node)
    return "every call that runs often keeps control from coming here" if is_passed_by else None


def asked(
    rule: Rule, facts: Facts, module: Module, node: ast.AST, config: Config, speaks: Speaks = lambda: True
) -> tuple[Bar | None, Facts]:
    """What keeps a rule from being asked about a candidate, and whom it asks: where its file alone does not show what is
    waited for, what callers in other files pass is looked at."""
    bar = barred(rule, facts, module, node, config, speaks)
    if bar not in ("other", "seldom") or not rule.waits or not facts.may_be_told_at(node, rule.waits):
        return bar, facts
    if waits(rule, facts, node):
        return bar, facts
    if not facts.may_be_as_called_at(node):
        return bar, facts
    if not _runs_often_enough(rule, facts, node, lambda: True):
        return bar, facts
    called = facts.as_called_at(node, of_unknown=True)
    if called is facts:
        return bar, facts
    try:
        return barred(rule, called, module, node, config), called
    except GaveUpError:
        return bar, facts


def _as_called(rule: Rule, facts: Facts, module: Module, tree: Tree, node: ast.AST) -> Iterable[Draft]:
    """What one rule has to say of a node where what callers in other files pass does not speak against it."""
    drafts = _drafts(rule, facts, module, tree, node)
    if facts.is_as_called:
        return drafts
    drafts = list(drafts)
    if not drafts or not facts.rests_on_arguments_at(node):
        return drafts
    called = facts.as_called_at(node)
    if called is facts:
        return drafts
    try:
        return list(_drafts(rule, called, module, tree, node)) if is_about(rule, called, node) else []
    except GaveUpError:
        return drafts


def _speaks(rule: Rule, facts: Facts, module: Module, tree: Tree, node: ast.AST) -> bool:
    """Whether a rule would say anything of a node if its code ran often enough; one that raises is asked in earnest then."""
    try:
        return any(True for _ in _drafts(rule, facts, module, tree, node))
    except Exception:
        return True


def _drafts(rule: Rule, facts: Facts, module: Module, tree: Tree, node: ast.AST) -> Iterable[Draft]:
    """What one rule has to say of a node.

    Most look at its statement alone, and LibCST is shown nothing else. What stands around is shown where the rule asks for
    that, or offers a fix: a fix keeps the layout of what it stands in. A rule that offered one the last time is shown all at once.
    """
    if rule.code not in tree.fixing:
        with contextlib.suppress(NotAlone), tree.alone(module.statement(node)):
            drafts = list(rule.check(tree.cst(node), facts))
            if all(draft.fix is None for draft in drafts):
                return drafts
    drafts = list(rule.check(tree.cst(node), facts))
    if any(draft.fix is not None for draft in drafts):
        tree.fixing.add(rule.code)
    else:
        tree.fixing.discard(rule.code)
    return drafts


def candidates(rule: Rule, facts: Facts, module: Module) -> Iterator[ast.AST]:
    """The nodes on which a rule could fire, as far as the file, kinds, names and the look of a wait tell."""
    if rule.file is not None and not rule.file(facts):
        return
    if rule.among is not None:
        if not rule.names or rule.names & module.names:
            yield from filter(facts.may_wait_at, rule.among(module)) if rule.waits else rule.among(module)
        return
    for kind in rule.nodes:
        if kind is ast.Call and rule.names:
            spelled = sorted(module.calls.keys() & module.spelled(rule.names))
            called = chain.from_iterable(module.calls[name] for name in spelled)
            yield from filter(facts.may_wait_at, called) if rule.waits else called
        elif not rule.names or rule.names & module.names:
            yield from facts.that_may_wait(kind) if rule.waits else module.by_type.get(kind, ())


def barred(
    rule: Rule, facts: Facts, module: Module, node: ast.AST, config: Config, speaks: Speaks = lambda: True
) -> Bar | None:
    """What keeps a rule from being asked about a candidate; None where it is asked."""
    if rule.default and facts.tested_at(node):
        return "test"
    if rule.frequency is not None and facts.never_runs_so_often_at(node, rule.frequency):
        return "seldom"
    if (rule.frequency is not None or (rule.family == GATED_FAMILY and rule.default)) and facts.gated_at(node):
        return "gate"
    if not is_about(rule, facts, node):
        return "other"
    if not _runs_often_enough(rule, facts, node, speaks):
        return "seldom"
    if rule.family == GATED_FAMILY and _is_allowed(module, node, config.sync_allowed):
        return "allowed"
    return None


def _is_only_guessed(rule: Rule, facts: Facts, node: ast.AST) -> bool:
    """Whether nothing speaks for a GPU where a rule speaks of what runs seldom too, but that a tensor might be there."""
    if rule.frequency is not None or not rule.waits or not rule.default or facts.names_gpu():
        return False
    if facts.wait_at(node).sure is Sure.PROVEN or facts.frequency_at(node).value >= Frequency.INFERENCE:
        return False
    return facts.frequency_in_project_at(node).value < Frequency.INFERENCE


def _frequency(rule: Rule, facts: Facts, node: ast.AST) -> Fact[Frequency] | None:
    """How often a node runs that a rule speaks of, where the rule asks for that."""
    if rule.frequency is None:
        return None
    found = facts.frequency_at(node)
    return found if is_hot(rule, found) else facts.frequency_in_project_at(node)


def _less(rule: Rule, facts: Facts, node: ast.AST, frequency: Fact[Frequency] | None, draft: Draft) -> Evidence | None:
    """Why a finding costs less than what was measured of the rule."""
    is_timed = isinstance(rule.impact, Faster)
    if not rule.waits and frequency is None and rule.impact is None:
        return None
    seen = frequency if frequency is not None else facts.frequency_at(node)
    less = facts.off_at(node) or (facts.compiled_by_option_at(node) if rule.family == COMPILED_FAMILY else None)
    less = less or (facts.evaluation_at(node, seen) if is_timed else None)
    if less is None and is_timed and rule.default:
        less = facts.trial_at(node)
        less = less or (facts.generation_at(node) if rule.waits else None)
    if less is None and rule.default and rule.severity is not Severity.INFO and not isinstance(rule.impact, Wrong):
        less = facts.nobody_runs_at(node)
        if less is None and rule.waits:
            less = facts.nothing_shows_gpu(draft.because) or facts.nothing_shows_tensor(draft.because)
    if less is None and rule.default and (frequency is not None or rule.family in OF_HOT_CODE):
        less = next(iter(seeming(seen)), None)
    return less


def is_hot(rule: Rule, found: Fact[Frequency]) -> bool:
    return rule.frequency is not None and isinstance(found.value, Frequency) and found.value >= rule.frequency


def _runs_often_enough(rule: Rule, facts: Facts, node: ast.AST, speaks: Speaks) -> bool:
    """Whether a node runs as often as a rule asks for, here or by who calls from other files; they are read for this alone, so
    only where nothing else keeps the rule from speaking."""
    if rule.frequency is None or is_hot(rule, facts.frequency_at(node)):
        return True
    if not facts.knows_frequency_in_project_at(node) and not speaks():
        return False
    return is_hot(rule, facts.frequency_in_project_at(node))


def is_about(rule: Rule, facts: Facts, node: ast.AST) -> bool:
    """Whether a node is of the sort that a rule declares: it waits in one of its forms, and the answer to its question is yes."""
    if rule.waits and not waits(rule, facts, node):
        return False
    return rule.screen is None or rule.screen(facts, node)


def waits(rule: Rule, facts: Facts, node: ast.AST) -> bool:
    """Whether a node makes the host wait in a form of which the rule speaks."""
    wait = facts.wait_at(node)
    return wait.known and wait.value.form in rule.waits


def _is_allowed(module: Module, node: ast.AST, allowed: tuple[str, ...]) -> bool:
    """Whether the user said that waiting is meant in the function of a node."""
    if not allowed:
        return False
    around = module.function_of(node).around()
    return any(each.qualname in allowed or f"{module.name}.{each.qualname}" in allowed for each in around)
