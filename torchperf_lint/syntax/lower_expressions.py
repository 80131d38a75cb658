"""Expressions, from LibCST's to those of `ast`; strings have a file of their own. See `lower`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

import libcst as cst

from torchperf_lint.syntax.lowering import LOAD, Lowering, identifier, lowers

if TYPE_CHECKING:
    from collections.abc import Sequence

_OPERATORS: Final[dict[type[cst.CSTNode], ast.operator]] = {
    cst.Add: ast.Add(), cst.Subtract: ast.Sub(), cst.Multiply: ast.Mult(), cst.Divide: ast.Div(),
    cst.FloorDivide: ast.FloorDiv(), cst.Modulo: ast.Mod(), cst.Power: ast.Pow(), cst.LeftShift: ast.LShift(),
    cst.RightShift: ast.RShift(), cst.BitOr: ast.BitOr(), cst.BitAnd: ast.BitAnd(), cst.BitXor: ast.BitXor(),
    cst.MatrixMultiply: ast.MatMult(),
}  # fmt: skip
_UNARY: Final[dict[type[cst.CSTNode], ast.unaryop]] = {
    cst.Not: ast.Not(), cst.Minus: ast.USub(), cst.Plus: ast.UAdd(), cst.BitInvert: ast.Invert(),
}  # fmt: skip
_COMPARISONS: Final[dict[type[cst.CSTNode], ast.cmpop]] = {
    cst.LessThan: ast.Lt(), cst.GreaterThan: ast.Gt(), cst.LessThanEqual: ast.LtE(), cst.GreaterThanEqual: ast.GtE(),
    cst.Equal: ast.Eq(), cst.NotEqual: ast.NotEq(), cst.Is: ast.Is(), cst.IsNot: ast.IsNot(), cst.In: ast.In(),
    cst.NotIn: ast.NotIn(),
}  # fmt: skip
_BOOLEAN: Final[dict[type[cst.CSTNode], ast.boolop]] = {cst.And: ast.And(), cst.Or: ast.Or()}
_CONSTANTS: Final = {"True": True, "False": False, "None": None}


@lowers(cst.Name)
def _name(_: Lowering, node: cst.Name) -> ast.expr:
    name = node.value
    if name in _CONSTANTS:
        return ast.Constant(_CONSTANTS[name], None)
    return ast.Name(name if name.isascii() else identifier(name), LOAD)


@lowers(cst.Ellipsis)
def _ellipsis(_: Lowering, _node: cst.Ellipsis) -> ast.expr:
    return ast.Constant(..., None)


@lowers(cst.Integer)
def _integer(_: Lowering, node: cst.Integer) -> ast.expr:
    return ast.Constant(int(node.value, 0), None)


@lowers(cst.Float)
def _float(_: Lowering, node: cst.Float) -> ast.expr:
    return ast.Constant(float(node.value), None)


@lowers(cst.Imaginary)
def _imaginary(_: Lowering, node: cst.Imaginary) -> ast.expr:
    return ast.Constant(complex(node.value), None)


@lowers(cst.Attribute)
def _attribute(to: Lowering, node: cst.Attribute) -> ast.expr:
    return ast.Attribute(to.node(node.value), identifier(node.attr.value), LOAD)


@lowers(cst.Subscript)
def _subscript(to: Lowering, node: cst.Subscript) -> ast.expr:
    value, elements = to.node(node.value), node.slice
    parts = [_slice(to, element.slice) for element in elements]
    if len(parts) == 1 and not isinstance(elements[0].comma, cst.Comma) and not isinstance(parts[0], ast.Starred):
        return ast.Subscript(value, parts[0], LOAD)
    return ast.Subscript(value, ast.Tuple(parts, LOAD), LOAD)


def _slice(to: Lowering, node: cst.BaseSlice) -> ast.expr:
    if not isinstance(node, cst.Index):
        made: ast.expr = to.node(node)
    elif node.star is None:
        made = to.node(node.value)
    else:
        to.require(3, 11)
        made = ast.Starred(to.node(node.value), LOAD)
        to.pairs[made] = node
    return made


@lowers(cst.Slice)
def _slice_of_bounds(to: Lowering, node: cst.Slice) -> ast.expr:
    return ast.Slice(to.optional(node.lower), to.optional(node.upper), to.optional(node.step))


@lowers(cst.Call)
def _call(to: Lowering, node: cst.Call) -> ast.expr:
    return ast.Call(to.node(node.func), *arguments(to, node.args))


def arguments(to: Lowering, args: Sequence[cst.Arg]) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The arguments of a call or a class, apart as `ast` has them: by place, and by name."""
    positional: list[ast.expr] = []
    named: list[ast.keyword] = []
    for arg in args:
        value = to.node(arg.value)
        if arg.keyword is not None or arg.star == "**":
            keyword = ast.keyword(None if arg.keyword is None else identifier(arg.keyword.value), value)
            to.pairs[keyword] = arg
            named.append(keyword)
            continue
        if arg.star:
            value = ast.Starred(value, LOAD)
            to.pairs[value] = arg
        positional.append(value)
    return positional, named


@lowers(cst.UnaryOperation)
def _unary(to: Lowering, node: cst.UnaryOperation) -> ast.expr:
    return ast.UnaryOp(_UNARY[node.operator.__class__], to.node(node.expression))


@lowers(cst.BinaryOperation)
def _binary(to: Lowering, node: cst.BinaryOperation) -> ast.expr:
    return ast.BinOp(to.node(node.left), _OPERATORS[node.operator.__class__], to.node(node.right))


