"""`match` and its patterns, from LibCST's to those of `ast`. See `lower`."""

from __future__ import annotations

import ast
from typing import Final

import libcst as cst

from torchperf_lint.syntax.lowering import Lowering, identifier, lowers

_SINGLETONS: Final = {"True": True, "False": False, "None": None}


@lowers(cst.Match)
def _match(to: Lowering, node: cst.Match) -> ast.stmt:
    return ast.Match(to.node(node.subject), to.nodes(node.cases))


@lowers(cst.MatchCase)
def _case(to: Lowering, node: cst.MatchCase) -> ast.match_case:
    return ast.match_case(to.node(node.pattern), to.optional(node.guard), to.body(node.body))


@lowers(cst.MatchValue)
def _value(to: Lowering, node: cst.MatchValue) -> ast.pattern:
    return ast.MatchValue(to.node(node.value))


@lowers(cst.MatchSingleton)
def _singleton(_: Lowering, node: cst.MatchSingleton) -> ast.pattern:
    return ast.MatchSingleton(_SINGLETONS[node.value.value])


@lowers(cst.MatchList, cst.MatchTuple)
def _sequence(to: Lowering, node: cst.MatchList | cst.MatchTuple) -> ast.pattern:
    parts = (each if isinstance(each, cst.MatchStar) else each.value for each in node.patterns)
    return ast.MatchSequence(to.nodes(parts))


@lowers(cst.MatchStar)
def _star(_: Lowering, node: cst.MatchStar) -> ast.pattern:
    return ast.MatchStar(_name(node.name))


@lowers(cst.MatchMapping)
def _mapping(to: Lowering, node: cst.MatchMapping) -> ast.pattern:
    keys = to.nodes(each.key.value if isinstance(each.key, cst.MatchValue) else each.key for each in node.elements)
    keys = [ast.Constant(key.value, None) if isinstance(key, ast.MatchSingleton) else key for key in keys]
    return ast.MatchMapping(keys, to.nodes(each.pattern for each in node.elements), _name(node.rest))


@lowers(cst.MatchClass)
def _class(to: Lowering, node: cst.MatchClass) -> ast.pattern:
    return ast.MatchClass(
        to.node(node.cls),
        to.nodes(each.value for each in node.patterns),
        [identifier(each.key.value) for each in node.kwds],
        to.nodes(each.pattern for each in node.kwds),
    )


@lowers(cst.MatchAs)
def _as(to: Lowering, node: cst.MatchAs) -> ast.pattern:
    return ast.MatchAs(to.optional(node.pattern), _name(node.name))


@lowers(cst.MatchOr)
def _or(to: Lowering, node: cst.MatchOr) -> ast.pattern:
    return ast.MatchOr(to.nodes(each.pattern for each in node.patterns))


def _name(name: cst.Name | None) -> str | None:
    return None if name is None else identifier(name.value)
