"""What rules may declare with `asks`: yes or no, asked of Python's own tree before LibCST sees the file."""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.context import modes, runs_once
from torchperf_lint.facts.domain.value import ANY, PINNED, Value
from torchperf_lint.facts.idioms import (
    anything,
    counts,
    evaluation,
    factories,
    graphs,
    growth,
    losses,
    masked,
    plain_attributes,
    sizes,
    steady,
)
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import last_name, receiver, walk
from torchperf_lint.facts.questions.masks import MaskQuestions
from torchperf_lint.facts.sync import host_wait, races

_OF_DATA: Final = frozenset(("torch.tensor", "torch.as_tensor"))
_CASTING: Final = frozenset(("float", "double", "half", "bfloat16", "long", "int", "to", "div", "mul"))


class Asks(MaskQuestions):
    """What rules may declare with `asks`: yes or no, asked of Python's own tree before LibCST sees the file."""

    def evaluation_at(self, node: ast.AST) -> bool:
        """Whether a loop is an evaluation with gradients on."""
        return isinstance(node, (ast.For, ast.While)) and evaluation.of_loop(self.analysis, self.module, node).known

    def kept_graph_at(self, node: ast.AST) -> bool:
        """Whether a statement keeps the graph of a step."""
        return graphs.kept(self.analysis, self.module, node).known

    def environment_at(self, node: ast.AST) -> bool:
        """Whether a node sets a variable of the environment, or is a call that has nothing to do with dicts."""
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name() | ast.Attribute() as held)]):
                return last_name(held) == "environ"
            case ast.Call(func=ast.Attribute(value=held, attr="setdefault")):
                return last_name(held) == "environ"
        return isinstance(node, ast.Call)

    def early_read_at(self, node: ast.AST) -> bool:
        """Whether a copy may come after the host has read what it brings."""
        assert isinstance(node, ast.Call)
        is_flagged = any(keyword.arg == "non_blocking" for keyword in node.keywords)
        return is_flagged and races.early_read(self.analysis, self.module, node, self.settings.target) is not None

    def on_host_at(self, node: ast.AST) -> bool:
        """Whether what a method is called on may be a tensor of the host."""
        held = self._held_by(node)
        return held.kind in ("tensor", "nest") and held.on_host

    def shown_at(self, node: ast.AST) -> bool:
        """Whether something in what may be a text waits first, or is a tensor that is handed over as it is."""
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mod):
            return False
        waits = any(self.wait_at(each).known for each in walk(node) if isinstance(each, ast.expr))
        if not waits and not self._is_handed_over(node):
            return False
        return not host_wait.behind_wait(self.analysis, self.module, node, self.settings.target)

    def _is_handed_over(self, node: ast.AST) -> bool:
        given = [*node.args, *(keyword.value for keyword in node.keywords)] if isinstance(node, ast.Call) else []
        given += [item for each in given if isinstance(each, ast.Dict) for item in each.values]
        held = [self.analysis.value(each, self.module) for each in given]
        return any(value.kind in ("tensor", "nest") and value.maybe_cuda for value in held)

    def misfit_at(self, node: ast.AST) -> bool:
        """Whether a size that a layer is given may be misaligned, and is worth a word."""
        assert isinstance(node, ast.Call)
        kind = last_name(node.func)
        if kind == "MultiheadAttention":
            return True  # of which the width of a head counts
        name = names.dotted(self.module.function_of(node), node.func) or ""
        linear, conv = self.settings.minimum
        least = conv if kind.startswith("Conv") else linear
        unit = 8 if name.startswith("torch.nn.") and "quantized" not in name else 16
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        found = (sizes.size(self.analysis, self.module, each) for each in given)
        return any(size.known and size.value % unit and size.value >= least for size in found)

    def built_at(self, node: ast.AST) -> bool:
        """Whether a call moves from the host what a call of torch made out of nothing, and may do so often."""
        if not isinstance(node, ast.Call) or not self.on_host_at(node):
            return False
        is_built = factories.moved(self.analysis, self.module, node) is not None
        return is_built and not runs_once.runs_seldom(self.analysis, self.module, node, self.settings.hot_functions)

    def pinned_at(self, node: ast.AST) -> bool:
        """Whether what a method is called on is page-locked."""
        return self._held_by(node).device == PINNED

    def recast_at(self, node: ast.AST) -> bool:
        """Whether a call may move a tensor of the host, and something before, in or behind the call may cast it."""
        if not isinstance(node, ast.Call) or not self.on_host_at(node):
            return False
        match receiver(node):
            case ast.BinOp():
                return True
            case ast.Call(func=ast.Attribute(attr=name)) if name in _CASTING:
                return True
        has_more = len(node.args) + len(node.keywords) > 1 or isinstance(self.module.parents.get(node), ast.Attribute)
        return has_more and self._held_by(node).dtype is not None

    def plain_attribute_at(self, node: ast.AST) -> bool:
        """Whether a method is called on an attribute of a module, or on a part of one, that is no buffer."""
        held = receiver(node)
        while isinstance(held, ast.Subscript):
            held = held.value
        return isinstance(held, ast.Attribute) and plain_attributes.plain(self.analysis, self.module, held) is not None

    def constant_at(self, node: ast.AST) -> bool:
        """Whether a call makes a tensor of numbers or constants, or a method is called on what such a call gives."""
        if not isinstance(node, ast.Call):
            return False
        held, is_like = receiver(node), last_name(node.func) == "new_tensor"
        made = held if isinstance(held, ast.Call) and not is_like else node
        name = names.dotted(self.module.function_of(made), made.func)
        if not made.args or not (is_like or name in _OF_DATA):
            return False
        data = made.args[0]
        number, _ = steady.repeated(self.analysis, self.module, data)
        value = self.analysis.value(number if number is not None else data, self.module)
        return value.kind == "number" or steady.is_steady(self.analysis, self.module, data)

    def regrown_at(self, node: ast.AST) -> bool:
        """Whether a call joins something to what a name held, which a loop does with the name and nothing else."""
        return isinstance(node, ast.Call) and growth.is_grown_by(self.module, node)

    def scaled_at(self, node: ast.AST) -> bool:
        """Whether a call is one of a gradient scaler."""
        return self._held_by(node).kind == "scaler"

    def half_loss_at(self, node: ast.AST) -> bool:
        """Whether a backward pass starts from what may be computed in float16."""
        loss = receiver(node)
        if loss is None:
            return False
        is_under_autocast = losses.autocast(self.analysis, self.module, loss).known
        return is_under_autocast or losses.half_module(self.analysis, self.module, loss).known

    def autocast_at(self, node: ast.AST) -> bool:
        """Whether a node is known to run under autocast."""
        return modes.autocast(self.analysis, self.module, node).proven

    def bookkept_at(self, node: ast.AST) -> bool:
        """Whether what an expression gives is only added up, kept or logged."""
        found = self.uses_at(node) if isinstance(node, ast.expr) else set()
        return bool(found) and found <= {"accumulated", "logged"}

    def guard_at(self, node: ast.AST) -> bool:
        """Whether a node is part of the condition of an `if` that asks whether a mask selects anything."""
        guard = anything.guard(self.module, node)
        return guard is not None and anything.asked(self.analysis, self.module, guard.test) is not None

    def reduced_at(self, node: ast.AST) -> bool:
        """Whether a value ends in a reduction, through operations on each element."""
        return isinstance(node, ast.expr) and masked.reducer(self.analysis, self.module, node) is not None

    def counted_at(self, node: ast.AST) -> bool:
        """Whether what an expression gives is counted, or is indices made of a condition."""
        if not isinstance(node, ast.expr):
            return False
        if isinstance(node, ast.Call) and counts.condition(self.analysis, self.module, node) is not None:
            return True
        return counts.count(self.module, counts.carried(self.module, node))[0] is not None

    def attention_at(self, node: ast.AST) -> bool:
        """Whether what a statement binds, or a subscript takes a part of, is what `nn.MultiheadAttention` returned."""
        match node:
            case ast.Assign(value=ast.Call(func=func)) | ast.Subscript(value=ast.Call(func=func), slice=ast.Constant()):
                held = self.analysis.value(func, self.module)
                return held.kind == "module" and held.ref == "torch.nn.MultiheadAttention"
        return False

    def _held_by(self, node: ast.AST) -> Value:
        """The value of what a method is called on."""
        held = receiver(node)
        return self.analysis.value(held, self.module) if held is not None else ANY
