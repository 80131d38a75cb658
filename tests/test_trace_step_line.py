"""`--step FILE:LINE`, in processes of their own: there is one trace function in each before Python 3.12."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_trace_command import PACKAGE, TRAINING, traced

from torchperf_lint.trace import file

WATCHED = """\
import os, sys
from types import SimpleNamespace as N

dynamo = N(skip_code=lambda code: None, set_eval_frame=lambda callback: callback)
sys.modules["torch"] = N(_C=N(_dynamo=N(eval_frame=dynamo)))
from torchperf_lint.trace.recorder import step_line

told = []
stop = step_line.watch(sys.argv[1], lambda: told.append(1), os.getcwd())


def work():
    told.append("work")


for _ in range(4):
    work()
stop()
work()
print(told.count(1), sys.gettrace())
"""
"""All that this part of the recorder takes of torch is made up; `test_steps_begin_at_a_line_of_the_script` has the real one."""
IN_THE_LOOP, IN_A_FUNCTION = 17, 13


def said(folder: Path, place: str) -> str:
    (folder / "sub").mkdir()
    (folder / "sub/train.py").write_text(WATCHED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "sub/train.py", place], cwd=folder, env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("line", [IN_THE_LOOP, IN_A_FUNCTION], ids=["in the loop of the script", "in a function"])
def test_a_line_is_told_of_until_it_is_left(tmp_path: Path, line: int) -> None:
    assert said(tmp_path, f"train.py:{line}") == "4 None\n"


@pytest.mark.parametrize(
    "name", ["train.py", "sub/train.py", "./sub/train.py", "sub/../sub/train.py", "{}/sub/train.py"]
)
def test_a_file_is_named_by_any_path(tmp_path: Path, name: str) -> None:
    assert said(tmp_path, f"{name.format(tmp_path)}:{IN_THE_LOOP}") == "4 None\n"


@pytest.mark.parametrize("name", ["rain.py", "other/train.py", "../train.py", "/sub/train.py"])
def test_another_file_is_not_meant(tmp_path: Path, name: str) -> None:
    assert said(tmp_path, f"{name}:{IN_THE_LOOP}") == "0 None\n"


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--stop",)], ids=["to the end", "--stop"])
def test_steps_begin_at_a_line_of_the_script(tmp_path: Path, options: tuple[str, ...]) -> None:
    """The recorder of lines is told beside it, and nothing of either is left when Python ends."""
    pytest.importorskip("torch")
    line = TRAINING.splitlines().index("    step(torch.randn(4, 8))") + 1
    done = traced(tmp_path, TRAINING, "--steps", "6:10", "--step", f"train.py:{line}", *options)
    assert done.returncode == 0, done.stderr
    assert "ignored" not in done.stderr
    trace = file.read(tmp_path / "run.tpltrace")
    assert (trace.about["found_by"], trace.steps) == (f"train.py:{line}", 4)
    assert {each.number for each in trace.lines} >= {8, 9, 10, line}
