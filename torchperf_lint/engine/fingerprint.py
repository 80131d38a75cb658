"""Fingerprints: the same finding has the same one after lines moved, so that baselines and trackers know it again.

`v1:` and a digest of the code, the path, the enclosing function or class, the flagged text with white space folded, and
the ordinal among equals. No line numbers.
"""

from __future__ import annotations

import ast
from collections import Counter
from hashlib import sha256
from typing import Final

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.syntax.source import Source, Span

VERSION: Final = "v1"


class Fingerprints:
    """The fingerprints of one file; equal findings are told apart by their order."""

    def __init__(self, source: Source, module: Module | None) -> None:
        self._source = source
        self._module = module
        self._lines: dict[int, str] | None = None
        """The scope of each line, once somebody asks."""
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def of(self, code: str, span: Span) -> str:
        """The fingerprint of the next finding with a code at a span."""
        text = " ".join(self._source.cut(span).split())
        scope = self._scope(span.start.line)
        key = (code, scope, text)
        ordinal = self._seen[key]
        self._seen[key] += 1
        parts = "\0".join((code, self._source.path, scope, text, str(ordinal)))
        return f"{VERSION}:{sha256(parts.encode(errors='surrogateescape')).hexdigest()[:24]}"

    def _scope(self, line: int) -> str:
        """The qualified name of the innermost function or class around a line."""
        if self._lines is None:
            scopes = _scopes(self._module) if self._module is not None else []
            largest_first = sorted(scopes, key=lambda scope: (scope[0] - scope[1], scope[2]))
            self._lines = {at: name for first, last, name in largest_first for at in range(first, last + 1)}
        return self._lines.get(line, "<module>")


def _scopes(module: Module) -> list[tuple[int, int, str]]:
    named: list[Function | Class] = [*module.functions.values(), *module.classes.values()]
    return [
        (each.node.lineno, each.node.end_lineno or each.node.lineno, each.qualname)
        for each in named
        if not isinstance(each.node, ast.Module) and not each.qualname.endswith("<lambda>")
    ]
