"""Which rules concern a line, and why those are silent that report nothing there.

A rule is near where a node is of the sort that it declares, whatever else keeps it from reporting. The bars are those
that `apply_rule` asks, in its order; what a rule's own function decides is not told, only that it said nothing.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from torchperf_lint.engine import precedence, unsaid, worth
from torchperf_lint.engine.apply_rule import (
    Broken,
    PlacedDraft,
    apply_rule,
    asked,
    candidates,
    for_nobody,
    is_about,
    is_hot,
    waits,
)
from torchperf_lint.engine.lint_text import confidence, note, severity
from torchperf_lint.facts.facade import Evidence, Facts, Frequency
from torchperf_lint.facts.index.module import Module
from torchperf_lint.model.failure import raised_at
from torchperf_lint.model.finding import Confidence
from torchperf_lint.model.known import NearRule
from torchperf_lint.rule import Rule, all_rules
from torchperf_lint.syntax import suppress

if TYPE_CHECKING:
    from torchperf_lint.config.config import Config
    from torchperf_lint.syntax.tree import Tree

NEEDED: Final = {
    Frequency.INFERENCE: "code that runs in a loop over batches or steps",
    Frequency.STEP: "code that runs at every step",
    Frequency.INNER: "code that runs inside a step",
}
"""What a rule asks for, by the frequency that it declares."""
BARS: Final = {
    "test": "this is test code",
    "gate": "this runs seldom, or only to log",
    "allowed": "`sync-allowed` names this function",
}
"""In words, what `apply_rule.barred` decided."""
OTHER: Final = "not seen here: "
"""Before what a rule is about."""
LESS: Final = "this case costs less than what was measured of the rule"


class NearRules:
    """What the rules have to say of one file, by line."""

    def __init__(self, facts: Facts, module: Module, tree: Tree, config: Config) -> None:
        self._facts, self._module, self._tree, self._config = facts, module, tree, config
        self._chosen = config.rules_for(module.path)
        self._broken: list[Broken] = []
        self._drafts = {rule: list(apply_rule(rule, facts, module, tree, config, self._broken)) for rule in all_rules()}
        asked = [each for rule, found in self._drafts.items() if rule.code in self._chosen for each in found]
        settled = precedence.settle(asked)
        self._speakers = precedence.Speakers(settled)
        weighed = worth.weighed(settled, module, facts)
        self._heard = {(each.rule.code, each.span): each for each in weighed}
        out = unsaid.left_out(weighed, self._chosen, module, facts) if precedence.AUDIT not in self._chosen else {}
        self._out = {(each.rule.code, each.span): out[id(each)] for each in weighed if id(each) in out}
        self._origins = {rule: {each.origin for each in found} for rule, found in self._drafts.items()}
        self._comments = suppress.read(tree.source, tree)
        self._near: defaultdict[int, dict[str, NearRule]] = defaultdict(dict)
        for rule in all_rules():
            self._place(rule)

    def at(self, line: int) -> list[NearRule]:
        """The rules that concern a line, those that report first."""
        return sorted(self._near[line].values(), key=lambda near: (not near.reports, near.code))

    def _place(self, rule: Rule) -> None:
        """Write down a rule at each line that it concerns; where it reports goes over where it is silent."""
        near = self._near
        for node in candidates(rule, self._facts, self._module):
            line = self._tree.place(self._module.with_string(node)).line
            if rule.code not in near[line] and (why := self._silent(rule, node)) is not None:
                near[line][rule.code] = NearRule(rule.code, rule.name, reports=False, message=why)
        for placed in self._drafts[rule]:
            why = self._unheard(placed)
            found = NearRule(rule.code, rule.name, False, why) if why is not None else self._report(placed)
            before = near[placed.span.start.line].get(rule.code)
            if before is None or not before.reports:
                near[placed.span.start.line][rule.code] = found

    def _report(self, placed: PlacedDraft) -> NearRule:
        """What a rule reports, with what was weighed."""
        rule, heard = placed.rule, self._heard[placed.rule.code, placed.span]
        found = severity(heard)
        why = heard.less or Evidence(heard.origin, LESS)
        hint = note(why, self._tree, self._module) if found is not rule.severity else None
        return NearRule(rule.code, rule.name, True, heard.draft.message, str(found), hint)

    def _silent(self, rule: Rule, node: ast.AST) -> str | None:
        """Why a rule has nothing to say of a candidate; None where it has something, or is not concerned."""
        error = next((error for broke, at, error in self._broken if broke is rule and at is node), None)
        if error is not None:
            return f"the rule raised {type(error).__name__} ({raised_at(error)}): please report it"
        if rule.code not in self._chosen or node in self._origins[rule]:
            return None
        bar, facts = asked(rule, self._facts, self._module, node, self._config)
        if rule.waits and not facts.is_as_called and facts.rests_on_arguments_at(node):
            facts = facts.as_called_at(node)
        if rule.waits and not waits(rule, facts, node):
            why = facts.no_wait_at(node)
            return f"no GPU sync is known here: {why}" if why is not None else None
        if not rule.waits and not is_about(rule, self._facts, node):
            return None
        if bar == "seldom" and rule.frequency is not None:
            if is_hot(rule, facts.frequency_in_project_at(node)):
                return OTHER + rule.summary
            return f"for {NEEDED[rule.frequency]}, and nothing shows that of this line"
        nobody = for_nobody(rule, self._facts, node) if bar is None else None
        return BARS.get(bar or "") or nobody or OTHER + rule.summary

    def _unheard(self, placed: PlacedDraft) -> str | None:
        """Why what a rule says is not reported; None where it is."""
        rule = placed.rule
        if rule.code not in self._chosen:
            if not rule.default and rule.code not in self._config.rules:
                return f"off by default; `--extend-select {rule.code}` reports this"
            return "left out by the settings; would report this"
        if (rule.code, placed.span) not in self._heard:
            other = self._speakers.over(placed) or "another rule"
            return f"{other} speaks of the same expression"
        if self._comments.hides(rule.code, rule.name, placed.span):
            return "silenced by a comment"
        if (out := self._out.get((rule.code, placed.span))) is not None:
            shown = note(out, self._tree, self._module)
            return f"left out, for nothing is gained here: line {shown.line}: {shown.message}"
        if self._config.confidence is Confidence.PROVEN and confidence(placed) is not Confidence.PROVEN:
            return "only likely, and the settings ask for what is proven"
        return None
