"""Hints that are true and left out, for the source shows that whoever mends them gains nothing: a hint says that no gain was
measured to begin with, and where it stands there is less than that to gain.

what saves a launch, or a read behind another   once a step: nothing shows that it has many of these
one in what nothing in a program is seen to run         whoever else may run it is out of sight
a hint behind an option that no code in sight sets, in a trial          a warning becomes a hint there
one about a parameter that is asked as numbers are   nothing but its role shows that it is a tensor
one about an operation, in an evaluation                                the same
one about a wait beside another that stays, of which no rule speaks     the host waits all the same; so is a warning that is a hint here
one right behind any other wait                                         nothing is left to wait for; else it is named with the other

What a command line or settings choose is told: who starts the program may ask for it. So is what several GPUs do, checkpointing, and
all else that is not about a step of one GPU.
How many elements there are, as `nonzero` and masks ask, is told beside such a wait, too, where a fix does without it, and where a step
comes to it many times. What waits right behind one that is left out gains nothing either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torchperf_lint.engine.apply_rule import OF_HOT_CODE, PlacedDraft
from torchperf_lint.engine.precedence import ABOUT_WAITS
from torchperf_lint.engine.worth import ONE, speaks_of_waits
from torchperf_lint.facts.facade import Evidence, Facts
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.sync.just_waited import JUST
from torchperf_lint.model.finding import Severity
from torchperf_lint.rule import Wrong, all_rules

if TYPE_CHECKING:
    import ast

_COUNTS: Final = "shape"
"""The form of a wait for how many elements there are."""


def left_out(drafts: list[PlacedDraft], chosen: frozenset[str], module: Module, facts: Facts) -> dict[int, Evidence]:
    """Why some of the drafts of a file are left out, by their identity."""
    spoken = None
    about_waits = (rule for rule in all_rules() if rule.family in ABOUT_WAITS or speaks_of_waits(rule))
    if all(rule.code in chosen for rule in about_waits if rule.default):
        spoken = frozenset(module.statement(each.origin) for each in drafts)
    found = ((each, _why(each, spoken, module, facts)) for each in drafts)
    out = {id(each): why for each, why in found if why is not None}
    heads = {(each.rule.code, each.span): out[id(each)] for each in drafts if id(each) in out}
    behind = (each for each in drafts if each.behind in heads and _is_hint(each) and each.draft.fix is None)
    return {id(each): heads[each.behind] for each in behind if each.behind is not None} | out


def _is_hint(placed: PlacedDraft) -> bool:
    return placed.draft.is_hint or placed.rule.severity is Severity.INFO or placed.less is not None


def _why(placed: PlacedDraft, spoken: frozenset[ast.stmt] | None, module: Module, facts: Facts) -> Evidence | None:
    """Why a draft is left out. `spoken` is where the rules speak; None where some that might are not asked."""
    rule = placed.rule
    if placed.draft.needs_many and facts.many_times_at(placed.origin) is None:
        return Evidence(facts.place_at(placed.origin), ONE, module.path)
    if not rule.default or isinstance(rule.impact, Wrong):
        return None
    if _is_hint(placed) and (nobody := facts.nobody_at_all_runs_at(placed.origin)) is not None:
        return nobody
    if rule.family not in OF_HOT_CODE:
        return None
    if (number := facts.may_ask_number(placed.draft.because)) is not None:
        return number
    if placed.draft.is_hint or rule.severity is Severity.INFO:
        if (never := facts.written_off_at(placed.origin) or facts.trial_at(placed.origin)) is not None:
            return never
        if not speaks_of_waits(rule) and placed.frequency is not None:
            return facts.evaluation_at(placed.origin, placed.frequency)
    elif placed.less is None:
        return None
    if spoken is None or not rule.waits:
        return None
    is_told = placed.draft.fix is not None or facts.many_times_at(placed.origin) is not None
    if is_told and _counts(placed, facts):
        return None
    is_alone = placed.behind is None or placed.draft.fix is not None  # else it is named with the other
    if is_alone and placed.less is not None and placed.less.message == JUST:
        return placed.less
    return facts.waits_beside_at(placed.origin, spoken)


def _counts(placed: PlacedDraft, facts: Facts) -> bool:
    wait = facts.wait_at(placed.origin)
    return wait.known and wait.value.form == _COUNTS
