"""Forward passes of which nothing but `detach()` is read: their graph is made, kept while they run, and thrown away.

    first, second = critic_target(state, actor_target(state))
    target = reward + (discount * torch.min(first, second)).detach()

Of what is computed on the way from the model to `detach()`, nobody else takes a gradient. Knows syntax, and what is a module.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact
from torchperf_lint.facts.guesses import file_words
from torchperf_lint.facts.idioms import evaluation
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.rules.autograd.eval_without_no_grad import ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

_DEEP: Final = 16
_MANY: Final = 8
"""Of a name with more bindings, one an arm, nobody is asked what they are computed from."""
_WHY: Final = "nothing but this reads it"


def forwards(facts: Facts, detach: ast.AST) -> Fact[tuple[ast.Call, ...]]:
    """The calls of models whose outputs go to a `detach()`, and nowhere else a gradient comes from, with gradients on: the
    outermost, and those that it is fed by."""
    match detach:
        case ast.Call(func=ast.Attribute(value=of, attr="detach"), args=[], keywords=[]):
            pass
        case _:
            return Fact(UNKNOWN)
    if file_words.thinks_of_gradients(facts.module.names):
        return Fact(UNKNOWN)
    found: list[ast.Call] = []
    for call in _calls(facts.module, of, _DEEP, set()):
        if evaluation.is_of_model(facts.analysis, facts.module, call):
            if not ends.are_cuts(facts.module, call):
                break
            found.append(call)
    return Fact(tuple(found), because=(Evidence(detach, _WHY, facts.module.path),)) if found else Fact(UNKNOWN)


def _calls(module: Module, node: ast.expr, deep: int, seen: set[ast.AST]) -> Iterator[ast.Call]:
    """The calls whose results an expression is computed from, through names; the outermost first."""
    match node:
        case ast.Call(func=func, args=args):
            yield node
            if deep and isinstance(func, ast.Attribute):
                yield from _calls(module, func.value, deep - 1, seen)
            if deep and not isinstance(func, ast.Attribute | ast.Name):
                return
            for given in args if deep else ():
                yield from _calls(module, given, deep - 1, seen)
        case ast.BinOp(left=left, right=right) if deep:
            yield from _calls(module, left, deep - 1, seen)
            yield from _calls(module, right, deep - 1, seen)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) if deep:
            for part in parts:
                yield from _calls(module, part, deep - 1, seen)
        case ast.Subscript(value=of) | ast.Attribute(value=of) | ast.UnaryOp(operand=of) if deep:
            yield from _calls(module, of, deep - 1, seen)
        case ast.Name() if deep:
            reaching = list(islice(definitions.may_reach(module, node), _MANY + 1))
            bindings = [each for each in reaching if each not in seen] if len(reaching) <= _MANY else []
            seen.update(bindings)
            bound = [each for each in (_bound(module, binding) for binding in bindings) if each is not None]
            for each in sorted(bound, key=ast.unparse):  # whichever arm comes first in the source
                yield from _calls(module, each, deep - 1, seen)


def _bound(module: Module, binding: ast.AST) -> ast.expr | None:
    """What a name is bound to: all that a call gives, where it is bound to a part of that."""
    found = definitions.unpacked(module, binding)
    statement = module.statement(binding) if found is None else None
    return statement.value if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call) else found
