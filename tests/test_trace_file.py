"""The file of a trace: what it keeps, what it does not, and what is said of one that is damaged or foreign."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traces import HERE, recorded, serial

from torchperf_lint.model.failure import ConfigError
from torchperf_lint.trace import chrome, file, foreign
from torchperf_lint.trace.analysis import analyse

WAITS = HERE / "waits.tpltrace"


def plain() -> Any:
    return json.loads(gzip.decompress(WAITS.read_bytes()))


def said(data: bytes, tmp_path: Path) -> str:
    broken = tmp_path / "run.tpltrace"
    broken.write_bytes(data)
    with pytest.raises(ConfigError) as error:
        file.read(broken)
    return str(error.value).replace(str(broken), "FILE")


@pytest.mark.parametrize("name", ["waits", "gan", "loader"])
def test_what_is_written_is_read(name: str, tmp_path: Path) -> None:
    trace = recorded(name)
    file.write(tmp_path / "again.tpltrace", trace)
    again = file.read(tmp_path / "again.tpltrace")
    assert again.lines == trace.lines
    assert again.sites == trace.sites
    assert len(again.calls) == len(trace.calls)
    assert again.calls[-1].start == pytest.approx(trace.calls[-1].start, abs=0.01 * len(trace.calls))
    assert file.packed(again)[:200] == file.packed(again)[:200]


def test_a_file_is_small() -> None:
    assert all(each.stat().st_size < 200_000 for each in HERE.glob("*.tpltrace"))


def test_no_text_of_the_program_is_kept() -> None:
    kept = gzip.decompress((HERE / "loader.tpltrace").read_bytes()).decode()
    source = (HERE / "loader.py").read_text(encoding="utf-8")
    for line in source.splitlines():
        assert len(line.strip()) < 12 or line.strip() not in kept


def test_damaged_files_are_said_to_be() -> None:
    data = WAITS.read_bytes()
    where = Path("x.tpltrace")
    for broken in (b"", data[:40], data[: len(data) // 2], b"\x1f\x8bxx", data[:200] + b"zzzz" + data[204:]):
        with pytest.raises(ConfigError, match=r"damaged|not a trace|cut off"):
            file.unpack(chrome.unpacked(broken, str(where)), str(where))


def test_another_json_is_no_trace(tmp_path: Path) -> None:
    assert said(b"{}", tmp_path) == "FILE: not a trace of this tool"
    assert said(b"[1, 2]", tmp_path) == "FILE: not a trace of this tool"
    assert said(b"\xff\xfe", tmp_path) == "FILE: not a trace: it is no JSON, or is cut off"


@pytest.mark.parametrize("version", [1, 2])
def test_older_versions_are_read(version: int, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(json.dumps(plain() | {"version": version}), encoding="utf-8")
    assert file.read(tmp_path / "x").steps == len(plain()["starts"]) - 1


def test_a_newer_version_is_named(tmp_path: Path) -> None:
    newer = plain() | {"version": 99}
    assert said(json.dumps(newer).encode(), tmp_path) == "FILE: a trace of version 99; this tool reads versions 1 to 2"


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain.pop("calls"),
        lambda plain: plain["calls"].pop("site"),
        lambda plain: plain["works"]["call"].__setitem__(0, 10**6),
        lambda plain: plain["lines"]["file"].__setitem__(0, -1),
        lambda plain: plain["sites"]["line"].append(0),
        lambda plain: plain.update(starts=[5, 1]),
        lambda plain: plain.update(timing={"ms": 1}),
        lambda plain: plain.update(files=[1]),
        lambda plain: plain["calls"]["start"].__setitem__(0, None),
        lambda plain: plain["calls"]["time"].__setitem__(0, float("nan")),
        lambda plain: plain["works"]["bytes"].__setitem__(0, float("inf")),
        lambda plain: plain["works"]["bytes"].__setitem__(0, 10**400),
        lambda plain: plain["starts"].append(1e300),
        lambda plain: plain["timing"].update(ms=[]),
        lambda plain: plain["about"].update(size="2"),
        lambda plain: plain["timing"].update(ms=0.0, low=0.0, high=0.0),
        lambda plain: plain["timing"].update(high="x"),
        lambda plain: plain["counters"].update(peak_memory=float("inf")),
    ],
)
def test_what_does_not_hang_together_is_damaged(change: Any, tmp_path: Path) -> None:
    broken = plain()
    change(broken)
    assert said(json.dumps(broken).encode(), tmp_path).startswith("FILE: damaged")


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchperf_lint.trace.chrome.LARGEST", 10_000)
    assert "unpacks to more than 10,000 bytes" in said(gzip.compress(b" " * 100_000), tmp_path)


def test_a_small_file_does_not_become_a_large_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is parsed takes twenty times the memory of its text."""
    monkeypatch.setattr("torchperf_lint.trace.chrome.SMALL", 10_000)
    data = gzip.compress(b" " * 1_000_000)
    assert f"unpacks to more than {max(10_000, 100 * len(data)):,} bytes" in said(data, tmp_path)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_clear_error(data: bytes) -> None:
    with pytest.raises(ConfigError):
        file.unpack(chrome.unpacked(data, "x"), "x")


def event(name: str, category: str, start: float, time: float, **arguments: Any) -> dict[str, Any]:
    return {"ph": "X", "cat": category, "name": name, "ts": start, "dur": time, "tid": 1, "args": arguments}


