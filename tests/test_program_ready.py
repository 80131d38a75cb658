"""Runs that are split off from a process which has imported torch: what the program sees is what Python would have started."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from light_torch import LIGHT

from torchperf_lint.trace.launch import TOO_LONG, Ended, run_apart
from torchperf_lint.trace.prepared import Form, Prepared, Seen, form, started
from torchperf_lint.trace.settings import Settings
from torchperf_lint.verify.program.aside import Aside
from torchperf_lint.verify.program.ready import Ready
from torchperf_lint.verify.program.runs import Options, Runner

linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every run is started by Python")

SAYS = """
import sys
import json, os, random, __main__
import other
said = dict(
    argv=sys.argv, orig=sys.orig_argv[1:], path=sys.path, name=__name__, file=__file__, main=sorted(vars(__main__)),
    spec=str(__spec__ and __spec__.name), package=__package__, cwd=os.getcwd(), stdin=sys.stdin.read(), other=other.__file__,
    tty=sys.stdout.isatty(), leader=os.getsid(0) == os.getpid(), flags=str(sys.flags), optimized=__debug__,
    annotations=eval(compile("lambda x: x", "", "eval")).__annotations__,
)
def typed(x: int): ...
said["typed"] = typed.__annotations__["x"] is int
open("said.json", "w").write(json.dumps(said))
sys.exit(7)
"""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("python train.py --lr 1", Form(("python",), "train.py", None, ("--lr", "1"))),
        (
            "/bin/python3.12 -u -X dev -W error a/b.py -m x",
            Form(("/bin/python3.12", "-u", "-X", "dev", "-W", "error"), "a/b.py", None, ("-m", "x")),
        ),
        ("python3 -m pkg.train x", Form(("python3",), None, "pkg.train", ("x",))),
        ("python -OO -m pkg", Form(("python", "-OO"), None, "pkg", ())),
        ("python -c print()", None),
        ("python -i train.py", None),
        ("python -I train.py", None),
        ("python -E train.py", None),
        ("python -", None),
        ("python folder", None),
        ("python", None),
        ("python -m", None),
        ("torchrun train.py", None),
        ("env A=1 python train.py", None),
        ("bash run.sh", None),
    ],
)  # fmt: skip
@linux
def test_what_can_be_run_by_a_process_that_is_ready(words: str, found: Form | None) -> None:
    assert form(words.split()) == found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for place in (tmp_path, tmp_path / "sub"):
        (place / "other.py").write_text("")
    return tmp_path


def settings(folder: Path, name: str, **more: Any) -> Settings:
    (folder / name).mkdir(exist_ok=True)
    return Settings(str(folder / name), **more)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    place = tmp_path_factory.mktemp("ready")
    made = started([sys.executable], settings(place, "ready", prepares=True), place, place / "ready.txt")
    with made as process:
        process.begin()
        process.prepare(Seen(("json", "no_such_module"), {}, {}, is_torch_first=True))
        assert process.problem is None
        yield process


@pytest.mark.slow
@linux
class TestReady:
    """Split off from one process, which takes seconds to import torch; the last test ends it."""

    @pytest.mark.parametrize("words", ["train.py --lr 1", "sub/train.py -m x", "-m train", "-m sub.train --lr 1"])
    def test_the_program_cannot_tell(self, folder: Path, ready: Prepared, words: str) -> None:
        for place in (folder, folder / "sub"):
            (place / "train.py").write_text(SAYS)
        command = [sys.executable, *words.split()]
        plain = run_apart(command, settings(folder, "plain"), folder, folder / "plain.txt", 60)
        as_plain = json.loads((folder / "said.json").read_text())
        found = form(command)
        assert found is not None
        ended = ready.run(found, settings(folder, "split"), folder, folder / "split.txt", 60)
        assert (ended.code, plain.code) == (7, 7), (folder / "split.txt").read_text()
        assert json.loads((folder / "said.json").read_text()) == as_plain

    def test_it_ends_as_python_ends(self, folder: Path, ready: Prepared) -> None:
        ends = {
            "raise ValueError('boom')": 1, "import os, signal; os.kill(os.getpid(), signal.SIGTERM)": -signal.SIGTERM,
            "import atexit; atexit.register(print, 'bye')": 0, "raise SystemExit('no')": 1, "import os; os._exit(3)": 3,
        }  # fmt: skip
        for number, (text, code) in enumerate(ends.items()):
            (folder / "train.py").write_text(text)
            run = Form((sys.executable,), "train.py", None, ())
            output = folder / f"{number}.txt"
            assert ready.run(run, settings(folder, f"run{number}"), folder, output, 60).code == code, text
        assert "ValueError: boom" in (folder / "0.txt").read_text()
        assert (folder / "2.txt").read_text() == "bye\n"
        assert (folder / "3.txt").read_text() == "no\n"

    @pytest.mark.parametrize("ending", ["", "raise SystemExit", "import sys; sys.exit(0)"])
    def test_nothing_is_cleared_away_after_a_program_that_has_ended_well(
        self, folder: Path, ready: Prepared, ending: str
    ) -> None:
        (folder / "train.py").write_text(
            "import atexit, os, sys, tempfile, threading, time\n"
            "class Large:\n    def __del__(self): os.write(1, b'cleared away')\n"
            "large, aside = Large(), tempfile.TemporaryDirectory()\n"
            "atexit.register(lambda: print('registered', os.path.exists(aside.name)))\n"
            "threading.Thread(target=lambda: (time.sleep(0.3), print('a thread'))).start()\n"
            "sys.stderr.close()\n" + ending
        )
        run = Form((sys.executable,), "train.py", None, ())
        assert ready.run(run, settings(folder, "run"), folder, folder / "out.txt", 60).code == 0
        assert (folder / "out.txt").read_text() == "a thread\nregistered True\n"

    def test_a_run_that_does_not_end_is_ended_and_the_process_no_longer_used(
        self, folder: Path, ready: Prepared
    ) -> None:
        (folder / "train.py").write_text("import subprocess; subprocess.run(['sleep', '600'])")
        run = Form((sys.executable,), "train.py", None, ())
        assert ready.run(run, settings(folder, "run"), folder, folder / "out.txt", 0.5).code == TOO_LONG
        assert ready.problem is not None


@linux
def test_what_the_program_has_otherwise_is_a_reason_not_to(folder: Path) -> None:
    cases = [
        (Seen((), {"json": "/repo/json.py"}, {}, is_torch_first=True), "json is another module in the program"),
        (Seen((), {}, {"CUDA_VISIBLE_DEVICES": "0"}, is_torch_first=True), "the program sets CUDA_VISIBLE_DEVICES"),
        (Seen((), {}, {"HOME": None}, is_torch_first=True), "the program sets HOME"),
    ]
    for number, (seen, problem) in enumerate(cases):
        where = settings(folder, f"ready{number}", prepares=True)
        with started([sys.executable], where, folder, folder / "ready.txt") as process:
            process.prepare(seen)
            assert process.problem == problem


def test_all_that_is_installed_is_imported_beforehand_or_torch_alone() -> None:
    loaded = {
        name: f"/env/site-packages/{name}.py" for name in ("numpy", "torch", "torch._dynamo", "torch._inductor", "torchvision")
    }  # fmt: skip
    state = {"loaded": {**loaded, "train": "/repo/train.py", "json": "/usr/lib/json.py"}, "changed_before_torch": {}}
    own = {"CUDA_MODULE_LOADING": "LAZY"}
    everything = ("numpy", "torch", "torch._dynamo", "torchvision")
    assert Seen.of({**state, "changed": own}) == Seen(everything, state["loaded"], {}, is_torch_first=True)
    later = {"CUDA_VISIBLE_DEVICES": "0"}
    assert Seen.of({**state, "changed": later | own}) == Seen(everything[1:3], state["loaded"], {}, is_torch_first=True)
    both = {"changed": later | own, "changed_before_torch": later}
    assert Seen.of({**state, **both}) == Seen(everything, state["loaded"], later, is_torch_first=False)
    of_pygame = {"PYGAME_HIDE_SUPPORT_PROMPT": "hide"}
    both = {"changed": of_pygame, "changed_before_torch": of_pygame}
    assert Seen.of({**state, **both}) == Seen(everything, state["loaded"], {}, is_torch_first=True)


def test_a_program_that_another_process_runs_is_not_split_off(tmp_path: Path) -> None:
    ready = Ready(("python3", "launch.py"), tmp_path, tmp_path, deterministic=False)
    state = {"loaded": {}, "changed": {}, "changed_before_torch": {}}
    ready.learn(Ended(0, 2, {12: state}, process=11), 5)
    assert ready.process() is None
    assert not ready.is_new


TRAIN = """
import torch
{set}
torch.manual_seed(0)
net = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(400):
    optimizer.zero_grad()
    net(torch.randn(2, 4)).sum().backward()
    optimizer.step()
