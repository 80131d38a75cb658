"""Attention that is written out: a product, a softmax over its last dimension, and a product with the values.

    scores = q @ k.transpose(-2, -1) / math.sqrt(d)     what the softmax is taken of, back to a product
    scores = scores.masked_fill(mask, -1e9)
    weights = self.dropout(scores.softmax(dim=-1))      from the softmax on, to the product in which it is used up
    return weights @ v

Nothing but scaling and masks may stand between, and nobody else may read the weights. Knows names and the forms of operations.
"""

from __future__ import annotations

import ast
from itertools import chain
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.guesses import call_names, file_words
from torchperf_lint.facts.guesses import comment_words as comment_words
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, place_of
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

DEEP: Final = 16
"""So many steps are taken either way."""
_PRODUCTS: Final = ("matmul", "bmm", "einsum", "baddbmm")
_KEEPING: Final = frozenset(
    (
        "float",
        "to",
        "type_as",
        "type",
        "half",
        "bfloat16",
        "contiguous",
        "masked_fill",
        "masked_fill_",
        "div",
        "mul",
        "add",
    )
)
"""Methods behind which scores are scores, and weights are weights."""
_SOFTMAX: Final = frozenset(("softmax", "Softmax"))
"""A file that says neither has no softmax, whatever it is called by."""


def softmaxes(module: Module) -> Iterator[ast.Call]:
    """The calls that may be a softmax: of its name, or of what may be a layer in a file that names one."""
    if _SOFTMAX.isdisjoint(module.names):
        return
    spelled, has_layer = module.spelled(frozenset(("softmax",))), "Softmax" in module.names
    for call in chain.from_iterable(module.calls.values()):
        if last_name(call.func) in spelled or (has_layer and _may_be_of_layer(call)):
            yield call


def _may_be_of_layer(call: ast.Call) -> bool:
    return len(call.args) == 1 and isinstance(call.func, (ast.Call, ast.Attribute))


def knows_fused(facts: Facts) -> bool:
    """Whether the file knows the fused way, and has this one beside it."""
    return file_traits.suggests(facts.module, file_words.knows_fused_attention)


def trains_in_float32(facts: Facts) -> bool:
    """Whether the project trains, and no file of it says anything of half precision."""
    return facts.project_mentions("backward") and not facts.project_mentions(*file_words.HALF_BY_PROJECT)


def is_attention(facts: Facts, call: ast.AST) -> bool:
    """Whether a call is the softmax of attention that is written out."""
    scores = _softmaxed(facts, call)
    if scores is None or not isinstance(call, ast.Call):
        return False
    return _is_product(facts.module, scores, DEEP) and _is_used_up(facts.module, call, DEEP)


def _softmaxed(facts: Facts, call: ast.AST) -> ast.expr | None:
    """What a softmax over the last dimension is taken of."""
    if not isinstance(call, ast.Call):
        return None
    module, dim = facts.module, next((each.value for each in call.keywords if each.arg == "dim"), None)
    dotted = names.dotted(module.function_of(call), call.func)
    match call:
        case ast.Call(args=[scores, *rest]) if dotted in ("torch.softmax", "torch.nn.functional.softmax"):
            return scores if _is_last(facts, dim or (rest[0] if rest else None)) else None
        case ast.Call(func=ast.Attribute(value=scores, attr="softmax"), args=rest) if dotted is None:
            return scores if _is_last(facts, dim or (rest[0] if rest else None)) else None
        case ast.Call(func=ast.Call() | ast.Attribute() as func, args=[scores]) if (
            "Softmax" in module.names and _is_product(module, scores, DEEP)
        ):
            held = facts.analysis.value(func, module)
            is_layer = held.kind == "module" and held.ref == "torch.nn.Softmax"
            return scores if is_layer and all(_is_last(facts, dim) for dim in _dimensions(facts, func)) else None
    return None


def _dimensions(facts: Facts, layer: ast.expr) -> list[ast.expr | None]:
    """The dimensions that a layer for softmax is made with, wherever it is."""
    made = [layer]
    if isinstance(layer, ast.Attribute):
        method = facts.module.function_of(layer).method
        owner = method.owner if method is not None else None
        sites = classes.sites(owner).get(layer.attr, ()) if owner is not None else ()
        above = (function.module.parents.get(site) for function, site in sites)
        made = [each.value for each in above if isinstance(each, ast.Assign)]
    calls = [each for each in made if isinstance(each, ast.Call)]
    given = [next((each.value for each in call.keywords if each.arg == "dim"), None) for call in calls]
    return [dim or (call.args[0] if call.args else None) for dim, call in zip(given, calls, strict=True)]


def _is_last(facts: Facts, dim: ast.expr | None) -> bool:
    """Whether a dimension is the last of scores: -1, or the 3 of `[batch, head, query, key]`."""
    return dim is not None and facts.analysis.value(dim, facts.module).const in (-1, 2, 3)


