"""Whether a text may use what has a name: by hand, and against Python's own tree for names that real programs use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from for_each import for_each

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.project.bindings import may_bind
from torchperf_lint.facts.project.mentions import may_name, may_use

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "gpu" / "programs").rglob("*.py")) + sorted((HERE / "rules" / "sync").glob("*.py"))


@pytest.mark.parametrize(
    "text",
    [
        "note(loss)",
        "steps.note (loss)",
        "self.note(loss)",
        "run(loss, note)",
        "from steps import note",
        "from steps import note as say",
        "say = steps.note",
        "table = {1: note}",
        "if note == other: ...",
        "x: note = 3",
        'print(f"{note(loss)}")',
        "print(rf'''\n{note(loss)}''')",
        "print(f'{note=}')",
        "x = '''it's'''; note(x)",
        r"x = '\''; note(x)",
        "x = '#'; note(x)",
        'x = "\'"; note(x) # "',
        "def note(x): return note(x)",
    ],
)
def test_what_may_be_a_use(text: str) -> None:
    assert may_use(text, "note")


@pytest.mark.parametrize(
    "text",
    [
        "def note(loss): ...",
        "async def  note(loss): ...",
        "class note: ...",
        "\nnote = 3",
        "self.note = 3",
        "run(loss, note=3)",
        "run('note')",
        "notes(); denote(); note_it(); _note(); noté()",
        "# note(loss)",
        '"""Calls note(loss).\n\n    >>> note(loss)\n"""',
        "x = 'it is note(loss)' # and \"note\"",
        r"x = '\'note(loss)'",
        "x = rb'note'",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not may_use(text, "note")


def test_a_sentence_that_holds_expressions_names_nothing_but_in_them() -> None:
    for text in ('f"Attention weights of {size}"', "print(f'no {x} for Attention here')"):
        assert not may_name(text, "Attention", "top")
    for text in (
        'f"{Attention(x)} weights"',
        'get(f"Attention{i}")',
        'get(f"{kind}.Attention")',
        'f"so {f(Attention)}"',
    ):
        assert may_name(text, "Attention", "top")


def test_what_torch_has_is_not_what_stands_on_the_top_of_a_file() -> None:
    for text in ("x = nn.SiLU()", "x = torch.nn.SiLU(inplace=True)"):
        assert not may_name(text, "SiLU", "top")
    for text in ("x = layers.SiLU()", "x = SiLU()", "x = my.nn.SiLU()", "x = nn.SiLU() if new else SiLU()"):
        assert may_name(text, "SiLU", "top")


@for_each(PROGRAMS, lambda path: path.name)
def test_no_use_of_a_real_program_is_missed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    used: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()) | ast.alias(name=name):
                used.add(name.rpartition(".")[2])
    raw = text.encode().decode("latin-1")
    assert [each for each in sorted(used) if not (may_use(text, each) and may_use(raw, each))] == []


@pytest.mark.parametrize(
    "text",
    [
        "def note(x): ...",
        "async def note (x): ...",
        "class note(Base): ...",
        "def \\\n  note(x): ...",
        "note = 3",
        "note: int",
        "from steps import note",
        "from steps import (x, note)",
        "from steps import x as note",
        "import note.inner",
        "for note in x: ...",
        "if (note := 3): ...",
        "from steps import note\n(a, b) = 3, 4",
        "print(note(3))\nnote = 3",
    ],
)
def test_what_may_bind_a_name(text: str) -> None:
    assert may_bind(text.encode(), b"note")


@pytest.mark.parametrize(
    "text", ["note(3)", "note (3)", "x.note = 3", "x.note", "notes = 3", "é_note = noté = anote = 3"]
)
def test_what_binds_no_such_name(text: str) -> None:
    assert not may_bind(text.encode(), b"note")


@for_each(PROGRAMS, lambda path: path.name)
def test_all_that_a_program_binds_may_be_bound(path: Path) -> None:
    data = path.read_bytes()
    module = Module(ast.parse(data), path.name, "", data.decode())
    assert all(may_bind(data, each.encode()) for each in module.body.scope.stores)
