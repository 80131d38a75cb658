"""What rules may declare with `asks`: yes or no, asked of Python's own tree before LibCST sees the file."""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.idioms import (
    anything,
    counts,
    evaluation,
    graphs,
    losses,
    masked,
    sizes,
)
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import last_name, receiver
from torchperf_lint.facts.questions.masks import MaskQuestions

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

    def scaled_at(self, node: ast.AST) -> bool:
        """Whether a call is one of a gradient scaler."""
        return self.receiver_at(node).kind == "scaler"

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
