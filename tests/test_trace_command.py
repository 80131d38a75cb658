"""Real programs under `torchperf-lint trace`: what they do and how they end is theirs, and what was seen is told."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from light_torch import NO_META, PROFILED
from shell import Shell

import torchperf_lint
from torchperf_lint.trace import file
from torchperf_lint.trace.await_torch import _started
from torchperf_lint.trace.collect import collect, loading_ms, timing, why_nothing
from torchperf_lint.trace.launch import Ended

PACKAGE = Path(torchperf_lint.__file__).parents[1]
TRAINING = f"""\
{PROFILED}; import os
import torch
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), 0.1)


def step(x):
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


for i in range(40):
    step(torch.randn(4, 8))
"""


def command(
    folder: Path, text: str, *options: str, python: tuple[str, ...] = (), more: tuple[str, ...] = ()
) -> list[str]:
    (folder / "train.py").write_text(text, encoding="utf-8")
    ours = [sys.executable, "-m", "torchperf_lint", "trace", *(options or ("--steps", "6:10"))]
    return [*ours, "--", sys.executable, *python, "train.py", *more]


def traced(folder: Path, text: str, *options: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """A program under `trace`, in a process of its own."""
    return subprocess.run(
        command(folder, text, *options, **more), cwd=folder, env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_a_program_keeps_its_arguments_streams_and_exit_code(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = "import sys\nprint(sys.argv, sys.path[0])\nprint('words', file=sys.stderr)\n" + TRAINING + "sys.exit(7)\n"
    text = text.replace(
        PROFILED, "assert 'torch._dynamo' not in sys.modules"
    )  # one program has all of torch, as a user's
    done = traced(tmp_path, text, more=("--lr", "1e-3"))
    assert done.returncode == 7
    assert done.stdout == f"['train.py', '--lr', '1e-3'] {tmp_path}\n"
    assert done.stderr.startswith("words\n")
    assert "trace written to run.tpltrace" in done.stderr
    assert "There is no GPU here" in done.stderr
    trace = file.read(tmp_path / "run.tpltrace")
    assert trace.steps == 4
    assert trace.about["found_by"] == "SGD.step"
    ran = {trace.place(line): each.ran / trace.steps for line, each in enumerate(trace.lines) if each.ran}
    assert ran["train.py", 14] == 1, "loss.backward()"
    assert ("train.py", 3) not in ran


@pytest.mark.slow
@pytest.mark.parametrize(
    ("last", "code"),
    [
        ("raise ValueError('mine')", 1),
        ("os._exit(3)", 3),
        ("os.kill(os.getpid(), 15)", -15),
        ("os.kill(os.getpid(), 9)", -9),
    ],
)
def test_however_a_program_ends_it_ends_so_and_what_was_seen_is_written(tmp_path: Path, last: str, code: int) -> None:
    pytest.importorskip("torch")
    done = traced(tmp_path, TRAINING + last + "\n")
    assert done.returncode == code
    assert file.read(tmp_path / "run.tpltrace").steps == 4
    assert ("mine" in done.stderr) is (code == 1)


WINDOW = "--steps", "6:30"
"""The program below ends in the middle of them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("last", "code"),
    [
        ("raise ValueError('mine')", 1),
        ("os._exit(3)", 3),
        ("os.kill(os.getpid(), 15)", -15),
        ("os.kill(os.getpid(), 1)", -1),
        ("signal.signal(15, signal.SIG_IGN); os.kill(os.getpid(), 15); os._exit(4)", 4),
        ("signal.signal(15, lambda *_: sys.exit(6)); os.kill(os.getpid(), 15)", 6),
    ],
)
def test_a_program_that_ends_in_the_profiled_steps_leaves_those_before(tmp_path: Path, last: str, code: int) -> None:
    pytest.importorskip("torch")
    default = "import signal\nsignal.signal(1, signal.SIG_DFL)\n"  # whoever runs the tests may have it ignored
    text = default + TRAINING.replace("    step(torch", f"    if i == 15:\n        {last}\n    step(torch")
    done = traced(tmp_path, text, *WINDOW)
    assert done.returncode == code, done.stderr
    assert file.read(tmp_path / "run.tpltrace").steps == 8, done.stderr


