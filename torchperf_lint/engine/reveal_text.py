"""What is known of the lines of a text: each expression with its evidence, and the rules that were near.

    text --as for a lint--> facts --each expression--> kind, device, GPU sync
                                  --each rule-------> reports, or silent and why

The rules are applied first, as in a lint, so that what is shown is what they saw.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.engine import lint_text
from torchperf_lint.engine.near_rules import NearRules
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.value import CUDA, HOST_OR_UNKNOWN, MAYBE, OTHER
from torchperf_lint.facts.facade import Evidence, Fact, Facts, Frequency, Sure, Value, Wait
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.model.known import HowOften, KnownExpression, KnownLine, KnownRun, KnownSync
from torchperf_lint.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.config.config import Config
    from torchperf_lint.model.finding import Note
    from torchperf_lint.syntax.source import Source
    from torchperf_lint.syntax.tree import Tree

HOW_OFTEN: Final[dict[Frequency, HowOften]] = {
    Frequency.ONCE: "once", Frequency.INFERENCE: "inference", Frequency.STEP: "step", Frequency.INNER: "inner",
}  # fmt: skip
DEVICES: Final = {
    CUDA: "cuda",
    MAYBE: "cuda if there is one",
    OTHER: "neither cpu nor cuda",
    HOST_OR_UNKNOWN: "cpu on one path",
}
"""The devices that are not called as torch calls them."""
KINDS: Final = {"tensor_tree": "tensor tree", "symbol": "name"}
"""The kinds that have another word outside of the facts."""

_UNSHOWN: Final = (ast.Constant, ast.Slice, ast.Starred, ast.FormattedValue)
"""Expressions of which there is nothing to say, or whose place Python does not tell."""


def reveal(source: Source, config: Config) -> list[KnownLine]:
    """What is known of each line that has an expression; raises `SyntaxFault` where the text does not parse."""
    return _Text(source, config).lines()


class _Text:
    """One text, its facts, and what the rules said of it."""

    def __init__(self, source: Source, config: Config) -> None:
        self.source = source
        self.tree: Tree
        self.module: Module
        self.tree, self.module = lint_text.read(source, config)
        self.facts: Facts = lint_text.facts_of(self.tree, self.module, config, None)
        self.rules = NearRules(self.facts, self.module, self.tree, config)
        self.waits = {fact.value.operand: fact for fact in self._waits_of_statements()}

    def lines(self) -> list[KnownLine]:
        shown: dict[int, list[tuple[Span, ast.AST]]] = {}
        for node in walk(self.tree.root):
            if isinstance(node, (ast.expr, ast.arg)) and self._is_shown(node):
                span = self._span(node)
                shown.setdefault(span.start.line, []).append((span, node))
        return [self._line(line, sorted(found, key=_outer_first)) for line, found in sorted(shown.items())]

    def _line(self, line: int, nodes: list[tuple[Span, ast.AST]]) -> KnownLine:
        return KnownLine(
            line=line,
            cell=None,
            text=self.source.line(line),
            runs=self._runs(nodes[0][1]),
            expressions=tuple(self._expression(node, span) for span, node in nodes),
            rules=tuple(self.rules.at(line)),
        )

    def _waits_of_statements(self) -> Iterator[Fact[Wait]]:
        """The waits of what is no expression: an `if` waits for its condition."""
        for kind in (ast.If, ast.While, ast.Assert, ast.comprehension):
            yield from (
                fact for node in self.facts.that_may_wait(kind) if (fact := self._asked(node).wait_at(node)).known
            )

    def _is_shown(self, node: ast.expr | ast.arg) -> bool:
        """Whether there may be something to say of an expression; a target is shown where something is known of it."""
        above = self.module.parents.get(node)
        if isinstance(node, _UNSHOWN) or self.module.with_string(node) is not node or self._is_type(node):
            return False
        value = self.facts.value_at(node)
        if isinstance(node, ast.arg) or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return value.known or isinstance(node, (ast.arg, ast.Subscript))
        is_name = value.known and value.value.kind == "symbol"
        if isinstance(above, ast.Call) and above.func is node and isinstance(node, ast.Attribute) and not value.known:
            return not self.facts.value_at(node.value).known  # what a method is called on says more than the method
        return not (is_name and isinstance(above, (ast.Attribute, ast.Call)))

    def _is_type(self, node: ast.AST) -> bool:
        """Whether an expression stands in an annotation."""
        below = node
        for above in self.module.ancestors(node):
            if below in (getattr(above, "annotation", None), getattr(above, "returns", None)):
                return True
            if isinstance(above, ast.stmt):
                return False
            below = above
        return False

    def _span(self, node: ast.expr | ast.arg) -> Span:
        if isinstance(node, ast.arg):
            place = self.tree.place(node)
            return Span(place, self.source.place(self.source.offset(place) + len(node.arg)))
        return self.tree.plain_span(node)

    def _expression(self, node: ast.AST, span: Span) -> KnownExpression:
        found = self._asked(node).value_at(node)
        value: Value | None = found.value if found.known else None
        sync = self._sync(node)
        return KnownExpression(
            text=self.source.cut(span),
            span=span,
            kind=KINDS.get(value.kind, value.kind) if value is not None else "unknown",
            name=_name(value) if value is not None else None,
            device=DEVICES.get(value.device, value.device) if value is not None and value.device else None,
            dtype=value.dtype if value is not None else None,
            rank=value.rank if value is not None else None,
            confidence=_sure(found) if value is not None else None,
            because=self._notes(found),
            sync=sync,
            no_sync=self._no_sync(node) if sync is None else None,
        )

    def _sync(self, node: ast.AST) -> KnownSync | None:
        found = self._asked(node).wait_at(node)
        if not found.known:
            found = self.waits.get(node, found)
        if not found.known:
            return None
        return KnownSync(found.value.form, found.value.says, _sure(found), self._notes(found))

    def _no_sync(self, node: ast.AST) -> str | None:
        above = self.module.parents.get(node)
        asks = above if isinstance(above, (ast.If, ast.While, ast.Assert)) and above.test is node else None
        return self._asked(node).no_wait_at(node) or (self.facts.no_wait_at(asks) if asks is not None else None)

    def _runs(self, node: ast.AST) -> KnownRun:
        found = self._frequency(node)
        gate, option = self.facts.gate_at(node), self.facts.off_at(node)
        return KnownRun(
            how_often=HOW_OFTEN[found.value] if found.known else "once",
            confidence=_sure(found) if found.because else None,
            because=self._notes(found),
            gate=self._note(Evidence(gate, gate_text(gate))) if gate is not None else None,
            option=self._note(option) if option is not None else None,
            test=self.facts.tested_at(node),
        )

    def _frequency(self, node: ast.AST) -> Fact[Frequency]:
        """How often a node runs; who calls from other files counts where its own file does not show that it runs often."""
        here = self.facts.frequency_at(node)
        if isinstance(here.value, Frequency) and here.value >= Frequency.INFERENCE:
            return here
        there = self.facts.frequency_in_project_at(node)
        return there if isinstance(there.value, Frequency) and there.value >= Frequency.INFERENCE else here

    def _asked(self, node: ast.AST) -> Facts:
        """Whom the rules ask about a node: what callers in other files pass counts where it tells something."""
        called = self.facts.as_called_at(node)
        try:
            called.value_at(node)
            called.wait_at(node)
        except GaveUpError:
            return self.facts
        return called

    def _notes(self, fact: Fact[Any]) -> tuple[Note, ...]:
        return tuple(dict.fromkeys(map(self._note, fact.because)))

    def _note(self, evidence: Evidence) -> Note:
        return lint_text.note(evidence, self.tree, self.module)


def gate_text(gate: ast.AST) -> str:
    """A gate as people call it."""
    return f"`{ast.unparse(gate)}`" if isinstance(gate, ast.expr) else "an error, or the text of one"


def _sure(fact: Fact[Any]) -> str:
    return "proven" if fact.sure is Sure.PROVEN else "likely"


def _name(value: Value) -> str | None:
    """What a value is one of, where that has a name; words without a dot are the interpreter's own."""
    if isinstance(value.ref, str):
        return value.ref if "." in value.ref else None
    return getattr(value.ref, "qualname", None)


def _outer_first(shown: tuple[Span, ast.AST]) -> tuple[tuple[int, int], tuple[int, int]]:
    """From left to right, what holds others before them."""
    span, _ = shown
    return (span.start.line, span.start.column), (-span.end.line, -span.end.column)