def _is_product(module: Module, node: ast.expr, deep: int) -> bool:
    """Whether scores are a product, scaled and masked."""
    if not deep:
        return False
    match node:
        case ast.Name():
            return _is_bound_to_product(module, node, deep)
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            return _are_factors(module, left, right)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.Add() | ast.Sub(), right=right):
            return _is_product(module, left, deep - 1) or _is_product(module, right, deep - 1)
        case ast.Call(func=ast.Attribute(attr="einsum"), args=[_, left, right]):
            return _are_factors(module, left, right)
        case ast.Call(func=ast.Attribute(attr="where"), args=[_, one, other]):
            return _is_product(module, one, deep - 1) or _is_product(module, other, deep - 1)
        case ast.Call(func=ast.Attribute(value=of, attr=name), args=args) if name in _PRODUCTS:
            is_method = names.dotted(module.function_of(node), of) is None
            factors = [of, *args] if is_method else args[-2:]
            return len(factors) == 2 and _are_factors(module, *factors)
        case ast.Call(func=ast.Attribute(value=of, attr=name)) if name in _KEEPING:
            return _is_product(module, of, deep - 1)
    return False


def has_learned_bias(facts: Facts, call: ast.AST) -> bool:
    """Whether something that is trained is added to the scores: a table of biases, or what a layer gives."""
    scores = _softmaxed(facts, call)
    return scores is not None and any(
        facts.analysis.value(each, facts.module).grad is True for each in _added(facts.module, scores, DEEP)
    )


def _added(module: Module, node: ast.expr, deep: int) -> Iterator[ast.expr]:
    """What is added to a product on its way to the softmax."""
    match node:
        case ast.BinOp(left=left, right=right, op=op) if deep and not isinstance(op, ast.MatMult):
            is_left = _is_product(module, left, deep - 1)
            yield from _added(module, left if is_left else right, deep - 1)
            if isinstance(op, ast.Add):
                yield right if is_left else left
        case ast.Name() if deep:
            _, bound = _binding(module.function_of(node), node)
            if isinstance(bound, ast.AugAssign) and isinstance(bound.op, ast.Add):
                yield bound.value
            elif isinstance(bound, ast.Assign):
                yield from _added(module, bound.value, deep - 1)
        case ast.Call(func=ast.Attribute(value=of, attr=name)) if deep and name in _KEEPING:
            yield from _added(module, of, deep - 1)


def _binding(function: Function, read: ast.Name) -> tuple[ast.AST | None, ast.AST | None]:
    """The nearest binding of a name above a read, and what it stands in."""
    store = definitions.last_above(function, read)
    return store, function.module.parents.get(store) if store is not None else None


def _is_bound_to_product(module: Module, name: ast.Name, deep: int) -> bool:
    """Whether the nearest binding of a name is a product, or goes on with what the name was before."""
    function = module.function_of(name)
    store, above = _binding(function, name)
    if isinstance(above, ast.Assign) and above.targets[0] is store:
        return _is_product(module, above.value, deep - 1)
    if isinstance(above, ast.AugAssign) and isinstance(store, ast.Name):
        at_start = ast.copy_location(ast.Name(name.id, ast.Load()), above)
        before, held = _binding(function, at_start)
        return before is not store and isinstance(held, ast.Assign) and _is_product(module, held.value, deep - 1)
    return False


def _are_factors(module: Module, left: ast.expr, right: ast.expr) -> bool:
    """Whether two factors can be queries and keys: no weights of a layer, and no channels, which are few."""
    is_layer = any(
        isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.attr not in ("mT", "T")
        for each in (left, right)
    )
    return not is_layer and not (isinstance(left, ast.Name) and left.id in _on_end(module, module.function_of(left)))


@once
def _on_end(module: Module, function: Function) -> frozenset[str]:
    """The names that a function turns, `q = q.transpose(-2, -1)`: what is a row then is a channel, as in attention over channels."""
    found = set()
    for name, stores in function.scope.stores.items():
        for store in stores:
            match module.parents.get(store):
                case ast.Assign(
                    value=ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="transpose"), args=[one, other])
                ):
                    if of == name and {ast.unparse(one), ast.unparse(other)} == {"-1", "-2"}:
                        found.add(name)
    return frozenset(found)


def _reads(module: Module, bound: ast.Name) -> list[ast.Name]:
    """The reads that may see what a name is bound to."""
    loads = module.function_of(bound).scope.loads.get(bound.id, ())
    return [read for read in loads if place_of(read) > place_of(bound) and bound in definitions.may_reach(module, read)]


def _is_used_up(module: Module, node: ast.expr, deep: int) -> bool:
    """Whether weights, behind dropout, are the left factor of a product, and nothing else reads them."""
    above = module.parents.get(node)
    if not deep:
        return False
    match above:
        case ast.BinOp(left=left, op=ast.MatMult()):
            return left is node
        case ast.Assign(targets=[ast.Name() as bound]):
            reads = _reads(module, bound)
            return len(reads) == 1 and _is_used_up(module, reads[0], deep - 1)
        case ast.Attribute(attr=name) if name in _KEEPING or name in _PRODUCTS:
            called = module.parents.get(above)
            if not isinstance(called, ast.Call) or called.func is not above:
                return False
            return name in _PRODUCTS or _is_used_up(module, called, deep - 1)
        case ast.Call(args=args) if any(each is node for each in args):
            name = last_name(above.func).lower()
            if name in _PRODUCTS:
                return args[-2:][0] is node or (name == "einsum" and len(args) == 3)
            return call_names.drops_out(name) and args[0] is node and _is_used_up(module, above, deep - 1)
    return False
