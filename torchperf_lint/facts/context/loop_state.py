"""What a loop carries on the GPU from turn to turn: `state = step(state)`, the mark of a simulation.

    new = step(state)          by other names too, one that is made of the other:
    error = (new - state).abs().max()
    state = new

Knows the values of names and where they are bound, nothing of how often code runs.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import CUDA, MAYBE
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import ClosedNode, Loop, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_BINDS: Final = (ast.Assign, ast.AugAssign, ast.AnnAssign)
_LEAVES: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def by(analysis: Analysis, module: Module, loop: Loop, nodes: list[ast.AST]) -> ast.AST | None:
    """A name that a loop, which is all these nodes, rebinds from what it held in the last turn to a tensor of the GPU."""
    if _goes_through_parts(loop, nodes) or _calls_itself(module, loop, nodes):
        return None
    bound = [pair for node in nodes if isinstance(node, _BINDS) for pair in _bindings(node)]
    made_of: dict[str, set[str]] = {}
    for target, read in bound:
        made_of.setdefault(target.id, set()).update(read)
    own = {name for name in made_of if name in _sources(name, made_of)}
    kept = _kept(loop, own) if own else own
    for target, _ in bound:
        if target.id in kept:
            value = analysis.value(target, module)
            if value.kind == "tensor" and value.device in (CUDA, MAYBE):
                return target
    return None


def _calls_itself(module: Module, loop: Loop, nodes: list[ast.AST]) -> bool:
    """Whether each turn gives a part of what a function is given to the same function: a few parts, of what is too large for one call."""
    name = module.function_of(loop).name
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == name for each in nodes
    )


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
        case (
            ast.Assign(targets=[ast.Name() as target, *_], value=value)
            | ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value)
        ):
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


def _kept(loop: Loop, names: set[str]) -> set[str]:
    """The names, of some, that a turn reads where they may still hold what the last turn bound to them."""
    read: set[str] = set()
    bound: set[str] = set()
    if isinstance(loop, ast.While):
        _read(loop.test, bound, read)
    _run(loop.body, bound, read)
    return read & names


def _run(statements: list[ast.stmt], bound: set[str], read: set[str]) -> bool:
    """Note what some statements read of what they have not bound, add to what each way through them has bound, and tell whether
    control comes to their end."""
    return all(_step(statement, bound, read) for statement in statements)


def _step(statement: ast.stmt, bound: set[str], read: set[str]) -> bool:
    """The same for one statement."""
    match statement:
        case ast.If():
            return _run_one(_arms(statement, bound, read), bound, read)
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
            for item in items:
                _read(item, bound, read)
            return _run(body, bound, read)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=last):
            # It may be left at any of its statements, so a handler knows nothing of what it has bound.
            goes_on = _run_one([[*body, *orelse], *(each.body for each in handlers)], bound, read)
            return _run(last, bound, read) and goes_on
        case ast.For() | ast.AsyncFor() | ast.While():
            _read(statement.test if isinstance(statement, ast.While) else statement.iter, bound, read)
            _run(statement.body, set(bound), read)  # perhaps it makes no turn
            _run(statement.orelse, set(bound), read)
            return True
        case ast.Match(subject=subject, cases=cases):
            _read(subject, bound, read)
            return _run_one([*(each.body for each in cases), []], bound, read)
    _read(statement, bound, read)
    bound.update(target.id for target, _ in _bindings(statement))
    return not isinstance(statement, _LEAVES)


def _arms(statement: ast.If, bound: set[str], read: set[str]) -> list[list[ast.stmt]]:
    """The ways through an `if` and all its `elif`, of which there may be many, after a look at what their conditions read."""
    arms = []
    while True:
        _read(statement.test, bound, read)
        arms.append(statement.body)
        match statement.orelse:
            case [ast.If() as below]:
                statement = below
            case other:
                return [*arms, other]


def _run_one(ways: list[list[ast.stmt]], bound: set[str], read: set[str]) -> bool:
    """The same where control goes one of some ways."""
    ends = [(set(bound), way) for way in ways]
    left = [end for end, way in ends if _run(way, end, read)]
    if left:
        bound.update(set.intersection(*left))
    return bool(left)


def _read(node: ast.AST, bound: set[str], read: set[str]) -> None:
    """Note which names a piece of code reads that are not bound; `x += 1` reads one too."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        read.update({node.target.id} - bound)
    if isinstance(node, ClosedNode):
        return
    below = walk(node, into_scopes=False)
    loads = (each for each in below if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
    read.update(each.id for each in loads if each.id not in bound)
