"""Names that a loop rebuilds from themselves: `x = torch.cat([x, new])`, turn by turn, and does nothing else with.

Knows names and where they are bound and read; what is built, rules say.
"""

from __future__ import annotations

import ast

from torchperf_lint.facts.idioms import neighbours
from torchperf_lint.facts.index.module import Module, walk


def grown(module: Module, binding: ast.Name | ast.Attribute) -> ast.For | ast.AsyncFor | ast.While | None:
    """The outermost loop in which a name is rebuilt from itself by one statement, and not read or bound otherwise."""
    function = module.function_of(binding)
    if isinstance(binding, ast.Name):
        if binding.id in function.scope.outer or any(binding.id in inner.scope.loads for inner in function.inner):
            return None
        uses = [*function.scope.loads.get(binding.id, ()), *function.scope.stores.get(binding.id, ())]
    else:
        uses = _owned(function.node, binding)
    statement = _first_turn(module, binding)
    inside = set(map(id, walk(statement)))
    found = None
    around = neighbours.loop(module, statement)
    while around is not None:
        within = set(map(id, walk(around)))
        if any(id(use) in within and id(use) not in inside for use in uses):
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


def _owned(node: ast.AST, attribute: ast.Attribute) -> list[ast.AST]:
    """The uses in a function of an attribute, and of the methods of its owner, which may read it as well."""
    owner = ast.unparse(attribute.value)
    return [
        each
        for each in walk(node)
        if isinstance(each, ast.Call | ast.Attribute)
        and (inner := each.func if isinstance(each, ast.Call) else each)
        and isinstance(inner, ast.Attribute)
        and ast.unparse(inner.value) == owner
        and (isinstance(each, ast.Call) or inner.attr == attribute.attr)
    ]


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
