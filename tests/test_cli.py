"""The command line from its arguments to its exit code, with a linter that does not change."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, TextIO, cast

import fake_lint
import pytest
from reported import finding
from shell import LINE, Shell, write

from torchperf_lint.cli import output
from torchperf_lint.config.config import Configs
from torchperf_lint.model.finding import Confidence, Finding, Severity
from torchperf_lint.model.outcome import Outcome
from torchperf_lint.report.console import Console

if TYPE_CHECKING:
    from torchperf_lint.config.config import Config
    from torchperf_lint.syntax.source import Source

pytestmark = pytest.mark.usefixtures("empty_project")


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_findings_go_to_the_output_and_all_else_to_the_errors(run: Shell) -> None:
    write("a.py")
    assert run("--format", "concise") == 1
    assert run.out == LINE
    assert run.err == "1 finding in 1 file (1 warning). 1 fixable with `--fix`.\n"
    assert run("check", "--format", "concise", "a.py") == 1
    assert run.out == LINE


def test_a_clean_tree(run: Shell) -> None:
    write("a.py", "import torch\n")
    assert run() == 0
    assert (run.out, run.err) == ("", "No findings in 1 file.\n")


def test_no_files_at_all(run: Shell) -> None:
    assert run() == 0
    assert (run.out, run.err) == ("", "warning: no Python files found under the given paths\n")


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("i", [], 0),
        ("i", ["--fail-level", "info"], 1),
        ("w", [], 1),
        ("w", ["--fail-level", "error"], 0),
        ("e", ["--fail-level", "error"], 1),
        ("e", ["--exit-zero"], 0),
        ("l", ["--confidence", "likely"], 1),
    ],
)
def test_what_fails(run: Shell, name: str, arguments: list[str], code: int) -> None:
    write("a.py", f"import torch\n{name}.item()\n")
    assert run(*arguments, "--format", "concise") == code
    assert "TPL101" in run.out


def test_a_rule_that_raised_is_a_broken_tool(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(source: Source) -> list[Finding]:
        found = fake_lint.lint(source)[0]
        return [
            Finding("TPL002", "rule-raised", "x", Severity.ERROR, Confidence.PROVEN, source.path, found.span, "v1:")
        ]

    fake_lint.installed(monkeypatch, raising)
    monkeypatch.setattr("torchperf_lint.config.config.Config.rules_for", lambda *_: frozenset({"TPL002"}))
    write("a.py")
    assert run("--exit-zero") == 2


def test_an_engine_that_raises_costs_one_file(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(source: Source) -> list[Finding]:
        if "boom" in source.text:
            raise RuntimeError("no way")
        return fake_lint.lint(source)

    fake_lint.installed(monkeypatch, raising)
    write("a.py")
    write("b.py", "import torch; boom\n")
    assert run("--format", "concise") == 2
    assert run.out == LINE
    assert "error: b.py: internal error, please report it: RuntimeError: no way (test_cli.py:" in run.err


def test_what_is_called_wrongly(run: Shell) -> None:
    for arguments, message in (
        (["--bogus"], "No such option"),
        (["none.py"], "none.py: No such file or directory"),
        (["--select", "TPL9z"], "unknown rule `TPL9z`"),
        (["--format", "sraif"], "did you mean `sarif`"),
        (["--format", "json", "--format", "sarif", "."], "only one report can go to the standard output"),
        (["--target-torch", "new"], "`--target-torch` must be a version"),
        (["--config", "none.toml"], "none.toml: No such file"),
        (["-", "a.py"], "`-` (standard input) cannot be combined"),
        (["--add-ignores", "--fix", "a.py"], "`--add-ignores` cannot be combined with `--fix`"),
        (["--shape", "batch=4", "a.py"], "`--shape` needs `--verify`"),
        (["--jobs", "0"], "0 is not in the range"),
        (["rule", "TPL9zz"], "unknown rule `TPL9zz`; did you mean `TPL9"),
        (["rule"], "Missing argument"),
        (["--output-file", "none/x.txt", "."], "none/x.txt: No such file"),
    ):
        write("a.py")
        assert run(*arguments) == 2, arguments
        assert message in run.err
        assert "Traceback" not in run.err


def test_a_path_named_like_a_word(run: Shell) -> None:
    write("rules", "import torch\na.item()\n")
    assert run("./rules", "--format", "concise") == 1
    assert run.out.startswith("rules:2:1:")
    assert run("check", "rules", "--format", "concise") == 1


@pytest.mark.usefixtures("permissions_hold")
def test_an_unreadable_file_is_said_and_the_rest_linted(run: Shell) -> None:
    write("a.py")
    write("b.py").chmod(0)
    assert run("--format", "concise") == 2
    assert run.out == LINE
    assert "error: b.py: Permission denied\n" in run.err


def test_a_file_that_does_not_parse_is_a_finding_and_the_rest_linted(run: Shell) -> None:
    write("a.py")
    write("b.py", "import torch\ndef (\n")
    Path("c.py").write_bytes(b"import torch\n\xff\n")
    write("d.ipynb", '{"torch": ')
    assert run("--format", "concise") == 1
    assert run.out.splitlines()[1:] == [
        "b.py:2:5: TPL001 invalid syntax",
        "c.py:2:1: TPL001 byte 0xff is not UTF-8",
        "d.ipynb:1:11: TPL001 not a notebook: Expecting value",
    ]


def test_a_file_that_does_not_mention_torch_is_not_looked_at(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py", "a.item( )\n(")
    assert run() == 0
    monkeypatch.setenv("TORCHPERF_LINT_EVERY_FILE", "1")
    assert run("--no-cache") == 1


def test_selection_by_file(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, frozenset[str]] = {}

    def engine(source: Source, config: Config, _: object = None) -> list[Finding]:
        seen[source.path] = config.rules_for(source.path)
        return []

    monkeypatch.setattr("torchperf_lint.engine.lint_text.lint", engine)
    write("torchperf-lint.toml", 'per-file-ignores = {"tests/*" = ["TPL003"]}')
    write("a.py")
    write("tests/b.py")
    assert run("--select", "TPL0", "--no-cache") == 0
    assert seen == {"a.py": {"TPL001", "TPL002", "TPL003", "TPL004"}, "tests/b.py": {"TPL001", "TPL002", "TPL004"}}


def test_several_reports_in_one_run(run: Shell) -> None:
    write("a.py")
    assert run("--format", "concise", "--format", "json=out.json", "--format", "junit=out.xml") == 1
    assert run.out == LINE
    assert json.loads(Path("out.json").read_bytes())["summary"]["findings"] == 1
    assert Path("out.xml").read_text(encoding="utf-8").startswith("<?xml")


def test_machines_get_no_summary_and_quiet_is_quiet(run: Shell) -> None:
    write("a.py")
    assert run("--format", "json") == 1
    assert run.err == ""
    assert run("--quiet", "--format", "concise") == 1
    assert (run.out, run.err) == (LINE, "")
    assert run("-q", "none.py") == 2
    assert run.err == "error: none.py: No such file or directory\n"


def test_statistics(run: Shell) -> None:
    write("a.py", "import torch\na.item()\nb.item()\nx.item()\n")
    assert run("--statistics") == 1
    assert run.out == "3  TPL101 [*] scalar-read-every-step (warning)\n"
    assert run("--statistics", "--format", "json") == 1
    (row,) = json.loads(run.out)
    assert row == {
        "code": "TPL101", "name": "scalar-read-every-step", "count": 3, "fixable": True, "severity": "warning", "impact": None,
    }  # fmt: skip


def test_at_most_so_many_of_a_rule(run: Shell) -> None:
    write("a.py", "import torch\na.item()\nb.item()\nx.item()\n")
    assert run("--format", "concise", "--max-per-rule", "2") == 1
    assert run.out.count("TPL101") == 2
    assert "1 more finding not shown (`--max-per-rule 2`)\n" in run.err
    assert "3 findings in 1 file" in run.err
    assert run("--format", "json", "--max-per-rule", "2") == 1
    assert len(json.loads(run.out)["findings"]) == 3, "programs are told all of them"


def test_hints_are_named_by_their_lines(run: Shell) -> None:
    write("a.py", "import torch\ni.item()\n")
    assert run("--show-hints") == 0
    whole = run.out
    assert "2 | i.item()" in whole
    for more in ("--fail-level=info", "--select=TPL1"):
        run(more)
        assert run.out == whole
    assert run() == 0
    assert run.out.startswith("Hints: right, but nothing shows")
    assert "info[TPL101]: " in run.out
    assert run.out.endswith("  --> a.py:2\n\n")
    assert "1 finding in 1 file (1 info)." in run.err, "they are counted all the same"
    assert run("--format", "json") == 0
    assert len(json.loads(run.out)["findings"]) == 1, "programs are told all of them"


def test_show_files_and_settings(run: Shell) -> None:
    write("torchperf-lint.toml", 'jobs = 3\nexclude = ["b"]')
    write("a.py")
    write("b/c.py")
    assert run("--show-files") == 0
    assert run.out == "a.py\n"
    assert run("--show-files", "none.py") == 2
    assert run("--show-settings", "--select", "TPL0", "--format", "json") == 0
    lines = run.out.splitlines()
    assert f"jobs = 3  # {Path('torchperf-lint.toml').resolve()}" in lines
    assert 'select = ["TPL001", "TPL002", "TPL003", "TPL004"]  # the command line' in lines
    assert 'format = ["json"]  # the command line' in lines
    assert 'confidence = "likely"  # default' in lines
    assert "# output-file: not set" in lines


@pytest.mark.parametrize("ignores", ['{"t/*" = ["TPL101"], "b" = ["TPL1"]}', "{}"])
def test_settings_that_are_shown_can_be_read_back(ignores: str, run: Shell) -> None:
    write("torchperf-lint.toml", f'per-file-ignores = {ignores}\nhot-functions = ["a.b"]\njobs = 2')
    write("a.py")
    assert run("--show-settings", "--format", "sarif=x.sarif", "--format", "concise") == 0
    shown = run.out
    write("torchperf-lint.toml", shown)
    assert run("--show-settings") == 0
    said = [line.partition("  # ")[0] for line in shown.splitlines() if not line.startswith("#")]
    again = [line.partition("  # ")[0] for line in run.out.splitlines() if not line.startswith("#")]
    assert said == [line for line in again if not line.startswith("format")]


def test_a_word_that_is_almost_a_command(run: Shell) -> None:
    assert run("ruls") == 2
    assert "there is no file or command `ruls`; did you mean `rules`?" in run.err
    assert run("nowhere.py") == 2
    assert run.err == "error: nowhere.py: No such file or directory\n"
    write("ruls", "import torch\n")
    assert run("ruls") == 0


@pytest.mark.parametrize(
    ("word", "ours"), [("lint", "check"), ("version", "--version"), ("explain", "rule"), ("hlep", "--help")]
)
def test_what_other_tools_call_it(run: Shell, word: str, ours: str) -> None:
    write("a.py")
    assert run(word, "a.py") == 2
    assert f"there is no file or command `{word}`; did you mean `{ours}`?" in run.err
    assert not run.out


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_list_of_rules_fits_its_terminal(run: Shell, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run("rules") == 0
    longest = max(len(line) for line in run.out.splitlines() if not line.startswith("TPL"))
    assert longest <= columns
    assert columns < 80 or max(map(len, run.out.splitlines())) <= columns


def test_help_fits_a_terminal(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run("--help") == 0
    assert max(map(len, run.out.splitlines())) <= 80


@pytest.mark.parametrize("name", [".torchperf-lint.toml", "torchperf_lint.toml"])
def test_a_settings_file_of_another_name_is_an_error(run: Shell, name: str) -> None:
    file = write(name, "select = ['TPL1']")
    write("a.py")
    assert run() == 2
    assert run.err == f"error: {file.resolve()} is read by nobody; call it `torchperf-lint.toml`\n"


def test_a_name_of_the_standard_input_needs_the_standard_input(run: Shell) -> None:
    write("a.py")
    for paths in ((), ("a.py",)):
        assert run("--stdin-filename", "x.py", *paths) == 2
        assert run.err == "error: `--stdin-filename` needs `-` (standard input) as the path\n"


@pytest.mark.parametrize("name", ["torchperf_lint", "TorchPerf-Lint", "torchperflint"])
def test_a_table_that_nobody_reads_is_an_error(run: Shell, name: str) -> None:
    file = write("pyproject.toml", f"[tool.{name}]\nselect = ['TPL1']")
    assert run() == 2
    assert run.err == f"error: {file.resolve()}: `tool.{name}` is read by nobody; write `[tool.torchperf-lint]`\n"


class TestSettingsOfEachFile:
    """A repository of several packages, each with settings of its own, linted from its top."""

    @pytest.fixture(autouse=True)
    def _packages(self, empty_project: None) -> None:
        write("one/pyproject.toml", "[tool.torchperf-lint]\nconfidence = 'proven'")
        write("two/pyproject.toml", "[tool.torchperf-lint]\nextend-exclude = ['made.py']\nfail-level = 'error'")
        write("three/pyproject.toml", "[project]\nname = 'three'")
        write("one/a.py", "import torch\nl.item()\n")
        for path in ("two/a.py", "two/made.py", "three/a.py"):
            write(path)

    def test_the_nearest_hold_in_whichever_order_paths_are_named(self, run: Shell) -> None:
        for paths in (("one", "two", "three"), ("three", "two", "one"), ("one/a.py", "three/a.py", "two/a.py"), (".",)):
            assert run("--format", "concise", *paths) == 1
            assert run.out == f"three/{LINE}two/{LINE}"

    def test_a_finding_counts_by_the_fail_level_of_its_file(self, run: Shell) -> None:
        assert run("--format", "concise", "one", "two") == 0
        assert run.out == f"two/{LINE}"

    def test_a_run_takes_its_formats_from_the_folder_that_all_paths_share(self, run: Shell) -> None:
        write("torchperf-lint.toml", "format = 'concise'")
        write("three/torchperf-lint.toml", "format = 'jsonl'")
        assert run("three", "two") == 1
        assert run.out == f"three/{LINE}two/{LINE}"
        assert run("three") == 1
        assert json.loads(run.out)["path"] == "three/a.py"

    def test_what_is_fixed_and_what_was_accepted(self, run: Shell) -> None:
        write("one/pyproject.toml", "[tool.torchperf-lint]\nfix = true\nunsafe-fixes = true")
        write("one/a.py")
        write("two/a.py", "import torch\nw.item()\n")
        write("two/made.py", "import torch\n")
        write("two/pyproject.toml", "[tool.torchperf-lint]\nbaseline = 'known.json'")
        assert run("--write-baseline", "two/known.json", "two/a.py") == 0
        assert run("--format", "concise") == 1
        assert run.out == f"three/{LINE}"
        assert "item" not in Path("one/a.py").read_text(encoding="utf-8")
        assert "item" in Path("three/a.py").read_text(encoding="utf-8")

    def test_a_baseline_written_in_one_folder_holds_in_another(self, run: Shell) -> None:
        assert run("--write-baseline", "known.json", "three") == 0
        os.chdir("three")
        assert run("--baseline", "../known.json") == 0
        assert not run.out
        assert "no finding matches" not in run.err

    def test_paths_are_seen_from_the_working_folder(self, run: Shell) -> None:
        os.chdir("three")
        assert run("--format", "github") == 1
        assert "file=a.py," in run.out
        assert run("--format", "sarif", "../two") == 0
        report = json.loads(run.out)["runs"][0]
        assert report["originalUriBaseIds"]["SRCROOT"]["uri"] == Path.cwd().as_uri() + "/"
        (location,) = {
            each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for each in report["results"]
            if "made" not in str(each)
        }
        assert location == (Path.cwd().parent / "two/a.py").as_uri()

    def test_broken_settings_of_one_package_are_an_error_that_names_them(self, run: Shell) -> None:
        write("two/pyproject.toml", "[tool.torchperf-lint]\nfixx = true")
        assert run() == 2
        assert "two/pyproject.toml: unknown setting `fixx`; did you mean `fix`?" in run.err


def test_patterns_of_the_command_line_hold_from_where_one_stands(run: Shell) -> None:
    write("torchperf-lint.toml", 'format = "concise"')
    for path in ("sub/x/a.py", "sub/b.py", "x/a.py"):
        write(path)
    os.chdir("sub")
    assert run("--show-files", "--extend-exclude", "x/a.py") == 0
    assert run.out == "b.py\n"
    assert run("--show-files", "--extend-exclude", "b.py") == 0
    assert run.out == "x/a.py\n"


@pytest.mark.parametrize("name", ["a.py", "sub/a.py"])
def test_the_standard_input_under_a_name(run: Shell, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    write("torchperf-lint.toml", 'format = "concise"')
    piped(monkeypatch, b"import torch\na.item()\n")
    assert run("-", "--stdin-filename", name) == 1
    assert run.out == LINE.replace("a.py", name)


def test_the_standard_input_without_a_name(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, b"import torch\na.item()\n")
    assert run("-") == 1
    assert "--> <stdin>:2:1" in run.out
    assert " 2 | a.item()" in run.out


def test_a_notebook_on_the_standard_input(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [{"cell_type": "code", "source": "import torch\na.item()"}]
    piped(monkeypatch, json.dumps({"cells": cells, "nbformat": 4}).encode())
    assert run("-", "--stdin-filename", "nb.ipynb") == 1
    assert "--> nb.ipynb:cell 1:2:1" in run.out
    assert " 2 | a.item()" in run.out


def test_the_same_answer_whatever_the_processes_the_cache_and_the_order(
    run: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torchperf_lint.run.run_files.WORTH_A_POOL", 0)
    for number in range(30):
        write(f"f{number}.py", "import torch\n" + "a.item()\nx.item()\n" * number)
    outputs = set()
    for arguments in (
        ["--jobs", "1", "--no-cache"],
        ["--jobs", "3", "--no-cache"],
        ["--jobs", "2"],
        [],
        ["f1.py", "."],
    ):
        assert run("--format", "concise", *arguments) == 1
        outputs.add(run.out)
    assert len(outputs) == 1


def test_a_worker_that_dies_costs_one_file(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchperf_lint.run.run_files.WORTH_A_POOL", 0)
    fake_lint.installed(monkeypatch, fake_lint.deadly)
    write("a.py")
    write("b.py", "import torch  # kill me\n")
    write("c.py")
    assert run("--format", "concise", "--jobs", "2") == 2
    assert [line.partition(":")[0] for line in run.out.splitlines()] == ["a.py", "c.py"]
    assert "error: b.py: the process that worked on it was killed by SIGKILL" in run.err


@pytest.mark.parametrize(("seconds", "compiled"), [(60.0, False), (60.0, True), (2.0, False)])
def test_a_long_run_of_plain_python_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, seconds: float, compiled: bool
) -> None:
    monkeypatch.setattr(output, "is_compiled", lambda: compiled)
    console = Console(findings_to=cast(TextIO, SimpleNamespace(isatty=lambda: True)))
    outcome = Outcome(tmp_path, (), files=1, seconds=seconds)
    assert output.end(outcome, Configs(tmp_path), console, exit_zero=False) == 0
    assert ("the compiled wheel takes" in capsys.readouterr().err) == (seconds > 10 and not compiled)


def test_the_end_of_a_run_points_to_the_page_of_what_matters_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    console = Console(findings_to=cast(TextIO, SimpleNamespace(isatty=lambda: True)))
    hint = finding(code="TPL201", severity=Severity.INFO, path="a.py")
    output.end(Outcome(tmp_path, (hint, finding()), files=1), Configs(tmp_path), console, exit_zero=True)
    assert capsys.readouterr().err.endswith("`torchperf-lint rule TPL101` explains a rule.\n")


def test_further_lines_of_a_message_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    Console("never").error("it ended:\n::error::hello\n0 findings\x1b[31m")
    assert capsys.readouterr().err == "error: it ended:\n  | \uff1a:error::hello\n  | 0 findings\u241b[31m\n"


def test_names_of_the_project_in_what_is_said_of_it_are_visible(run: Shell, tmp_path: Path) -> None:
    """A shell puts names of files for `*`, and a break in one must not begin a line that looks like ours."""
    assert run("--\x1b[31m\n0 findings") == 2
    assert "[31m" in run.err  # which click shows as it is, or, from 8.2 on, escapes itself
    assert "\x1b" not in run.err
    assert "\n0 findings" not in run.err
    folder = tmp_path / "a\x1b[31m\n0 findings"
    folder.mkdir()
    (folder / "torchperf-lint.toml").write_text("", encoding="utf-8")
    assert run("--show-settings", str(folder)) == 0
    assert "\u241b[31m" in run.out
    assert "\x1b" not in run.out + run.err
    assert not [line for line in run.out.splitlines() if line.startswith("0 findings")]
