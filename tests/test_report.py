"""Reports: what people and machines are shown of the same findings."""

from __future__ import annotations

import importlib
import json
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from reported import PAGE, finding, shown, span

from torchperf_lint.model.failure import Failure
from torchperf_lint.model.finding import Fix, Note, Safety, Severity, TextEdit
from torchperf_lint.model.formats import FORMATS
from torchperf_lint.report.terminal import visible
from torchperf_lint.version import VERSION

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("known_rule")


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
def test_nothing_that_a_log_acts_on_comes_from_the_linted_code(root: Path, form: str) -> None:
    """GitHub takes a line for a command that begins with `::`, and it, Azure and TeamCity `##[...]` and the like anywhere."""
    evil = "::error ::a ##[add-path]b ##vso[task.x]c ##teamcity[d]"
    (root / "src/train.py").write_text(f"{evil}\n{evil}\n", encoding="utf-8", newline="")
    made = finding(
        message=evil,
        path=f"{evil}.py",
        span=span(1, 3, 1, 9),
        because=(Note(evil, "src/train.py", 1, 1), Note(evil, f"{evil}.py", 1, 1)),
        fix=Fix(evil, (TextEdit(f"{evil}.py", span(1, 1, 1, 2), evil),), Safety.SAFE),
    )
    out = shown(form, root, made, finding(), failures=(Failure(evil, evil),))
    begins = [line for line in out.splitlines() if re.match(r"\s*::(?!:)", line)]
    assert (
        all(re.match("::(error|warning|notice) [^:]*::", line) for line in begins) if form == "github" else not begins
    )
    assert not re.search(r"##(\[|vso\[|teamcity\[)", out)
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
    assert visible("x[::2]  ## two [hashes]") == "x[::2]  ## two [hashes]"


def test_colour_and_links_where_wanted_only(root: Path) -> None:
    plain, colored = shown("text", root, finding()), shown("text", root, finding(), color=True)
    assert "\x1b" not in plain
    assert f"\x1b]8;;{PAGE}/TPL101-scalar-read-every-step.md\x1b\\TPL101" in colored
    assert re.sub(r"\x1b\[[\d;]*m|\x1b\]8;;.*?\x1b\\", "", colored) == plain


def test_hints_are_a_line_a_rule_unless_they_are_asked_for(root: Path) -> None:
    hints = [
        finding(severity=Severity.INFO, span=span(line, 1, line, 2), fingerprint=str(line), path=path)
        for path, lines in (("src/a.py", range(1, 4)), ("src/b.py", range(1, 7)))
        for line in lines
    ]
    text = shown("text", root, finding(), *hints, short_hints=True)
    assert text.count("warning[TPL101]") == 1
    assert "= fix (unsafe): read it after the loop" in text
    assert text.partition("Hints: ")[2].splitlines()[2:] == [
        "info[TPL101]: Reads.",
        "  --> src/a.py:1, 2, 3, src/b.py:1, 2, 3 and 3 more places",
        "",
    ]
    assert shown("text", root, finding(), *hints).count("info[TPL101]: `loss.item()` makes") == len(hints)
    assert "Hints" not in shown("text", root, finding(), short_hints=True)


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
        "also": [],
        "impact": None,
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


@pytest.mark.parametrize(
    "code",
    ["d['`b```<img src=x>@user']", "d['``<img src=x>@user']", "d['`<img src=x>@user']", "d['\\|<img src=x>@user']"],
    ids=["three", "two", "one", "a bar behind a backslash"],
)
def test_backticks_and_bars_of_the_linted_code_let_no_markup_out(root: Path, code: str) -> None:
    """Markdown pairs runs of as many backticks, and splits rows at a bar behind two backslashes, before all else."""
    odd = finding(message=f"`{code}` makes the host wait", path=f"{code}.py", fix=None)
    row = (
        shown("markdown", root, odd)
        .splitlines()[6]
        .replace(f"`` {code}.py:5:14 ``", "a path with one backtick, as code")
    )
    assert "<img" not in row
    assert "@user" not in row
    assert "\\\\|" not in row


def test_code_with_two_backticks_stays_code(root: Path) -> None:
    row = shown("markdown", root, finding(message="`d['`<b>`']` waits", fix=None)).splitlines()[6]
    assert "`d['`&#60;b&#62;`']` waits" in row


def test_every_format_has_its_file() -> None:
    for form in FORMATS:
        assert callable(importlib.import_module(f"torchperf_lint.report.{form}").render)
