"""Models whose buffers are the same on every rank, without anybody sending them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import replicas
from torchperf_lint.facts.index import definitions, inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name, may_hide

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_NORMS: Final = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d")


def are_equal_anyway(facts: Facts, call: ast.AST) -> bool:
    """Whether a call wraps a model whose buffers are those of synchronised batch norms, and says nothing of buffers."""
    assert isinstance(call, ast.Call)
    module = facts.module
    if replicas.kind_of(module, call) != "ddp" or may_hide(call) or "register_buffer" in module.names:
        return False
    if any(each.arg == "broadcast_buffers" for each in call.keywords):
        return False
    model = replicas.model_of(call)
    if model is None or not _is_converted(module, model):
        return False
    made = replicas.made(module, model)
    if made is None:
        return False
    name = names.dotted(module.function_of(made), made.func) or ""
    held = facts.analysis.value(made.func, module).ref
    return name.startswith("torchvision.models.") or (isinstance(held, Class) and _has_norms(held))


def _has_norms(made: Class) -> bool:
    """Whether a class makes batch norms whatever it is told, for else there may be no buffers at all, and registers none."""
    module, start = made.module, made.methods.get("__init__")
    if start is None or "register_buffer" in module.names:
        return False
    return any(
        last_name(each.func) in _NORMS and _is_always_made(module, each) for each in inside.calls(module, start.node)
    )


def _is_always_made(module: Module, call: ast.Call) -> bool:
    at: ast.AST | None = call
    while at is not None and not isinstance(at, (ast.If, ast.IfExp)):
        if isinstance(at, ast.FunctionDef):
            return True
        at = module.parents.get(at)
    return False


def _is_converted(module: Module, node: ast.expr) -> bool:
    """Whether an expression is what `convert_sync_batchnorm` gave, moved or not."""
    for _ in range(2 * replicas.DEEP):
        if isinstance(node, ast.Name):
            value = definitions.definition(module, node)
            if value is None:
                return False
            node = value
        elif isinstance(node, ast.Call) and last_name(node.func) == "convert_sync_batchnorm":
            return True
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("to", "cuda", "train")
        ):
            node = node.func.value
        else:
            return False
    return False
