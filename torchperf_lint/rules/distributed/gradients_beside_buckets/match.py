"""A model whose gradients are copied into the buckets over which they are averaged."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.guesses import file_words
from torchperf_lint.facts.idioms import process_groups, replicas
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import may_hide

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_OTHERS: Final = frozenset(("dist_autograd",))
"""What keeps gradients elsewhere."""
_LAYING_ASIDE: Final = ("apex",)
"""Packages whose amp lays the gradients of an accumulation aside for each backward pass."""


def copies(facts: Facts, call: ast.AST) -> bool:
    """Whether a call wraps a model so that its gradients are copied, and nothing in the file needs them apart."""
    assert isinstance(call, ast.Call)
    module = facts.module
    if replicas.kind_of(module, call) != "ddp" or may_hide(call):
        return False
    if any(each.arg == "gradient_as_bucket_view" for each in call.keywords):
        return False
    if not file_words.trains(module.names) or not _OTHERS.isdisjoint(module.names):
        return False
    if file_traits.imports(module, _LAYING_ASIDE):
        return False
    if any(each.args for each in module.calls.get("backward", ())):
        return False  # `trainer.backward(loss)`: what becomes of the gradients is up to another class
    is_replaced = any(
        isinstance(each.ctx, ast.Store) for each in module.attributes.get("grad", ()) if not _is_let_go(module, each)
    )
    return not is_replaced and "detach_" not in module.attributes and not process_groups.all_on_host(module)


def _is_let_go(module: Module, grad: ast.Attribute) -> bool:
    """`p.grad = None`: as `zero_grad` does it; the next backward pass takes the view again."""
    match module.parents.get(grad):
        case ast.Assign(value=ast.Constant(value=None)):
            return True
    return False
