"""A loop that puts things into lists and looks at none of them is run once, however deep it lies; what it puts there is in
`tests/facts/filled.py`."""

from __future__ import annotations

import ast

import pytest

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.interpreter import analysis_of

PUT = ["every.append(x)", "every.add(x)", "every[x] = x", "every.extend([x])"]


def steps(line: str, depth: int) -> int:
    """How many steps a function takes with a line so many loops deep."""
    empty = "set()" if ".add" in line else "{}" if "[x]" in line and "extend" not in line else "[]"
    lines = ["def f(xs):", f"    every = {empty}"]
    lines += [f"{'    ' * number}for x in xs:" for number in range(1, depth + 1)]
    text = "\n".join([*lines, f"{'    ' * (depth + 1)}{line}", "    return every", ""])
    module = Module(ast.parse(text), "a.py", "a", text)
    program = Program()
    program.add(module)
    analysis = analysis_of(program, module)
    analysis.recorded(module.functions[module.tree.body[0]])
    return analysis.solver.steps.taken


@pytest.mark.parametrize("line", PUT)
def test_what_is_put_in_alone_takes_no_second_turn(line: str) -> None:
    assert steps(line, 6) < 2 * steps(line, 3)
