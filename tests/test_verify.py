"""`--verify` and the word `verify`, from arguments to exit code, with measurements made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shell import Shell, write
from test_verify_worker import result

from torchperf_lint.verify import child, record

TEXT = """\
import torch



def first(): a = torch.zeros(512, 512).to("cuda"); return a
def second(): b = torch.zeros(512, 512).cuda(); return b
def third(n): c = torch.zeros(n, 512).to("cuda"); return c
def fourth(): d = torch.randn(512, 512).to("cuda"); return d


def train(model, loader):
    for x in loader:
        model(x.cuda(), first(), second(), third(len(x)), fourth()).sum().backward()
"""
LINT = ("--isolated", "--no-cache", "--select", "TPL201")


class Worker:
    """Stands in for the processes: what it answers depends on the program."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.device: str | None = "cuda:0"
        self.interrupts_at: int | None = None
        self.speedup = 3.0

    def __call__(self, request: dict[str, Any], *_: Any) -> dict[str, Any]:
        if "about" in request:
            return {
                "name": "Some GPU", "torch": "2.9", "toolkit": "CUDA 12.8", "device": self.device, "reason": "no CUDA device",
            }  # fmt: skip
        if not request["only_times"]:
            self.asked.append(request)
        if len(self.asked) == self.interrupts_at:
            raise KeyboardInterrupt
        found = result(self.speedup)
        if "randn" in request["before"]:
            found["parity"] |= {"same": False, "reason": "other random numbers are drawn", "difference": 4.0}
        return found


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Worker:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    made = Worker()
    monkeypatch.setattr(child, "ask", made)
    return made


def test_a_table_follows_the_report(worker: Worker, run: Shell) -> None:
    write("a.py", TEXT)
    assert run(*LINT, "--format", "concise", "--verify") == 1
    report, _, table = run.out.partition("Measured on Some GPU (torch 2.9, CUDA 12.8)\n")
    assert report.count("TPL201") == 4
    rows = [line.split("  ") for line in table.splitlines() if line.startswith("TPL201")]
    assert [row[-1].strip() for row in rows] == ["faster", "faster", "different"]
    assert "3.00× (2.97–3.03)" in table
    assert "create-on-cpu-then-move: a.py:5, a.py:6\n" in table
    assert "assumed: rows = 1024 (give them with --shape)" in table
    assert "different: other random numbers are drawn; the largest difference of any number is 4" in table
    assert "measuring 1 of 3" in run.err
    assert "3 to measure: some 1 to 3 minutes\n" in run.err
    assert len(worker.asked) == 3


@pytest.mark.parametrize(("speedup", "word"), [(1.031, "faster"), (1.028, "no gain")])
def test_a_verdict_that_another_run_may_turn_over_says_so(
    worker: Worker, run: Shell, speedup: float, word: str
) -> None:
    write("a.py", TEXT)
    worker.speedup = speedup
    run(*LINT, "--verify")
    assert f"{word}, but not for certain: the interval holds the 3 %" in run.out
    worker.speedup = 3.0
    run(*LINT, "--verify")
    assert "not for certain" not in run.out


def test_results_are_told_as_they_come_with_the_time_that_is_left(worker: Worker, run: Shell) -> None:
    write("a.py", TEXT)
    run(*LINT, "--verify")
    told = [line for line in run.err.splitlines() if line.startswith("TPL201")]
    assert told[0] == "TPL201 create-on-cpu-then-move: faster 3.00× (2.97–3.03)"
    assert [line.split()[2] for line in told] == ["faster", "faster", "different"]
    assert run.err.index(told[0]) < run.err.index("measuring 2 of 3: TPL201")


def test_of_a_part_of_a_step_nobody_knows_the_share(worker: Worker, run: Shell) -> None:
    write("a.py", TEXT)
    run(*LINT, "--verify")
    flat = " ".join(run.out.split())
    assert "the ratio is for the call alone: what share of a step that is, only a trace of your program tells" in flat


