"""Tensors that are copied to the host for a collective."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import process_groups
from torchperf_lint.facts.index import definitions

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_SENT: Final = {"all_gather": 1, "all_gather_into_tensor": 1}
"""The place of what is sent, where it is not the first."""


def goes_through_host(facts: Facts, call: ast.AST) -> bool:
    """Whether a collective over gloo is given the copy of another tensor, in a program that has NCCL."""
    assert isinstance(call, ast.Call)
    if not process_groups.is_on_host(facts.module, call) or not process_groups.has_nccl(facts.module):
        return False
    return copied(facts, call) is not call


def copied(facts: Facts, call: ast.AST) -> ast.AST:
    """What is copied to the host for a collective; the collective itself where nothing is."""
    assert isinstance(call, ast.Call)
    place = _SENT.get(process_groups.collective(facts.module, call) or "", 0)
    given = call.args[place] if len(call.args) > place else None
    if isinstance(given, ast.Name):
        given = definitions.definition(facts.module, given)
    match given:
        case ast.Call(func=ast.Attribute(value=held, attr="cpu")):
            return held
        case ast.Call(func=ast.Attribute(value=held, attr="to"), args=[ast.Constant(value="cpu")]):
            return held
    return call
