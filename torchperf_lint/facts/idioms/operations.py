"""A call of torch as an operation on a tensor: `torch.max(x, 1)` and `x.max(1)` are one, and so is `torch.Tensor.max(x, 1)`."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.knowledge import dtype_names

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_HOMES: Final = ("torch", "torch.nn.functional", "torch.linalg", "torch.special")


@dataclass(frozen=True, slots=True)
class Operation:
    """A call of torch, by the name of what it does."""

    call: ast.Call
    name: str
    tensor: ast.expr
    rest: list[ast.expr]
    """What it is given by place, besides the tensor."""
    named: dict[str, ast.expr]

    def given(self, name: str, place: int) -> ast.expr | None:
        """An argument besides the tensor."""
        return self.named.get(name, self.rest[place] if place < len(self.rest) else None)

    @property
    def settings(self) -> str:
        """All arguments besides the tensor, as text."""
        return ", ".join(
            [*(ast.unparse(each) for each in self.rest), *(f"{k}={ast.unparse(v)}" for k, v in self.named.items())]
        )


def of(module: Module, node: ast.AST | None) -> Operation | None:
    """The operation on a tensor that a call is, if it can be one."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
        return None
    if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
        return None
    named = {each.arg: each.value for each in node.keywords if each.arg is not None}
    home, _, name = (names.dotted(module.function_of(node), node.func) or "").rpartition(".")
    if home in _HOMES:
        tensor = node.args[0] if node.args else named.pop("input", None)
        return Operation(node, name, tensor, node.args[1:], named) if tensor is not None else None
    if home or not isinstance(node.func, ast.Attribute):
        return None
    return Operation(node, last_name(node.func), node.func.value, node.args, named)


def made(module: Module, node: ast.expr) -> ast.expr:
    """What an expression is, with a name that is read here alone followed to what it is bound to."""
    if not isinstance(node, ast.Name):
        return node
    binding = definitions.reaching(module, node)
    if not isinstance(binding, ast.Name) or not definitions.is_read_only_once(module, binding):
        return node
    return definitions.value_of(module, binding) or node


def number(analysis: Analysis, module: Module, node: ast.expr | None) -> int | float | None:
    """The number that an expression is known to be."""
    const = analysis.value(node, module).const if node is not None else None
    return const if isinstance(const, (int, float)) and not isinstance(const, bool) else None


def are_of_one_dtype(analysis: Analysis, module: Module, nodes: list[ast.expr]) -> bool:
    """Whether tensors are known to have one floating dtype: `lerp` raises where a formula promotes. Numbers have none."""
    values = [analysis.value(each, module) for each in nodes]
    known = {each.dtype for each in values if each.kind == "tensor"}
    are_known = all(each.kind in ("tensor", "number") for each in values)
    return are_known and len(known) == 1 and known <= set(dtype_names.FLOATING)


def may_be_of_one_dtype(analysis: Analysis, module: Module, nodes: list[ast.expr]) -> bool:
    """Whether nothing tells that tensors have other dtypes than one floating one: where one is cast, all are."""
    known = {analysis.value(each, module).dtype for each in nodes}
    return len(known) == 1 and known <= {None, "floating", *dtype_names.FLOATING}


def same(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions are written alike."""
    return ast.dump(one) == ast.dump(other)


def operand(node: ast.expr) -> str:
    """The text of an expression that a method can be called on."""
    text = ast.unparse(node)
    return text if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"
