"""Questions about waits: whether the host waits for the GPU at a node, and whether it must."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Set
from itertools import islice
from typing import Any, Final

import libcst as cst

from torchperf_lint.facts.context import compared, placed_by_maker
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact
from torchperf_lint.facts.guesses import from_roles, from_uses
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.interpret import narrowing
from torchperf_lint.facts.knowledge.operation_waits import Form
from torchperf_lint.facts.questions.generations import GenerationQuestions
from torchperf_lint.facts.sync import (
    cannot_wait,
    host_wait,
    just_waited,
    no_wait,
    possible_forms,
    repeated_reads,
    waits_beside,
    waits_soon,
)
from torchperf_lint.facts.sync.host_wait import Wait

_NO_FORM: Final = frozenset[Form]()
MOST_PARTS: Final = 60
"""So many parts of what a rule speaks of are looked at for tensors."""


class WaitQuestions(GenerationQuestions):
    """Questions about waits: whether the host waits for the GPU at a node, and whether it must."""

    def may_wait_at(self, node: ast.AST) -> bool:
        """Whether a node could wait, by its look: asked before anything that must be evaluated."""
        seen = self.module.may_wait.get(node)
        if seen is None:
            seen = self.module.may_wait[node] = cannot_wait.may_wait(self.module, node)
        return seen

    def that_may_wait(self, kind: type[ast.AST]) -> list[ast.AST]:
        """All nodes of a kind that could wait, by their look."""
        found = self._may_wait.get(kind)
        if found is None:
            found = self._may_wait[kind] = [
                each for each in self.module.by_type.get(kind, ()) if self.may_wait_at(each)
            ]
        return found

    def wait_at(self, node: ast.AST) -> Fact[Wait]:
        return host_wait.wait(self.analysis, self.module, node, self.settings.target)

    def is_on_host_by_makers_at(self, node: ast.AST) -> bool:
        """Whether what the host would wait for at a node was moved to a device of an object that all who make one have on the host."""
        return placed_by_maker.is_moved_to_host(self.plain, self.wait_at(node).because)

    def is_only_tested_at(self, node: ast.AST) -> bool:
        """Whether an `if` that asks for a tensor is all that speaks for one where a node waits: what is none goes on as it is."""
        shown = next(iter(self.wait_at(node).because), None)
        is_test = (
            shown is not None and shown.message.startswith(narrowing.TESTED) and shown.path in (None, self.module.path)
        )
        above = self.module.parents.get(shown.node) if shown is not None and is_test else None
        while isinstance(above, (ast.BoolOp, ast.UnaryOp)):
            above = self.module.parents.get(above)
        return isinstance(above, (ast.If, ast.IfExp))

    def nothing_shows_gpu(self, because: Iterable[Fact[Any]]) -> Evidence | None:
        """What facts about a wait stand on, where that is no more than that something is used as only a tensor can be."""
        shown = [each for fact in because for each in fact.because]
        if not shown or any(each.message not in (from_uses.AS_TENSOR, from_uses.AS_CAST) for each in shown):
            return None
        return Evidence(
            shown[0].node,
            "nothing but its use shows that it is a tensor, and nothing that it is on the GPU",
            shown[0].path,
        )

    def nothing_shows_tensor(self, because: Iterable[Fact[Any]]) -> Evidence | None:
        """The parameter of `forward` that a condition asks, or a text shows, where its role is all that speaks for a tensor: numbers
        are asked and shown so too."""
        for fact in because:
            if isinstance(fact.value, Wait) and fact.value.form in ("truth", "format"):
                shown = next((each for each in fact.because if each.message.endswith(from_roles.AS_A_RULE)), None)
                if shown is not None:
                    return Evidence(shown.node, "nothing but its role shows that it is a tensor", shown.path)
        return None

    def may_ask_number(self, because: Iterable[Fact[Any]]) -> Evidence | None:
        """The same where the condition asks the parameter itself, as one asks a number: `if drop_rate > 0.0`."""
        facts = list(because)
        asked = next((each.value.operand for each in facts if isinstance(each.value, Wait)), None)
        while isinstance(asked, ast.UnaryOp):
            asked = asked.operand
        if isinstance(asked, ast.Compare) and compared.is_with_constant(asked):
            asked = asked.left
        return self.nothing_shows_tensor(facts) if isinstance(asked, ast.Name) else None

    def rests_on_arguments_at(self, node: ast.AST) -> bool:
        """Whether callers in other files may show that a node which waits for all that its file says is given what the host
        has: nothing in the file says where it is. None is read for that."""
        if not self.may_be_reached_at(node):
            return False
        parts = (each for each in islice(walk(node), MOST_PARTS) if isinstance(each, ast.expr))
        values = (self.analysis.value(each, self.module) for each in parts)
        return any(each.kind in ("tensor", "tensor_tree") and each.device is None for each in values)

    def may_be_told_at(self, node: ast.AST, forms: tuple[Form, ...]) -> bool:
        """Whether callers in other files may show that a node waits in one of some forms, by what it is given of which its file
        says nothing; none is read for that."""
        known = self._told.get(node)
        if known is None:
            is_told = self._may_be_told(node)
            known = self._told[node] = self._possible_forms(node) if is_told else frozenset()
        return not known.isdisjoint(forms)

    def waits_in_no_form_at(self, node: ast.AST) -> bool:
        """Whether somebody has asked, and a node neither waits nor may be told to, in any form: nobody needs to ask again."""
        return self._told.get(node) == _NO_FORM and not self.wait_at(node).known

    def _possible_forms(self, node: ast.AST) -> frozenset[Form]:
        return possible_forms.of(self.analysis, self.module, node, self.settings.target)

    def _may_be_told(self, node: ast.AST) -> bool:
        function = self.module.function_of(node)
        if function.is_module or not self.may_be_reached_at(node) or self.gated_at(node):
            return False
        if not any(self._is_open(each) for each in function.around()):
            return False
        values = (self.analysis.value(each, self.module) for each in self._operands(node))
        return any(each.kind == "unknown" for each in values)

    def _is_open(self, function: Function) -> bool:
        """Whether nothing is known of a parameter of a function."""
        if function not in self._open:
            known = (self.analysis.parameter(function, name) for name in function.parameters)
            self._open[function] = any(each.kind == "unknown" for each in known)
        return self._open[function]

    def _operands(self, node: ast.AST) -> list[ast.expr]:
        return no_wait.operands(self.analysis, self.module, node)

    def no_wait_at(self, node: ast.AST) -> str | None:
        """Why a node that looks as if it could wait is not known to; None where it waits, or could not."""
        return no_wait.because(self.analysis, self.module, node, self.settings.target)

    def host_wait(self, node: cst.CSTNode) -> Fact[Wait]:
        """Whether a node itself, not its parts, makes the host wait for the GPU."""
        at = self._at(node)
        return self.wait_at(at) if at is not None else Fact(UNKNOWN)

    def waited_for(self, wait: Fact[Wait]) -> cst.CSTNode:
        """The expression that a wait is about: what is read, the index, the argument."""
        return self.tree.cst(wait.value.operand)

    def just_waited_at(self, node: ast.AST) -> Evidence | None:
        """The wait right above a node, with next to no work for the GPU between them."""
        return just_waited.before(self.analysis, (self.module, node, self.settings.target))

    def waits_within_at(self, node: ast.AST) -> ast.AST | None:
        """The wait with which the function ends that a call runs, where that stands in the linted file."""
        if not isinstance(node, ast.Call):
            return None
        return just_waited.within(self.analysis, self.module, node, self.settings.target)

    def waits_soon_at(self, node: ast.AST, mended: Set[ast.AST]) -> Evidence | None:
        """The wait right behind a node, which stays, with next to no work for the GPU between them."""
        return waits_soon.after(self.analysis, self.module, node, self.settings.target, mended)

    def waits_beside_at(self, node: ast.AST, mended: frozenset[ast.stmt]) -> Evidence | None:
        """Another wait that control comes to as often as to a node, in no statement that is to be mended."""
        return waits_beside.of(self.analysis, self.module, node, self.settings.target, mended)

    def waited_before(self, node: cst.CSTNode) -> bool:
        """Whether the host has waited for the same names further up in the function."""
        return repeated_reads.before(self.analysis, self.module, self.at(node), self.settings.target)

    def waiting_part(self, node: cst.CSTNode) -> cst.CSTNode:
        """What to underline of a node that waits: of an `if` its condition, of a long call its method's name."""
        match node:
            case cst.If() | cst.While() | cst.IfExp() | cst.Assert():
                return node.test
            case cst.CompFor(ifs=[first, *_]):
                return first.test
            case cst.Call():
                return self.spot(node)
        return node

    def spot(self, call: cst.Call) -> cst.CSTNode:
        """What to underline of a call: of one that spans lines, the name of the method."""
        at = self.at(call)
        assert isinstance(at, ast.Call)
        if isinstance(call.func, cst.Attribute) and at.func.end_lineno != at.lineno:
            return call.func.attr
        return call
