"""What a loop carries on the GPU from turn to turn: `state = step(state)`, the mark of a simulation.

    new = step(state)          by other names too, one that is made of the other:
    error = (new - state).abs().max()
    state = new

Knows the values of names and where they are bound, nothing of how often code runs.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import CUDA, MAYBE
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import Loop, end_of, place_of, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def by(analysis: Analysis, module: Module, loop: Loop, nodes: list[ast.AST]) -> ast.AST | None:
    """A name that a loop, which is all these nodes, rebinds from what it held in the last turn to a tensor of the GPU."""
    if _goes_through_parts(loop, nodes):
        return None
    bound = [pair for node in nodes if isinstance(node, (ast.Assign, ast.AugAssign)) for pair in _bindings(node)]
    made_of: dict[str, set[str]] = {}
    for target, read in bound:
        made_of.setdefault(target.id, set()).update(read)
    own = {name for name in made_of if name in _sources(name, made_of)}
    kept = _kept(loop, nodes, own) if own else own
    for target, _ in bound:
        if target.id in kept:
            value = analysis.value(target, module)
            if value.kind == "tensor" and value.device in (CUDA, MAYBE):
                return target
    return None


def _goes_through_parts(loop: Loop, nodes: list[ast.AST]) -> bool:
    """Whether each turn takes another part of an object, by its name: `for name in names: self.adapters[name]`.

    Numbers count turns: `self.noise[step]`.
    """
    match loop:
        case ast.For(target=ast.Name(id=name), iter=ast.Name() | ast.Attribute()):
            return any(
                isinstance(each, ast.Subscript)
                and isinstance(each.value, ast.Attribute)
                and isinstance(each.slice, ast.Name)
                and each.slice.id == name
                for each in nodes
            )
    return False


def _bindings(node: ast.AST) -> list[tuple[ast.Name, set[str]]]:
    """The names that an assignment binds, and those that each is made of."""
    match node:
        case ast.AugAssign(target=ast.Name() as target):
            return [(target, {target.id})]
        case ast.Assign(targets=[ast.Name() as target, *_], value=value):
            return [(target, _names(value))]
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(values):
            pairs = zip(targets, values, strict=True)
            return [(target, _names(value)) for target, value in pairs if isinstance(target, ast.Name)]
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
            return [(target, _names(value)) for target in targets if isinstance(target, ast.Name)]
    return []


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name)}


def _sources(name: str, made_of: dict[str, set[str]]) -> set[str]:
    """All that a name is made of in the turns of a loop, directly and through other names."""
    found: set[str] = set()
    left = [name]
    while left:
        for source in made_of.get(left.pop(), ()):
            if source not in found:
                found.add(source)
                left.append(source)
    return found


def _kept(loop: Loop, nodes: list[ast.AST], names: set[str]) -> set[str]:
    """The names, of some, that a turn reads where they may still hold what the last turn bound to them."""
    first = {name: _bound_anew(loop.body, name) for name in names}
    changed = {id(each.target) for each in nodes if isinstance(each, ast.AugAssign)}  # `x += 1` reads it
    return {
        each.id
        for each in nodes
        if isinstance(each, ast.Name)
        and each.id in names
        and (isinstance(each.ctx, ast.Load) or id(each) in changed)
        and ((bound := first[each.id]) is None or place_of(each) < bound)
    }


def _bound_anew(statements: list[ast.stmt], name: str) -> tuple[int, int] | None:
    """Where each turn has bound a name anew, whichever way it went."""
    for statement in statements:
        found = None
        match statement:
            case ast.With(body=body) | ast.Try(body=body):
                found = _bound_anew(body, name)
            case ast.If(body=body, orelse=orelse):
                found = _bound_anew(body, name) if _bound_anew(orelse, name) is not None else None
            case _ if any(target.id == name for target, _ in _bindings(statement)):
                found = end_of(statement) if not isinstance(statement, ast.AugAssign) else None
        if found is not None:
            return found
    return None
