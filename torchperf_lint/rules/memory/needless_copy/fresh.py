"""Copies of what an operation has just made, and nobody else holds: `torch.cat(parts).clone()`.

    moved = torch.clamp(image + step, 0, 1)
    image = moved.detach().clone()              the one read of `moved`: its memory may as well be handed on

A part is no such thing: its copy lets go of the rest. Nor is what autograd keeps of an operation for its gradient: `exp` may be
followed by a write in place, which the copy takes. Knows what makes a tensor of its own.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import operations, owners
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_VIEWS: Final = frozenset(("detach", "view", "unsqueeze", "squeeze", "view_as"))
"""What shows all of a tensor, dense as it is."""
KEPT: Final = frozenset(
    "exp exp2 expm1 sigmoid tanh tan sqrt rsqrt reciprocal relu relu6 elu selu celu leaky_relu hardtanh hardsigmoid softplus"
    " softmax log_softmax softmin gumbel_softmax pow float_power ldexp copysign hypot polar sgn norm vector_norm frobenius_norm"
    " dist pairwise_distance pdist cdist prod cumprod std std_mean max min amax amin median nanmedian logsumexp logcumsumexp"
    " det inverse inv pinverse cholesky cholesky_inverse cholesky_solve group_norm scaled_dot_product_attention"
    " sparse_coo_tensor".split()
)
"""Operations whose gradient is worked out from what they gave."""
_STRIDED: Final = frozenset(("expand", "repeat_interleave", "clone", "empty", "empty_like", "new_empty", "tensor"))


def is_copied(facts: Facts, of: ast.expr) -> bool:
    """Whether an expression gives a tensor of its own, which nobody but its one reader has."""
    module = facts.module
    made = operations.made(module, of)
    if isinstance(of, ast.Name) and (made is of or not _is_only_holder(module, of, made)):
        return False
    match made:
        case ast.Call(func=ast.Attribute(value=shown, attr=name)) if name in _VIEWS:
            return is_copied(facts, shown)
        case ast.Call(func=func, keywords=keywords):
            name, said = last_name(func), {each.arg for each in keywords}
            if name in KEPT or name in _STRIDED or not said.isdisjoint(("requires_grad", "out")):
                return False
        case ast.BinOp(op=op) if not isinstance(op, ast.Pow):
            pass
        case _:
            return False
    return facts.analysis.value(made, module).kind == "tensor" and owners.is_new(facts.analysis, module, made)


def _is_only_holder(module: Module, read: ast.Name, made: ast.expr) -> bool:
    """Whether a name is read once for what it was bound to: not at each turn, by no inner function, nor to be added to in place."""
    function = module.function_of(read)
    stores = (module.statement(each) for each in function.scope.stores.get(read.id, ()))
    return (
        blocks.loop(module, made) is blocks.loop(module, read)
        and read.id not in function.inner_reads
        and not any(isinstance(each, ast.AugAssign) for each in stores)
    )
