"""Questions about values: what an expression is, where it lives, what made it and what a call asks of it."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import libcst as cst

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.domain.fact import UNKNOWN, Fact, Sure
from torchperf_lint.facts.domain.value import NO, Value
from torchperf_lint.facts.idioms import (
    amounts,
    annotated_numbers,
    computed,
    definitions,
    factories,
    fills,
    known_sums,
    loaders,
    neighbours,
    plain_attributes,
    sizes,
    steady,
)
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import last_name
from torchperf_lint.facts.interpret import classes, transfers
from torchperf_lint.facts.interpret.transfers import Move
from torchperf_lint.facts.questions.texts import TextQuestions
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

    def gives_result(self, layer: cst.Call) -> bool:
        """Whether a layer is the last that `forward` of its module calls."""
        return sizes.gives_result(self.analysis, self.module, self._there(layer))

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
        found = transfers.asked(last_name(at.func), scene.args(at))
        return replace(found, vague=False) if found.vague and transfers.names_device(at) else found

    def moved_to(self, call: cst.Call) -> tuple[cst.BaseExpression | None, cst.BaseExpression | None]:
        """The arguments of a move that give the device and the dtype; another tensor, as in `x.to(y)`, is both."""
        at = self._at(call)
        assert isinstance(at, ast.Call)
        found = transfers.targets(lambda node: self.analysis.value(node, self.module), at)
        device, dtype = (self.tree.cst(each) if each is not None else None for each in found)
        return device, dtype  # type: ignore[return-value]

    def follows_tensor(self, call: cst.Call) -> bool:
        """Whether a move is to the device of a tensor: it is done as often as the code is given one."""
        target, _ = self.moved_to(call)
        match target:
            case cst.Attribute(value=held, attr=cst.Name("device")):
                return self.tensor(held).known
        return target is not None and self.tensor(target).known

    def moves_to_own(self, call: cst.Call) -> bool:
        """Whether a move is to a device that the object keeps: `.to(self.device)`."""
        target, _ = self.moved_to(call)
        return isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name) and target.value.value == "self"

    def placing(self, call: cst.Call) -> tuple[str, str | None]:
        """How a factory would say what a move asks for: its `device=`, and its `dtype=` if the move gives one."""
        device, dtype = self.moved_to(call)
        if device is not None and device is dtype:
            return f"{self.operand(device)}.device", f"{self.operand(device)}.dtype"
        return '"cuda"' if device is None else self.source(device), None if dtype is None else self.source(dtype)

    def is_computed(self, node: cst.CSTNode) -> bool:
        """Whether a tensor is no data, but made on the spot from ranges and constants."""
        at = self._at(node)
        return isinstance(at, ast.expr) and computed.is_computed(self.analysis, self.module, at)

    def is_steady(self, node: cst.CSTNode) -> bool:
        """Whether an expression is the same at every step: of literals, constants, and what `__init__` alone sets."""
        at = self._at(node)
        return isinstance(at, ast.expr) and steady.is_steady(self.analysis, self.module, at)

    def plain_attribute(self, node: cst.Attribute) -> cst.Assign | None:
        """What alone binds an attribute of an `nn.Module`, in its `__init__`; None for buffers, parameters and all others."""
        at = self._at(node)
        found = plain_attributes.plain(self.analysis, self.module, at) if isinstance(at, ast.Attribute) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def attribute_reads(self, node: cst.Attribute) -> list[cst.Attribute]:
        """Every read of an attribute in the methods of its class."""
        at = self._at(node)
        assert isinstance(at, ast.Attribute)
        return [self.tree.cst(each) for each in plain_attributes.reads(self.module, at)]  # type: ignore[misc]

    def in_moved_module(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in a class of modules that have parameters, so that whoever uses one moves it."""
        method = self.module.function_of(self._there(node)).method
        return (
            method is not None
            and method.owner is not None
            and plain_attributes.holds_parameters(self.analysis, method.owner)
        )

    def is_disputed(self, number: cst.BaseExpression) -> bool:
        """Whether something that is annotated as a number is taken for a list somewhere."""
        at = self._at(number)
        return isinstance(at, ast.expr) and annotated_numbers.is_disputed(self.analysis, self.module, at)

    def repeated(self, data: cst.BaseExpression) -> tuple[cst.BaseExpression | None, str]:
        """The one number that data consists of, and the shape that it fills: of `3`, `[0, 0]`, `[t] * n`."""
        at = self._at(data)
        number, shape = steady.repeated(self.analysis, self.module, at) if isinstance(at, ast.expr) else (None, "")
        return self.tree.cst(number) if number is not None else None, shape  # type: ignore[return-value]

    def constructor(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The `__init__` of the `nn.Module` in one of whose other methods a node stands."""
        method = self.module.function_of(self._there(node)).method
        made = classes.constructor(self.analysis, method) if method is not None else None
        return self.tree.cst(made.node) if made is not None else None  # type: ignore[return-value]

    def has_attribute(self, node: cst.CSTNode, name: str) -> bool:
        """Whether the class that a node stands in has an attribute of a name, or may have it from a base out of sight."""
        method = self.module.function_of(self._there(node)).method
        return method is None or method.owner is None or self.analysis.class_attribute(method.owner, name) is not None

    def only_binding(self, name: cst.Name) -> cst.BaseExpression | None:
        """What a local name is bound to, if one plain assignment binds it."""
        at = self._at(name)
        found = neighbours.only_binding(self.module, at) if isinstance(at, ast.Name) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def definition(self, name: cst.Name) -> cst.BaseExpression | None:
        """What the plain assignment binds that a read of a name sees, where it sees only one."""
        at = self._at(name)
        binding = definitions.reaching(self.module, at) if isinstance(at, ast.Name) else None
        found = definitions.value_of(self.module, binding) if binding is not None else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def definition_mentions(self, node: cst.CSTNode, *names: str) -> bool:
        """Whether the class or function of the program that an expression is, or is an instance of, uses one of some names."""
        found = self.value(node)
        return found.known and file_traits.definition_mentions(found.value, names)

    def is_loop_item(self, name: cst.Name) -> bool:
        """Whether a name holds the item of a loop as a whole: the batch, not a part of it."""
        at = self._at(name)
        return isinstance(at, ast.Name) and loaders.is_item(self.module, at)

    def loader(self, node: cst.CSTNode) -> Fact[Value]:
        """The loader that a batch, or a part of one, came out of; proven if there is no other way for it to come."""
        at = self._at(node)
        if not isinstance(at, ast.expr):
            return Fact(UNKNOWN)
        found, is_all = loaders.of(self.analysis, self.module, at)
        if found is None:
            return Fact(UNKNOWN)
        sure = Sure.PROVEN if is_all and found.sure is Sure.PROVEN else Sure.LIKELY
        known = as_fact(found)
        return Fact(known.value, sure, known.because)

    def batch_calls(self, loader: cst.Call, *methods: str) -> list[cst.Call]:
        """The calls, in this file, of some methods of the tensors that a loader gives; of the call that makes the loader."""
        at = self._at(loader)
        assert isinstance(at, ast.Call)
        for name in methods:
            if name not in self._on_batches:
                self._on_batches[name] = loaders.calls(self.analysis, self.module, name)
        return [self.tree.cst(each) for name in methods for each in self._on_batches[name].get(at, ())]  # type: ignore[misc]

    def built(self, move: cst.Call) -> tuple[cst.BaseExpression, cst.Call] | None:
        """What a call moves, through a name that is only filled with numbers before, and gone behind; and the call that
        made it out of nothing."""
        at = self._at(move)
        found = factories.moved(self.analysis, self.module, at) if isinstance(at, ast.Call) else None
        return (self.tree.cst(found[0]), self.tree.cst(found[1])) if found is not None else None  # type: ignore[return-value]

    def bytes_made(self, factory: cst.Call) -> int | None:
        """How many bytes a call makes out of nothing, where the source shows it."""
        at = self._at(factory)
        return amounts.made(self.analysis, self.module, at) if isinstance(at, ast.Call) else None

    def name_of_sum(self, summed: cst.BaseExpression, call: cst.Call) -> str | None:
        """A name that holds the sum of an expression as a number of Python where a call stands."""
        at = self._at(summed)
        place = self._there(call)
        return known_sums.of(self.analysis, self.module, at, place) if isinstance(at, ast.expr) else None

    def is_device(self, node: cst.BaseExpression | None) -> Fact[bool]:
        """Whether what a move is given can be nothing but a device: what is proven to be one, and every `.device`."""
        if node is None or (isinstance(node, cst.Attribute) and node.attr.value == "device"):
            return Fact(True, Sure.PROVEN)
        held = self.value(node)
        return Fact(True, held.sure) if held.known and held.value.kind != "tensor" else Fact(UNKNOWN)

    def holds_at(self, node: cst.CSTNode, place: cst.CSTNode) -> bool:
        """Whether an expression stands for the same at an earlier statement of its block."""
        at = self._there(node)
        return isinstance(at, ast.expr) and fills.holds_at(self.module, at, self.module.statement(self._there(place)))


def as_fact(value: Value) -> Fact[Value]:
    if value.kind == "unknown":
        return Fact(UNKNOWN)
    because = tuple(each for each in (value.why, value.where) if each is not None)
    return Fact(value, value.sure, because)
