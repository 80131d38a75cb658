"""Activations and norms that are written out; each is found from the one call that only it has.

    0.5 * x * (1 + torch.erf(x / math.sqrt(2)))                           from `erf`, up to the product
    x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)                from `rsqrt`, down to the mean and up to the product

Steps may stand in lines of their own, if nobody else reads them. Knows names and the forms of operations.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from math import isclose
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import matmul_precision
from torchperf_lint.facts.guesses import file_names, function_names
from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.rules.fusion.hand_written_fused_op import norms
from torchperf_lint.rules.fusion.hand_written_fused_op.numbers import factors, number
from torchperf_lint.rules.fusion.hand_written_fused_op.written import Form, is_one

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_LAYERS: Final = {"silu": "SiLU", "mish": "Mish", "gelu": "GELU", "rms_norm": "RMSNorm"}
_KNOWN: Final = ("log_softmax", "sigmoid")
"""What is used in most files that write it out elsewhere; of the others, a file has a reason."""


def form(facts: Facts, call: ast.AST) -> Form | None:
    """What the call that tells is part of; None where the file knows the fused operation, and has this beside it."""
    found = _of_layer(facts, call) or operations.of(facts.module, call)
    if found is None or found.rest or matmul_precision.is_compiled(facts.module):
        return None
    made = next((each for ask in _FORMS.get(found.name, ()) if (each := ask(facts.module, found)) is not None), None)
    if made is None or (made.fused not in _KNOWN and _knows(facts.module, made)) or _is_for_export(facts, made.whole):
        return None
    if made.since > facts.settings.target or _is_own_gradient(facts, made.whole) or _is_fused(facts, made.whole):
        return None
    return made


def _knows(module: Module, made: Form) -> bool:
    """Whether a file uses what torch has for a formula: `F.silu`, or `nn.SiLU` beside a `SiLU` of its own."""
    if made.fused in module.names:
        return True
    layers = module.attributes.get(_LAYERS.get(made.fused, ""), ())
    return any((names.dotted(module.function_of(each), each) or "").startswith("torch.nn.") for each in layers)


def _is_for_export(facts: Facts, node: ast.AST) -> bool:
    """Whether the text of a function or its class says that it is written so for an export, which may not know the fused one."""
    method = facts.module.function_of(node)
    owner = method.owner.node if method.owner is not None else None
    around = (each for each in (method.node, owner) if isinstance(each, (ast.FunctionDef, ast.ClassDef)))
    return any(file_names.tells_of_export(ast.get_docstring(each) or "") for each in around)


def _of_layer(facts: Facts, call: ast.AST) -> operations.Operation | None:
    """The call of a layer for a sigmoid as the operation that it is: `self.sigmoid(x)`."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="sigmoid") as func, args=[x], keywords=[]):
            is_layer = facts.analysis.value(func, facts.module).ref == "torch.nn.Sigmoid"
            return operations.Operation(call, "sigmoid", x, [], {}) if is_layer else None
    return None


def is_form(facts: Facts, call: ast.AST) -> bool:
    return form(facts, call) is not None


def _is_own_gradient(facts: Facts, node: ast.AST) -> bool:
    """Whether a node stands in a `torch.autograd.Function`, whose author writes the backward pass too."""
    method = facts.module.function_of(node).method
    return method is not None and method.owner is not None and "backward" in method.owner.methods


def _is_fused(facts: Facts, node: ast.AST) -> bool:
    """Whether a decorator of the function or of the class around a node says that it puts something fused in its place."""
    function = facts.module.function_of(node)
    owners = [each.owner.node.decorator_list for each in function.around() if each.owner is not None]
    every = [
        *(each for at in function.around() for each in at.decorators),
        *(each for found in owners for each in found),
    ]
    called = (each.func if isinstance(each, ast.Call) else each for each in every)
    return any(function_names.fuses(last_name(each)) for each in called)


def _gelu_by_erf(module: Module, erf: operations.Operation) -> Form | None:
    scale, scaled = factors(module, erf.tensor)
    if len(scaled) != 1 or not isclose(scale, 0.5**0.5, rel_tol=1e-4):
        return None
    return _gelu(module, erf.call, scaled[0], "")


def _gelu_by_tanh(module: Module, tanh: operations.Operation) -> Form | None:
    """With the constant that nothing else has."""
    inner = [node for node in walk(operations.made(module, tanh.tensor)) if isinstance(node, ast.expr)]
    if not any(isinstance(node, ast.Constant) and node.value == 0.044715 for node in inner):
        return None
    tensors = [
        node
        for node in inner
        if isinstance(node, ast.Name) and names.import_of(module.function_of(node), node.id) is None
    ]
    if not tensors or any(node.id != tensors[0].id for node in tensors):
        return None
    return _gelu(module, tanh.call, tensors[0], ', approximate="tanh"')


