"""A file that takes more than any program does is given up, and that is told; what was found until then is shown."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from shell import Shell, write

from torchperf_lint import version
from torchperf_lint.api import lint_text
from torchperf_lint.config.config import Config
from torchperf_lint.engine import lint_text as engine
from torchperf_lint.facts.domain import budget
from torchperf_lint.facts.domain.budget import most_steps, most_walked
from torchperf_lint.facts.facade import Facts
from torchperf_lint.facts.index import walk
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.analysis import Analysis
from torchperf_lint.facts.interpret.interpreter import analysis_of
from torchperf_lint.facts.interpret.shared import SharedAnswers
from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.model.finding import Finding, Severity
from torchperf_lint.run.lint_file import LintAgain
from torchperf_lint.syntax.source import Source

CLASSES = 40
TEXT = "import torch\nfrom torch import nn\n" + "".join(
    f"class Net{i}(nn.Module):\n    def forward(self, x):\n        return x.sum().item()\n" for i in range(CLASSES)
)


def codes(text: str) -> list[str]:
    return [each.code for each in lint_text(text, select=["TPL102", "TPL004"])]


def test_what_people_write_is_not_given_up() -> None:
    assert codes(TEXT) == ["TPL102"] * CLASSES


def test_too_many_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "DRAFTS", 10)
    found = lint_text(TEXT, select=["TPL102", "TPL004"])
    assert [each.code for each in found] == ["TPL004", *["TPL102"] * 10]
    assert found[0].message == "given up after 10 findings: not all rules have seen all of it"
    assert found[0].severity is Severity.INFO
    assert (found[0].span.start.line, found[0].span.start.column) == (1, 1)


def test_too_many_nodes_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rule that asks after the last step says nothing any more, nor do those behind it."""
    monkeypatch.setattr("torchperf_lint.facts.questions.base.most_walked", lambda _: -1)
    found = lint_text(TEXT, select=["TPL102", "TPL004"])
    assert [each.code for each in found] == ["TPL004"]
    assert "more steps than any program needs" in found[0].message


def test_too_many_steps_of_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(program: Program, module: Module, shared: SharedAnswers | None) -> Analysis:
        analysis = analysis_of(program, module, shared)
        analysis.solver.steps.limit = 5
        return analysis

    monkeypatch.setattr("torchperf_lint.facts.questions.base.analysis_of", short)
    assert codes(TEXT)[0] == "TPL004"


LONG = "import torch\n" + "".join(f"def f{i}(x):\n    return torch.zeros({i}).cuda()\n" for i in range(50))


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("torchperf_lint.syntax.parse.LARGEST", "given up: it has more than 90 characters"),
        pytest.param(
            "torchperf_lint.facts.index.module.LARGEST",
            "given up: it has more than 500,000 expressions and statements",
            marks=pytest.mark.skipif(version.is_compiled(), reason="a compiled module keeps its constants"),
        ),
    ],
)
def test_a_file_that_is_too_large_is_not_looked_at(limit: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit, 90)
    found = lint_text(LONG)
    assert [each.code for each in found] == ["TPL004"]
    assert found[0].message.startswith(said)
    assert lint_text(LONG, select=["TPL201"]) == []


def test_a_fix_that_needs_too_much_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found before is shown; no statement is said not to parse."""
    monkeypatch.setattr("torchperf_lint.syntax.tree.SHOWN_AT_MOST", 1000)
    found = lint_text(LONG, select=["TPL201", "TPL004"])
    assert found[0].message.startswith("given up: fixes need more than 1,000 characters of it")
    assert {each.code for each in found[1:]} == {"TPL201"}
    assert len(found) < 50


def test_too_many_comments_that_silence_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "DRAFTS", 10)
    found = lint_text("import torch\n" + "a = 1  # tpl: ignore[TPL201]\n" * 20, select=["ALL"])
    assert [each.code for each in found] == ["TPL004", *["TPL003"] * 10]


def steps_of(body: str) -> int:
    module = Module(ast.parse(f"def f(x):\n{body}    return x\n"))
    analysis = analysis_of(Program(), module, None)
    analysis.recorded(next(each for each in module.functions.values() if each.name == "f"))
    return analysis.solver.steps.counted


def test_names_take_steps_where_they_are_bound_and_not_at_each_branch() -> None:
    """Four for each branch, and one for its name where the ways meet."""
    assert steps_of("".join(f"    if x.a{i}:\n        b{i} = x\n" for i in range(400))) <= 6 * 400


def test_names_that_meet_at_each_of_many_levels_take_steps() -> None:
    """What was bound in the innermost branch is joined in each around it, without an expression that would count."""
    levels, names = 20, 400
    nest = "".join(f"{' ' * (4 + at)}if x:\n" for at in range(levels))
    assert steps_of(nest + "".join(f"{' ' * (4 + levels)}a{i} = x\n" for i in range(names))) > levels * names


def test_names_that_are_copied_take_steps() -> None:
    """A copy of all names is one step for Python, whatever their number: the square of them must not go uncounted."""
    many = 33 * 33  # so that 33 names since the last copy of all are one too many
    known = "".join(f"    a{i} = x\n" for i in range(many)) + "    if x:\n        pass\n"
    known += "".join(f"    b{i} = x\n" for i in range(33))
    leaves = "    if x:\n        c = x\n        if x:\n            pass\n        return 1\n"
    assert steps_of(known + leaves * 50) - steps_of(known + leaves * 25) > 25 * many // 16


def test_nobody_has_to_hear_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "DRAFTS", 10)
    assert [each.code for each in lint_text(TEXT, select=["TPL102"])] == ["TPL102"] * 10
    assert "TPL004" not in codes(TEXT + "# tpl: ignore-file[TPL004] generated\n")


def test_each_walk_is_counted() -> None:
    before = budget.WALKED.nodes
    nodes = len(list(walk.walk(ast.parse(TEXT))))
    assert budget.WALKED.nodes - before == nodes


def test_however_long_a_file_is_there_is_an_end() -> None:
    assert most_walked(10) == budget.NODES_AT_LEAST
    assert most_walked(50_000) == 50_000 * budget.NODES_A_NODE
    assert most_walked(10**9) == budget.NODES_AT_MOST
    assert most_steps(10) == budget.STEPS_AT_LEAST
    assert most_steps(10_000) == 10_000 * budget.STEPS_A_NODE
    assert most_steps(10**9) == budget.STEPS_AT_MOST


@pytest.mark.parametrize(("most", "expected"), [(10**9, ["TPL102"] * CLASSES), (5_000, ["TPL004"])])
def test_steps_of_both_kinds_count_together(most: int, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nearly all steps of one kind are taken, a few of the other are too many."""
    monkeypatch.setattr(Analysis, "spent", 0.99)
    monkeypatch.setattr("torchperf_lint.facts.questions.base.most_walked", lambda _: most)
    assert codes(TEXT)[: len(expected)] == expected


