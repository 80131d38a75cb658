"""What TPL703 says compiles anew, asked of Dynamo: programs of its fixture that are compiled are called some times."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from fixture import Section, fixtures
from oracle.breaks import recorder

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
