"""Which line did what: stacks of lines from samples, and costs of lines from recorded traces."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from traces import recorded

from torchperf_lint.trace.analysis import analyse, waits_in_words
from torchperf_lint.trace.attribute import END, START, Clock, Lines
from torchperf_lint.trace.costs import budget
from torchperf_lint.trace.digests import digest, digests
from torchperf_lint.trace.recording import File

FILES = (File("train.py", ()), File("site-packages/lib/a.py", ()))
TRAIN, HELPER, LIBRARY = 0, 1, 2
CODES = [[0, "<module>", 1], [0, "helper", 50], [1, "call", 7]]


def lines(*samples: tuple[int, int, int], stack: list[list[int]] | None = None) -> Lines:
    """Samples of a time in microseconds, a line and a code."""
    times = [time * 1000 for time, _, _ in samples]
    steps = [after - before for before, after in zip([0, *times], times, strict=False)]
    thread = {
        "thread": 1,
        "times": steps,
        "lines": [line for _, line, _ in samples],
        "codes": [code for *_, code in samples],
        "nodes": list(range(len(samples))),
    }
    plain = {"stack": stack or [], "threads": [thread], "codes": CODES}
    return Lines(plain, FILES, Clock([(0, 0.0), (1_000_000, 1000.0)]))


def at(found: Lines, time: float) -> tuple[str, int] | None:
    site = found.at(1, time)
    if site < 0:
        return None
    line = found.lines()[found.sites[site].line]
    return FILES[line.file].path, line.number


def test_a_line_does_what_is_done_until_the_next() -> None:
    found = lines((0, 5, TRAIN), (10, 6, TRAIN))
    assert at(found, 9) == ("train.py", 5)
    assert at(found, 11) == ("train.py", 6)
    assert found.at(2, 11) == -1, "another thread"


def test_behind_a_call_it_is_the_line_that_called() -> None:
    found = lines((0, 5, TRAIN), (10, START, HELPER), (11, 51, HELPER), (20, END, HELPER))
    assert at(found, 15) == ("train.py", 51)
    assert at(found, 25) == ("train.py", 5)


def test_a_function_that_an_exception_left_is_gone_with_the_next_sample() -> None:
    found = lines((0, 5, TRAIN), (10, START, HELPER), (11, 51, HELPER), (20, 7, TRAIN), (30, END, HELPER))
    assert at(found, 25) == ("train.py", 7)
    assert at(found, 35) == ("train.py", 7)


def test_a_generator_goes_on_where_it_stopped() -> None:
    found = lines((0, 5, TRAIN), (1, START, HELPER), (2, 53, HELPER), (3, END, HELPER), (9, START, HELPER))
    assert at(found, 10) == ("train.py", 53)


def test_what_ran_before_the_first_sample_is_the_stack_to_begin_with() -> None:
    found = lines((10, END, HELPER), stack=[[TRAIN, 5], [HELPER, 51]])
    assert at(found, 11) == ("train.py", 5)


def test_a_line_of_a_library_knows_the_line_of_the_program() -> None:
    found = lines((0, 5, TRAIN), (10, START, LIBRARY), (11, 9, LIBRARY))
    site = found.sites[found.at(1, 12)]
    own = found.lines()[site.own]
    assert (FILES[own.file].path, own.number) == ("train.py", 5)


def test_how_often_a_line_ran_and_for_how_long() -> None:
    found = lines((0, 5, TRAIN), (10, 6, TRAIN), (15, 5, TRAIN), (18, 6, TRAIN))
    known = {line.number: (line.ran, line.host_us) for line in found.lines()}
    assert known[5] == (2, 13.0)
    assert known[6] == (2, 5.0)


def test_a_clock_whose_first_markers_came_late_is_right() -> None:
    pairs = [(1000 * each, each + 100.0 + (40.0 if each == 0 else 0.0)) for each in range(20)]
    assert Clock(pairs)(10_000) == pytest.approx(110.0)


def test_a_digest_knows_a_line_that_was_indented() -> None:
    assert digest("    x = 1\n") == digest("x = 1")
    assert digest("x = 1") != digest("x = 2")
    assert digests(["", "  \n"]) == ["", ""]


def test_every_wait_of_the_recorded_program_has_its_line() -> None:
    analysis = analyse(recorded("waits"))
    found = {analysis.trace.place(line): cost.waits for line, cost in analysis.costs.items() if cost.waits}
    assert found == {("waits.py", line): 1.0 for line in (23, 25, 29, 32, 36)}


def test_copies_loaders_and_backward_passes_have_their_lines() -> None:
    analysis = analyse(recorded("loader"))
    cost = {
        place[1]: each
        for line, each in analysis.costs.items()
        if (place := analysis.trace.place(line)) and place[0] == "loader.py"
    }
    assert cost[27].pageable_bytes == pytest.approx(32 * 3 * 128 * 128 * 4 + 32 * 8)
    assert cost[26].loader_ms > 10
    assert cost[28].backward_ms == pytest.approx(2.2888, rel=0.01)
    assert cost[32].optimizer_ms > 0
    assert cost[28].matrix_ms + cost[31].matrix_ms > cost[28].tensor_core_ms + cost[31].tensor_core_ms > 0


def test_the_budget_of_a_step_adds_up() -> None:
    for name in ("waits", "gan", "loader"):
        trace = recorded(name)
        spent = budget(trace)
        assert spent is not None
        parts = spent.busy + spent.communication + spent.loader + spent.after_waits + spent.host
        assert parts == pytest.approx(trace.profiled_ms, rel=0.001)
        assert spent.communication == 0, "these communicate with nobody: not a last digit of it either"


NODES = """
import json
import sys