def test_the_exit_code_does_not_depend_on_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("torchperf_lint.facts.questions.base.most_walked", lambda _: -1)
    monkeypatch.chdir(tmp_path)
    write("a.py", TEXT)
    shell = Shell(capsys)
    assert shell("--isolated", "--no-cache", "--format", "concise", "a.py") == 0
    assert shell.out.startswith("a.py:1:1: TPL004 given up")


FIXED = "def f(x):\n    y = torch.zeros(3).cuda()\n    return x + y\n"


@pytest.fixture
def lints(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are linted, as they come."""
    texts: list[str] = []

    def counted(source: Source, config: Config, reads: Reads | None) -> list[Finding]:
        texts.append(source.text)
        return lint(source, config, reads)

    lint = engine.lint
    monkeypatch.setattr(engine, "lint", counted)
    return texts


def test_a_file_is_linted_once_before_its_fixes_and_once_after(
    lints: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.py", f"import torch\n{FIXED}")
    shell = Shell(capsys)
    assert shell("--isolated", "--no-cache", "--select", "TPL201", "--fix", "--unsafe-fixes", "a.py") == 0
    assert "1 fixed" in shell.err
    assert len(lints) == 2
    assert shell("--isolated", "--no-cache", "--select", "TPL201", "--fix", "--unsafe-fixes", "a.py") == 0
    assert len(lints) == 3


def test_a_file_that_takes_all_that_a_file_may_is_not_linted_for_its_fixes(
    lints: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.py", before := f"import torch\n{FIXED}")
    monkeypatch.setattr(Facts, "spent", lambda _: 1.5)
    shell = Shell(capsys)
    assert shell("--isolated", "--no-cache", "--select", "TPL201", "--fix", "--unsafe-fixes", "a.py") == 0
    assert "a.py: 1 fix is not tried: the file is too long" in shell.err
    assert Path("a.py").read_text(encoding="utf-8") == before
    assert len(lints) == 1


@pytest.mark.parametrize(("each", "times"), [(0.7, 1), (0.5, 2), (0.3, 3)])
def test_a_text_is_linted_again_where_the_next_lint_is_affordable_too(
    each: float, times: int, lints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lint counts before it is made, and not when it is too late."""
    monkeypatch.setattr(Facts, "spent", lambda _: each)
    monkeypatch.setattr(budget.LINTED, "files", 0.0)  # on a sum of many files 0.5 and 0.5 are a little more than 1
    lint = LintAgain(Config(root=Path("/nowhere"), cache=False))
    lint(Source(FIXED, "a.py"))
    while lint.is_affordable():
        lint(Source(FIXED * (1 + len(lints)), "a.py"))
    assert len(lints) == times


def test_fixes_that_are_refused_before_a_lint_are_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Facts, "spent", lambda _: 0.0)
    lint = LintAgain(Config(root=Path("/nowhere"), cache=False))
    lint(Source("#" * 1_000_000, "a.py"))
    assert sum(lint.is_affordable() for _ in range(100)) == 13


def test_what_linting_a_file_takes_is_its_part_of_what_the_largest_may() -> None:
    before = budget.LINTED.files
    codes(TEXT)
    one = budget.LINTED.files - before
    codes(TEXT + "\n".join(TEXT.replace("Net", f"Net{i}_") for i in range(3)))
    assert 0 < 3 * one < budget.LINTED.files - before - one < 6 * one < 0.1
