"""Questions about masks: what they select, what it is good for, and whether all of it could be computed as well."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import libcst as cst

from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.facts.idioms import anything, bare_numbers, counts, ignored, makers, masked, owners, shapes
from torchperf_lint.facts.idioms.ignored import MaskedLoss
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

    def reduction(self, node: cst.BaseExpression) -> tuple[cst.Call, str, cst.BaseExpression] | None:
        """The reduction that a value ends in, through operations on each element; its name, and all that it reduces."""
        call = masked.reducer(self.analysis, self.module, self.at(node))  # type: ignore[arg-type]
        found = masked.reduced(self.analysis, self.module, call) if call is not None else None
        return (self.tree.cst(call), found[0], self.tree.cst(found[1])) if call and found else None  # type: ignore[return-value]

    def selects_for_more(self, mask: cst.BaseExpression) -> bool:
        """Whether a mask also selects elements that are kept, so that its indices are needed all the same."""
        return masked.shrinks(self.analysis, self.module, self.at(mask))  # type: ignore[arg-type]

    def asked_before(self, mask: cst.BaseExpression) -> bool:
        """Whether a mask is used behind a condition that depends on it and waits: who asked has waited already."""
        return anything.guarded(self.module, self.at(mask), lambda node: self.wait_at(node).known)  # type: ignore[arg-type]

    def may_carry_gradients(self, *tensors: cst.BaseExpression) -> bool:
        """Whether a gradient may flow back through one of some tensors."""
        if self.in_no_grad(tensors[0]).value:
            return False
        values = [self.tensor(each).value for each in tensors]
        return any(
            not value or (value.grad is not False and (value.dtype is None or value.dtype in FLOATING))
            for value in values
        )

    def masked_loss(self, node: cst.Subscript) -> MaskedLoss | None:
        """The loss that a masked read ends in, if its mask says no more than which label does not count."""
        found = ignored.read(self.analysis, self.module, self.at(node))  # type: ignore[arg-type]
        if found is None:
            return None
        parts: dict[str, Any] = {
            name: self.tree.cst(getattr(found, name)) for name in ("call", "logits", "labels", "ignored")
        }
        maker = self.tree.cst(found.maker) if found.maker is not None else None
        return replace(found, **parts, maker=maker, gone=tuple(self.tree.cst(each) for each in found.gone))

    def means_the_same(self, node: cst.BaseExpression, place: cst.CSTNode) -> bool:
        """Whether an expression of attributes and constants can be written at another place of its class or file."""
        at = self.at(node)
        return isinstance(at, ast.expr) and makers.can_be_said(self.module, at, self.at(place))

    def asked_for_any(self, node: cst.CSTNode) -> tuple[cst.If, cst.BaseExpression] | None:
        """The `if` whose condition a node is or is part of, and the mask of which it asks whether it selects anything."""
        guard = anything.guard(self.module, self.at(node))
        mask = anything.asked(self.analysis, self.module, guard.test) if guard is not None else None
        return (self.tree.cst(guard), self.tree.cst(mask)) if guard is not None and mask is not None else None  # type: ignore[return-value]

    def same_shape(self, one: cst.BaseExpression, other: cst.BaseExpression) -> Fact[bool]:
        """Whether two tensors have one shape because both were made element by element from the same."""
        return shapes.same(self.analysis, self.module, self.at(one), self.at(other))  # type: ignore[arg-type]

    def dimensions_short(self, mask: cst.BaseExpression, tensor: cst.BaseExpression) -> int | None:
        """How many dimensions a mask has less than what it selects from; None where that is not known."""
        ranks = [found.value.rank if found.known else None for found in (self.tensor(tensor), self.tensor(mask))]
        if ranks[0] is not None and ranks[1] is not None:
            return ranks[0] - ranks[1]
        return 0 if self.same_shape(mask, tensor).known else None

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

    def owns(self, name: cst.Name) -> bool:
        """Whether a name alone holds its tensor, so that changing it in place or binding it anew look the same."""
        at = self._at(name)
        return isinstance(at, ast.Name) and owners.alone(self.analysis, self.module, at)

    def is_unsaved(self, name: cst.BaseExpression) -> bool:
        """Whether a name alone holds its tensor, and autograd keeps it for no gradient: a write in place harms nobody."""
        at = self._at(name)
        return isinstance(at, ast.Name) and owners.unsaved(self.analysis, self.module, at)

    def carried(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Where a value is used: the expression itself, or the one read of the name that it is bound to."""
        found = counts.carried(self.module, self.at(node))  # type: ignore[arg-type]
        return self.tree.cst(found)  # type: ignore[return-value]

    def count(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, bool]:
        """The expression that counts what another one holds, and whether it counts all elements rather than rows."""
        found, of_elements = counts.count(self.module, self.at(node))  # type: ignore[arg-type]
        return (self.tree.cst(found) if found is not None else None), of_elements  # type: ignore[return-value]

    def indexed(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        """The condition that a call turns into indices, one tensor of them for each dimension."""
        at = self._at(node)
        found = counts.condition(self.analysis, self.module, at) if isinstance(at, ast.Call) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def counted_mask(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
        """The mask whose number of elements some selected elements or indices have, and the expression that counts them."""
        at, selected = self.at(node), self.carried(node)
        by_rows = counts.listed(self.analysis, self.module, at) if isinstance(at, ast.Call) else None
        by_mask = self.mask(node) if isinstance(node, cst.Subscript) else None
        mask = self.tree.cst(by_rows) if by_rows is not None else by_mask
        counting, of_elements = self.count(selected)
        if mask is None or counting is None:
            return None
        if of_elements and not (isinstance(node, cst.Subscript) and self.dimensions_short(mask, node.value) == 0):  # type: ignore[arg-type]
            return None
        return mask, counting  # type: ignore[return-value]

    def distinct(self, node: cst.CSTNode) -> tuple[cst.BaseExpression, bool] | None:
        """The tensor whose distinct values a call gives, and whether equal ones may stand apart in it."""
        at = self._at(node)
        found = counts.distinct(self.analysis, self.module, at) if isinstance(at, ast.Call) else None
        return (self.tree.cst(found[0]), found[1]) if found is not None else None  # type: ignore[return-value]

    def chooses(self, node: cst.CSTNode) -> tuple[cst.Name, str] | None:
        """The tensor that an `if` gives a new value or leaves, and the text of that value."""
        at = self._at(node)
        found = counts.choice(self.analysis, self.module, at) if isinstance(at, ast.If) else None
        if found is None:
            return None
        name, value = self.tree.cst(found.name), self.tree.cst(found.value)
        if found.operator is None:
            return name, self.source(value)  # type: ignore[return-value]
        statement = self.parent(name)
        assert isinstance(statement, cst.AugAssign)
        sign = self.rewritten(statement, {name: "", value: ""}).strip().removesuffix("=")
        return name, f"{self.source(name)} {sign} {self.operand(value)}"  # type: ignore[return-value]
