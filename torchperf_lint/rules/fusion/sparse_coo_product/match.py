"""Sparse matrices of coordinates (COO) that are multiplied: by what is known of them, or by what the project says.

adjacency = torch.sparse_coo_tensor(indices, values, size).cuda()       seen to be one
def forward(self, x, adjacency):
    return torch.spmm(adjacency, x)                                     one, where a file of the project makes such and none of rows
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.domain.value_fact import as_fact
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.knowledge import sparse_layouts

if TYPE_CHECKING:
    from torchperf_lint.facts.domain.value import Value
    from torchperf_lint.facts.facade import Facts

_OF_SPARSE: Final = {"torch.spmm": 0, "torch.sparse.mm": 0, "torch.sparse.addmm": 1}
"""Products that are called with a sparse matrix, and which argument that is."""
_OF_ANY: Final = {"torch.mm": 0, "torch.matmul": 0, "torch.addmm": 1}
_METHODS: Final = ("mm", "matmul")
_MAKING: Final = ("sparse_coo_tensor", "FloatTensor", "DoubleTensor")
_PLACING: Final = frozenset(("to", "cuda", "float", "double", "detach", "requires_grad_", "coalesce"))


def may_take_coordinates(facts: Facts, call: ast.AST) -> bool:
    """Whether a product of a matrix of coordinates may stand here."""
    return matrix(facts, call) is not None


def matrix(facts: Facts, call: ast.AST) -> ast.expr | None:
    """The matrix of coordinates that a call multiplies, made before the step, in a project that trains."""
    asked = _operand(facts, call)
    if asked is None:
        return None
    operand, is_of_sparse = asked
    value = facts.analysis.value(operand, facts.module)
    if value.on_host or not (_is_known(value) or (is_of_sparse and _may_be_one(facts))) or not _says(facts, "backward"):
        return None
    made = making(facts, operand)
    if made is not None and facts.frequency_at(made).value >= Frequency.INFERENCE:
        return None
    return operand if _is_from_outside(facts, operand) else None


def shown(facts: Facts, operand: ast.AST) -> Fact[Value]:
    """What shows that a matrix is one of coordinates."""
    value = facts.analysis.value(operand, facts.module)
    if _is_known(value):
        return as_fact(value)
    said = f"`{ast.unparse(operand)}` is one: the project makes such matrices, and names none of rows"
    return Fact(value, Sure.LIKELY, (Evidence(operand, said),))


def is_seen(facts: Facts, operand: ast.AST) -> bool:
    """Whether it is seen what makes a matrix."""
    return _is_known(facts.analysis.value(operand, facts.module))


def may_be_coalesced(facts: Facts, operand: ast.AST) -> bool:
    """Whether a matrix is coalesced, or one of which nothing is seen may be, as the project coalesces some."""
    value = facts.analysis.value(operand, facts.module)
    return bool(value.ref == sparse_layouts.COALESCED) if _is_known(value) else orders(facts, operand)


def making(facts: Facts, operand: ast.AST) -> ast.expr | None:
    """The call that makes a matrix, where that stands in this file."""
    shown = facts.analysis.value(operand, facts.module).why
    if shown is None or shown.path not in (None, facts.module.path) or not isinstance(shown.node, ast.Call):
        return None
    name = names.dotted(facts.module.function_of(shown.node), shown.node.func)
    return shown.node if name is not None and sparse_layouts.makes(name) else None


def _operand(facts: Facts, call: ast.AST) -> tuple[ast.expr, bool] | None:
    """The matrix of a product on its left, and whether only products of sparse ones are called so."""
    if not isinstance(call, ast.Call):
        return None
    name = names.dotted(facts.module.function_of(call), call.func) or ""
    place = _OF_SPARSE.get(name, _OF_ANY.get(name))
    if place is not None:
        return (call.args[place], name in _OF_SPARSE) if len(call.args) > place + 1 else None
    match call.func:
        case ast.Attribute(value=receiver, attr=method) if method in _METHODS and len(call.args) == 1:
            return receiver, False
    return None


def _is_known(value: Value) -> bool:
    return value.kind == "tensor" and value.ref in sparse_layouts.LAYOUTS


def _may_be_one(facts: Facts) -> bool:
    """Whether the project makes matrices of coordinates, and names no others."""
    return _says(facts, *_MAKING) and not _says(facts, *sparse_layouts.OF_ROWS)


def needs_coordinates(facts: Facts, _: ast.AST) -> bool:
    """Whether the project asks some matrix for its coordinates, or for what only a matrix of them has."""
    return _says(facts, *sparse_layouts.OF_COORDINATES)


def orders(facts: Facts, _: ast.AST) -> bool:
    """Whether the project coalesces some matrix, or asks whether one is coalesced."""
    return _says(facts, *sparse_layouts.OF_ORDER)


def _says(facts: Facts, *words: str) -> bool:
    """Whether the file, or another one of the project, says a word."""
    return facts.mentions(*words) or facts.project_mentions(*words)


def _is_from_outside(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is what a function was given, or an object holds, and nothing that the step makes."""
    match node:
        case ast.Name():
            binding = definitions.reaching(facts.module, node)
            if binding is None or isinstance(binding, ast.arg):
                return binding is not None or node.id not in facts.module.function_of(node).scope.stores
            bound = definitions.value_of(facts.module, binding) or _taken_apart(facts, binding)
            return bound is not None and _is_from_outside(facts, bound)
        case ast.Attribute(value=ast.Name()):
            return not any(each.attr == node.attr for each in facts.module.function_of(node).sets)
        case ast.Call(func=ast.Attribute(value=below, attr=method)) if method in _PLACING:
            return _is_from_outside(facts, below)
        case ast.Subscript(value=below):
            return _is_from_outside(facts, below)
    return False


def _taken_apart(facts: Facts, binding: ast.AST) -> ast.expr | None:
    """What an assignment takes apart: `x, adjacency = given`."""
    above = facts.module.parents.get(binding)
    match above, facts.module.parents.get(above) if above is not None else None:
        case ast.Tuple(), ast.Assign(targets=[target], value=ast.Name() | ast.Attribute() as value) if target is above:
            return value
    return None
