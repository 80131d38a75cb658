"""Forward passes of which nobody reads the output: they gather statistics, or calibrate, and no backward pass can come.

    for images in loader:
        model(images)
    model.eval()
    model(example)              a first pass, for what it sets up

Knows syntax, and what a model is called.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import loops
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import model_names, value_names
from torchperf_lint.facts.idioms import evaluation, gradients_wanted
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

_HOOKED: Final = frozenset(("register_forward_hook", "register_full_backward_hook", "register_hook", "backward"))
"""What a file says that reads more of a forward pass than its output."""


def calls(module: Module) -> Iterator[ast.Call]:
    """The calls of what is called a model, as statements of their own."""
    for node in module.by_type.get(ast.Expr, ()):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and model_names.is_model(last_name(evaluation.model_of(call))):
            yield call


def forward(facts: Facts, call: ast.AST) -> Fact[ast.Call]:
    """The forward pass with gradients on, for each item of a loader or in evaluation mode, that a call is, where nobody reads what
    it gives."""
    module = facts.module
    if not isinstance(call, ast.Call) or not isinstance(module.parents.get(call), ast.Expr):
        return Fact(UNKNOWN)
    function = module.function_of(call)
    if module.names & _HOOKED or not model_names.is_model(last_name(evaluation.model_of(call))):
        return Fact(UNKNOWN)
    if not _goes_through_loader(module, call) and evaluation.evaluating(module, function, call) is None:
        return Fact(UNKNOWN)
    if gradients_wanted.hints(module, function.node) or evaluation.is_elsewhere(facts.analysis, function):
        return Fact(UNKNOWN)
    model = facts.analysis.value(evaluation.model_of(call), module)
    if model.kind not in ("module", "unknown") or gradients_wanted.are_taken_by(module, model):
        return Fact(UNKNOWN)
    if not evaluation.has_gradients(facts.analysis, module, call):
        return Fact(UNKNOWN)
    return Fact(call, Sure.LIKELY, (Evidence(call, "nobody reads the output", module.path),))


def _goes_through_loader(module: Module, call: ast.Call) -> bool:
    """Whether a call is given each item of a loader."""
    loop = blocks.loop(module, call)
    return isinstance(loop, ast.For) and value_names.is_loader(ast.unparse(loop.iter)) and loops.gives_item(loop, call)
