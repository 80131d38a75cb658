"""What the annotation of a parameter is worth: a promise is proven as long as nothing in sight speaks against it.

    def half(x: Tensor):
        return x / 2                                    proven: the function relies on it
    def end(mask: Tensor | None):
        return mask.unsqueeze(1)                        proven: nothing else bears that
    def begin(token: Tensor | None):
        return end(token)                               likely: handed on, and nobody has looked at it
    def scaled(x, by: Tensor = 1.0): ...                likely: left out, it is a number
    def checked(x: Tensor):
        if isinstance(x, np.ndarray): ...               likely: the function itself expects others

What is handed on alone may be anything: no line of the function fails if it is something else, and who runs the program
does not hear of it. Callers in sight that pass something else settle it.

Knows annotations, uses and callers; runs nothing.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import votes
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import callers, type_hints

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_OF_TENSORS: Final[frozenset[votes.Vote]] = frozenset(("tensor", "placed", "moved"))
"""Uses that no number, no array and no list bears."""
_OF_OTHERS: Final[frozenset[votes.Vote]] = frozenset(("mapping", "called", "module", "string"))
_NO_TENSORS: Final = frozenset(("tuple", "list", "dict", "set", "number", "ndarray", "string", "size"))


def annotated(analysis: Analysis, function: Function, node: ast.arg, default: Value | None) -> Value:
    """What the annotation of a parameter promises."""
    assert node.annotation is not None
    promised = type_hints.plain(function, node.annotation) or analysis.annotation(function, node.annotation)
    if promised.kind != "tensor":
        return promised
    name, asked = node.arg, type_hints.besides_none(node.annotation)
    has_none = default is not None and default.kind == "none"
    is_optional = asked is not None or has_none or _is_none_asked(function, name)
    if asked is not None:
        promised = analysis.annotation(function, asked)
    against = _NO_TENSORS if is_optional else _NO_TENSORS | {"none"}
    is_doubted = _is_left_out(default) or _is_tested(analysis, function, name)
    if is_doubted or not _is_held(function, name, is_optional) or callers.kinds(analysis, function, name) & against:
        promised = promised.but(sure=Sure.LIKELY)
    return promised.but(none=promised.none or is_optional)


def _is_held(function: Function, name: str, optional: bool) -> bool:
    """Whether a function holds its callers to what it says of a parameter; with None aside, only by what tensors alone bear."""
    return _is_used(function, name) or (not optional and _is_relied_on(function, name))


def _is_used(function: Function, name: str) -> bool:
    """Whether a parameter is used as only a tensor can be."""
    votes_cast = votes.everywhere(function, name)
    return bool(votes_cast & _OF_TENSORS) and not votes_cast & _OF_OTHERS


def _is_relied_on(function: Function, name: str) -> bool:
    """Whether a function, or one inside it, does more with a parameter than to hand it on or to keep it."""
    if any(_is_looked_into(function, load) for load in function.scope.loads.get(name, ())):
        return True
    return any(_is_relied_on(inner, name) for inner in function.inner if name not in inner.scope.stores)


def _is_looked_into(function: Function, load: ast.Name) -> bool:
    """Whether something is done with what is read here: an attribute, a part, arithmetic, or a layer that it goes through."""
    above = function.module.parents.get(load)
    match above:
        case ast.Attribute() | ast.Subscript() | ast.BinOp() | ast.AugAssign() | ast.For() | ast.comprehension():
            return True
        case ast.UnaryOp(op=op):
            return not isinstance(op, ast.Not)
        case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE(), *_]):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=attr)):
            owner = function.method.owner if function.method is not None else None
            return owner is not None and attr not in owner.methods
    return False


def _is_none_asked(function: Function, name: str) -> bool:
    """Whether a function asks if what it is given is None."""
    above = (function.module.parents.get(load) for load in function.scope.loads.get(name, ()))
    for test in above:
        match test:
            case ast.Compare(ops=[ast.Is() | ast.IsNot(), *_], comparators=[ast.Constant(value=None), *_]):
                return True
    return False


def _is_left_out(default: Value | None) -> bool:
    """Whether a parameter that is said to be a tensor is something else where a call leaves it out."""
    return default is not None and default.kind not in ("unknown", "none", "tensor")


def _is_tested(analysis: Analysis, function: Function, name: str) -> bool:
    """Whether a function asks of what class a parameter is, and not just for a class of tensors: others may come."""
    tests = [test for _, vote, test, _ in votes.all_of(function, name) if vote == "tested"]
    return any(not isinstance(test, ast.Call) or not _is_for_derived(analysis, function, test) for test in tests)


def _is_for_derived(analysis: Analysis, function: Function, test: ast.Call) -> bool:
    """`isinstance(x, Parameter)`, which no more than some tensors are."""
    asked = test.args[-1]
    classes = asked.elts if isinstance(asked, ast.Tuple) else [asked]
    return all(
        dotted(function, each) != "torch.Tensor" and analysis.annotation(function, each).kind == "tensor"
        for each in classes
    )
