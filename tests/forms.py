"""Programs cut down to what tells something, where each form of syntax is asked of a slow oracle."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def telling(texts: Iterable[str]) -> Iterator[str]:
    """Of each text its imports, and what shows a form that none before has shown: most forms stand in it a hundred times."""
    seen: set[tuple[str | None, ...]] = set()
    for text in texts:
        lines, kept = text.splitlines(), []
        for statement in ast.parse(text).body:
            shown = set(_forms(statement))
            if shown - seen or isinstance(statement, (ast.Import, ast.ImportFrom)):
                above = [each.lineno for each in getattr(statement, "decorator_list", ())]
                kept += lines[min([statement.lineno, *above]) - 1 : statement.end_lineno]
            seen |= shown
        yield "\n".join(kept) + "\n"


def _forms(node: ast.AST, around: str | None = None) -> Iterator[tuple[str | None, ...]]:
    """What stands where in what, and in what that stands."""
    kind = type(node).__name__
    for name, value in ast.iter_fields(node):
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.AST):
                shown = inner.value if isinstance(inner, ast.Constant) else inner
                yield around, kind, name, type(shown).__name__
                yield from _forms(inner, kind)
