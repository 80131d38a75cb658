"""Questions about waits: whether the host waits for the GPU at a node, and whether it must."""

from __future__ import annotations

import ast

import libcst as cst

from torchperf_lint.facts.domain.fact import UNKNOWN, Fact
from torchperf_lint.facts.questions.places import PlaceQuestions
from torchperf_lint.facts.sync import cannot_wait, host_wait, no_wait, repeated_reads, side_by_side
from torchperf_lint.facts.sync.host_wait import Wait


class WaitQuestions(PlaceQuestions):
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

    def side_by_side(self, nodes: list[ast.AST]) -> list[list[ast.AST]]:
        """Of some nodes that wait, those together that have no work for the GPU between them."""
        return side_by_side.runs(self.analysis, self.module, nodes)

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
