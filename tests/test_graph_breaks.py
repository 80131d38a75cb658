"""What TPL702 says ends a graph, held against what Dynamo said; and what Dynamo said against what it says now."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest
import torch
from fixture import Section
from linted import lint_anew
from oracle.breaks import record_forms

from torchperf_lint.facts.knowledge import canonical, graph_breaks

ROOT: Final = Path(__file__).parents[1]
HERE: Final = ROOT / "tests/oracle/breaks"
RECORDED: Final = json.loads((HERE / "forms.json").read_text("utf-8"))
SAID: Final[dict[str, dict[str, list[str] | None]]] = RECORDED["forms"]
BREAKS: Final = {form for form, said in SAID.items() if said["default"]}
"""The statements that end a graph; of those that raise nothing is known."""
COMPILES: Final = {form for form, said in SAID.items() if said["default"] == []}


AT_ONCE: Final = 300
"""So many statements in a file: of one that is much longer the linter reads no more than its budget."""


@cache
def claimed(more: str = "") -> frozenset[str]:
    """The statements of which the rule speaks, each in a compiled function of a file that has many of them."""
    forms = [*SAID]
    parts = [forms[at : at + AT_ONCE] for at in range(0, len(forms), AT_ONCE)]
    return frozenset().union(*(_claimed(part, more) for part in parts))


def _claimed(forms: list[str], more: str) -> frozenset[str]:
    text = (HERE / "forms.py").read_text("utf-8") + more
    places = {}
    for form in forms:
        text += "\n\n@torch.compile\n"
        first = text.count("\n")
        text += record_forms.function(form)
        places[form] = range(first, text.count("\n") + 1)
    section = Section("case", "all statements", 1, text, ())
    lines = {each.span.start.line for each in lint_anew(section, frozenset({"TPL702"}))}
    return frozenset(form for form, place in places.items() if lines & {*place})


def test_the_statements_are_those_that_dynamo_was_asked_of() -> None:
    assert record_forms.statements() == [*SAID]


@pytest.mark.slow
def test_no_claim_that_dynamo_denies() -> None:
    assert not claimed() & COMPILES


def test_most_of_what_ends_a_graph_is_found() -> None:
    found = len(claimed() & BREAKS) / len(BREAKS)
    assert found > 0.8, sorted(BREAKS - claimed())


@pytest.mark.slow
def test_what_dynamo_is_told_to_capture_is_not_claimed() -> None:
    told = "\n\n" + "\n".join(f"torch._dynamo.config.{name} = True" for name in record_forms.CAPTURE) + "\n"
    compiles = {form for form, said in SAID.items() if said["capture"] == []}
    assert not claimed(told) & compiles
    assert claimed(told) < claimed()


def test_names_are_spelled_as_facts_spell_them() -> None:
    tables = (
        graph_breaks.FUNCTIONS,
        graph_breaks.SCALARS,
        graph_breaks.CONTEXTS,
        graph_breaks.RNNS,
        graph_breaks.TRUTH,
    )
    for name in (name for table in tables for name in table):
        assert canonical(name) == name


@pytest.mark.parametrize(
    "name", ["graph_breaks", "graph_breaks_unread", "graph_breaks_third", "graph_breaks_fourth", "graph_breaks_fifth"]
)
def test_the_page_has_the_figures_that_were_measured(name: str) -> None:
    page = (ROOT / "rules_docs/graph-breaks.md").read_text("utf-8")
    measured = json.loads((ROOT / f"rules_docs/measured/{name}.json").read_text("utf-8"))
    for library, row in measured["rows"].items():
        shown = f"**{library}**" if library == "all" else library
        right, found = share(row["right"], row["claims"]), share(row["found"], row["breaks"])
        assert f"| {shown} | {row['models']} | {right} | {found} | {row['not traced']} |\n" in page
    assert measured["torch"] == RECORDED["torch"]


def test_the_page_has_what_a_gpu_said_of_captures() -> None:
    page = (ROOT / "rules_docs/graph-breaks.md").read_text("utf-8")
    measured = json.loads((ROOT / "rules_docs/measured/capture.json").read_text("utf-8"))
    for form, says in {**measured["capture"], **measured["kept"]}.items():
        assert f"| `{form}` | {says} |\n" in page
    for step, took in measured["step_us"].items():
        assert f"| {step} | {took} |\n" in page


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f}%)" if whole else "–"


def test_what_was_recorded_names_no_folder_of_a_machine() -> None:
    recorded = (HERE / "breaks.json").read_text("utf-8")
    assert not re.findall(r"[\"' ]/(?:tmp|home|root|usr|opt|work)/", recorded.replace('\\"', '"'))


@pytest.mark.slow
@pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="what was recorded is what this version says")
@pytest.mark.parametrize("form", random.Random(0).sample(sorted(SAID), 40))
def test_dynamo_says_so_today(form: str) -> None:
    assert record_forms.asked(form) == SAID[form]["default"]
