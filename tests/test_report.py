"""Reports: what people and machines are shown of the same findings."""

from __future__ import annotations

import importlib
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import fake_lint
import jsonschema
import pytest

from torchperf_lint import catalogue
from torchperf_lint.failure import Failure
from torchperf_lint.finding import Confidence, Finding, Fix, Note, Safety, Severity, TextEdit
from torchperf_lint.outcome import Outcome
from torchperf_lint.report import FORMATS, View, render, sarif
from torchperf_lint.report.terminal import visible, width
from torchperf_lint.sources import Sources
from torchperf_lint.syntax.source import Place, Source, Span
from torchperf_lint.version import VERSION

TRAIN = """\
import torch
for x, y in loader:
    loss = model(x, y)
    loss.backward()
    total += loss.item()
"""
PAGE = "https://github.com/torchperf-lint/torchperf-lint/blob/main/rules_docs"


def span(line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span(Place(line, column), Place(end_line, end_column))


def finding(**changes: Any) -> Finding:
    at = span(5, 14, 5, 25)
    fix = Fix("read it after the loop", (TextEdit("src/train.py", at, "loss.detach()"),), Safety.UNSAFE)
    made = Finding(
        code="TPL101",
        name="scalar-read-every-step",
        message="`loss.item()` makes the host wait for the GPU in every step",
        severity=Severity.WARNING,
        confidence=Confidence.LIKELY,
        path="src/train.py",
        span=at,
        fingerprint="v1:0123",
        because=(Note("the loop calls `.backward()`", "src/train.py", 2, 1),),
        fix=fix,
    )
    return replace(made, **changes)


@pytest.fixture(autouse=True)
def _known_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = catalogue.Entry("TPL101", "scalar-read-every-step", "sync", True, Severity.WARNING, Safety.UNSAFE, "Reads.")
    monkeypatch.setattr(sarif, "by_code", lambda: {rule.code: rule})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/train.py").write_text(TRAIN, encoding="utf-8")
    return tmp_path


def shown(form: str, root: Path, *findings: Finding, failures: tuple[Failure, ...] = (), **view: Any) -> str:
    outcome = Outcome(root, list(findings), list(failures), files=3, seconds=1.25)
    return render(form, outcome, View(Sources(root), view.pop("folder", root), **view))


def text(root: Path, source: str, *findings: Finding) -> str:
    (root / "src/train.py").write_text(source, encoding="utf-8", newline="")
    return shown("text", root, *findings)


def test_text_shows_the_line_the_evidence_and_the_fix(root: Path) -> None:
    assert shown("text", root, finding()) == (
        """\
warning[TPL101]: `loss.item()` makes the host wait for the GPU in every step
  --> src/train.py:5:14 (scalar-read-every-step, likely)
   |
 2 | for x, y in loader:
   | - the loop calls `.backward()`
   …
 5 |     total += loss.item()
   |              ^^^^^^^^^^^
   |
   = fix (unsafe): read it after the loop
 5 -     total += loss.item()
 5 +     total += loss.detach()

"""
    )


def test_text_shows_a_span_of_several_lines_with_an_arm(root: Path) -> None:
    source = "x = torch.zeros(\n\t3,\n)\n"
    assert text(root, source, finding(span=span(1, 5, 3, 2), because=(), fix=None)) == (
        """\
warning[TPL101]: `loss.item()` makes the host wait for the GPU in every step
  --> src/train.py:1:5 (scalar-read-every-step, likely)
   |
 1 | / x = torch.zeros(
 2 | |     3,
 3 | | )
   | |_^
   |

"""
    )


def test_text_fills_a_gap_of_one_line_and_shows_other_files_apart(root: Path) -> None:
    (root / "src/model.py").write_text("a\nb\n", encoding="utf-8")
    notes = (Note("here", "src/train.py", 3, 5), Note("there", "src/model.py", 2, 1))
    lines = shown("text", root, finding(because=notes, fix=None)).splitlines()
    assert lines[2:] == [
        "   |",
        " 3 |     loss = model(x, y)",
        "   |     - here",
        " 4 |     loss.backward()",
        " 5 |     total += loss.item()",
        "   |              ^^^^^^^^^^^",
        "   |",
        "  ::: src/model.py:2:1",
        "   |",
        " 2 | b",
        "   | - there",
        "   |",
        "",
    ]


@pytest.mark.parametrize(
    ("edits", "diff"),
    [
        ([(span(1, 1, 2, 1), "")], [" 1 - a = 1"]),
        ([(span(2, 1, 2, 1), "new\n")], [" 2 + new"]),
        ([(span(1, 1, 1, 2), "x"), (span(1, 5, 1, 6), "9")], [" 1 - a = 1", " 1 + x = 9"]),
        (
            [(span(1, 1, 1, 2), "x"), (span(3, 1, 3, 2), "y")],
            [" 1 - a = 1", " 1 + x = 1", "   …", " 3 - c = 3", " 3 + y = 3"],
        ),
        ([(span(1, 5, 2, 6), "0")], [" 1 - a = 1", " 2 - b = 2", " 1 + a = 0"]),
        ([(span(9, 1, 9, 2), "x")], []),
    ],
)
def test_text_shows_a_fix_as_the_lines_that_change(root: Path, edits: list[tuple[Span, str]], diff: list[str]) -> None:
    fix = Fix("title", tuple(TextEdit("src/train.py", at, content) for at, content in edits), Safety.SHOWN)
    lines = text(root, "a = 1\nb = 2\nc = 3\n", finding(span=span(1, 1, 1, 2), because=(), fix=fix)).splitlines()
    assert lines[5:7] == ["   |", "   = suggestion: title"]
    assert lines[7:-1] == diff


def test_text_stands_straight_under_wide_and_combining_characters(root: Path) -> None:
    source = "名前 = e\u0301.item()\n"
    lines = text(root, source, finding(span=span(1, 6, 1, 15), because=(), fix=None)).splitlines()
    assert width(lines[3].partition("e\u0301")[0]) == lines[4].index("^") == len(" 1 | 名前 = ") + 2
    assert lines[4].count("^") == width("e\u0301.item()")


def test_text_shows_what_is_around_the_mark_of_a_very_long_line(root: Path) -> None:
    source = "x = [" + "1, " * 3_000_000 + "loss.item()]\n"
    at = source.index("loss")
    lines = text(root, source, finding(span=span(1, at + 1, 1, at + 12), because=(), fix=None)).splitlines()
    assert max(map(len, lines)) < 250
    assert lines[3][lines[4].index("^") :].startswith("loss.item()")


def test_text_survives_a_file_that_has_changed_or_gone(root: Path) -> None:
    assert "TPL101" in text(root, "", finding())
    assert "TPL101" in text(root, "one line", finding())
    assert "TPL101" in shown("text", root, finding(path="src/gone.py"))


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_that_a_terminal_acts_on_comes_from_the_linted_code(root: Path, form: str) -> None:
    evil = "a\x1b[31m\x07\x9b2J\x7f\u202e\r\x00"
    source = f"{evil}loss.item() # {evil}\n"
    (root / "src/train.py").write_text(source, encoding="utf-8", newline="")
    made = finding(
        message=evil,
        path=f"src/{evil}.py",
        span=span(1, 3, 1, 9),
        because=(Note(evil, "src/train.py", 1, 1), Note(evil, f"src/{evil}.py", 1, 1)),
        fix=Fix(evil, (TextEdit(f"src/{evil}.py", span(1, 1, 1, 2), evil),), Safety.SAFE),
    )
    out = shown(form, root, made, finding(), failures=(Failure(evil, evil),))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", out)
    if form == "json":
        assert json.loads(out)["findings"][0]["message"] == evil


@pytest.mark.parametrize("form", FORMATS)
def test_names_that_are_no_utf8_are_written(root: Path, form: str) -> None:
    out = shown(form, root, finding(path="src/\udcff.py"), failures=(Failure("\udcff", "x"),))
    assert "\udcff" not in out
    out.encode("utf-8")


def test_visible_leaves_text_alone() -> None:
    assert visible("naïve 名前 🙂 `x`") == "naïve 名前 🙂 `x`"
    assert visible("\ta") == "    a"


def test_colour_and_links_where_wanted_only(root: Path) -> None:
    plain, colored = shown("text", root, finding()), shown("text", root, finding(), color=True)
    assert "\x1b" not in plain
    assert f"\x1b]8;;{PAGE}/TPL101-scalar-read-every-step.md\x1b\\TPL101" in colored
    assert re.sub(r"\x1b\[[\d;]*m|\x1b\]8;;.*?\x1b\\", "", colored) == plain


def test_concise(root: Path) -> None:
    cell = finding(path="src/nb.ipynb", cell=3, fix=None)
    assert shown("concise", root, finding(), cell) == (
        "src/train.py:5:14: TPL101 [*] `loss.item()` makes the host wait for the GPU in every step\n"
        "src/nb.ipynb:cell 3:5:14: TPL101 `loss.item()` makes the host wait for the GPU in every step\n"
    )


def test_people_see_paths_from_where_they_stand(root: Path) -> None:
    assert shown("concise", root, finding(), folder=root / "src").startswith("train.py:5:14: ")
    assert shown("concise", root, finding(), folder=root / "src/deep/down").startswith("../../train.py:5:14: ")
    outside = finding(path="/somewhere/x.py")
    assert shown("concise", root, outside).startswith("/somewhere/x.py:5:14: ")
    assert json.loads(shown("json", root, finding(), folder=root / "src"))["findings"][0]["path"] == "src/train.py"


def test_json_is_the_contract(root: Path) -> None:
    report = json.loads(shown("json", root, finding(), finding(fix=None), failures=(Failure("x", "gone"),)))
    assert list(report) == ["version", "tool", "summary", "findings", "errors"]
    assert report["version"] == 1
    assert report["tool"] == {"name": "torchperf-lint", "version": VERSION}
    assert report["summary"] == {"files": 3, "findings": 2, "fixable": 1, "seconds": 1.25}
    assert report["errors"] == [{"path": "x", "message": "gone"}]
    assert report["findings"][1]["fix"] is None
    assert report["findings"][0] == {
        "code": "TPL101",
        "name": "scalar-read-every-step",
        "message": "`loss.item()` makes the host wait for the GPU in every step",
        "severity": "warning",
        "confidence": "likely",
        "path": "src/train.py",
        "cell": None,
        "start": {"line": 5, "column": 14},
        "end": {"line": 5, "column": 25},
        "url": f"{PAGE}/TPL101-scalar-read-every-step.md",
        "fingerprint": "v1:0123",
        "because": [
            {"message": "the loop calls `.backward()`", "path": "src/train.py", "cell": None, "line": 2, "column": 1}
        ],
        "fix": {
            "title": "read it after the loop",
            "safety": "unsafe",
            "edits": [
                {
                    "path": "src/train.py",
                    "cell": None,
                    "start": {"line": 5, "column": 14},
                    "end": {"line": 5, "column": 25},
                    "content": "loss.detach()",
                }
            ],
        },
        "verified": None,
    }


def test_jsonl_has_the_same_objects_a_line_each(root: Path) -> None:
    lines = shown("jsonl", root, finding(), failures=(Failure("x", "gone"),)).splitlines()
    assert json.loads(lines[0]) == json.loads(shown("json", root, finding()))["findings"][0]
    assert json.loads(lines[1]) == {"error": {"path": "x", "message": "gone"}}


def test_github(root: Path) -> None:
    odd = finding(path="a,b:c%.py", severity=Severity.INFO, span=span(1, 1, 2, 3), message="50 %\nof it")
    out = shown("github", root, finding(), odd, finding(cell=2), failures=(Failure("x.py", "gone"),))
    assert out.splitlines() == [
        "::warning title=torchperf-lint (TPL101),file=src/train.py,line=5,endLine=5,col=14,endColumn=25::"
        "src/train.py:5:14: TPL101 `loss.item()` makes the host wait for the GPU in every step",
        "::notice title=torchperf-lint (TPL101),file=a%2Cb%3Ac%25.py,line=1,endLine=2::"
        "a,b:c%25.py:1:1: TPL101 50 %25%0Aof it",
        "::warning title=torchperf-lint (TPL101),file=src/train.py::"
        "src/train.py:cell 2:5:14: TPL101 `loss.item()` makes the host wait for the GPU in every step",
        "::error file=x.py::gone",
    ]


def test_gitlab_has_what_its_schema_asks_for(root: Path) -> None:
    issues = json.loads(
        shown("gitlab", root, finding(), finding(severity=Severity.ERROR), failures=(Failure("x", "gone"),))
    )
    for issue in issues:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= set(issue)
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        at = issue["location"]
        assert isinstance(at["path"], str)
        assert isinstance(at["lines"]["begin"] if "lines" in at else at["positions"]["begin"]["line"], int)
    assert issues[0]["fingerprint"] == "v1:0123"


def test_junit_counts_and_parses(root: Path) -> None:
    odd = finding(path="b<&>.py", message='a < b & "c"')
    suites = ElementTree.fromstring(shown("junit", root, finding(), finding(), odd, failures=(Failure("x", "gone"),)))
    assert {key: suites.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "4",
        "failures": "3",
        "errors": "1",
    }
    assert [suite.get("name") for suite in suites] == ["src/train.py", "b<&>.py", "x"]
    failure = suites[1][0][0]
    assert (failure.tag, failure.get("message"), failure.get("type")) == ("failure", 'a < b & "c"', "warning")
    assert failure.text is not None
    assert "src/train.py:2:1: the loop calls" in failure.text
    assert ElementTree.fromstring(shown("junit", root)).get("tests") == "1"


def test_markdown_is_a_table_that_markup_cannot_break(root: Path) -> None:
    odd = finding(message="`x|y` <b> *z* @user", path="a|`b.py", fix=None)
    lines = shown("markdown", root, finding(), odd, failures=(Failure("x", "gone"),)).splitlines()
    assert lines[0] == "## torchperf-lint"
    assert lines[6] == (
        f"| warning | [TPL101]({PAGE}/TPL101-scalar-read-every-step.md) | `src/train.py:5:14` "
        "| `loss.item()` makes the host wait for the GPU in every step | unsafe |"
    )
    assert "`x\\|y` &#60;b&#62; &#42;z&#42; &#64;user" in lines[7]
    assert "`` a\\|`b.py:5:14 ``" in lines[7]
    assert lines[-1] == "- `x`: gone"


TEXT_OBJECT = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string"}, "markdown": {"type": "string"}},
}
REGION = {
    "type": "object",
    "required": ["startLine", "startColumn", "endLine", "endColumn"],
    "additionalProperties": {"type": "integer", "minimum": 1},
}
ARTIFACT = {"type": "object", "required": ["uri"], "properties": {"uri": {"pattern": r"^(file:///)?[\w%~./-]+$"}}}
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": TEXT_OBJECT,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {"artifactLocation": ARTIFACT, "region": REGION},
            "additionalProperties": False,
        },
        "logicalLocations": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
    },
    "additionalProperties": False,
}
SUBSET = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {"required": ["driver"]},
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT_OBJECT,
                                "locations": {"type": "array", "items": LOCATION},
                                "relatedLocations": {"type": "array", "items": LOCATION, "uniqueItems": True},
                                "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
                                "properties": {"type": "object"},
                                "fixes": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["artifactChanges"],
                                        "properties": {
                                            "description": TEXT_OBJECT,
                                            "artifactChanges": {
                                                "type": "array",
                                                "minItems": 1,
                                                "items": {
                                                    "type": "object",
                                                    "required": ["artifactLocation", "replacements"],
                                                    "properties": {
                                                        "artifactLocation": ARTIFACT,
                                                        "replacements": {
                                                            "type": "array",
                                                            "minItems": 1,
                                                            "items": {
                                                                "required": ["deletedRegion"],
                                                                "properties": {
                                                                    "deletedRegion": REGION,
                                                                    "insertedContent": TEXT_OBJECT,
                                                                },
                                                                "additionalProperties": False,
                                                            },
                                                        },
                                                    },
                                                    "additionalProperties": False,
                                                },
                                            },
                                        },
                                        "additionalProperties": False,
                                    },
                                },
                            },
                            "additionalProperties": False,
                        },
                    },
                },
            },
        },
    },
    "additionalProperties": False,
}
"""What SARIF 2.1.0 says of the parts that we write. `SARIF_SCHEMA` may name the official schema, which is used too."""


