"""Statements, from LibCST's to those of `ast`. See `lower`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from torchperf_lint.syntax.lower_expressions import arguments
from torchperf_lint.syntax.lowering import DEL, Lowering, dotted, identifier, lowers

_OPERATORS: Final[dict[type[cst.CSTNode], ast.operator]] = {
    cst.AddAssign: ast.Add(), cst.SubtractAssign: ast.Sub(), cst.MultiplyAssign: ast.Mult(),
    cst.MatrixMultiplyAssign: ast.MatMult(), cst.DivideAssign: ast.Div(), cst.ModuloAssign: ast.Mod(),
    cst.BitAndAssign: ast.BitAnd(), cst.BitOrAssign: ast.BitOr(), cst.BitXorAssign: ast.BitXor(),
    cst.LeftShiftAssign: ast.LShift(), cst.RightShiftAssign: ast.RShift(), cst.PowerAssign: ast.Pow(),
    cst.FloorDivideAssign: ast.FloorDiv(),
}  # fmt: skip

# What this Python has no class for becomes the nearest thing that keeps names and bodies where they can be seen.
_TRY_STAR: Final[Any] = getattr(ast, "TryStar", ast.Try)
_TYPE_ALIAS: Final[Any] = getattr(ast, "TypeAlias", None)
_HAS_TYPE_PARAMETERS: Final = sys.version_info >= (3, 12)
_HAS_TYPE_DEFAULTS: Final = sys.version_info >= (3, 13)


@lowers(cst.Expr)
def _expression(to: Lowering, node: cst.Expr) -> ast.stmt:
    return ast.Expr(to.node(node.value))


@lowers(cst.Pass)
def _pass(_: Lowering, _node: cst.Pass) -> ast.stmt:
    return ast.Pass()


@lowers(cst.Break)
def _break(_: Lowering, _node: cst.Break) -> ast.stmt:
    return ast.Break()


@lowers(cst.Continue)
def _continue(_: Lowering, _node: cst.Continue) -> ast.stmt:
    return ast.Continue()


@lowers(cst.Return)
def _return(to: Lowering, node: cst.Return) -> ast.stmt:
    return ast.Return(to.optional(node.value))


@lowers(cst.Raise)
def _raise(to: Lowering, node: cst.Raise) -> ast.stmt:
    return ast.Raise(to.optional(node.exc), to.optional(None if node.cause is None else node.cause.item))


@lowers(cst.Assert)
def _assert(to: Lowering, node: cst.Assert) -> ast.stmt:
    return ast.Assert(to.node(node.test), to.optional(node.msg))


@lowers(cst.Del)
def _delete(to: Lowering, node: cst.Del) -> ast.stmt:
    if isinstance(node.target, cst.Tuple) and not node.target.lpar:
        return ast.Delete([to.bound(each.value, DEL) for each in node.target.elements])
    return ast.Delete([to.bound(node.target, DEL)])


@lowers(cst.Global)
def _global(_: Lowering, node: cst.Global) -> ast.stmt:
    return ast.Global([identifier(each.name.value) for each in node.names])


@lowers(cst.Nonlocal)
def _nonlocal(_: Lowering, node: cst.Nonlocal) -> ast.stmt:
    return ast.Nonlocal([identifier(each.name.value) for each in node.names])


@lowers(cst.Assign)
def _assign(to: Lowering, node: cst.Assign) -> ast.stmt:
    return ast.Assign([to.bound(each.target) for each in node.targets], to.node(node.value), None)


@lowers(cst.AugAssign)
def _augmented(to: Lowering, node: cst.AugAssign) -> ast.stmt:
    return ast.AugAssign(to.bound(node.target), _OPERATORS[node.operator.__class__], to.node(node.value))


@lowers(cst.AnnAssign)
def _annotated(to: Lowering, node: cst.AnnAssign) -> ast.stmt:
    simple = isinstance(node.target, cst.Name) and not node.target.lpar
    annotation = to.node(node.annotation.annotation)
    return ast.AnnAssign(to.bound(node.target), annotation, to.optional(node.value), int(simple))


@lowers(cst.Import, cst.LazyImport)
def _import(to: Lowering, node: cst.Import | cst.LazyImport) -> ast.stmt:
    if isinstance(node, cst.LazyImport):
        to.require(3, 15)
    return ast.Import(to.nodes(node.names))


@lowers(cst.ImportFrom, cst.LazyImportFrom)
def _import_from(to: Lowering, node: cst.ImportFrom | cst.LazyImportFrom) -> ast.stmt:
    if isinstance(node, cst.LazyImportFrom):
        to.require(3, 15)
    names = to.nodes(node.names) if isinstance(node.names, Sequence) else [to.node(node.names)]
    return ast.ImportFrom(None if node.module is None else dotted(node.module), names, len(node.relative))


@lowers(cst.ImportAlias)
def _alias(_: Lowering, node: cst.ImportAlias) -> ast.alias:
    name = node.asname.name if node.asname is not None else None
    return ast.alias(dotted(node.name), identifier(name.value) if isinstance(name, cst.Name) else None)


@lowers(cst.ImportStar)
def _import_star(_: Lowering, _node: cst.ImportStar) -> ast.alias:
    return ast.alias("*", None)


@lowers(cst.If)
def _if(to: Lowering, node: cst.If) -> ast.stmt:
    orelse = [to.node(node.orelse)] if isinstance(node.orelse, cst.If) else _block(to, node.orelse)
    return ast.If(to.node(node.test), to.body(node.body), orelse)


@lowers(cst.While)
def _while(to: Lowering, node: cst.While) -> ast.stmt:
    return ast.While(to.node(node.test), to.body(node.body), _block(to, node.orelse))


@lowers(cst.For)
def _for(to: Lowering, node: cst.For) -> ast.stmt:
    made = ast.For if node.asynchronous is None else ast.AsyncFor
    return made(to.bound(node.target), to.node(node.iter), to.body(node.body), _block(to, node.orelse), None)


@lowers(cst.With)
def _with(to: Lowering, node: cst.With) -> ast.stmt:
    made = ast.With if node.asynchronous is None else ast.AsyncWith
    return made(to.nodes(node.items), to.body(node.body), None)


@lowers(cst.WithItem)
def _with_item(to: Lowering, node: cst.WithItem) -> ast.withitem:
    return ast.withitem(to.node(node.item), None if node.asname is None else to.bound(node.asname.name))


@lowers(cst.Try, cst.TryStar)
def _try(to: Lowering, node: cst.Try | cst.TryStar) -> ast.stmt:
    made = ast.Try
    if isinstance(node, cst.TryStar):
        to.require(3, 11)
        made = _TRY_STAR
    handlers = to.nodes(node.handlers)
    return made(to.body(node.body), handlers, _block(to, node.orelse), _block(to, node.finalbody))


@lowers(cst.ExceptHandler, cst.ExceptStarHandler)
def _handler(to: Lowering, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ast.excepthandler:
    if isinstance(node.type, cst.Tuple) and not node.type.lpar:
        to.require(3, 14)
    name = None if node.name is None else node.name.name
    bound = identifier(name.value) if isinstance(name, cst.Name) else None
    return ast.ExceptHandler(to.optional(node.type), bound, to.body(node.body))


def _block(to: Lowering, clause: cst.Else | cst.Finally | None) -> list[ast.stmt]:
    return [] if clause is None else to.body(clause.body)


@lowers(cst.FunctionDef)
def _function(to: Lowering, node: cst.FunctionDef) -> ast.stmt:
    made = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
    return made(
        name=identifier(node.name.value),
        args=to.node(node.params),
        body=to.body(node.body),
        decorator_list=to.nodes(each.decorator for each in node.decorators),
        returns=None if node.returns is None else to.node(node.returns.annotation),
        type_comment=None,
        **_type_parameters(to, node.type_parameters),
    )


@lowers(cst.ClassDef)
def _class(to: Lowering, node: cst.ClassDef) -> ast.stmt:
    bases, keywords = arguments(to, (*node.bases, *node.keywords))
    return ast.ClassDef(
        name=identifier(node.name.value),
        bases=bases,
        keywords=keywords,
        body=to.body(node.body),
        decorator_list=to.nodes(each.decorator for each in node.decorators),
        **_type_parameters(to, node.type_parameters),
    )


@lowers(cst.TypeAlias)
def _type_alias(to: Lowering, node: cst.TypeAlias) -> ast.stmt:
    to.require(3, 12)
    name, value = to.bound(node.name), to.node(node.value)
    if _TYPE_ALIAS is None:
        return ast.Assign([name], value, None)
    parameters = _type_parameters(to, node.type_parameters)["type_params"]
    return _TYPE_ALIAS(name, parameters, value)  # type: ignore[no-any-return]


def _type_parameters(to: Lowering, parameters: cst.TypeParameters | None) -> dict[str, Any]:
    """The field `type_params`, where this Python has it."""
    if parameters is not None:
        to.require(3, 13 if any(each.default is not None for each in parameters.params) else 12)
    if not _HAS_TYPE_PARAMETERS:
        return {}
    return {"type_params": [] if parameters is None else to.nodes(parameters.params)}


@lowers(cst.TypeParam)
def _type_parameter(to: Lowering, node: cst.TypeParam) -> ast.AST:
    made: Any = getattr(ast, node.param.__class__.__name__)
    fields = [identifier(node.param.name.value)]
    if isinstance(node.param, cst.TypeVar):
        fields.append(to.optional(node.param.bound))
    if _HAS_TYPE_DEFAULTS:
        default = to.optional(node.default)
        if node.star:
            default = ast.Starred(default)
        fields.append(default)
    return made(*fields)  # type: ignore[no-any-return]
