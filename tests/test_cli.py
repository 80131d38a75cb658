"""The command line from its arguments to its exit code, with a linter that does not change."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import fake_lint
import pytest
from shell import LINE, Shell, write

from torchperf_lint.model.finding import Confidence, Finding, Severity

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
        (["rule", "TPL9zz"], "unknown rule `TPL9zz`; `torchperf-lint rules` lists all"),
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
    assert run.out == "3  TPL101 [*] scalar-read-every-step\n"
    assert run("--statistics", "--format", "json") == 1
    assert json.loads(run.out) == [{"code": "TPL101", "name": "scalar-read-every-step", "count": 3, "fixable": True}]


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
    assert 'rules = ["TPL001", "TPL002", "TPL003", "TPL004"]  # the command line' in lines
    assert 'format = ["json"]  # the command line' in lines
    assert 'confidence = "likely"  # default' in lines
    assert "# output-file: not set" in lines


def test_the_settings_of_the_first_path_hold(run: Shell) -> None:
    write("sub/torchperf-lint.toml", 'format = "concise"')
    write("sub/a.py")
    assert run("sub") == 1
    assert run.out == "sub/" + LINE
    os.chdir("sub")
    assert run() == 1
    assert run.out == LINE


def test_patterns_of_the_command_line_hold_from_where_one_stands(run: Shell) -> None:
    write("torchperf-lint.toml", 'format = "concise"')
    for path in ("sub/x/a.py", "sub/b.py", "x/a.py"):
        write(path)
    os.chdir("sub")
    assert run("--show-files", "--extend-exclude", "x/a.py") == 0
    assert run.out == "sub/b.py\n"
    assert run("--show-files", "--extend-exclude", "b.py") == 0
    assert run.out == "sub/x/a.py\n"


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
