"""Hints that are true and left out, for the source shows that whoever mends them gains nothing: a hint says that no gain was
measured to begin with, and where it stands there is less than that to gain.

a hint behind an option that no code in sight sets, in a trial          a warning becomes a hint there
one about an operation, in an evaluation                                the same
one about a wait beside another that stays, of which no rule speaks     the host waits all the same; so is a warning that is a hint here

What a command line or settings choose is told: who starts the program may ask for it. So is what several GPUs do, checkpointing, and
all else that is not about a step of one GPU.
How many elements there are, as `nonzero` and masks ask, is told beside other waits too: what comes next has a size that hangs on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torchperf_lint.engine.apply_rule import OF_HOT_CODE, PlacedDraft
from torchperf_lint.engine.precedence import ABOUT_WAITS
from torchperf_lint.engine.worth import speaks_of_waits
from torchperf_lint.facts.facade import Evidence, Facts
from torchperf_lint.facts.index.module import Module
from torchperf_lint.model.finding import Severity
from torchperf_lint.rule import Wrong, all_rules

if TYPE_CHECKING:
    import ast

_TOLD: Final = "shape"
"""The form of a wait that is told in any case."""


def left_out(drafts: list[PlacedDraft], chosen: frozenset[str], module: Module, facts: Facts) -> dict[int, Evidence]:
    """Why some of the drafts of a file are left out, by their identity."""
    spoken = None
    about_waits = (rule for rule in all_rules() if rule.family in ABOUT_WAITS or speaks_of_waits(rule))
    if all(rule.code in chosen for rule in about_waits if rule.default):
        spoken = frozenset(module.statement(each.origin) for each in drafts)
    found = ((id(each), _why(each, spoken, facts)) for each in drafts)
    return {key: why for key, why in found if why is not None}


def _why(placed: PlacedDraft, spoken: frozenset[ast.stmt] | None, facts: Facts) -> Evidence | None:
    """Why a draft is left out. `spoken` is where the rules speak; None where some that might are not asked."""
    rule = placed.rule
    if not rule.default or isinstance(rule.impact, Wrong) or rule.family not in OF_HOT_CODE:
        return None
    if placed.draft.is_hint or rule.severity is Severity.INFO:
        if (never := facts.written_off_at(placed.origin) or facts.trial_at(placed.origin)) is not None:
            return never
        if not speaks_of_waits(rule) and placed.frequency is not None:
            return facts.evaluation_at(placed.origin, placed.frequency)
    elif placed.less is None:
        return None
    if spoken is None or not rule.waits or _is_told(placed, facts):
        return None
    return facts.waits_beside_at(placed.origin, spoken)


def _is_told(placed: PlacedDraft, facts: Facts) -> bool:
    wait = facts.wait_at(placed.origin)
    return wait.known and wait.value.form == _TOLD
