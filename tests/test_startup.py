"""How the tool starts and stops, and what it shows: imports, help, completion, colour, interrupts."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fake_lint
import pytest
from shell import LINE, Shell, write

import torchperf_lint
from torchperf_lint import version
from torchperf_lint.cli.main import main
from torchperf_lint.cli.options import OPTIONS
from torchperf_lint.config.settings import KINDS
from torchperf_lint.facts.domain import value as value_module

if TYPE_CHECKING:
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.syntax.source import Source

pytestmark = pytest.mark.usefixtures("empty_project")


def tool(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Runs the tool as a user does, engine and all."""
    command = [sys.executable, "-m", "torchperf_lint", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**fake_lint.ENVIRONMENT, **more})


def test_every_setting_has_its_option_or_is_for_files_alone() -> None:
    options = {name.lstrip("-") for option in OPTIONS for name in (*option.opts, *option.secondary_opts)}
    assert set(KINDS) - options == {
        "per-file-ignores", "project-root", "hot-functions", "sync-allowed", "alignment-min-dim",
    }  # fmt: skip


def test_help_says_every_option(run: Shell) -> None:
    assert run("--help") == 0
    for option in OPTIONS:
        assert option.opts[0] in run.out
        assert option.help
    assert "Exit codes" in run.out
    assert run("rules", "--help") == 0


def test_the_version() -> None:
    is_compiled = not value_module.__file__.endswith(".py")
    assert version.is_compiled() == is_compiled
    said = f"torchperf-lint {torchperf_lint.__version__} ({'compiled' if is_compiled else 'plain Python'})\n"
    assert tool("--version").stdout == said


def test_help_imports_no_more_than_it_needs() -> None:
    heavy = {"libcst", "torch", "asyncio", "multiprocessing", "concurrent", "importlib.metadata", "json"}
    heavy |= {"tomllib", "hashlib", "torchperf_lint.cli.check", "torchperf_lint.rule"}
    script = (
        "import sys; from torchperf_lint.cli.main import main; main(['--help']); "
        f"print(*({heavy!r} & set(sys.modules)), file=sys.stderr)"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=fake_lint.ENVIRONMENT
    )
    assert said.stderr == "\n"


def test_the_package_imports_nothing_until_it_is_asked() -> None:
    script = "import sys; old = set(sys.modules); import torchperf_lint; print(set(sys.modules) - old - {'__future__'})"
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=fake_lint.ENVIRONMENT
    )
    assert said.stdout == "{'torchperf_lint'}\n"


def test_a_run_without_torch_in_any_file_imports_no_engine() -> None:
    write("a.py", "import numpy\n")
    script = (
        "import sys; from torchperf_lint.cli.main import main; main(['.']); "
        "assert not {'libcst', 'torch', 'torchperf_lint.rule'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, env=fake_lint.ENVIRONMENT).returncode == 0


def test_one_file_needs_no_pool() -> None:
    write("a.py", 'import torch\n\nmask = torch.zeros(3, 3).to("cuda")\n')
    script = (
        "import sys; from torchperf_lint.cli.main import main; main(['--no-cache', '--quiet', 'a.py']); "
        "print(*({'multiprocessing', 'traceback', 'difflib', 'asyncio', 'tempfile'} & set(sys.modules)), file=sys.stderr)"
    )
    command = [sys.executable, "-c", script]
    said = subprocess.run(command, capture_output=True, text=True, check=True, env=fake_lint.ENVIRONMENT)
    assert said.stderr == "\n"


def test_a_file_in_which_no_rule_fires_needs_no_libcst() -> None:
    """It is there as a name, and run by the first look into it."""
    write("a.py", "import torch\n\n\ndef mean(x):\n    return x.mean()\n")
    write("b.py", "import torch\n\n\nclass A(torch.nn.Module):\n    def forward(self, x):\n        return x[x > 0]\n")
    script = (
        "import sys; from torchperf_lint.cli.main import main; main(['--no-cache', sys.argv[1]]); "
        "print('libcst._nodes' in sys.modules, file=sys.stderr)"
    )
    for name, needed in (("a.py", "False"), ("b.py", "True")):
        command = [sys.executable, "-c", script, name]
        said = subprocess.run(command, capture_output=True, text=True, check=True, env=fake_lint.ENVIRONMENT)
        assert said.stderr.splitlines()[-1] == needed


def test_a_run_that_the_cache_answers_imports_no_engine() -> None:
    write("a.py", "import torch\n")
    write("b.py", "import torch\ndef (\n")
    first = tool("--format", "concise")
    assert first.returncode == 1
    script = (
        "import sys; from torchperf_lint.cli.main import main; code = main(['--format', 'concise']); "
        "assert not {'libcst', 'torchperf_lint.engine.lint_text', 'torchperf_lint.rule', 'multiprocessing'} & set(sys.modules); "
        "sys.exit(code)"
    )
    command = [sys.executable, "-c", script]
    again = subprocess.run(command, capture_output=True, text=True, check=False, env=fake_lint.ENVIRONMENT)
    assert (again.stdout, again.stderr, again.returncode) == (first.stdout, first.stderr, 1)


def test_a_reader_that_goes_away_is_no_error() -> None:
    for number in range(50):
        write(f"{number}.py", "import torch\ndef (\n")
    command = f"{sys.executable} -m torchperf_lint rules --format json | head -c 1"
    said = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        env=fake_lint.ENVIRONMENT,
    )
    assert said.stderr == ""


