"""Fallbacks for what an old torch lacks: every torch in use has it, so they do not run.

try:
    return nn.SiLU()
except AttributeError:
    return Swish()             before torch 1.7
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.knowledge import long_there

_LACKING: Final = frozenset(("ImportError", "ModuleNotFoundError", "AttributeError"))


def is_one(module: Module, node: ast.AST) -> bool:
    """Whether a node stands where control comes only if torch lacks what it has had for long."""
    handlers = (each for each in module.ancestors(node) if isinstance(each, ast.ExceptHandler))
    return any(
        _catches_lack(each) and isinstance(tried := module.parents.get(each), ast.Try) and _asks_torch(module, tried)
        for each in handlers
    )


def _catches_lack(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return all(each is not None and last_name(each) in _LACKING for each in caught)


def _asks_torch(module: Module, tried: ast.Try) -> bool:
    """Whether nothing that is tried can be lacking: all of it is torch's, and old."""
    asked = [name for statement in tried.body for name in _asked(module, statement)]
    return bool(asked) and all(name is not None and long_there.is_there(name) for name in asked)


def _asked(module: Module, statement: ast.stmt) -> list[str | None]:
    """The dotted names that a statement imports, or looks up; None for what is no name of a module."""
    match statement:
        case ast.Import(names=names):
            return [each.name for each in names]
        case ast.ImportFrom(module=str(source), names=names, level=0):
            return [f"{source}.{each.name}" for each in names]
    looked = (each for each in walk(statement) if isinstance(each, ast.Attribute))
    whole = (each for each in looked if not isinstance(module.parents.get(each), ast.Attribute))
    return [dotted(module.function_of(each), each) for each in whole]