def test_a_trace_tells_the_share(worker: Worker, run: Shell) -> None:
    here = Path(__file__).parent / "trace"
    write("waits.py", (here / "waits.py").read_text(encoding="utf-8"))
    run("--isolated", "--no-cache", "--verify", "--trace", str(here / "waits.tpltrace"), "waits.py")
    flat = " ".join(run.out.split())
    assert "in a run of your program: pays: 1 wait a step, 1.49 ms of" in flat
    assert "only a trace of your program tells" not in flat


def test_json_says_what_was_measured(worker: Worker, run: Shell) -> None:
    write("a.py", TEXT)
    run(*LINT, "--format", "json", "--verify")
    assert worker.asked
    first, second, third, fourth = (each["verified"] for each in json.loads(run.out)["findings"])
    assert first == second == {
        "verdict": "faster", "same": True, "max_difference": 0.0, "waits_before": 1.0, "waits_after": 0.0, "peak_before": 9,
        "peak_after": 8, "graphs_before": None, "graphs_after": None, "recompiles_before": None, "recompiles_after": None,
        "compile_s_before": None, "compile_s_after": None,
        "shapes": {"factory": "zeros", "rows": 512, "columns": 512, "dtype": "float32"}, "assumed": [],
        "measurements": [
            {
                "clock": "host", "host_work_ms": 0.0, "before_ms": 6.0, "after_ms": 2.0, "speedup": 3.0, "low": 2.97,
                "high": 3.03,
            }
        ],
        "device": "Some GPU", "torch": "2.9",
    }  # fmt: skip
    assert third["assumed"] == ["rows"]
    assert (fourth["verdict"], fourth["same"], fourth["max_difference"]) == ("different", False, 4.0)


def test_sarif_has_it_among_the_properties(worker: Worker, run: Shell) -> None:
    write("a.py", TEXT)
    run(*LINT, "--format", "sarif", "--verify")
    assert worker.asked
    results = json.loads(run.out)["runs"][0]["results"]
    assert [each["properties"]["verified"]["verdict"] for each in results] == [
        "faster",
        "faster",
        "faster",
        "different",
    ]


def test_nothing_is_measured_unless_it_is_asked_for(worker: Worker, run: Shell) -> None:
    write("a.py", TEXT)
    run(*LINT, "--format", "json")
    assert [each["verified"] for each in json.loads(run.out)["findings"]] == [None] * 4
    assert not worker.asked


def test_fix_applies_what_is_confirmed_alone(worker: Worker, run: Shell) -> None:
    file = write("a.py", TEXT)
    assert run(*LINT, "--format", "concise", "--verify", "--fix", "--unsafe-fixes") == 1
    assert worker.asked
    lines = file.read_text().splitlines()
    assert lines[4:8] == [
        'def first(): a = torch.zeros(512, 512, device="cuda"); return a',
        'def second(): b = torch.zeros(512, 512, device="cuda"); return b',
        'def third(n): c = torch.zeros(n, 512).to("cuda"); return c',
        'def fourth(): d = torch.randn(512, 512).to("cuda"); return d',
    ]
    assert "2 fixed" in run.err
    assert "a.py:5, a.py:6" in run.out, "what is fixed is in the table all the same"


def test_fix_applies_what_the_user_gives_the_size_of(worker: Worker, run: Shell) -> None:
    file = write("a.py", TEXT)
    run(*LINT, "--verify", "--fix", "--shape", "rows=256")
    assert worker.asked
    assert 'c = torch.zeros(n, 512, device="cuda")' in file.read_text()


def test_unsafe_fixes_stay_behind_their_flag(worker: Worker, run: Shell) -> None:
    file = write("a.py", "import torch\n\n\ndef f():\n    return torch.linspace(0, 1, 9).to('cuda')\n")
    before = file.read_text()
    run(*LINT, "--verify", "--fix")
    assert worker.asked
    assert file.read_text() == before


