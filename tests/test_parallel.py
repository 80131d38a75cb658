"""Many items over processes: every answer, in any order, whatever dies on the way."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

import fake_lint
import pytest

from torchperf_lint.run import parallel
from torchperf_lint.run.parallel import Died, alone, together

METHODS = ["fork", "spawn"] if sys.platform == "linux" else ["spawn"]


@dataclass(frozen=True)
class Shout:
    """A job that does what an item says."""

    folder: Path

    def __call__(self, item: str) -> bytes:
        match item.partition(":"):
            case ("die", _, _):
                os.kill(os.getpid(), signal.SIGKILL)
            case ("once", _, name):
                if not (self.folder / name).exists():
                    (self.folder / name).touch()
                    os._exit(3)
            case ("sleep", _, seconds):
                time.sleep(float(seconds))
            case ("pid", _, _):
                return str(os.getpid()).encode()
            case ("collector", _, _):
                return str(gc.isenabled()).encode()
        return os.fsencode(item.upper())


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(parallel, "copies", lambda: request.param == "fork")
    return str(request.param)


@pytest.mark.usefixtures("method")
def test_every_item_is_answered(tmp_path: Path) -> None:
    items = [f"item {number}" for number in range(50)] + ["odd \udcff name", ""]
    assert dict(together(Shout(tmp_path), items, 3)) == {item: os.fsencode(item.upper()) for item in items}


def test_alone_answers_in_order(tmp_path: Path) -> None:
    assert list(alone(Shout(tmp_path), ["b", "a"])) == [("b", b"B"), ("a", b"A")]


@pytest.mark.usefixtures("method")
def test_a_process_that_dies_costs_its_item_only(tmp_path: Path) -> None:
    items = ["a", "die:", "b", "c", "d"]
    answers = dict(together(Shout(tmp_path), items, 2))
    assert {item: answers[item] for item in "abcd"} == {"a": b"A", "b": b"B", "c": b"C", "d": b"D"}
    assert str(answers["die:"]) == "the process that worked on it was killed by SIGKILL"


@pytest.mark.usefixtures("method")
def test_an_item_is_tried_once_more(tmp_path: Path) -> None:
    answers = dict(together(Shout(tmp_path), ["once:x", "a", "once:y", "b"], 2))
    assert answers == {"once:x": b"ONCE:X", "once:y": b"ONCE:Y", "a": b"A", "b": b"B"}


def test_when_all_die_all_are_told(tmp_path: Path) -> None:
    items = [f"die:{number}" for number in range(5)]
    assert all(isinstance(answer, Died) for _, answer in together(Shout(tmp_path), items, 3))


def test_a_slow_item_does_not_hold_the_rest(tmp_path: Path) -> None:
    order = [item for item, _ in together(Shout(tmp_path), ["sleep:0.5", *"abcdefgh"], 2)]
    assert order[-1] == "sleep:0.5"


def test_no_process_can_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr(parallel._Worker, "__init__", refuse)
    assert dict(together(Shout(tmp_path), ["a", "pid:"], 2)) == {"a": b"A", "pid:": str(os.getpid()).encode()}


def test_the_collector_rests_in_workers_and_is_as_before_at_home(tmp_path: Path) -> None:
    assert dict(together(Shout(tmp_path), ["collector:"], 1)) == {"collector:": b"False"}
    assert list(alone(Shout(tmp_path), ["collector:"])) == [("collector:", b"False")]
    assert gc.isenabled()


def test_giving_up_leaves_no_process(tmp_path: Path) -> None:
    answers = together(Shout(tmp_path), ["pid:1", "pid:2", "sleep:30", "sleep:30"], 2)
    pids = {int(answer) for _, answer in (next(answers), next(answers)) if isinstance(answer, bytes)}
    start = time.monotonic()
    answers.close()
    assert time.monotonic() - start < 5
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("method", METHODS)
def test_an_interrupt_ends_everything_at_once_without_a_trace(tmp_path: Path, method: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
            import sys
            from pathlib import Path
            sys.path.insert(0, {str(Path(__file__).parent)!r})
            from test_parallel import Shout
            from torchperf_lint.run import parallel
            if __name__ == "__main__":
                parallel.copies = lambda: {method == "fork"}
                try:
                    for item, answer in parallel.together(Shout(Path()), ["pid:", "sleep:60", "sleep:60"], 2):
                        print(answer.decode(), flush=True)
                except KeyboardInterrupt:
                    sys.exit(130)
        """),
        encoding="utf-8",
    )
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=fake_lint.ENVIRONMENT,
    )
    assert process.stdout is not None
    worker = int(process.stdout.readline())
    time.sleep(0.3)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (130, b"")
    assert time.monotonic() - start < 4
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_workers_end_when_the_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
            import sys
            from pathlib import Path
            sys.path.insert(0, {str(Path(__file__).parent)!r})
            from test_parallel import Shout
            from torchperf_lint.run import parallel
            for item, answer in parallel.together(Shout(Path()), ["pid:1", "pid:2", "pid:3", "sleep:1", "sleep:1"], 3):
                print(answer.decode(), flush=True)
        """),
        encoding="utf-8",
    )
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=fake_lint.ENVIRONMENT)
    assert process.stdout is not None
    workers = {int(process.stdout.readline()) for _ in range(3)}
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while alive := [pid for pid in workers if _runs(pid)]:
        assert time.monotonic() < deadline, alive
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"
