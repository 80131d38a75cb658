"""Forward passes of which nothing but `detach()` is read: their graph is made, kept while they run, and thrown away.

    value = critic_target(state, actor_target(state))
    target = reward + (discount * value).detach()

Of what is computed on the way from the model to `detach()`, nobody else reads anything. Knows syntax, and what is a module.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact
from torchperf_lint.facts.idioms import evaluation
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

THOUGHT_OF: Final = frozenset(
    ("requires_grad", "requires_grad_", "freeze", "retain_grad", "register_hook", "register_full_backward_hook",
     "register_backward_hook", "set_grad_enabled")
)  # fmt: skip
"""A file that says so has models without gradients, or wants those of what is detached."""
_DEEP: Final = 6


def forward(facts: Facts, detach: ast.AST) -> Fact[ast.Call]:
    """The outermost call of a model whose output goes to a `detach()` and nowhere else, with gradients on."""
    match detach:
        case ast.Call(func=ast.Attribute(value=of, attr="detach"), args=[], keywords=[]):
            pass
        case _:
            return Fact(UNKNOWN)
    if facts.module.names & THOUGHT_OF:
        return Fact(UNKNOWN)
    for call in _calls(facts.module, of, _DEEP):
        if evaluation.is_of_model(facts.analysis, facts.module, call):
            return Fact(call, because=(Evidence(detach, "nothing but this reads it", facts.module.path),))
    return Fact(UNKNOWN)


def _calls(module: Module, node: ast.expr, deep: int) -> Iterator[ast.Call]:
    """The calls whose results an expression is computed from, through names that nobody else reads."""
    match node:
        case ast.Call(func=func, args=args):
            yield node
            if deep and isinstance(func, ast.Attribute):
                yield from _calls(module, func.value, deep - 1)
            if deep and not isinstance(func, ast.Attribute | ast.Name):
                return
            for given in args if deep else ():
                yield from _calls(module, given, deep - 1)
        case ast.BinOp(left=left, right=right) if deep:
            yield from _calls(module, left, deep - 1)
            yield from _calls(module, right, deep - 1)
        case ast.Subscript(value=of) | ast.Attribute(value=of) | ast.UnaryOp(operand=of) if deep:
            yield from _calls(module, of, deep - 1)
        case ast.Name() if deep:
            bound = _bound(module, node)
            if bound is not None:
                yield from _calls(module, bound, deep - 1)


def _bound(module: Module, read: ast.Name) -> ast.expr | None:
    """What a name is bound to, where every read of that goes to `detach()`."""
    binding = definitions.reaching(module, read)
    if not isinstance(binding, ast.Name):
        return None
    function = module.function_of(binding)
    if binding.id in function.inner_reads or binding.id in function.scope.outer or function.is_module:
        return None
    reads = definitions.reads_after(module, binding)
    if not all(each is read or _is_detached(module, each) for each in reads):
        return None
    return definitions.value_of(module, binding)


def _is_detached(module: Module, read: ast.Name) -> bool:
    above = module.parents.get(read)
    return isinstance(above, ast.Attribute) and above.attr in ("detach", "shape", "size", "device", "dtype")
