"""Questions about uses: what becomes of a value, and the forms of code around it that have a cure."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import libcst as cst

from torchperf_lint.facts.domain.fact import UNKNOWN, Fact
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.idioms import choices, evaluation, graphs, growth, neighbours, same_index, series, totals
from torchperf_lint.facts.idioms.evaluation import Evaluation
from torchperf_lint.facts.idioms.graphs import Kept
from torchperf_lint.facts.idioms.neighbours import Use
from torchperf_lint.facts.interpret import callers
from torchperf_lint.facts.questions.values import as_fact
from torchperf_lint.facts.questions.waits import WaitQuestions


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice between two values."""

    test: cst.BaseExpression
    then: cst.BaseExpression
    other: cst.BaseExpression
    name: cst.Name | None
    """What is bound to one of them; None where the choice is an expression."""


@dataclass(frozen=True, slots=True)
class Total:
    """A running total to which a loop adds numbers that it reads from tensors, and at which it does not look."""

    name: str
    loop: cst.For | cst.While
    """Behind it the total is looked at."""
    starts_as_float: bool
    read: cst.BaseExpression
    """All that turns the tensor into a number."""
    tensor: cst.BaseExpression
    factors: list[cst.BaseExpression]
    """What the number is multiplied with, or divided by, before it is added."""
    is_divided: bool


@dataclass(frozen=True, slots=True)
class Series:
    """Reads of one element after the other."""

    collection: cst.BaseExpression
    around: cst.CSTNode
    """The loop or comprehension."""
    by: str
    """items, index, or the values of a dict."""
    reads: list[cst.Call]
    """Every `v.item()`, `float(v)` and `int(v)`; none where something else is done with an element."""
    plain: bool
    """Nothing happens in between that could change what is read."""
    items: tuple[Value, ...]
    """What a list or a dict holds, one by one as far as that is known."""
    stacks: bool
    """A stack of what it holds gives each value as it was."""
    whole: bool
    """A list or dict comprehension that is nothing but the reads."""