"""


@linux
@pytest.mark.slow
@pytest.mark.parametrize("line", ["", "import os; os.environ['SEEN'] = '1'"], ids=["all of torch", "a setting"])
def test_a_program_is_run_by_python_once_and_then_split_off(tmp_path: Path, line: str) -> None:
    pytest.importorskip("torch")
    text = (f"{LIGHT}\n" if line else "") + TRAIN.replace("{set}", line)
    original, folder = tmp_path / "repo", tmp_path / "copy"
    for place in (original, folder):
        place.mkdir()
        (place / "train.py").write_text(text)
    copy = Aside(original, folder)
    copy.fill()
    runner = Runner(Options((sys.executable, "train.py"), steps=5), original, tmp_path)
    try:
        first, again, timed = runner.results(copy), runner.results(copy), runner.timed(copy)
        assert [each.problem for each in (first, again, timed)] == [None, None, None]
        assert first.results == again.results
        assert again.ms
        assert timed.ms
        assert runner._ready.runs == 2
        assert again.seconds < first.seconds
        (folder / "train.py").write_text("raise SystemExit(3)")
        copy._note(Path("train.py"))
        assert "exit code 3" in (runner.timed(copy).problem or "")
        assert runner._ready.runs == 3, "what fails is run by Python once more"
        copy.become({Path("train.py"): text.encode()})
        assert runner.timed(copy).problem is None
        assert runner._ready.runs == 4, "it failed in a process of its own as well"
    finally:
        runner.end()