def test_no_gain_applies_nothing(worker: Worker, run: Shell) -> None:
    worker.speedup = 1.0
    file = write("a.py", TEXT)
    run(*LINT, "--verify", "--fix")
    assert file.read_text() == TEXT


def test_diff_shows_what_would_be_applied(worker: Worker, run: Shell) -> None:
    file = write("a.py", TEXT)
    assert run(*LINT, "--verify", "--fix", "--diff") == 1
    assert run.out.count("\n+def ") == 2
    assert worker.asked
    assert file.read_text() == TEXT


def test_an_interrupt_shows_what_is_done_and_applies_nothing(worker: Worker, run: Shell) -> None:
    worker.interrupts_at = 2
    file = write("a.py", TEXT)
    assert run(*LINT, "--format", "concise", "--verify", "--fix") == 130
    assert run.out.count("faster") == 1
    assert file.read_text() == TEXT


def test_what_a_baseline_accepts_is_not_measured(worker: Worker, run: Shell) -> None:
    write("a.py", TEXT)
    run(*LINT, "--write-baseline", "accepted.json")
    run(*LINT, "--verify", "--baseline", "accepted.json")
    assert not worker.asked


def test_without_torch_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Shell) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    write("a.py", TEXT)
    for line in ((*LINT, "--verify"), ("verify", "TPL201")):
        assert run(*line) == 2
        assert run.err == 'error: measuring needs torch, which is not installed: pip install "torchperf-lint[verify]"\n'
        assert not run.out


def test_without_a_gpu_it_says_so(worker: Worker, run: Shell) -> None:
    worker.device = "cpu"
    assert run("verify", "TPL201", "TPL502") == 0
    assert "no GPU here: what a CPU can show is measured on it, the rest needs CUDA" in run.err
    assert "\n3 to measure: some " in run.err, "what needs CUDA takes no time"
    assert "not measured: needs CUDA" in run.out
    assert worker.asked
    assert all(each["device"] == "cpu" for each in worker.asked)


def test_a_device_that_is_not_there_is_an_error(worker: Worker, run: Shell) -> None:
    worker.device = None
    assert run("verify", "TPL201", "--verify-device", "cuda:7") == 2
    assert "`--verify-device cuda:7`: no CUDA device" in run.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "or use `--all`"),
        (("TPL999",), "no bench for `TPL999`"),
        (("TPL201", "--shape", "rows"), "NAME=VALUE"),
        (("TPL201", "--verify-timeout", "0"), "0"),
    ],
)
def test_what_is_wrong_with_the_line(worker: Worker, run: Shell, arguments: tuple[str, ...], said: str) -> None:
    assert run("verify", *arguments) == 2
    assert said in run.err
    assert not worker.asked


def test_records_are_kept_for_each_gpu_and_grow(worker: Worker, run: Shell) -> None:
    assert run("verify", "TPL201", "--record") == 0
    path = record.FOLDER / "some-gpu.json"
    first = json.loads(path.read_text())
    assert first["device"] == {"name": "Some GPU", "torch": "2.9", "toolkit": "CUDA 12.8"}
    assert {each["code"] for each in first["measurements"]} == {"TPL201"}
    worker.speedup = 5.0
    assert run("verify", "concat-in-loop", "create-on", "--record") == 2
    assert run("verify", "concat-in-loop", "--record") == 0
    second = json.loads(path.read_text())
    assert [each for each in second["measurements"] if each["code"] == "TPL201"] == first["measurements"]
    assert {each["code"] for each in second["measurements"]} == {"TPL201", "TPL502"}
    row = second["measurements"][-1]
    assert (
        row["measurements"][0] | {"pairs": 120, "before_quartiles_ms": [10.0, 10.0], "speedup": 5.0}
        == row["measurements"][0]
    )


def test_the_standard_input_can_be_verified(worker: Worker, run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert run(*LINT, "--verify", "--fix", "-") == 1
    assert run.out.count('device="cuda"') == 2
    assert "Measured on Some GPU" in run.err
