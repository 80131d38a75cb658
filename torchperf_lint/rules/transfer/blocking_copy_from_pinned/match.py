"""Tensors in page-locked memory: which loader gave them, and whether something writes into them after the copy began."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.fact import UNKNOWN, Fact, Sure
from torchperf_lint.facts.domain.value import PINNED, Value
from torchperf_lint.facts.domain.value_fact import as_fact
from torchperf_lint.facts.idioms import in_place_writes, loaders

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_be_pinned(facts: Facts, node: ast.AST) -> bool:
    """Whether what a method is called on is page-locked."""
    return facts.receiver_at(node).device == PINNED


def loader(facts: Facts, node: ast.AST) -> Fact[Value]:
    """The loader that a batch, or a part of one, came out of; proven if there is no other way for it to come."""
    found, is_all = loaders.of(facts.analysis, facts.module, node) if isinstance(node, ast.expr) else (None, False)
    if found is None:
        return Fact(UNKNOWN)
    known = as_fact(found)
    return Fact(known.value, known.sure if is_all else Sure.LIKELY, known.because)


def is_changed_after(facts: Facts, node: ast.AST) -> bool:
    """Whether what a name, or a part of it, holds is written in place behind the statement of a node."""
    return not isinstance(node, ast.expr) or in_place_writes.are_behind(facts.module, node)
