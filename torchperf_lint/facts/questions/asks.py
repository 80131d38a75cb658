"""What rules may declare with `asks`: yes or no, asked of Python's own tree before LibCST sees the file."""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.idioms import (
    evaluation,
    graphs,
    neighbours,
    sizes,
)
from torchperf_lint.facts.program import last_name, walk
from torchperf_lint.facts.questions.masks import MaskQuestions

ALIGNED: Final = 16
"""A multiple of this is aligned whatever the precision."""


class Asks(MaskQuestions):
    """What rules may declare with `asks`: yes or no, asked of Python's own tree before LibCST sees the file."""

    def evaluation_at(self, node: ast.AST) -> bool:
        """Whether a loop is an evaluation with gradients on."""
        return isinstance(node, (ast.For, ast.While)) and evaluation.of_loop(self.analysis, self.module, node).known

    def kept_graph_at(self, node: ast.AST) -> bool:
        """Whether a statement keeps the graph of a step."""
        return graphs.kept(self.analysis, self.module, node).known

    def environment_at(self, node: ast.AST) -> bool:
        """Whether a node is a call, or sets a variable of the environment."""
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name() | ast.Attribute() as held)]):
                return last_name(held) == "environ"
        return isinstance(node, ast.Call)

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
        given = [
            sizes.size(self.analysis, self.module, each) for each in (*node.args, *(k.value for k in node.keywords))
        ]
        misfits = [size.value for size in given if size.known and size.value % ALIGNED]
        return any(size >= min(self.settings.minimum) for size in misfits) or (
            bool(misfits) and last_name(node.func) == "MultiheadAttention"  # of which the width of a head counts
        )

    def looped_at(self, node: ast.AST) -> bool:
        """Whether a node stands in a loop of its function."""
        return neighbours.loop(self.module, node) is not None
