"""What rules may declare with `asks`: yes or no, asked of Python's own tree before LibCST sees the file."""

from __future__ import annotations

import ast

from torchperf_lint.facts import names
from torchperf_lint.facts.idioms import evaluation, graphs, neighbours, sizes
from torchperf_lint.facts.program import last_name, walk
from torchperf_lint.facts.questions.masks import MaskQuestions
from torchperf_lint.facts.waits import races


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
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        held = self.analysis.value(node.func.value, self.module)
        return held.kind in ("tensor", "nest") and held.on_host

    def shown_at(self, node: ast.AST) -> bool:
        """Whether something in an expression waits, or is a tensor that is handed over as it is."""
        if any(self.wait_at(each).known for each in walk(node) if isinstance(each, ast.expr)):
            return True
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

    def looped_at(self, node: ast.AST) -> bool:
        """Whether a node stands in a loop of its function."""
        return neighbours.loop(self.module, node) is not None
