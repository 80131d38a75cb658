"""Questions about values: what an expression is, where it lives, what made it and what a call asks of it."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import libcst as cst

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import ANY, NO, Value
from torchperf_lint.facts.domain.value_fact import as_fact
from torchperf_lint.facts.idioms import (
    sizes,
)
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.walk import last_name, receiver
from torchperf_lint.facts.interpret import classes, transfers
from torchperf_lint.facts.interpret.transfers import Move
from torchperf_lint.facts.questions.source_texts import TextQuestions
from torchperf_lint.facts.sync import host_wait
from torchperf_lint.syntax import call_syntax as call_syntax


class ValueQuestions(TextQuestions):
    """Questions about values: what an expression is, where it lives, what made it and what a call asks of it."""

    def name(self, node: cst.CSTNode) -> str | None:
        """The dotted name that an expression stands for, through imports and aliases: "torch.nn.functional.relu"."""
        at = self._at(node)
        return None if at is None else names.dotted(self.module.function_of(at), at)

    def value(self, node: cst.CSTNode) -> Fact[Value]:
        """What an expression is: kind, device, dtype, rank, constant."""
        at = self._at(node)
        return self.value_at(at) if at is not None else Fact(UNKNOWN)

    def value_at(self, node: ast.AST) -> Fact[Value]:
        """What an expression is, or what is bound to a target or a parameter."""
        if isinstance(node, ast.arg):
            taking = self.module.parents[self.module.parents[node]]
            return as_fact(self.analysis.parameter(self.module.functions[taking], node.arg))
        return as_fact(self.analysis.value(node, self.module))

    def receiver_at(self, node: ast.AST) -> Value:
        """The value of what a method is called on."""
        held = receiver(node)
        return self.analysis.value(held, self.module) if held is not None else ANY

    def tensor(self, node: cst.CSTNode) -> Fact[Value]:
        """The same, known only where the expression is a tensor."""
        found = self.value(node)
        return found if isinstance(found.value, Value) and found.value.kind == "tensor" else Fact(UNKNOWN)

    def constant(self, node: cst.CSTNode) -> Any:
        """The number, string, bool or None that an expression is known to be; UNKNOWN else."""
        found = self.value(node).value
        return found.const if isinstance(found, Value) and found.const is not NO else UNKNOWN

    def size(self, node: cst.BaseExpression) -> Fact[int]:
        """The whole number that an expression is, or is by default: through names, attributes and arithmetic."""
        at = self._at(node)
        return sizes.size(self.analysis, self.module, at) if isinstance(at, ast.expr) else Fact(UNKNOWN)

    def argument(self, call: cst.Call, name: str, index: int | None = None) -> Fact[Value]:
        """The value of an argument of a call, by its name or position; UNKNOWN if it is not given."""
        node = call_syntax.argument(call, name, index)
        return self.value(node.value) if node is not None else Fact(UNKNOWN)

    def given(self, call: cst.Call, name: str, index: int | None = None) -> cst.BaseExpression | None:
        """The argument of a call, by its name or position; None if it is not given, or hidden behind a `*`."""
        found = call_syntax.argument(call, name, index)
        return found.value if found is not None else None

    def shown(self, fact: Fact[Any]) -> cst.CSTNode | None:
        """What the first evidence of a fact shows, where that is in this file."""
        evidence = fact.because[0] if fact.because else None
        if evidence is None or evidence.path not in (None, self.module.path):
            return None
        return self.tree.cst(evidence.node)

    def move(self, call: cst.Call) -> Move:
        """What `.to(...)`, `.cuda()`, `.cpu()` or `.type(...)` asks for."""
        at = self._at(call)
        assert isinstance(at, ast.Call)
        scene = host_wait.Scene(self.analysis, self.module, self.settings.target)
        found = transfers.request(last_name(at.func), scene.args(at))
        return replace(found, vague=False) if found.vague and transfers.names_device(at) else found

    def moved_to(self, call: cst.Call) -> tuple[cst.BaseExpression | None, cst.BaseExpression | None]:
        """The arguments of a move that give the device and the dtype; another tensor, as in `x.to(y)`, is both."""
        at = self._at(call)
        assert isinstance(at, ast.Call)
        found = transfers.targets(lambda node: self.analysis.value(node, self.module), at)
        device, dtype = (self.tree.cst(each) if each is not None else None for each in found)
        return device, dtype  # type: ignore[return-value]

    def goal(self, call: cst.Call) -> Fact[None]:
        """Where a move goes of which nothing in sight says what device that is."""
        target, _ = self.moved_to(call)
        if target is None:
            return Fact(None)
        said = f"it goes to `{self.source(target)}`, and nothing shows that this is the CPU"
        return Fact(None, because=(Evidence(self.at(target), said),))

    def placing(self, call: cst.Call) -> tuple[str, str | None]:
        """How a factory would say what a move asks for: its `device=`, and its `dtype=` if the move gives one."""
        device, dtype = self.moved_to(call)
        if device is not None and device is dtype:
            return f"{self.operand(device)}.device", f"{self.operand(device)}.dtype"
        return '"cuda"' if device is None else self.source(device), None if dtype is None else self.source(dtype)

    def constructor(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The `__init__` of the `nn.Module` in one of whose other methods a node stands."""
        method = self.module.function_of(self.at(node)).method
        made = classes.constructor(self.analysis, method) if method is not None else None
        return self.tree.cst(made.node) if made is not None else None  # type: ignore[return-value]

    def definition(self, name: cst.Name) -> cst.BaseExpression | None:
        """What the plain assignment binds that a read of a name sees, where it sees only one."""
        at = self._at(name)
        binding = definitions.reaching(self.module, at) if isinstance(at, ast.Name) else None
        found = definitions.value_of(self.module, binding) if binding is not None else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def is_device(self, node: cst.BaseExpression | None) -> Fact[bool]:
        """Whether what a move is given can be nothing but a device: what is proven to be one, and every `.device`."""
        if node is None or (isinstance(node, cst.Attribute) and node.attr.value == "device"):
            return Fact(True, Sure.PROVEN)
        held = self.value(node)
        return Fact(True, held.sure) if held.known and held.value.kind != "tensor" else Fact(UNKNOWN)
