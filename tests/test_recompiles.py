"""What TPL703 says compiles anew, asked of Dynamo: programs of its fixture that are compiled are called some times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
from fixture import Section, fixtures
from linted import PATH, lint
from oracle.breaks import recorder

from torchperf_lint.fixes.apply import fix_text
from torchperf_lint.model.finding import Finding, Safety

FIXTURE = next(each for each in fixtures() if each.name == "recompile-hazard")
CALLS = 12
LIMIT = 8
"""So often Dynamo compiles a function, and gives it up then."""


def made_by(section: Section) -> dict[str, Any]:
    """What the program of a section makes, compiled without code being generated."""
    text = section.text.replace("torch.compile(", "torch.compile(backend='eager')(")
    text = text.replace(".compile()", ".compile(backend='eager')").replace(
        "@torch.compile\n", "@torch.compile(backend='eager')\n"
    )
    scope: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), scope)
    return scope


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "fewest", "most"),
    [
        ("noise", LIMIT, LIMIT), ("counter", LIMIT, LIMIT), ("gather", LIMIT, LIMIT), ("step", LIMIT, LIMIT), ("kept", 1, 4),
        ("told", 1, 2),
    ],
)  # fmt: skip
def test_dynamo_compiles_as_often_as_it_is_said(name: str, fewest: int, most: int) -> None:
    section = next(each for each in FIXTURE.sections if f"\n{name} = " in each.text or f"\ndef {name}(" in each.text)
    with torch._dynamo.config.patch(allow_unspec_int_on_nn_module=False):
        compiled = made_by(section)[name]
        graphs, errors = recorder.run(lambda _: compiled(torch.randn(4, 8)), CALLS)
    assert not errors
    assert fewest <= graphs <= most


HEAD = """\
import torch


def scored(x):
    return x * 2


run = torch.compile(scored, dynamic=False)


def program(x):
"""
VARIED = {
    "marked": ("for _ in range(12):", "    x = torch.cat((x, x[:, :1]), dim=1)", "    run(x)"),
    "free": ("for n in range(2, 14):", "    run(x[:, :n])"),
}


@pytest.mark.slow
@pytest.mark.rules("TPL703")
@pytest.mark.parametrize("lines", VARIED.values(), ids=VARIED)
def test_the_fix_that_is_shown_lets_sizes_vary(lines: tuple[str, ...]) -> None:
    text = HEAD + "".join(f"    {line}\n" for line in lines)
    after = fix_text(text, PATH, lambda source: [*applicable(source.text)], Safety.UNSAFE).text
    assert graphs_of(text) == LIMIT
    assert graphs_of(after) <= FEW, after


def applicable(text: str) -> Iterator[Finding]:
    """What is found in a program, with fixes that are shown made such that are applied."""
    for each in lint(Section("case", "sizes", 1, text, ()), frozenset({"TPL703"})):
        yield replace(each, fix=replace(each.fix, safety=Safety.UNSAFE)) if each.fix is not None else each


FEW = 2
"""So many graphs are made where sizes may vary: torch may make one for the first size alone."""


def graphs_of(text: str) -> int:
    """How many graphs the sizes make that a program gives to what it compiles."""
    scope: dict[str, Any] = {"__name__": "program"}
    exec(compile(text.replace("(scored, ", "(scored, backend='eager', "), "program.py", "exec"), scope)
    graphs, errors = recorder.run(lambda _: scope["program"](torch.randn(2, 16)), 1)
    assert not errors
    return graphs
