"""Which binding a read sees, where nothing can lead around it."""

from __future__ import annotations

import ast

import pytest

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module


def seen(text: str, name: str) -> str | None:
    """What the last read of a name in a text sees: a parameter, or the line of a binding."""
    module = Module(ast.parse(text), "a.py", "a", text)
    reads = [each for each in ast.walk(module.tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    found = definitions.reaching(module, [each for each in reads if each.id == name][-1])
    if isinstance(found, ast.arg):
        return f"parameter {found.arg}"
    return f"line {found.lineno}" if isinstance(found, ast.Name) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f = lambda x: x + 1", "parameter x"),
        ("def f(y):\n    return g(y, key=lambda x: x + 1)", "parameter x"),
        ("f = lambda a, *x: x", "parameter x"),
        ("f = lambda x: (x := x + 1) + x", None),
        ("x = 1\nf = lambda: x", "line 1"),
        ("def f(x):\n    return lambda: x", "parameter x"),
        ("f = lambda: (x := 1) + x", None),
    ],
    ids=["own", "in a call", "starred", "bound anew", "of the module", "of the function", "bound in it alone"],
)
def test_what_a_read_in_a_lambda_sees(text: str, expected: str | None) -> None:
    assert seen(text, "x") == expected
