"""Questions about masks: what they select, what it is good for, and whether all of it could be computed as well."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.facts.idioms import bare_numbers, earlier_conditions, masked, shapes
from torchperf_lint.facts.idioms.masked import Selection
from torchperf_lint.facts.questions.uses import UseQuestions


class MaskQuestions(UseQuestions):
    """Questions about masks: what they select, what it is good for, and whether all of it could be computed as well."""

    def mask(self, node: cst.Subscript) -> cst.BaseExpression | None:
        """The mask that is all of the index of a tensor: `m` of `x[m]`."""
        found = masked.only_mask(self.analysis, self.module, self.at(node))  # type: ignore[arg-type]
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def selection(self, node: cst.BaseExpression) -> Selection | None:
        """What an expression does with the elements that one mask selects, if it works on each by itself."""
        found = masked.read(self.analysis, self.module, self.at(node))  # type: ignore[arg-type]
        if found is None:
            return None
        reads = tuple(
            replace(each, node=self.tree.cst(each.node), source=self.tree.cst(each.source)) for each in found.reads
        )
        return replace(found, mask=self.tree.cst(found.mask), reads=reads)

    def selects_for_more(self, mask: cst.BaseExpression) -> bool:
        """Whether a mask also selects elements that are kept, so that its indices are needed all the same."""
        return masked.shrinks(self.analysis, self.module, self.at(mask))  # type: ignore[arg-type]

    def tested_before(self, mask: cst.BaseExpression) -> bool:
        """Whether a mask is used behind a condition that depends on it and waits: who asked has waited already."""
        return earlier_conditions.tested_before(self.module, self.at(mask), lambda node: self.wait_at(node).known)  # type: ignore[arg-type]

    def may_carry_gradients(self, *tensors: cst.BaseExpression) -> bool:
        """Whether a gradient may flow back through one of some tensors."""
        if self.in_no_grad(tensors[0]).value:
            return False
        values = [self.tensor(each).value for each in tensors]
        return any(
            not value or (value.grad is not False and (value.dtype is None or value.dtype in FLOATING))
            for value in values
        )

    def same_shape(self, one: cst.BaseExpression, other: cst.BaseExpression) -> Fact[bool]:
        """Whether two tensors have one shape because both were made element by element from the same."""
        return shapes.same(self.analysis, self.module, self.at(one), self.at(other))  # type: ignore[arg-type]

    def dimensions_short(self, mask: cst.BaseExpression, tensor: cst.BaseExpression) -> int | None:
        """How many dimensions a mask has less than what it selects from; None where that is not known."""
        return shapes.dimensions_short(self.analysis, self.module, self.at(mask), self.at(tensor))  # type: ignore[arg-type]

    def spread(self, mask: cst.BaseExpression, tensor: cst.BaseExpression, named: str = "") -> str:
        """How a mask, or the name that it is given, is written to choose from a tensor: with as many dimensions."""
        short, text = self.dimensions_short(mask, tensor), named or self.operand(mask)
        if short is None:
            return f"{text}[(...,) + (None,) * ({self.operand(tensor)}.dim() - {text}.dim())]"
        return f"{text}[...{', None' * short}]" if short else named or self.source(mask)

    def bare_number(self, tensor: cst.BaseExpression) -> cst.BaseExpression | None:
        """The number that can stand in the place of a tensor which is made of it: under a mask, torch takes it as it is."""
        found = bare_numbers.of(self.analysis, self.module, self.at(tensor))  # type: ignore[arg-type]
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]
