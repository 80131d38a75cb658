"""What is done with the batches of a loader, and what makes them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.idioms import loaders
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis


def moves(facts: Facts, loader: ast.AST) -> list[ast.Call]:
    """The moves to another device, in this file, of the tensors that a loader gives; of the call that makes the loader."""
    return [*_calls(facts, loader, "to"), *_calls(facts, loader, "cuda")]


def becomes_array(facts: Facts, loader: ast.AST) -> bool:
    """Whether a tensor that a loader gives becomes an array of NumPy."""
    return bool(_calls(facts, loader, "numpy"))


def _calls(facts: Facts, loader: ast.AST, method: str) -> list[ast.Call]:
    assert isinstance(loader, ast.Call)
    return _calls_of_batches(facts.analysis, (facts.module, method)).get(loader, [])


@once
def _calls_of_batches(analysis: Analysis, asked: tuple[Module, str]) -> dict[ast.Call, list[ast.Call]]:
    """By the call that makes a loader, the calls of a method of the tensors that it gives."""
    return loaders.calls(analysis, *asked)


def is_loop_item(facts: Facts, name: ast.AST) -> bool:
    """Whether a name holds the item of a loop as a whole: the batch, not a part of it."""
    return isinstance(name, ast.Name) and loaders.is_item(facts.module, name)


def definition_mentions(facts: Facts, node: ast.AST, names: tuple[str, ...]) -> bool:
    """Whether the class or function of the program that an expression is, or is an instance of, uses one of some names."""
    value = facts.analysis.value(node, facts.module)
    return value.kind != "unknown" and file_traits.definition_mentions(value, names)