def exported(*, steps: bool = True) -> dict[str, Any]:
    """What torch's profiler writes of three steps: a kernel, and a copy to the host that is waited for."""
    events: list[Any] = [{"ph": "M", "name": "process_name"}, "nonsense", {"ph": "X"}]
    for each in range(3):
        at = 1000.0 * each
        if steps:
            events.append(event(f"ProfilerStep#{each}", "user_annotation", at, 990))
        events += [
            event("aten::mm", "cpu_op", at + 5, 30, **{"External id": 1}),
            event("cudaLaunchKernel", "cuda_runtime", at + 10, 5, correlation=10 * each + 1, **{"External id": 1}),
            event("gemm", "kernel", at + 20, 500, correlation=10 * each + 1, stream=7, grid=[4, 1, 1]),
            event("aten::_local_scalar_dense", "cpu_op", at + 45, 600, **{"External id": 2}),
            event(
                "cudaStreamSynchronize", "cuda_runtime", at + 50, 480, correlation=10 * each + 2, **{"External id": 2}
            ),
        ]
    return {"traceEvents": events, "deviceProperties": [{"name": "NVIDIA H200"}]}


@pytest.mark.parametrize("packed", [False, True])
def test_a_trace_of_torchs_profiler_tells_what_it_can(packed: bool, tmp_path: Path) -> None:
    text = json.dumps(exported()).encode()
    path = tmp_path / "chrome.json"
    path.write_bytes(gzip.compress(text) if packed else text)
    trace = foreign.read(path)
    assert trace.steps == 3
    assert [trace.name(call.operator) for call in trace.calls if call.kind] == ["aten::_local_scalar_dense"] * 3
    assert any("no lines of calls" in each for each in trace.untold)
    assert trace.timing is None


@pytest.mark.parametrize("value", [[], {}, [[]], 10**400, float("inf"), float("nan"), "x", None, -1, True])
def test_odd_values_of_a_profilers_trace_cost_their_event_at_the_most(value: Any, tmp_path: Path) -> None:
    path = tmp_path / "chrome.json"
    for index, each in enumerate(exported()["traceEvents"]):
        if not isinstance(each, dict):
            continue
        for name in (*each, *(("args", key) for key in each.get("args", ()))):
            changed = exported()
            event = changed["traceEvents"][index]
            if isinstance(name, str):
                event[name] = value
            else:
                event["args"][name[1]] = value
            path.write_text(json.dumps(changed), encoding="utf-8")
            assert analyse(foreign.read(path)).trace.steps in (1, 2, 3)


def test_without_steps_all_of_it_is_one(tmp_path: Path) -> None:
    path = tmp_path / "chrome.json"
    path.write_text(json.dumps(exported(steps=False)), encoding="utf-8")
    trace = foreign.read(path)
    assert trace.steps == 1
    assert foreign.NO_STEPS in trace.untold


def test_where_a_profiler_has_no_schedule_an_optimizer_says_where_steps_begin(tmp_path: Path) -> None:
    """Most calls may be those of the backward pass, which has a thread of its own: the program's is the optimizer's."""
    plain = exported(steps=False)
    for each in range(3):
        at = 1000.0 * each + 600
        plain["traceEvents"].append(event("Optimizer.step#Adam.step", "user_annotation", at, 90))
        plain["traceEvents"].append(event("Optimizer.step#SGD.step", "user_annotation", at + 100, 9))
        plain["traceEvents"].append(event("Optimizer.step#SGD.step", "user_annotation", at + 200, 9))
        for call in range(9):
            behind = event("cudaLaunchKernel", "cuda_runtime", at + call, 1, correlation=900 + call)
            plain["traceEvents"].append(behind | {"tid": 77})
        behind = event("autograd::engine::evaluate_function: MulBackward0", "cpu_op", at, 20)
        plain["traceEvents"].append(behind | {"tid": 77})
    path = tmp_path / "chrome.json"
    path.write_text(json.dumps(plain), encoding="utf-8")
    trace = foreign.read(path)
    assert (trace.steps, trace.about["found_by"]) == (2, "Optimizer.step#Adam.step")
    assert len([call for call in trace.calls if call.kind]) == 2
    assert foreign.BY_OPTIMIZER in trace.untold
    for each in plain["traceEvents"]:
        if isinstance(each, dict) and str(each.get("name")).startswith("Optimizer"):
            each["name"] = "other"
    path.write_text(json.dumps(plain), encoding="utf-8")
    trace = foreign.read(path)
    assert trace.steps == 1
    assert len([call for call in trace.calls if call.kind]) == 3


def test_a_trace_of_work_of_the_gpu_alone(tmp_path: Path) -> None:
    path = tmp_path / "chrome.json"
    path.write_text(json.dumps({"traceEvents": [event("gemm", "kernel", 1.0, 5.0)]}), encoding="utf-8")
    assert analyse(foreign.read(path)).trace.steps == 1


def test_ours_is_read_by_the_same_name(tmp_path: Path) -> None:
    assert foreign.read(WAITS) == recorded("waits")
    file.write(tmp_path / "made.tpltrace", serial().trace(1.5))
    assert foreign.read(tmp_path / "made.tpltrace").steps == 8


@pytest.mark.parametrize("text", ["{}", '{"traceEvents": 3}', '{"traceEvents": []}'])
def test_what_is_neither_is_said_to_be(text: str, tmp_path: Path) -> None:
    path = tmp_path / "chrome.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"not a trace|without anything"):
        foreign.read(path)
