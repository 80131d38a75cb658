"""In which forms a node could wait whatever it is given: what is left out there is never asked about again."""

from __future__ import annotations

import ast

import pytest

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.interpreter import analysis_of
from torchperf_lint.facts.sync import host_wait, possible_forms
from torchperf_lint.syntax.parse import by_python
from torchperf_lint.syntax.source import Source

TARGET = (2, 11)
HEAD = """\
import math, torch
from torch import nn
class Made:
    def __init__(self, x): ...
def used(x): ...
"""

CASES = [
    ("used(x)", set()),
    ("Made(x)", {"library"}),
    ("len(x)", set()),
    ("str(x)", {"format"}),
    ("float(x)", {"read"}),
    ("max(x, 3)", {"truth"}),
    ("math.sqrt(x)", None),
    ("torch.nonzero(x)", {"shape"}),
    ("torch.relu(x)", set()),
    ("torch.tensor(x)", None),
    ("x.item()", None),
    ("x(3)", None),
    ("x in {1: 2}", set()),
    ("x in (1, x)", {"truth"}),
    ("'a' in x", set()),
    ("3 if x else 4", {"truth"}),
    ("f'{x}'", {"format"}),
    ("x[x]", None),
]


def case(expression: str, parameter: str) -> tuple[Module, ast.expr]:
    text = f"{HEAD}def go({parameter}):\n    return {expression}\n"
    module = Module(by_python(Source(text)), "a.py", "a", text)
    function = module.tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    statement = function.body[0]
    assert isinstance(statement, ast.Return)
    assert statement.value is not None
    return module, statement.value


@pytest.mark.parametrize(("expression", "forms"), CASES, ids=[each for each, _ in CASES])
def test_forms(expression: str, forms: set[str] | None) -> None:
    module, node = case(expression, "x")
    program = Program()
    program.add(module)
    found = possible_forms.of(analysis_of(program, module), module, node, TARGET)
    assert found == forms if forms is not None else len(found) == 10


@pytest.mark.parametrize("expression", [each for each, _ in CASES])
@pytest.mark.parametrize("parameter", ["x: torch.Tensor", "x: list[torch.Tensor]", "x: nn.Module"])
def test_a_wait_that_is_seen_where_more_is_known_has_a_possible_form(expression: str, parameter: str) -> None:
    module, node = case(expression, parameter)
    program = Program()
    program.add(module)
    seen = host_wait.wait(analysis_of(program, module), module, node, TARGET)
    bare, same = case(expression, "x")
    program = Program()
    program.add(bare)
    possible = possible_forms.of(analysis_of(program, bare), bare, same, TARGET)
    assert not seen.known or seen.value.form in possible