@lowers(cst.BooleanOperation)
def _boolean(to: Lowering, node: cst.BooleanOperation) -> ast.expr:
    """`a and b and c` is one operation for Python and two, the left one inside, for LibCST."""
    kind = node.operator.__class__
    operands: list[cst.BaseExpression] = [node.right]
    left = node.left
    while isinstance(left, cst.BooleanOperation) and left.operator.__class__ is kind and not left.lpar:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    return ast.BoolOp(_BOOLEAN[kind], to.nodes(reversed(operands)))


@lowers(cst.Comparison)
def _comparison(to: Lowering, node: cst.Comparison) -> ast.expr:
    operators = [_COMPARISONS[target.operator.__class__] for target in node.comparisons]
    return ast.Compare(to.node(node.left), operators, to.nodes(target.comparator for target in node.comparisons))


@lowers(cst.IfExp)
def _if(to: Lowering, node: cst.IfExp) -> ast.expr:
    return ast.IfExp(to.node(node.test), to.node(node.body), to.node(node.orelse))


@lowers(cst.Lambda)
def _lambda(to: Lowering, node: cst.Lambda) -> ast.expr:
    return ast.Lambda(to.node(node.params), to.node(node.body))


@lowers(cst.Await)
def _await(to: Lowering, node: cst.Await) -> ast.expr:
    return ast.Await(to.node(node.expression))


@lowers(cst.Yield)
def _yield(to: Lowering, node: cst.Yield) -> ast.expr:
    if isinstance(node.value, cst.From):
        return ast.YieldFrom(to.node(node.value.item))
    return ast.Yield(to.optional(node.value))


@lowers(cst.NamedExpr)
def _walrus(to: Lowering, node: cst.NamedExpr) -> ast.expr:
    return ast.NamedExpr(to.bound(node.target), to.node(node.value))


def _elements(to: Lowering, elements: Sequence[cst.BaseElement]) -> list[ast.expr]:
    return [to.node(each if isinstance(each, cst.StarredElement) else each.value) for each in elements]


@lowers(cst.StarredElement)
def _starred(to: Lowering, node: cst.StarredElement) -> ast.expr:
    return ast.Starred(to.node(node.value), LOAD)


@lowers(cst.Tuple)
def _tuple(to: Lowering, node: cst.Tuple) -> ast.expr:
    return ast.Tuple(_elements(to, node.elements), LOAD)


@lowers(cst.List)
def _list(to: Lowering, node: cst.List) -> ast.expr:
    return ast.List(_elements(to, node.elements), LOAD)


@lowers(cst.Set)
def _set(to: Lowering, node: cst.Set) -> ast.expr:
    return ast.Set(_elements(to, node.elements))


@lowers(cst.Dict)
def _dict(to: Lowering, node: cst.Dict) -> ast.expr:
    keys = [to.node(each.key) if isinstance(each, cst.DictElement) else None for each in node.elements]
    return ast.Dict(keys, to.nodes(each.value for each in node.elements))


_COMPREHENSIONS: Final = {cst.GeneratorExp: ast.GeneratorExp, cst.ListComp: ast.ListComp, cst.SetComp: ast.SetComp}


@lowers(cst.GeneratorExp, cst.ListComp, cst.SetComp)
def _comprehension(to: Lowering, node: cst.GeneratorExp | cst.ListComp | cst.SetComp) -> ast.expr:
    if isinstance(node.elt, cst.StarredElement):
        to.require(3, 15)
    return _COMPREHENSIONS[node.__class__](to.node(node.elt), _clauses(to, node.for_in))


@lowers(cst.DictComp)
def _dict_comprehension(to: Lowering, node: cst.DictComp) -> ast.expr:
    return ast.DictComp(to.node(node.key), to.node(node.value), _clauses(to, node.for_in))


@lowers(cst.StarredDictComp)
def _starred_dict_comprehension(to: Lowering, node: cst.StarredDictComp) -> ast.expr:
    to.require(3, 15)
    return ast.DictComp(to.node(node.value), ast.Constant(None, None), _clauses(to, node.for_in))


def _clauses(to: Lowering, first: cst.CompFor) -> list[ast.comprehension]:
    clauses = []
    clause: cst.CompFor | None = first
    while clause is not None:
        target, source = to.bound(clause.target), to.node(clause.iter)
        tests = to.nodes(each.test for each in clause.ifs)
        made = ast.comprehension(target, source, tests, int(clause.asynchronous is not None))
        to.pairs[made] = clause
        clauses.append(made)
        clause = clause.inner_for_in
    return clauses


@lowers(cst.Parameters)
def _parameters(to: Lowering, node: cst.Parameters) -> ast.arguments:
    star = node.star_arg if isinstance(node.star_arg, cst.Param) else None
    before = (*node.posonly_params, *node.params)
    return ast.arguments(
        posonlyargs=to.nodes(node.posonly_params),
        args=to.nodes(node.params),
        vararg=to.optional(star),
        kwonlyargs=to.nodes(node.kwonly_params),
        kw_defaults=[to.optional(each.default) for each in node.kwonly_params],
        kwarg=to.optional(node.star_kwarg),
        defaults=to.nodes(each.default for each in before if each.default is not None),
    )


@lowers(cst.Param)
def _parameter(to: Lowering, node: cst.Param) -> ast.arg:
    annotation = None if node.annotation is None else to.node(node.annotation.annotation)
    if isinstance(annotation, ast.Starred):
        to.require(3, 11)
    return ast.arg(identifier(node.name.value), annotation, None)