@pytest.mark.parametrize(
    ("shell", "words", "position", "expected"),
    [
        ("bash", "torchperf-lint ", 1, {"check", "rule", "rules"}),
        ("bash", "torchperf-lint --fo", 1, {"--format", "--force-exclude"}),
        ("bash", "torchperf-lint src/ --sele", 2, {"--select"}),
        ("bash", "torchperf-lint check --confidence ", 3, {"likely", "proven"}),
        ("bash", "torchperf-lint rule TPL00", 2, {"TPL001", "TPL002", "TPL003", "TPL004"}),
        ("bash", "torchperf-lint --select TPL1,TPL00", 2, {"TPL1,TPL001", "TPL1,TPL002"}),
        ("zsh", "torchperf-lint --format j", 2, {"json", "jsonl", "junit"}),
    ],
)
def test_completion(shell: str, words: str, position: int, expected: set[str]) -> None:
    said = tool(_TORCHPERF_LINT_COMPLETE=f"{shell}_complete", COMP_WORDS=words, COMP_CWORD=str(position))
    lines = said.stdout.splitlines()
    offered = set(lines[1::3]) if shell == "zsh" else {line.partition(",")[2] for line in lines}
    assert expected <= offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    script = tool(_TORCHPERF_LINT_COMPLETE=f"{shell}_source").stdout
    assert "torchperf-lint" in script
    if which := shutil.which(shell):
        subprocess.run([which, "-n"], input=script, text=True, check=True)


def test_an_interrupt_is_told_by_the_exit_code_alone(monkeypatch: pytest.MonkeyPatch, run: Shell) -> None:
    def interrupted(*_: object) -> list[Finding]:
        raise KeyboardInterrupt

    fake_lint.installed(monkeypatch, interrupted)
    write("a.py")
    assert run() == 130
    assert (run.out, run.err) == ("", "\n")


def test_a_bug_is_told_as_one(monkeypatch: pytest.MonkeyPatch, run: Shell) -> None:
    monkeypatch.setattr("torchperf_lint.cli.check.discover", lambda *_: 1 / 0)
    assert run() == 2
    assert "ZeroDivisionError" in run.err
    assert "please report" in run.err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_for_runs_that_take_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(source: Source) -> list[Finding]:
        time.sleep(0.05)
        return fake_lint.lint(source)

    fake_lint.installed(monkeypatch, slow)
    monkeypatch.setattr("torchperf_lint.report.progress.PATIENCE", 0.1)
    for number in range(8):
        write(f"{number}.py")
    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        assert main(["--no-cache", "--jobs", "1"]) == 1
        assert bool(re.search(r"\d of 8 files", stream.getvalue())) is drawn
        assert stream.getvalue().rpartition("\r")[2].lstrip("\x1b[K").count("files") == 1


def test_the_output_file(run: Shell) -> None:
    write("a.py")
    assert run("--format", "concise", "-o", "out.txt") == 1
    assert run.out == ""
    assert Path("out.txt").read_text(encoding="utf-8") == LINE
    assert run.err.startswith("1 finding in 1 file")


@pytest.mark.parametrize(
    ("color", "environment", "colored"),
    [
        ("auto", {}, False),
        ("always", {}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour(
    run: Shell, monkeypatch: pytest.MonkeyPatch, color: str, environment: dict[str, str], colored: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    write("a.py")
    run("--color", color)
    assert ("\x1b[" in run.out) is colored


def test_profile(run: Shell) -> None:
    write("a.py")
    assert run("--profile", "--format", "concise") == 1
    assert run.out == LINE
    assert "by stage" in run.err
    assert "by rule" in run.err
