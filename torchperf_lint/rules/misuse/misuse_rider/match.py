"""Slips that stop a program or make it compute something else, as far as a few lines show them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions, inside, names
from torchperf_lint.facts.index.walk import last_name, receiver

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

RENAMED: Final = ("reset_max_memory_allocated", "reset_max_memory_cached")


def may_slip(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.For):
        return loader_as_batch(facts, node) is not None
    return no_device(facts, node) is not None or is_renamed(facts, node)


def loader_as_batch(facts: Facts, loop: ast.AST) -> ast.Name | None:
    """The loader of a loop, where the body gives a model the loader and not its batch."""
    assert isinstance(loop, ast.For)
    walked = loop.iter
    if isinstance(walked, ast.Call) and last_name(walked.func) in ("enumerate", "tqdm") and walked.args:
        walked = walked.args[0]
    if not isinstance(walked, ast.Name):
        return None
    module = facts.module
    for name in inside.names(module, loop).get(walked.id, ()):
        called = module.parents.get(name)
        if name is walked or not isinstance(called, ast.Call) or name not in called.args:
            continue
        model, held = facts.analysis.value(called.func, module), facts.analysis.value(name, module)
        is_same = definitions.reaching(module, name) is definitions.reaching(module, walked)
        if model.kind == "module" and held.kind == "loader" and is_same:
            return name
    return None


def no_device(facts: Facts, call: ast.AST) -> ast.Constant | None:
    """The text that names a device that torch does not have: `x.to("gpu")`, `torch.device("gpu:0")`."""
    match call:
        case ast.Call(args=[ast.Constant(value=str(text)) as given, *_]) if text.partition(":")[0] == "gpu":
            pass
        case _:
            return None
    assert isinstance(call, ast.Call)
    if names.dotted(facts.module.function_of(call), call.func) == "torch.device":
        return given
    is_moved = receiver(call) is not None and last_name(call.func) == "to"
    return given if is_moved and facts.receiver_at(call).kind in ("tensor", "module") else None


def is_renamed(facts: Facts, call: ast.AST) -> bool:
    """Whether a call is by a name that torch keeps for old programs."""
    if not isinstance(call, ast.Call) or last_name(call.func) not in RENAMED:
        return False
    home, _, _ = (names.dotted(facts.module.function_of(call), call.func) or "").rpartition(".")
    return home in ("torch.cuda", "torch.cuda.memory")