class UseQuestions(WaitQuestions):
    """Questions about uses: what becomes of a value, and the forms of code around it that have a cure."""

    def uses(self, node: cst.CSTNode) -> set[Use]:
        """What becomes of the value of an expression."""
        at = self._there(node)
        assert isinstance(at, ast.expr)
        return self.uses_at(at)

    def uses_at(self, at: ast.expr) -> set[Use]:
        found = neighbours.uses(self.module, at)
        function = self.module.function_of(at)
        if "returned" not in found or function.is_generator or function.is_module:
            return found
        calls = callers.sites(self.analysis, function)  # what becomes of the result is said where they stand
        return (found - {"returned"}).union(*(neighbours.uses(self.module, call) for call in calls)) if calls else found

    def reads_after(self, name: cst.Name) -> list[cst.Name]:
        """The reads of a name from a binding on, up to the next binding of it."""
        at = self._at(name)
        assert isinstance(at, ast.Name)
        return [self.tree.cst(read) for read in neighbours.reads_after(self.module, at)]  # type: ignore[misc]

    def used_after(self, name: str, statement: cst.CSTNode) -> bool:
        """Whether a name is read behind a statement, or again at the next turn of a loop around it."""
        return neighbours.is_read_after(self.module, name, self.module.statement(self._there(statement)))

    def changed_after(self, node: cst.CSTNode) -> bool:
        """Whether what a name, or a part of it, holds is written in place behind the statement of a node."""
        at = self._at(node)
        return not isinstance(at, ast.expr) or neighbours.is_changed_after(self.module, at)

    def let_go(self, node: cst.CSTNode) -> list[Fact[Value]]:
        """What the statements right above a node let go of: `del x`, `model.cpu()`."""
        dropped = neighbours.let_go(self.module, self._there(node))
        return [as_fact(self.analysis.value(each, self.module)) for each in dropped]

    def whole(self, statement: cst.CSTNode) -> cst.CSTNode:
        """What to take away with a statement: the `if torch.cuda.is_available():` that holds nothing else."""
        at = self.module.statement(self._there(statement))
        found = neighbours.whole(self.module, at)
        return statement if found is at else self.tree.cst(found)

    def grown(self, binding: cst.Name | cst.Attribute) -> cst.For | cst.While | None:
        """The outermost loop that rebuilds a name from itself in this binding alone, and does not read it otherwise."""
        at = self._at(binding)
        found = growth.grown(self.module, at) if isinstance(at, (ast.Name, ast.Attribute)) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def bound_to(self, value: cst.CSTNode) -> cst.Name | cst.Attribute | None:
        """The name or attribute that is bound to a value, also as one of two choices."""
        at = self._there(value)
        found = growth.target(self.module, at) if isinstance(at, ast.expr) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def has_first_turn(self, binding: cst.Name) -> bool:
        """Whether the first turn of a loop binds a name otherwise: `if x is None: x = new`."""
        at = self._there(binding)
        return isinstance(at, ast.Name) and growth.has_first_turn(self.module, at)

    def counter(self, node: cst.CSTNode) -> str | None:
        """The name that counts the turns of the loop around a node, if `enumerate` gives it."""
        return neighbours.counter(self.module, self._there(node))

    def total(self, read: cst.Call) -> Total | None:
        """The running total to which the number is added that a call reads, if the loop does not look at it."""
        at = self._at(read)
        found = totals.of(self.module, at) if isinstance(at, ast.Call) else None
        if found is None:
            return None
        loop, number, tensor = (self.tree.cst(each) for each in (found.loop, found.read, found.tensor))
        factors = [self.tree.cst(each) for each in found.factors]
        return Total(found.name, loop, found.starts_as_float, number, tensor, factors, found.is_divided)  # type: ignore[arg-type]

    def has_backward(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a name whose gradient its function takes."""
        at = self._at(node)
        return isinstance(at, ast.Name) and totals.has_backward(self.module, at)

    def comprehended(self, made: cst.BaseExpression) -> cst.CSTNode | None:
        """The comprehension from whose item a tensor is made: `[p.norm().item() for p in parameters]`."""
        at = self._there(made)
        found = series.comprehension(self.module, at) if isinstance(at, ast.expr) else None
        return self.tree.cst(found) if found is not None else None

    def series(self, read: cst.BaseExpression) -> Series | None:
        """What goes through a collection to read its elements, of which an expression is one."""
        at = self._at(read)
        found = series.of(self.module, at) if isinstance(at, ast.expr) else None
        if found is None or at is None:
            return None
        every = series.reads(self.module, found, at) or []  # type: ignore[arg-type]
        items = series.held(self.analysis.value(found.collection, self.module))
        return Series(
            self.tree.cst(found.collection),  # type: ignore[arg-type]
            self.tree.cst(found.around),
            found.by,
            [self.tree.cst(each) for each in every],  # type: ignore[misc]
            series.is_plain(found),
            items,
            series.stacks(items),
            series.is_whole(found, every),
        )

    def beside(self, call: cst.Call) -> tuple[cst.CSTNode, list[cst.Call]] | None:
        """The outermost tuple, list, dict or call in which a call is an item, and the calls that run along with it."""
        at = self._at(call)
        found = series.beside(self.module, at) if isinstance(at, ast.Call) else None
        return (self.tree.cst(found[0]), [self.tree.cst(each) for each in found[1]]) if found is not None else None  # type: ignore[misc]

    def is_repeated(self, node: cst.Subscript) -> bool:
        """Whether another subscript with the same index always runs before a subscript."""
        at = self._at(node)
        return isinstance(at, ast.Subscript) and same_index.is_repeated(self.module, at)

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
        at = self._there(node)
        found = choices.asking(self.module, at)
        return node if found is at else self.tree.cst(found)

    def leaves(self, node: cst.CSTNode) -> bool:
        """Whether an `if` does nothing but leave the loop or the function."""
        return choices.leaves(self._there(node))

    def evaluation(self, loop: cst.For | cst.While) -> Fact[Evaluation]:
        """The evaluation that a loop is: it runs a model with gradients on, and has no use for them."""
        at = self._there(loop)
        return (
            evaluation.of_loop(self.analysis, self.module, at)
            if isinstance(at, (ast.For, ast.While))
            else Fact(UNKNOWN)
        )

    def kept_graph(self, statement: cst.CSTNode) -> Fact[Kept]:
        """What a statement adds to something that outlives the step, though the backward pass is done with its graph."""
        return graphs.kept(self.analysis, self.module, self._there(statement))