import torch

from torchperf_lint.trace.recorder.lines import Lines
from torchperf_lint.trace.recorder.save_lines import plain_lines


def scaled(x):
    return x * 2


def forward(x, weight):
    hidden = x @ weight
    shown = scaled(hidden).relu()
    return (
        shown.sum()
    )


weight = torch.ones(3, 3, requires_grad=True)
recorder = Lines()
recorder.start()
loss = forward(torch.ones(2, 3), weight)
recorder.stop()
nodes = {}
node = loss.grad_fn
while hasattr(node, "_sequence_nr") and node.next_functions:
    nodes[node.name()] = node._sequence_nr()
    node = next(each for each, _ in node.next_functions if each is not None)
print(json.dumps([nodes, plain_lines(recorder, ".")]))
"""


@pytest.mark.slow
def test_a_node_of_a_gradient_has_the_line_that_made_it(tmp_path: Path) -> None:
    program = tmp_path / "nodes.py"
    program.write_text(NODES, encoding="utf-8")
    nodes, plain = json.loads(subprocess.run([sys.executable, str(program)], check=True, capture_output=True).stdout)
    files = tuple(File(each["path"], tuple(each["digests"])) for each in plain["files"])
    found = Lines(plain, files, Clock([(0, 0.0)]))
    thread = max(plain["threads"], key=lambda each: len(each["times"]))["thread"]
    lines, text = found.lines(), NODES.splitlines()
    made = {
        name: text[lines[found.sites[found.that_made(thread, node)].line].number - 1] for name, node in nodes.items()
    }
    assert {name: line.strip() for name, line in made.items()} == {
        "SumBackward0": "shown.sum()",
        "ReluBackward0": "shown = scaled(hidden).relu()",
        "MulBackward0": "return x * 2",
        "MmBackward0": "hidden = x @ weight",
    }
    assert found.that_made(thread + 1, 0) == -1, "a thread that made none"
    assert found.that_made(thread, min(nodes.values()) - 1000) == -1, "made before"


def test_a_wait_is_told_by_what_is_copied_where_no_operator_is_known() -> None:
    trace = recorded("waits")
    without = replace(trace, calls=tuple(replace(call, operator=-1) for call in trace.calls))
    assert {words for each in waits_in_words(trace).values() for words in each} >= {"item"}
    assert {words for each in waits_in_words(without).values() for words in each} <= {
        "a copy to the host",
        "a copy to the GPU",
    }