def _gelu(module: Module, call: ast.Call, x: ast.expr, arguments: str) -> Form | None:
    """The product with half of `1 + call` that a call is part of."""
    one_more = module.parents.get(call)
    match one_more:
        case ast.BinOp(left=left, op=ast.Add(), right=right) if number(module, right if left is call else left) == 1:
            pass
        case _:
            return None
    found = _product(module, one_more)
    if found is None:
        return None
    whole, scale, others, is_inline = found
    if not isclose(scale, 0.5) or len(others) != 1 or not is_one(module, others[0], x):
        return None
    return Form(whole, "gelu", x, arguments, is_inline)


def _product(module: Module, node: ast.expr) -> tuple[ast.expr, float, list[ast.expr], bool] | None:
    """The product that an expression is a factor of, itself or by a name that is read once; the number in it, the other factors."""
    top, scale, others, is_inline = node, 1.0, list[ast.expr](), True
    for _ in range(2):
        below = top
        top = _top(module, below)
        by, parts = factors(module, top, stop=below)
        scale, others = scale * by, [*others, *(each for each in parts if each is not below)]
        if others:
            return top, scale, others, is_inline
        match module.parents.get(top):
            case ast.Assign(targets=[ast.Name() as bound]) if definitions.is_read_only_once(module, bound):
                top, is_inline = definitions.reads_after(module, bound)[0], False
            case _:
                return None
    return None


def _top(module: Module, node: ast.expr) -> ast.expr:
    """The outermost product around a factor."""
    above = module.parents.get(node)
    while isinstance(above, ast.BinOp) and isinstance(above.op, (ast.Mult, ast.Div)):
        if isinstance(above.op, ast.Div) and (above.left is not node or number(module, above.right) is None):
            break
        node, above = above, module.parents.get(above)
    return node


def _silu(module: Module, sigmoid: operations.Operation) -> Form | None:
    return _times(module, sigmoid.call, sigmoid.tensor, "silu")


def _sigmoid(module: Module, exp: operations.Operation) -> Form | None:
    """`1 / (1 + exp(-x))`."""
    if not isinstance(exp.tensor, ast.UnaryOp) or not isinstance(exp.tensor.op, ast.USub):
        return None
    one_more = module.parents.get(exp.call)
    match one_more:
        case ast.BinOp(left=left, op=ast.Add(), right=right) if (
            number(module, right if left is exp.call else left) == 1
        ):
            above = module.parents.get(one_more)
        case _:
            return None
    match above:
        case ast.BinOp(left=left, op=ast.Div(), right=right) if right is one_more and number(module, left) == 1:
            return Form(above, "sigmoid", exp.tensor.operand)
    return None


def _mish(module: Module, tanh: operations.Operation) -> Form | None:
    softplus = operations.of(module, tanh.tensor)
    if softplus is None or softplus.name != "softplus" or softplus.settings:
        return None
    return _times(module, tanh.call, softplus.tensor, "mish")


def _times(module: Module, call: ast.Call, x: ast.expr, fused: str) -> Form | None:
    """A gate times what it is made of."""
    above = module.parents.get(call)
    match above:
        case ast.BinOp(left=left, op=ast.Mult(), right=right) if is_one(module, right if left is call else left, x):
            return Form(above, fused, x)
        case ast.Call():
            product = operations.of(module, above)
            if product is None or product.name not in ("mul", "mul_", "multiply") or len(product.rest) != 1:
                return None
            other = product.rest[0] if product.tensor is call else product.tensor
            return Form(above, fused, x, is_inline=product.name != "mul_") if is_one(module, other, x) else None
    return None


def _softplus(module: Module, log: operations.Operation) -> Form | None:
    """`log(1 + exp(x))`."""
    match log.tensor:
        case ast.BinOp(left=left, op=ast.Add(), right=right) if log.name == "log":
            inner = right if number(module, left) == 1 else left if number(module, right) == 1 else None
        case inner if log.name == "log1p":
            pass
        case _:
            return None
    exp = operations.of(module, inner)
    return Form(log.call, "softplus", exp.tensor) if exp is not None and exp.name == "exp" else None


def _log_softmax(module: Module, log: operations.Operation) -> Form | None:
    of = operations.made(module, log.tensor)
    softmax = operations.of(module, of)
    if softmax is None or softmax.name != "softmax" or not softmax.settings:
        return None
    return Form(log.call, "log_softmax", softmax.tensor, f", {softmax.settings}", of is log.tensor)


_FORMS: Final[dict[str, tuple[Callable[[Module, operations.Operation], Form | None], ...]]] = {
    "erf": (_gelu_by_erf,),
    "tanh": (_gelu_by_tanh, _mish),
    "sigmoid": (_silu,),
    "exp": (_sigmoid,),
    "log": (_softplus, _log_softmax),
    "log1p": (_softplus,),
    "sqrt": (norms.written_out,),
    "rsqrt": (norms.written_out,),
}
NAMES: Final = tuple(_FORMS)
"""The calls that tell, by their last names."""
