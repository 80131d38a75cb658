"""Generations with gradients on: what they pick, item by item, is an index, through which no gradient comes back.

    def generate(self, tokens):
        for _ in range(100):
            logits = self(tokens)[:, -1]
            tokens = torch.cat((tokens, logits.softmax(-1).multinomial(1)), 1)
        return tokens

Each turn runs the model anew, and of what it gives nothing but the index leaves the function. Knows syntax, and what is a module.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import function_names, model_names, value_names
from torchperf_lint.facts.idioms import evaluation, gradients_wanted
from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, parts, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

PICKS: Final = ("multinomial", "argmax")
_CUTS: Final = frozenset((*PICKS, "detach", "item", "tolist", "argsort"))
"""Calls that let no gradient through."""


def forward(facts: Facts, pick: ast.AST) -> Fact[ast.Call]:
    """The forward pass with gradients on, in the loop of a pick, of which nothing but picks leaves the function."""
    module = facts.module
    function, loop = module.function_of(pick), blocks.loop(module, pick)
    if loop is None or function.is_module or not function_names.picks_in_turn(function.name) or function.is_generator:
        return Fact(UNKNOWN)
    if pick is not _first_pick(module, function) or _learns(module, function):
        return Fact(UNKNOWN)
    if evaluation.is_of_framework(facts.analysis, function) or evaluation.is_off_around(facts.analysis, function):
        return Fact(UNKNOWN)
    call = next((each for each in _models(facts, function, loop) if _is_fed(module, loop, each)), None)
    if call is None or not evaluation.has_gradients(facts.analysis, module, call) or _leaves(function, call):
        return Fact(UNKNOWN)
    return Fact(call, Sure.LIKELY, (Evidence(pick, "no gradient comes back through an index", module.path),))


@once
def _first_pick(module: Module, function: Function) -> ast.Call | None:
    """The first pick of a function in a loop, for which the finding stands."""
    for call in inside.calls(module, function.node):
        if last_name(call.func) in PICKS and blocks.loop(module, call) is not None:
            return call
    return None


@once
def _learns(_: Module, function: Function) -> bool:
    """Whether a function wants gradients, or thinks of them."""
    said = (each for each in walk(function.node) if isinstance(each, (ast.Name, ast.Attribute, ast.arg)))
    words = (
        each.id if isinstance(each, ast.Name) else each.arg if isinstance(each, ast.arg) else each.attr for each in said
    )
    return gradients_wanted.hints(function.module, function.node) or any(
        value_names.learns_from_picks(word) for word in words
    )


def _models(facts: Facts, function: Function, loop: ast.AST) -> Iterator[ast.Call]:
    """The calls in a loop of the module that a method belongs to, or of what is called a model."""
    itself = function.positional[0] if function.owner is not None and function.positional else None
    for call in inside.calls(facts.module, loop):
        model = evaluation.model_of(call)
        if isinstance(model, ast.Name) and model.id == itself:
            if function.owner is not None and facts.analysis.kind(function.owner) == "module":
                yield call
        elif model_names.is_model(last_name(model)):
            known = facts.analysis.value(model, facts.module)
            if known.kind == "unknown" or evaluation.is_of_model(facts.analysis, facts.module, call):
                yield call


def _is_fed(module: Module, loop: ast.AST, call: ast.Call) -> bool:
    """Whether a call is given what the loop binds or writes: each turn goes on from what the one before it picked."""
    written = _written(module, loop)
    given = (*call.args, *(each.value for each in call.keywords))
    return any(isinstance(each, ast.Name) and each.id in written for arg in given for each in ast.walk(arg))


@once
def _written(_: Module, loop: ast.AST) -> set[str]:
    """The names that a loop binds, writes into, or adds to."""
    written = set[str]()
    for node in walk(loop):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                written.add(name)
            case ast.Call(func=ast.Attribute(value=of, attr=method)) if method.endswith("_") or method == "append":
                written.add(_root(of))
    return written


def _leaves(function: Function, call: ast.Call) -> bool:
    """Whether what a call gives leaves its function other than as an index."""
    holding = set[str]()
    statements = [each for each in walk(function.node) if isinstance(each, (ast.stmt, ast.Call))]
    for _ in range(2):  # a loop hands on to its next turn
        for node in statements:
            holding |= _handed_on(node, call, holding)
    returned = (each.value for each in statements if isinstance(each, ast.Return) and each.value is not None)
    return any(_holds(each, call, holding) for each in returned)


def _handed_on(node: ast.AST, call: ast.Call, holding: set[str]) -> set[str]:
    """The names that a statement gives what a call gave, or a call that adds it to a list."""
    match node:
        case ast.Assign(targets=targets, value=value) if _holds(value, call, holding):
            return {_root(each) for target in targets for each in parts(target)}
        case ast.AugAssign(target=target, value=value) if _holds(value, call, holding):
            return {_root(target)}
        case ast.Call(func=ast.Attribute(value=of, attr="append" | "extend"), args=[given]) if _holds(
            given, call, holding
        ):
            return {_root(of)}
    return set()


def _holds(node: ast.expr, call: ast.Call, holding: set[str]) -> bool:
    """Whether an expression holds more than indices of what a call gave."""
    left: list[ast.AST] = [node]
    while left:
        part = left.pop()
        if part is call or (isinstance(part, ast.Name) and part.id in holding):
            return True
        is_cut = isinstance(part, ast.Call) and last_name(part.func) in _CUTS
        if not is_cut and not (isinstance(part, ast.Attribute) and part.attr in ("data", "shape")):
            left += ast.iter_child_nodes(part)
    return False


def _root(node: ast.expr) -> str:
    """The name at the start of `x.data`, or of `x[0]`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
