"""The magic `%%tpl_trace`: a cell runs in its own kernel as ever, and what its lines cost follows."""

from __future__ import annotations

import linecache
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import torchperf_lint
from torchperf_lint.cli import magic
from torchperf_lint.trace import file

DEFINED = """\
import torch
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
"""
LOOP = """\
for i in range(40):
    loss = model(torch.randn(4, 8)).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print('done')
"""


class Notebook:
    """As much of IPython's shell as the magic asks for."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.space: dict[str, Any] = {}
        self.magics: dict[str, Any] = {}
        self.published: list[dict[str, str]] = []
        self.tracebacks: list[str] = []
        self.execution_count = 0
        self.compile = SimpleNamespace(format_code_name=self._label)
        self.display_pub = SimpleNamespace(publish=self.published.append)

    def _label(self, name: str) -> tuple[str, str] | None:
        return ("Cell", f"In[{self.names[name]}]") if name in self.names else None

    def register_magic_function(self, function: Any, kind: str, name: str) -> None:
        assert kind == "cell"
        self.magics[name] = function

    def _showtraceback(self, kind: type, value: BaseException, lines: list[str]) -> None:
        self.tracebacks += lines

    def run_cell(self, text: str, store_history: bool = True) -> Any:
        self.execution_count += store_history
        name = f"<ipython-input-{self.execution_count}-0>"
        self.names[name] = self.execution_count
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        done = SimpleNamespace(error_before_exec=None, error_in_exec=None)
        try:
            exec(compile(text, name, "exec"), self.space)
        except BaseException as error:
            done.error_in_exec = error
            self._showtraceback(type(error), error, [f"shown: {error}"])
        return done


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    monkeypatch.chdir(tmp_path)
    made = Notebook()
    torchperf_lint.load_ipython_extension(made)
    return made


def test_a_cell_is_run_where_it_stands_and_its_costs_follow(
    notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    torch = pytest.importorskip("torch")
    before = (
        torch.nn.Module.__call__,
        torch.optim.Optimizer.__init__,
        os._exit,
        torch.autograd.profiler._enable_profiler,
    )
    notebook.run_cell(DEFINED)
    notebook.execution_count += 1
    notebook.magics["tpl_trace"]("--steps 6:10 --out a.tpltrace", LOOP)
    assert notebook.space["i"] == 39
    assert capsys.readouterr().out == "done\n"
    assert len(notebook.published) == 1
    assert notebook.published[0]["text/plain"].startswith("In[2]: a step takes ")
    assert "a step begins at SGD.step" in notebook.published[0]["text/plain"], "the optimizer is older than the magic"
    assert "There is no GPU here" in notebook.published[0]["text/plain"] or torch.cuda.is_available()
    assert "In[2]:4" in notebook.published[0]["text/plain"], "the line of the notebook, with the magic as the first"
    assert "&lt;!DOCTYPE html&gt;" in notebook.published[0]["text/html"]
    after = torch.nn.Module.__call__, torch.optim.Optimizer.__init__, os._exit, torch.autograd.profiler._enable_profiler
    assert after == before, "nothing of the recorder is left"
    notebook.magics["tpl_trace"]("--steps 6:10", LOOP)
    assert len(notebook.published) == 2, "and again"


def test_the_earliest_steps_of_an_optimizer_that_is_older_than_the_cell(notebook: Notebook, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    notebook.run_cell(DEFINED + "import time\n")
    slow = LOOP.replace("    loss.backward()", "    time.sleep(2 * (i == 0))\n    loss.backward()").replace("40", "6")
    notebook.magics["tpl_trace"]("--steps 2:5 --out run.tpltrace", slow)
    trace = file.read(tmp_path / "run.tpltrace")
    assert trace.steps == 3
    assert trace.timing is not None
    assert trace.timing.ms < 1500, "the first timed step begins at the optimizer, not at its model"


def test_findings_stand_at_their_cells(notebook: Notebook) -> None:
    pytest.importorskip("torch")
    notebook.run_cell(DEFINED)
    notebook.run_cell(LOOP.replace("    loss.backward()", "    loss.backward()\n    print(loss.cuda().item())"))
    found = magic.cells.ran(notebook.compile.format_code_name, Path.cwd()).linted()
    assert ("In[2]", 4, None) in {(each.path, each.span.start.line, each.cell) for each in found}


def test_what_a_cell_raises_is_raised_and_shown_once_as_it_was(notebook: Notebook) -> None:
    pytest.importorskip("torch")
    notebook.run_cell(DEFINED)
    with pytest.raises(ValueError, match="mine") as raised:
        notebook.magics["tpl_trace"]("--steps 6:10", LOOP + "raise ValueError('mine')\n")
    assert raised.value._render_traceback_() == ["shown: mine"]  # type: ignore[attr-defined]
    assert notebook.tracebacks == []
    assert len(notebook.published) == 1


@pytest.mark.parametrize(
    ("cell", "said"),
    [("1 + 1\n", "no step found in the cell"), (LOOP.replace("40", "3"), "the cell ended after 3 steps")],
)
def test_why_there_is_no_trace_is_said(
    notebook: Notebook, capsys: pytest.CaptureFixture[str], cell: str, said: str
) -> None:
    pytest.importorskip("torch")
    notebook.run_cell(DEFINED)
    notebook.magics["tpl_trace"]("", cell)
    assert said in capsys.readouterr().err
    assert not notebook.published


@pytest.mark.parametrize("line", ["--steps 9", "--pages", "'"])
def test_wrong_options_run_nothing(notebook: Notebook, line: str) -> None:
    with pytest.raises(Exception, match="%%tpl_trace: ") as raised:
        notebook.magics["tpl_trace"](line, "ran = True\n")
    assert "--steps A:B" in raised.value._render_traceback_()[0]  # type: ignore[attr-defined]
    assert "ran" not in notebook.space


def test_nothing_of_ipython_is_imported() -> None:
    text = "import sys, torchperf_lint; torchperf_lint.load_ipython_extension; assert 'IPython' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0


@pytest.mark.slow
def test_under_ipython_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shell = interactive.InteractiveShell.instance()
    shell.run_line_magic("load_ext", "torchperf_lint")
    shell.run_cell(DEFINED, store_history=True)
    done = shell.run_cell("%%tpl_trace --steps 6:10\n" + LOOP + "1 + 1\nraise ValueError('mine')\n", store_history=True)
    out = re.sub("\x1b\\[[0-9;]*m", "", capsys.readouterr().out)
    assert isinstance(done.error_in_exec, ValueError)
    assert out.startswith("done\n")
    assert "In[2]:4" in out
    assert out.count("ValueError: mine") == 1
    assert "trace_cell" not in out


def test_a_trace_that_cannot_be_written_hides_nothing(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    from torchperf_lint.trace.recorder.session import Session

    def full(_: Session) -> None:
        raise OSError("no room")

    monkeypatch.setattr(Session, "finish", full)
    with pytest.raises(ValueError, match="mine"):
        notebook.magics["tpl_trace"]("", "raise ValueError('mine')\n")
    assert "no room" in capsys.readouterr().err
