"""Teachers that run with gradients on: nobody trains them, and the loss of the student goes back through them.

    wanted = teacher(images)
    loss = distance(student(images), wanted)

Only what is called a teacher is asked about, in a file that neither freezes nor trains anything of that name.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import file_words, model_names
from torchperf_lint.facts.idioms import evaluation
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

_USING: Final = frozenset(("parameters", "named_parameters", "train", "generate"))
"""What is done with a teacher that learns, too; what generates switches gradients off itself."""


def calls(module: Module) -> Iterator[ast.Call]:
    """The calls of what is called a teacher, and of its `forward`."""
    for name, found in module.calls.items():
        if model_names.is_teacher(name):
            yield from found
    yield from (each for each in module.calls.get("forward", ()) if model_names.is_teacher(_called(each)))


def _called(call: ast.Call) -> str:
    return last_name(evaluation.model_of(call))


def forward(facts: Facts, call: ast.AST) -> Fact[ast.Call]:
    """The forward pass of a teacher with gradients on, that a call is."""
    if not isinstance(call, ast.Call) or not model_names.is_teacher(_called(call)) or not call.args:
        return Fact(UNKNOWN)
    function = facts.module.function_of(call)
    is_forward = function.owner is not None and function.name == "forward" and not function.decorators
    is_thought_of = file_words.thinks_of_gradients(facts.module.names) or "detach_" in facts.module.names
    if is_thought_of or not (is_forward or not evaluation.is_elsewhere(facts.analysis, function)):
        return Fact(UNKNOWN)
    if _learns(facts.module, facts.module.tree) or not evaluation.has_gradients(facts.analysis, facts.module, call):
        return Fact(UNKNOWN)
    return Fact(call, Sure.LIKELY, (Evidence(call, "a teacher, by its name", facts.module.path),))


@once
def _learns(module: Module, _: ast.Module) -> bool:
    """Whether a file trains what is called a teacher, or averages weights into it."""
    used = (each.func for name in _USING for each in module.calls.get(name, ()))
    return any(isinstance(func, ast.Attribute) and model_names.is_teacher(last_name(func.value)) for func in used)
