"""Questions about uses: what becomes of a value, and the forms of code around it that have a cure."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import libcst as cst

from torchperf_lint.facts.context import callers_elsewhere
from torchperf_lint.facts.idioms import (
    choices,
    cuda_guards,
    early_exits,
    training,
    value_uses,
)
from torchperf_lint.facts.idioms.value_uses import Use
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.questions.waits import WaitQuestions


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice between two values."""

    test: cst.BaseExpression
    then: cst.BaseExpression
    other: cst.BaseExpression
    name: cst.Name | None
    """What is bound to one of them; None where the choice is an expression."""


class UseQuestions(WaitQuestions):
    """Questions about uses: what becomes of a value, and the forms of code around it that have a cure."""

    def uses(self, node: cst.CSTNode) -> set[Use]:
        """What becomes of the value of an expression."""
        at = self.at(node)
        assert isinstance(at, ast.expr)
        return self.uses_at(at)

    def uses_at(self, at: ast.expr) -> set[Use]:
        found = value_uses.uses(self.module, at)
        function = self.module.function_of(at)
        if "returned" not in found or function.is_generator or function.is_module:
            return found
        calls = self.analysis.sites(function)  # what becomes of the result is said where they stand
        return (found - {"returned"}).union(*(value_uses.uses(self.module, call) for call in calls)) if calls else found

    def uses_in_project_at(self, at: ast.expr) -> set[Use]:
        """The same after a look at the calls in other files, where it is returned: they are read for it."""
        found = self.uses_at(at)
        if "returned" not in found:
            return found
        function = self.module.function_of(at)
        there = [
            value_uses.uses(site[0].module, site[1])
            for site in callers_elsewhere.candidates(self.analysis, function)
            if callers_elsewhere.is_one(self.analysis, site, function)
        ]
        return (found - {"returned"}).union(*there) if there else found

    def reads_after(self, name: cst.Name) -> list[cst.Name]:
        """The reads of a name from a binding on, up to the next binding of it."""
        at = self._at(name)
        assert isinstance(at, ast.Name)
        return [self.tree.cst(read) for read in definitions.reads_after(self.module, at)]  # type: ignore[misc]

    def whole(self, statement: cst.CSTNode) -> cst.CSTNode:
        """What to take away with a statement: the `if torch.cuda.is_available():` that holds nothing else."""
        at = self.module.statement(self.at(statement))
        found = cuda_guards.whole(self.module, at)
        return statement if found is at else self.tree.cst(found)

    def choice(self, node: cst.CSTNode) -> Choice | None:
        """The choice between two values that an `if` makes, where it makes nothing else and torch made both."""
        at = self._at(node)
        found = choices.of(self.analysis, self.module, at) if isinstance(at, (ast.If, ast.IfExp)) else None
        if found is None:
            return None
        parts = (found.test, found.then, found.other if found.other is not None else found.name, found.name)
        return Choice(*(self.tree.cst(part) if part is not None else None for part in parts))  # type: ignore[arg-type]

    def asking(self, node: cst.CSTNode) -> cst.CSTNode:
        """What asks for the truth of an expression: the `if` of whose condition it is a part, or itself."""
        at = self.at(node)
        found = choices.asking(self.module, at)
        return node if found is at else self.tree.cst(found)

    def steps_near(self, node: cst.CSTNode) -> bool:
        """Whether something steps near a backward pass, which is one of a training then, and not timed or compared alone."""
        return training.steps_near(self.analysis, self.module, self.at(node))

    def leaves(self, node: cst.CSTNode) -> bool:
        """Whether an `if` ends with leaving the loop or the function."""
        return choices.leaves(self.at(node))

    def saves_turns(self, node: cst.CSTNode) -> bool:
        """Whether an `if` leaves a loop whose turns run a model: what it saves is worth more than the wait."""
        return early_exits.saves_turns(self.analysis, self.module, self.at(node))