def sarif_schemas() -> list[dict[str, Any]]:
    official = os.environ.get("SARIF_SCHEMA")
    return [SUBSET, *([json.loads(Path(official).read_bytes())] if official else [])]


def test_sarif_keeps_to_its_schema_and_says_everything(root: Path) -> None:
    findings = [
        finding(),
        finding(path="/out side/\udcff.py", severity=Severity.ERROR),
        finding(cell=3),
        finding(fix=Fix("t", (TextEdit("src/train.py", span(1, 1, 1, 1), "x"),), Safety.SHOWN), because=()),
    ]
    log = json.loads(shown("sarif", root, *findings, failures=(Failure("gone.py", "gone"),)))
    for schema in sarif_schemas():
        kind = jsonschema.validators.validator_for(schema)
        assert [error.message for error in kind(schema).iter_errors(log)] == []
    (run,) = log["runs"]
    (described,) = run["tool"]["driver"]["rules"]
    assert (described["id"], described["helpUri"]) == ("TPL101", f"{PAGE}/TPL101-scalar-read-every-step.md")
    assert described["help"]["text"].startswith("Reads.")
    first, second, cell, shown_only = run["results"]
    assert first["partialFingerprints"] == {"torchperfLint/v1": "v1:0123"}
    assert first["relatedLocations"][0]["message"]["text"] == "the loop calls `.backward()`"
    (change,) = first["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == "loss.detach()"
    assert second["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///out%20side/%FF.py"}
    assert cell["locations"][0]["logicalLocations"] == [{"name": "cell 3"}]
    assert "fixes" not in cell
    assert "fixes" not in shown_only
    assert run["invocations"][0]["executionSuccessful"] is False


def test_every_format_has_its_file() -> None:
    for form in FORMATS:
        assert callable(importlib.import_module(f"torchperf_lint.report.{form}").render)


def test_a_cell_of_a_notebook_is_shown_from_the_cell(root: Path) -> None:
    cells = [{"cell_type": "code", "source": ["import torch\n", "a.item()"]}]
    (root / "nb.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}), encoding="utf-8")
    (made,) = fake_lint.lint(Source("import torch\na.item()", "nb.ipynb"))
    lines = shown("text", root, replace(made, cell=1, because=(), fix=None)).splitlines()
    assert lines[1:5] == [
        "  --> nb.ipynb:cell 1:2:1 (scalar-read-every-step)",
        "   |",
        " 2 | a.item()",
        "   | ^^^^^^^^",
    ]
