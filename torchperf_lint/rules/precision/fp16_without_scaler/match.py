"""Where the loss of a backward pass was computed, in float16 or not, and whether it was scaled.

    with autocast():                      computed under autocast
        loss = criterion(model(x), y)
    scaled = loss * 1024                  scaled
    scaled.backward()

What a function called there does inside is out of sight.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.context import file_traits, modes
from torchperf_lint.facts.context.modes import Autocast
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import file_words, precision_names
from torchperf_lint.facts.idioms import losses
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, receiver

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_be_half(facts: Facts, node: ast.AST) -> bool:
    """Whether a backward pass starts from what may be computed in float16."""
    loss = receiver(node)
    return loss is not None and (autocast(facts, loss).known or half_module(facts, loss).known)


def keeps_masters(facts: Facts) -> bool:
    """Whether the file says that a copy of the parameters is kept in float32, or that the loss is scaled out of sight."""
    return file_traits.suggests(facts.module, file_words.keeps_masters)


def autocast(facts: Facts, node: ast.AST) -> Fact[Autocast]:
    """The autocast under which a value, or a part of it that has a gradient, was computed."""
    analysis, module = facts.analysis, facts.module
    for each in losses.origins(module, node) if isinstance(node, ast.expr) else ():
        if not any(isinstance(inner, ast.Call) for inner in ast.walk(each)):
            continue
        found = modes.autocast(analysis, module, each, depth=0)
        if found.known and found.value.enabled is not False and modes.no_grad(analysis, module, each).value is not True:
            # Where the optimizer steps out of sight, somebody else may see to the gradients.
            is_whole = found.value.enabled is True and _steps(module.function_of(node))
            return Fact(found.value, Sure.PROVEN if is_whole else Sure.LIKELY, found.because)
    return Fact(UNKNOWN)


def _steps(function: Function) -> bool:
    return any(last_name(call.func) == "step" for call in inside.calls(function.module, function.node))


def half_module(facts: Facts, node: ast.AST) -> Fact[Value]:
    """The module with float16 parameters that a value is computed by, if all models it is computed by have such."""
    analysis, module, found = facts.analysis, facts.module, Fact[Value](UNKNOWN)
    origins = losses.origins(module, node) if isinstance(node, ast.expr) else []
    for call in (inner for each in origins for inner in ast.walk(each) if isinstance(inner, ast.Call)):
        model = analysis.value(call.func, module)
        if model.kind != "module" or _owns_nothing(model) or modes.no_grad(analysis, module, call).value is True:
            continue
        if model.dtype != "float16":
            return Fact(UNKNOWN)
        found = Fact(model, Sure.LIKELY, (Evidence(call, "a model with float16 parameters", module.path),))
    return found


def _owns_nothing(model: Value) -> bool:
    """A module of torch without parameters: a loss, an activation."""
    row = knowledge.module(model.ref) if isinstance(model.ref, str) else None
    return row is not None and not row.owns


def is_scaled(facts: Facts, node: ast.AST) -> bool:
    """Whether a loss is scaled, here or in the other branch of a choice, so that its gradients do not underflow."""
    if not isinstance(node, ast.expr):
        return False
    module, sources = facts.module, losses.origins(facts.module, node)
    if any(_scales(part) for each in sources for part in ast.walk(each)):
        return True
    names = {name.id for name in losses.names_in(node)}
    function = module.function_of(node)
    if any(_is_given(call, names) for call in _scaling_calls(module, function)):
        return True
    return any(precision_names.chooses_scaling(ast.unparse(test)) for test in _conditions(module, node))


def _scales(part: ast.AST) -> bool:
    """`scaler.scale(loss)`, `amp.scale_loss(loss, optimizer)`, `loss * scale`, `loss * 1024`."""
    match part:
        case ast.Call(func=func):
            return precision_names.scales(last_name(func))
        case ast.BinOp(op=ast.Mult(), left=left, right=right) if not all(
            isinstance(side, ast.Constant) for side in (left, right)
        ):
            return any(_is_scale(side) for side in (left, right))
        case ast.AugAssign(op=ast.Mult(), value=value):
            return _is_scale(value)
    return False


def _is_scale(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number >= 128  # below that it is the weight of a loss
        case ast.BinOp(op=ast.Pow() | ast.LShift()):
            return True
        case ast.Name() | ast.Attribute():
            return precision_names.scales(last_name(node))
    return False


def _is_given(call: ast.Call, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for arg in call.args for part in ast.walk(arg))


def _conditions(module: Module, node: ast.AST) -> Iterator[ast.expr]:
    """The conditions around a node in its function."""
    top = module.function_of(node).node
    for above in module.ancestors(node):
        if above is top:
            return
        if isinstance(above, (ast.If, ast.IfExp)):
            yield above.test


@once
def _scaling_calls(module: Module, function: Function) -> list[ast.Call]:
    """The calls of a function whose name says that they scale."""
    return [call for call in inside.calls(module, function.node) if precision_names.scales(ast.unparse(call.func))]
