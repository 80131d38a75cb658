"""Where the loss of a backward pass comes from: what computes it, under which autocast, and whether it was scaled.

    with autocast():                      computed under autocast
        loss = criterion(model(x), y)
    scaled = loss * 1024                  scaled
    scaled.backward()

A value is followed through the names of its own function, back to the nearest bindings that surely came before it.
What a function called there does inside is out of sight. Knows syntax and modes, nothing of rules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.context import modes
from torchperf_lint.facts.context.modes import Autocast
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Function, Module, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 6
"""So many bindings are followed, one through the other."""

_SCALES: Final = re.compile(r"scale", re.IGNORECASE)
_PRECISION: Final = re.compile(
    r"amp|fp16|bf16|half|scale|precision|mixed|autocast|float16|apex|deepspeed", re.IGNORECASE
)
"""What a condition says that chooses between a backward pass with and one without a scaler."""


def starts(call: ast.Call) -> list[ast.expr]:
    """What a backward pass starts from: the receiver, or the first argument, as in `accelerator.backward(loss)`."""
    received = [call.func.value] if isinstance(call.func, ast.Attribute) else []  # `backward(loss)` is a function
    return [*received, *call.args[:1]]


def origins(module: Module, node: ast.expr) -> list[ast.expr]:
    """The expressions that a value is computed from in its function, itself the first."""
    found, todo = [node], [(node, DEEP)]
    seen: set[tuple[str, ast.AST]] = set()
    while todo:
        expression, depth = todo.pop()
        if not depth:
            continue
        for name in _names(expression):
            for store in definitions.may_reach(module, name):
                bound = _bound(module, store)
                if bound is not None and (name.id, store) not in seen:
                    seen.add((name.id, store))
                    found.append(bound)
                    todo.append((bound, depth - 1))
    return found


def bindings(module: Module, name: ast.Name) -> Iterator[ast.expr]:
    """The expressions that a name may be bound to where it is read."""
    found = (_bound(module, store) for store in definitions.may_reach(module, name))
    yield from (each for each in found if each is not None)


def autocast(analysis: Analysis, module: Module, node: ast.expr) -> Fact[Autocast]:
    """The autocast under which a value, or a part of it that has a gradient, was computed."""
    for each in origins(module, node):
        if not any(isinstance(inner, ast.Call) for inner in ast.walk(each)):
            continue
        found = modes.autocast(analysis, module, each, depth=0)
        if found.known and found.value.enabled is not False and modes.no_grad(analysis, module, each).value is not True:
            # Where the optimizer steps out of sight, somebody else may see to the gradients.
            is_whole = found.value.enabled is True and _steps(module.function_of(node))
            return Fact(found.value, Sure.PROVEN if is_whole else Sure.LIKELY, found.because)
    return Fact(UNKNOWN)


def _steps(function: Function) -> bool:
    return any(last_name(call.func) == "step" for call in _calls(function))


def half_module(analysis: Analysis, module: Module, node: ast.expr) -> Fact[Value]:
    """The module with float16 parameters that a value is computed by, if all models it is computed by have such."""
    found: Fact[Value] = Fact(UNKNOWN)
    for call in (inner for each in origins(module, node) for inner in ast.walk(each) if isinstance(inner, ast.Call)):
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


def is_scaled(module: Module, node: ast.expr) -> bool:
    """Whether a loss is scaled, here or in the other branch of a choice, so that its gradients do not underflow."""
    sources = origins(module, node)
    if any(_scales(part) for each in sources for part in ast.walk(each)):
        return True
    names = {name.id for name in _names(node)}
    function = module.function_of(node)
    if any(_is_given(call, names) for call in _calls(function) if _SCALES.search(ast.unparse(call.func))):
        return True
    return any(_PRECISION.search(ast.unparse(test)) for test in _conditions(module, node))


def _scales(part: ast.AST) -> bool:
    """`scaler.scale(loss)`, `amp.scale_loss(loss, optimizer)`, `loss * scale`, `loss * 1024`."""
    match part:
        case ast.Call(func=func):
            return bool(_SCALES.search(last_name(func)))
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
            return bool(_SCALES.search(last_name(node)))
    return False


def _is_given(call: ast.Call, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for arg in call.args for part in ast.walk(arg))


def _calls(function: Function) -> Iterator[ast.Call]:
    return (node for node in walk(function.node, into_scopes=False) if isinstance(node, ast.Call))


def _conditions(module: Module, node: ast.AST) -> Iterator[ast.expr]:
    """The conditions around a node in its function."""
    top = module.function_of(node).node
    for above in module.ancestors(node):
        if above is top:
            return
        if isinstance(above, (ast.If, ast.IfExp)):
            yield above.test


def _names(node: ast.AST) -> Iterator[ast.Name]:
    """The names that a value is computed from; not those of what is called: how a model was made is no part of its output."""
    parts = list(ast.walk(node))
    called = {id(part.func) for part in parts if isinstance(part, ast.Call)}
    for part in parts:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and id(part) not in called:
            yield part


def _bound(module: Module, store: ast.AST) -> ast.expr | None:
    """What a binding takes its value from."""
    match module.parents.get(store):
        case ast.withitem(context_expr=manager):
            return manager
        case ast.NamedExpr(value=value):
            return value
    match module.statement(store):
        case ast.Assign(value=value) | ast.AugAssign(value=value):
            return value
        case ast.AnnAssign(value=annotated):
            return annotated
    return None


def runs_model(analysis: Analysis, module: Module, statement: ast.AST) -> bool:
    """Whether a statement runs a module, or a function that gives a tensor with a gradient."""
    for node in walk(statement):
        if not isinstance(node, ast.Call):
            continue
        receiver = analysis.value(node.func.value, module).kind if isinstance(node.func, ast.Attribute) else None
        made = analysis.value(node, module)
        if analysis.value(node.func, module).kind == "module":
            return True
        of_gpu = made.kind == "unknown" and made.device is not None  # a function out of sight, given a tensor
        if (of_gpu or (made.kind in ("tensor", "nest") and made.grad)) and receiver not in ("tensor", "scaler"):
            return True
    return False