@pytest.mark.slow
def test_of_a_program_that_nobody_lets_write_the_error_says_how_far_it_came(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = TRAINING.replace("    step(torch", "    if i == 15:\n        os.kill(os.getpid(), 9)\n    step(torch")
    done = traced(tmp_path, text, *WINDOW)
    assert done.returncode == -9
    assert not list(tmp_path.glob("*.tpltrace"))
    assert "was killed by signal 9, and nothing of 9 profiled steps that had begun could be written" in done.stderr
    assert re.search(r"\. \d+ steps took [\d.]+ ms each\.", done.stderr)


SLOW_TO_SAVE = """
import os
from pathlib import Path
import torch
from torchperf_lint.trace.recorder import profiler
save = profiler.save
def slow(*arguments):
    os.kill(os.getpid(), 15)
    save(*arguments)
    print("saved", flush=True)
profiler.save = slow
"""


@pytest.mark.slow
def test_a_signal_that_comes_while_a_trace_is_written_kills_when_it_is(tmp_path: Path) -> None:
    """As of a launcher of ranks, which ends them all when its own time is over."""
    pytest.importorskip("torch")
    done = traced(tmp_path, SLOW_TO_SAVE + TRAINING, *WINDOW)
    assert done.returncode == -15, done.stderr
    assert "saved" in done.stdout
    assert file.read(tmp_path / "run.tpltrace").steps == 24, done.stderr


FULL_DISK = """
import torch
from torchperf_lint.trace.recorder import session
put = session.put
def full(path, data):
    if b'"phase": "profiled"' in data:
        raise OSError(28, "No space left on device")
    put(path, data)
session.put = full
"""


@pytest.mark.slow
def test_a_disk_that_is_full_is_named_and_the_program_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A profiler that still records when a process ends would crash it."""
    pytest.importorskip("torch")
    done = traced(tmp_path, FULL_DISK + TRAINING + "print('mine')\n", *WINDOW)
    assert (done.returncode, done.stdout) == (0, "mine\n"), done.stderr
    assert "No space left on device" in done.stderr
    monkeypatch.setattr("torchperf_lint.trace.collect.ROOM", float("inf"))
    found = collect(Ended(0, 1, {1: state()}), tmp_path, tmp_path)
    assert found.problems == [
        f"no trace: the disk is full on which it is recorded, at {tmp_path.parent}; TMPDIR names another place"
    ]


@pytest.mark.slow
def test_workers_that_are_forked_in_the_profiled_steps_are_killed_as_ever(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = TRAINING.replace(
        "    step(torch",
        "    if i == 15:\n"
        "        child = os.fork()\n"
        "        if not child:\n"
        "            import time; time.sleep(9); os._exit(3)\n"
        "        os.kill(child, 15)\n"
        "        assert os.waitpid(child, 0)[1] == 15\n"
        "    step(torch",
    )
    done = traced(tmp_path, text, *WINDOW)
    assert done.returncode == 0, done.stderr
    assert file.read(tmp_path / "run.tpltrace").steps == 24


@pytest.mark.slow
def test_what_a_program_does_to_its_surroundings_does_not_matter(tmp_path: Path) -> None:
    """It changes folder, has filters of warnings, a profiler, a tracer and workers of its own."""
    pytest.importorskip("torch")
    text = TRAINING.replace(NO_META, "").replace(  # a loader has a generator
        "for i in range(40):\n    step(torch.randn(4, 8))\n",
        "import tempfile, warnings\n"
        "os.chdir(tempfile.mkdtemp())\n"
        "warnings.simplefilter('error')\n"
        "made = dict(batch_size=4, num_workers=1, multiprocessing_context='fork')\n"  # no default from Python 3.14 on
        "data = torch.utils.data.DataLoader(torch.randn(240, 8), **made)\n"
        "with torch.profiler.profile() as profile:\n"
        "    for x in torch.randn(8, 4, 8):\n"
        "        step(x)\n"
        "assert any(each.key == 'aten::addmm' for each in profile.key_averages())\n"
        "for x in data:\n"
        "    step(x)\n",
    )
    done = traced(tmp_path, text)
    assert done.returncode == 0, done.stderr
    trace = file.read(tmp_path / "run.tpltrace")
    assert trace.files[0].path == "train.py"
    assert trace.files[0].digests
    assert any(trace.name(span.name).startswith("enumerate(DataLoader)") for span in trace.spans)


@pytest.mark.slow
def test_steps_are_found_as_they_are_named(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    line = TRAINING.splitlines().index("    loss = model(x).sum()") + 1
    done = traced(tmp_path, TRAINING, "--steps", "6:10", "--step", f"train.py:{line}", "--stop")
    assert done.returncode == 0, done.stderr
    assert file.read(tmp_path / "run.tpltrace").about["found_by"] == f"train.py:{line}"
    text = TRAINING.replace("    step(torch", "    with torchperf_lint.step():\n        step(torch")
    done = traced(tmp_path, "import torchperf_lint\n" + text, "--steps", "6:10")
    assert file.read(tmp_path / "run.tpltrace").about["found_by"] == "torchperf_lint.step()", done.stderr
    text = "import torch\nmodel = torch.nn.Linear(8, 8)\nwith torch.no_grad():\n    for _ in range(40):\n        model(torch.randn(1, 8))\n"
    done = traced(tmp_path, f"{PROFILED}; {text}", "--steps", "6:10")
    assert file.read(tmp_path / "run.tpltrace").about["found_by"] == "Linear at train.py:5", done.stderr


@pytest.mark.slow
def test_why_there_is_no_trace_is_said(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    assert "no process of the program imported torch" in traced(tmp_path, "print(1)\n").stderr
    assert "-I, -E or -S" in traced(tmp_path, "print(1)\n", python=("-I",)).stderr
    done = traced(tmp_path, TRAINING.replace("range(40)", "range(3)"))
    assert "ended after 3 steps, before any were profiled" in done.stderr
    assert done.returncode == 0


@pytest.mark.slow
def test_ctrl_c_and_sigterm_are_the_programs(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = TRAINING + (
        "import signal, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    ours = subprocess.Popen(
        command(tmp_path, text), cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(PACKAGE)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert ours.stdout is not None
    assert ours.stdout.readline() == "ready\n"
    ours.send_signal(signal.SIGTERM)
    _, err = ours.communicate(timeout=60)
    assert ours.returncode == 5
    assert "trace written" in err


@pytest.mark.slow
def test_ranks_have_a_file_each(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = (
        "import os, subprocess, sys\n"
        "if 'RANK' not in os.environ:\n"
        "    for rank in '01':\n"
        "        subprocess.run([sys.executable, 'train.py'], env={**os.environ, 'RANK': rank, 'WORLD_SIZE': '2'})\n"
        "    sys.exit()\n"
    )
    done = traced(tmp_path, text + TRAINING)
    assert sorted(each.name for each in tmp_path.glob("*.tpltrace")) == ["run.rank0.tpltrace", "run.rank1.tpltrace"]
    assert re.search(r"2 ranks were observed|Rank [01] holds up the others", done.stderr), (
        "a busy machine slows one of them"
    )


def test_a_command_that_is_not_there(run: Shell) -> None:
    assert run("trace", "--", "no-such-command-here") == 127
    assert "no-such-command-here: No such file" in run.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--steps", "9"), "two numbers are meant"),
        (("--steps", "1:9"), "two numbers are meant"),
        (("--step", "train.py"), "a place is meant"),
        (("--format", "pdf"), "--format pdf"),
        (("--format", "html"), "html=FILE"),
    ],
)
def test_wrong_options_run_nothing(run: Shell, options: tuple[str, ...], said: str) -> None:
    assert run("trace", *options, "--", sys.executable, "-c", "raise SystemExit(9)") == 2
    assert said in run.err


def test_what_a_line_of_python_starts() -> None:
    assert _started(["python", "-u", "-X", "dev", "train.py", "torchrun"]) == "train.py"
    assert _started(["python", "-m", "torch.distributed.run", "train.py"]) == "torch.distributed.run"
    assert _started(["python", "-c", "from multiprocessing.spawn import x"]).startswith("from multiprocessing.spawn")
    assert _started(["python"]) == ""


def test_outside_of_a_trace_a_marker_does_nothing() -> None:
    start = time.perf_counter()
    with torchperf_lint.step():
        pass
    assert time.perf_counter() - start < 1


def state(**more: Any) -> dict[str, Any]:
    return {"steps": 0, "phase": "warm-up", "error": "", "theirs": False, "optimizers": 0, **more}


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (Ended(0, 1, {1: state()}), "no step found. It looked for"),
        (Ended(1, 1, {1: state()}), "no step found before it ended, with code 1. It looked for"),
        (Ended(-15, 1, {}), "imported torch before it ended, with code -15"),
        (Ended(0, 1, {1: state(found_by="a.py:3")}), "The line of --step, a.py:3, has not run"),
        (
            Ended(0, 1, {1: state(steps=50, phase="setting up", theirs=True)}),
            "the program's own profiler ran all the time",
        ),
        (Ended(-9, 1, {1: state(steps=50, phase="profiled", marks=4)}), "nothing of 4 profiled steps that had begun"),
        (Ended(-9, 1, {1: state(steps=50, phase="profiled")}), "the system sends this signal then. Fewer steps"),
        (Ended(-11, 1, {1: state(steps=50, phase="profiled")}), "went with its memory. Fewer steps"),
        (Ended(0, 1, {1: state(steps=42, phase="settling")}), "while what was seen of its steps was written"),
        (
            Ended(0, 1, {1: state(steps=9, phase="base", times={"base": [0, 10_000_000, 20_000_000, 20_000_000]})}),
            "All that is known is the time of a step: 2 steps took 10.00 ms each. Profile earlier ones, --steps 3:6",
        ),
        (Ended(0, 1, {1: state(steps=5, error="Traceback\nOSError: no room\n")}), "OSError: no room"),
    ],
)
def test_the_reason_is_named(ended: Ended, said: str) -> None:
    assert said in why_nothing(ended)[0]


def test_the_step_of_a_loader_that_was_filling_up_is_not_the_base() -> None:
    def times(ms: float, steps: int = 20) -> list[int]:
        return [round(each * ms * 1e6) for each in range(steps + 1)] + [round(steps * ms * 1e6)]

    steady = timing({"times": {"base": times(10), "base again": times(10.5)}}, 12.0)
    assert steady is not None
    assert steady.ms == pytest.approx(10.25, rel=0.01)
    assert steady.low <= 10.01
    assert steady.high >= 10.49
    filling = timing({"times": {"base": times(80), "base again": times(30)}}, 35.0)
    assert filling is not None
    assert filling.ms == pytest.approx(30, rel=0.01)
    assert timing({"times": {"base": [], "base again": []}}, 1.0) is None


def test_stretches_of_steps_that_differ_say_so() -> None:
    def times(*paces: float) -> list[int]:
        ends = accumulate((pace * 1e6 for pace in paces for _ in range(10)), initial=0.0)
        found = [round(each) for each in ends]
        return [*found, found[-1]]

    steady = timing({"times": {"base": times(10, 10), "base again": times(10, 10)}}, 12.0)
    wandering = timing({"times": {"base": times(9, 11), "base again": times(9, 11)}}, 12.0)
    assert steady is not None
    assert wandering is not None
    assert steady.wander < 0.01
    assert 0.1 < wandering.wander < 0.2
    assert wandering.ms == pytest.approx(steady.ms, rel=0.01)


def test_what_a_loader_needs_is_that_of_the_stretch_in_which_it_needed_least() -> None:
    times = {"base": [0] * 12, "base again": [0] * 22, "warm-up": []}
    assert loading_ms({"times": times}) == 0
    assert loading_ms({"times": times, "loads": {"base": []}}) == 0
    filling = {"times": times, "loads": {"base": [0.2, 0.05], "base again": [0.1, 0.02]}}
    assert loading_ms(filling) == pytest.approx(5.0)
