"""Names that a loop rebuilds from themselves: `x = torch.cat([x, new])`, turn by turn, and does nothing else with.

Knows names and where they are bound and read; what is built, rules say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import chain

from torchperf_lint.facts.idioms import neighbours
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module, walk
from torchperf_lint.facts.index.once import once


def grown(module: Module, binding: ast.Name | ast.Attribute) -> ast.For | ast.AsyncFor | ast.While | None:
    """The outermost loop in which a name is rebuilt from itself by one statement, and not read or bound otherwise."""
    function = module.function_of(binding)
    if isinstance(binding, ast.Name) and (binding.id in function.scope.outer or binding.id in function.inner_reads):
        return None
    statement = _first_turn(module, binding)
    found = None
    around = neighbours.loop(module, statement)
    while around is not None:
        uses = _uses(module, around, binding)
        if any(not inside.is_inside(module, use, statement) for use in uses):
            break
        found, around = around, neighbours.loop(module, around)
    return found


def is_grown_by(module: Module, call: ast.Call) -> bool:
    """Whether a call in a loop is given a list in which the name, or the attribute, stands that its result rebuilds."""
    bound = target(module, call) if neighbours.loop(module, call) is not None else None
    given = [*call.args[:1], *(keyword.value for keyword in call.keywords)]
    listed = [part for each in given if isinstance(each, (ast.List, ast.Tuple)) for part in each.elts]
    if bound is None or all(ast.unparse(part) != ast.unparse(bound) for part in listed):
        return False
    return grown(module, bound) is not None


def _first_turn(module: Module, binding: ast.Name | ast.Attribute) -> ast.stmt:
    """The statement of a binding; with the `if x is None: x = new` that it is the other branch of."""
    statement = module.statement(binding)
    around = module.parents.get(statement)
    match around:
        case ast.If(test=ast.Compare(left=left, comparators=[ast.Constant(value=None)])):
            if ast.unparse(left) == ast.unparse(binding) and len(around.body) == len(around.orelse) == 1:
                return around
    return statement


def _uses(module: Module, around: ast.AST, binding: ast.Name | ast.Attribute) -> Iterable[ast.AST]:
    """The uses in a loop of a name; or of an attribute, and of the methods of its owner, which may read it as well."""
    if isinstance(binding, ast.Name):
        return inside.names(module, around)[binding.id]
    attributes, calls = _owned(module, around)
    owner = ast.unparse(binding.value)
    return chain(calls.get(owner, ()), attributes.get((owner, binding.attr), ()))


@once
def _owned(_: Module, around: ast.AST) -> tuple[dict[tuple[str, str], list[ast.Attribute]], dict[str, list[ast.Call]]]:
    """The attributes that a loop uses, by owner and name, and the calls of methods, by owner."""
    attributes: dict[tuple[str, str], list[ast.Attribute]] = {}
    calls: dict[str, list[ast.Call]] = {}
    for each in walk(around):
        if isinstance(each, ast.Attribute):
            attributes.setdefault((ast.unparse(each.value), each.attr), []).append(each)
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            calls.setdefault(ast.unparse(each.func.value), []).append(each)
    return attributes, calls


def has_first_turn(module: Module, binding: ast.Name | ast.Attribute) -> bool:
    """Whether the first turn of the loop does something else: `if x is None: x = new`."""
    return _first_turn(module, binding) is not module.statement(binding)


def target(module: Module, value: ast.expr) -> ast.Name | ast.Attribute | None:
    """What is bound to a value, be it as one of two choices: `x = new if x is None else torch.cat([x, new])`."""
    above = module.parents.get(value)
    tested = None
    match above:
        case ast.IfExp(test=ast.Compare(left=left, comparators=[ast.Constant(value=None)])):
            above, tested = module.parents.get(above), ast.unparse(left)
    match above:
        case ast.Assign(targets=[ast.Name() | ast.Attribute(value=ast.Name()) as bound]):
            return bound if tested in (None, ast.unparse(bound)) else None
    return None
