"""The evaluation that a loop is: it runs a model with gradients on, and has no use for them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import callers_elsewhere, modes
from torchperf_lint.facts.domain.fact import UNKNOWN, Fact
from torchperf_lint.facts.idioms import evaluation, gradients_wanted
from torchperf_lint.facts.idioms.evaluation import Evaluation
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.rules.autograd.eval_without_no_grad import (
    discarded,
    generating,
    inner,
    numbers,
    one_batch,
    teachers,
    unread,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_OTHERS: Final = ("eval", *generating.PICKS)
_WITHOUT: Final = ("torch.no_grad", "torch.inference_mode")


def candidates(module: Module) -> Iterator[ast.AST]:
    """The loops, and the calls of `detach`, of `eval`, of teachers, that pick an index, that read a number, that nobody reads, and in
    functions that others make."""
    for kind in (ast.For, ast.While):
        yield from module.by_type.get(kind, ())
    yield from module.calls.get("detach", ())
    yield from module.calls.get("eval", ())
    for name in generating.PICKS:
        yield from module.calls.get(name, ())
    for name in numbers.READS:
        yield from module.calls.get(name, ())
    yield from teachers.calls(module)
    yield from unread.calls(module)
    yield from inner.calls(module)


def may_be_evaluation(facts: Facts, node: ast.AST) -> bool:
    """Whether a loop is an evaluation with gradients on, or a call throws the graph of a forward pass away."""
    if not isinstance(node, ast.Call):
        return evaluation_of(facts, node).known
    asked = (single_forward, teacher_forward, unread_forward, generating_forward, numbers_forward, inner_forward)
    return discarded_forwards(facts, node).known or any(ask(facts, node).known for ask in asked)


def discarded_forwards(facts: Facts, detach: ast.AST) -> Fact[tuple[ast.Call, ...]]:
    """The forward passes of which nothing but a `detach()` is read."""
    return discarded.forwards(facts, detach)


def single_forward(facts: Facts, switch: ast.AST) -> Fact[ast.Call]:
    """The forward pass of one batch, behind a switch to evaluation mode."""
    return one_batch.forward(facts, switch)


def teacher_forward(facts: Facts, call: ast.AST) -> Fact[ast.Call]:
    """The forward pass of a teacher, whose output a loss is made of."""
    return teachers.forward(facts, call)


def inner_forward(facts: Facts, call: ast.AST) -> Fact[ast.Call]:
    """The call in a function that another one makes, without gradients, to be run where they are on."""
    return inner.forward(facts, call)


def generating_forward(facts: Facts, pick: ast.AST) -> Fact[ast.Call]:
    """The forward pass that generates, of which no more than picks leaves."""
    if not isinstance(pick, ast.Call) or last_name(pick.func) not in generating.PICKS:
        return Fact(UNKNOWN)
    found = generating.forward(facts, pick)
    return Fact(UNKNOWN) if found.known and _is_in_evaluation(facts, pick) else found


def numbers_forward(facts: Facts, read: ast.AST) -> Fact[ast.Call]:
    """The forward pass of which nothing but numbers leaves, where no other form speaks of it."""
    if not isinstance(read, ast.Call) or last_name(read.func) not in numbers.READS:
        return Fact(UNKNOWN)
    found = numbers.forward(facts, read)
    if not found.known:
        return found
    function = facts.module.function_of(read)
    others = (each for each in inside.calls(facts.module, function.node) if last_name(each.func) in _OTHERS)
    is_said = _is_in_evaluation(facts, found.value) or any(
        ask(facts, each).known for each in others for ask in (single_forward, generating_forward)
    )
    return Fact(UNKNOWN) if is_said else found


def _is_in_evaluation(facts: Facts, node: ast.AST) -> bool:
    """Whether a loop around a node is an evaluation, for which the finding stands."""
    return any(evaluation_of(facts, each).known for each in facts.module.ancestors(node))


def unread_forward(facts: Facts, call: ast.AST) -> Fact[ast.Call]:
    """The forward pass of which nobody reads the output, where the loop around is no evaluation."""
    found = unread.forward(facts, call)
    return Fact(UNKNOWN) if found.known and _is_in_evaluation(facts, call) else found


def is_called_without_gradients(facts: Facts, node: ast.AST) -> bool:
    """Whether another file calls the function of a node with gradients off."""
    calls = callers_elsewhere.calls(facts.analysis, facts.module.function_of(node))
    return any(modes.no_grad(other, other.module, call).value is True for other, call in calls)


def runs_another_without_gradients(facts: Facts, loop: ast.AST) -> bool:
    """Whether a loop switches gradients off around a part of each turn: what it leaves out may have no weights that want any."""
    managers = (each.context_expr for at in walk(loop) if isinstance(at, ast.With) for each in at.items)
    called = (each.func for each in managers if isinstance(each, ast.Call))
    return any(names.dotted(facts.module.function_of(each), each) in _WITHOUT for each in called)


def is_volatile(facts: Facts, loop: ast.AST) -> bool:
    """Whether the function of a loop says `volatile=True`, which switched gradients off before torch 0.4 and does nothing since."""
    around = facts.module.function_of(loop).node
    given = (each for call in inside.calls(facts.module, around) for each in call.keywords if each.arg == "volatile")
    return any(isinstance(each.value, ast.Constant) and each.value.value is True for each in given)


def is_derived_elsewhere(facts: Facts, forward: ast.AST) -> bool:
    """Whether what a loop calls may be a model of a file that imports this one, and take gradients itself."""
    assert isinstance(forward, ast.Call)
    return gradients_wanted.may_be_taken_elsewhere(
        facts.analysis, facts.analysis.value(evaluation.model_of(forward), facts.module)
    )


def evaluation_of(facts: Facts, loop: ast.AST) -> Fact[Evaluation]:
    """The evaluation that a loop is."""
    if not isinstance(loop, (ast.For, ast.While)):
        return Fact(UNKNOWN)
    return evaluation.of_loop(facts.analysis, facts.module, loop)
