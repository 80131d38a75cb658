"""A trace joined with findings, and its reports: on recorded traces, without a GPU."""

from __future__ import annotations

import gzip
import json
import pickle
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest
from shell import Shell
from traces import HERE, Making, recorded, serial

from torchperf_lint.cli import traced
from torchperf_lint.model.finding import Finding
from torchperf_lint.report.console import Console
from torchperf_lint.report.terminal import Pen
from torchperf_lint.trace import differences, file
from torchperf_lint.trace.analysis import Analysis, analyse
from torchperf_lint.trace.predict import CANNOT_TELL, NO_GAIN, PAYS, Gain
from torchperf_lint.trace.ranks import Ranks
from torchperf_lint.trace.recording import NOWHERE, File, Kind, Line, Span, Timing, Trace
from torchperf_lint.trace.replay.replay import Removable
from torchperf_lint.trace.rows import conclusion, rows
from torchperf_lint.trace.table import budget_lines, notes
from torchperf_lint.trace.words import gained, percent
from torchperf_lint.verify.program.changes import Verdict
from torchperf_lint.verify.program.compare import Ratio
from torchperf_lint.verify.program.measure import Measurement, Program

LINT = ("--isolated", "--no-cache")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the recorded programs and their traces."""
    for each in HERE.iterdir():
        shutil.copy(each, tmp_path / each.name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@cache
def _analysed(pickled: bytes) -> Analysis:
    trace: Trace = pickle.loads(pickled)
    return analyse(trace)


@pytest.fixture(autouse=True)
def _a_trace_is_analysed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes a second, and dozens of tests look at what is said of a few recorded ones."""
    monkeypatch.setattr(
        traced,
        "analyse",
        lambda trace, others=None: analyse(trace, others) if others else _analysed(pickle.dumps(trace)),
    )


def verdicts(run: Shell, *arguments: str) -> dict[tuple[str, int], Any]:
    run(*LINT, *arguments, "--format", "json")
    findings = json.loads(run.out)["findings"]
    return {(each["code"], each["start"]["line"]): each["impact"]["traced"] for each in findings}


def test_each_finding_says_what_it_costs(run: Shell) -> None:
    found = verdicts(run, "--trace", "waits.tpltrace", "waits.py")
    assert {key: each["verdict"] for key, each in found.items()} == {
        ("TPL103", 25): "no gain", ("TPL102", 29): "pays", ("TPL108", 32): "no gain",
    }  # fmt: skip
    cost = found["TPL102", 29]
    assert cost["waits"] == 1
    assert cost["now_ms"] == pytest.approx(1.487, abs=0.01)
    assert cost["low_ms"] < cost["predicted_ms"] < cost["high_ms"] < cost["step_ms"]


def test_lines_that_moved_are_found_again(run: Shell) -> None:
    text = Path("waits.py").read_text(encoding="utf-8")
    Path("waits.py").write_text(text.replace("import sys\n", "# one\n# two\nimport sys\n"), encoding="utf-8")
    found = verdicts(run, "--trace", "waits.tpltrace", "waits.py")
    assert found["TPL102", 31]["verdict"] == "pays"


def test_a_line_that_changed_is_stale_and_never_taken_by_its_number(run: Shell) -> None:
    text = Path("waits.py").read_text(encoding="utf-8")
    Path("waits.py").write_text(text.replace("torch.nonzero(x[0])", "torch.nonzero(x[1])"), encoding="utf-8")
    assert verdicts(run, "--trace", "waits.tpltrace", "waits.py")["TPL102", 29]["verdict"] == "stale"


def test_what_never_ran_and_what_was_not_traced_is_said(run: Shell) -> None:
    text = Path("waits.py").read_text(encoding="utf-8")
    Path("other.py").write_text(text, encoding="utf-8")
    found = verdicts(run, "--trace", "waits.tpltrace", "other.py")
    assert {each["verdict"] for each in found.values()} == {"not traced"}
    trace = recorded("waits")
    quiet = tuple(line if line.number != 29 else type(line)(line.file, 999, 0, 0.0) for line in trace.lines)
    file.write(
        Path("quiet.tpltrace"),
        type(trace)(**{name: getattr(trace, name) for name in trace.__slots__} | {"lines": quiet}),
    )
    assert verdicts(run, "--trace", "quiet.tpltrace", "waits.py")["TPL102", 29]["verdict"] == "never ran"


def test_loaders_optimizers_and_copies_are_asked_where_they_cost(run: Shell) -> None:
    found = verdicts(run, "--trace", "loader.tpltrace", "loader.py")
    pinned = found["TPL204", 23]
    assert pinned["waits"] == 2
    assert pinned["verdict"] == "cannot tell"
    assert found["TPL605", 22]["at_most"] is True
    assert found["TPL101", 33]["verdict"] == "no gain"


def test_of_a_file_that_did_not_run_it_is_not_known_whether_its_optimizer_did(run: Shell) -> None:
    """It may be made there for the program that was traced, or be another program's."""
    found = verdicts(run, "--trace", "waits.tpltrace", "gan.py")["TPL605", 9]
    assert found["verdict"] == "cannot tell"
    assert found["why"] == "all that the optimizers do (no line of this file ran: it may be of another program)"
    own = verdicts(run, "--trace", "gan.tpltrace", "gan.py")["TPL605", 9]
    assert own["why"] == "all that the optimizers do"


class Told(float):
    """A time that tells how often it was compared."""

    asked = 0

    def __lt__(self, other: float) -> bool:
        Told.asked += 1
        return float(self) < other

    def __ge__(self, other: float) -> bool:
        return not self < other


def test_calls_are_not_held_against_each_step_of_each_optimizer() -> None:
    """A program may have an optimizer for each of its parts, and a hundred thousand calls."""
    made = serial(40)
    made.names.append("Optimizer.step#SGD.step")
    made.spans += [Span(call.start - 1, 2.0, 4, NOWHERE) for call in made.calls if call.kind == Kind.LAUNCH]
    trace = made.trace(1.5)
    calls = tuple(replace(call, start=Told(call.start)) for call in trace.calls)
    analysis = analyse(replace(trace, calls=calls))
    Told.asked = 0
    bound = analysis.optimizer_bound()
    launches = tuple(index for index, call in enumerate(calls) if call.kind == Kind.LAUNCH)
    assert bound == analysis.predictor.gain(Removable(launches=launches))
    assert Told.asked <= 2 * len(trace.spans) * len(calls).bit_length()


def test_where_nothing_can_be_predicted_no_figure_is_shown_and_the_reason_is(run: Shell) -> None:
    """No gain of 0 ms from 0 to 0, which says the opposite of that nothing is known."""
    trace = file.read(Path("loader.tpltrace"))
    assert trace.timing is not None
    quick = replace(trace.timing, ms=trace.timing.ms / 20, low=trace.timing.low / 20, high=trace.timing.high / 20)
    off = replace(trace, timing=quick)
    file.write(Path("off.tpltrace"), off)
    found = verdicts(run, "--trace", "off.tpltrace", "loader.py")
    for key in (("TPL204", 23), ("TPL605", 22)):
        assert found[key]["verdict"] == "cannot tell"
        assert found[key]["predicted_ms"] is found[key]["low_ms"] is found[key]["high_ms"] is None
        assert found[key]["why"].startswith("the replay takes")
    traced.report({0: off}, traced.reports(("json=run.json",), None), Console("never"), 2.5)
    plain = json.loads(Path("run.json").read_text(encoding="utf-8"))
    for gain in (plain["everything"], *(row["gain"] for row in plain["rows"])):
        assert gain == {"ms": None, "low": None, "high": None, "after_ms": None, "verdict": "cannot tell"}


def test_the_text_says_it_and_lists_what_no_finding_speaks_of(run: Shell) -> None:
    run(*LINT, "--trace", "waits.tpltrace", "waits.py")
    assert "= trace: pays: 1 wait a step, 1.49 ms of 13.14; without it a step takes" in run.out
    silent = run.out.partition("Waits and loaders that no finding speaks of:")[2]
    assert re.findall(r"waits\.py:(\d+)", silent)[:2] == ["23", "36"]
    assert "Begin with waits.py:29" in silent, "what it comes to counts all lines"


def test_what_gains_most_comes_first(run: Shell) -> None:
    run(*LINT, "--trace", "waits.tpltrace", "--sort", "impact", "--format", "concise", "waits.py")
    assert run.out.startswith("waits.py:29")


def test_min_gain_leaves_what_pays(run: Shell) -> None:
    assert [*verdicts(run, "--trace", "waits.tpltrace", "--min-gain", "3%", "waits.py")] == [("TPL102", 29)]
    assert "2 findings would gain less than 3.0% of a step" in run.err
    assert [*verdicts(run, "--trace", "waits.tpltrace", "--min-gain", "0.5", "waits.py")] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--min-gain", "1%"), "needs `--trace`"),
        (("--trace", "waits.tpltrace", "--min-gain", "much"), "a share of a step is meant"),
        (("--html", "run.html"), "`--html` needs `--trace`"),
        (("--trace", "none.tpltrace"), "none.tpltrace: No such file"),
        (("--trace", "waits.py"), "waits.py: not a trace"),
    ],
)
def test_wrong_options_are_clear_errors(run: Shell, arguments: tuple[str, ...], said: str) -> None:
    assert run(*LINT, *arguments, "waits.py") == 2
    assert said in run.err


def test_sarif_carries_it(run: Shell) -> None:
    run(*LINT, "--trace", "waits.tpltrace", "waits.py", "--format", "sarif")
    results = json.loads(run.out)["runs"][0]["results"]
    assert {each["properties"]["impact"]["traced"]["verdict"] for each in results} == {"pays", "no gain"}


def test_a_trace_of_torchs_profiler_joins_nothing_and_says_so(run: Shell) -> None:
    from test_trace_file import exported

    Path("chrome.json").write_text(json.dumps(exported()), encoding="utf-8")
    assert {each["verdict"] for each in verdicts(run, "--trace", "chrome.json", "waits.py").values()} == {"not traced"}
    run(*LINT, "--trace", "chrome.json", "waits.py")
    assert "knows no lines of calls" in run.out
    assert "waits in item" in run.out


def test_without_a_gpu_no_wait_is_spoken_of_and_no_table_is_empty(run: Shell) -> None:
    from test_trace_file import exported

    plain = exported() | {"deviceProperties": []}
    plain["traceEvents"] = [
        each
        for each in plain["traceEvents"]
        if isinstance(each, dict) and each.get("cat") in ("cpu_op", "user_annotation")
    ]
    Path("chrome.json").write_text(json.dumps(plain), encoding="utf-8")
    run(*LINT, "--trace", "chrome.json", "waits.py")
    assert "without a GPU" in run.out
    assert "every wait" not in run.out
    assert "the line itself" not in run.out


def test_without_a_gpu_a_finding_is_not_said_to_wait_for_nothing(run: Shell) -> None:
    file.write(Path("host.tpltrace"), replace(recorded("waits"), calls=(), works=()))
    assert {each["why"] for each in verdicts(run, "--trace", "host.tpltrace", "waits.py").values()} == {
        "no GPU was used"
    }


def test_where_nothing_waits_findings_do_not_speak_of_every_wait() -> None:
    said = traced.Asked(analyse(serial(waits=[False] * 8).trace(1.06)), 0.0).table([], Pen(False))
    assert "No line waits" in said
    assert "every wait" not in said


def reported(name: str, *formats: str) -> None:
    traced.report({0: recorded(name)}, traced.reports(formats, None), Console("never"), 2.5)


def test_the_table_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    reported("waits")
    out, err = capsys.readouterr()
    assert out == "", "the standard output is the program's"
    assert err.startswith("waits.py: a step takes 13.1 ms on NVIDIA H200 (torch 2.11.0+cu130)")
    ranked = re.findall(r"^\d +waits\.py:(\d+) .* (pays|no gain|cannot tell)  ", err, re.MULTILINE)
    assert ranked[0] == ("29", "pays")
    assert "Of each GPU-hour at 2.5, 0.79 (" in err


def test_nothing_here_pays_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    reported("gan")
    said = capsys.readouterr().err
    assert "Nothing here pays" in said
    assert "the host's own work, and its launches, are the bound" in said


def test_json_and_markdown_of_a_run() -> None:
    reported("loader", "json=run.json", "markdown=run.md")
    plain = json.loads(Path("run.json").read_text(encoding="utf-8"))
    assert plain["rows"][0]["path"] == "loader.py"
    assert plain["rows"][0]["gain"]["verdict"] == "pays"
    assert {each["fingerprint"] for each in plain["findings"]} >= set(plain["rows"][-1]["findings"])
    markdown = Path("run.md").read_text(encoding="utf-8")
    assert "| `loader.py:26` | loads |" in markdown


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def page(name: str) -> tuple[str, Page]:
    reported(name, "html=run.html")
    text = Path("run.html").read_text(encoding="utf-8")
    parsed = Page()
    parsed.feed(text)
    return text, parsed


@pytest.mark.parametrize("name", ["waits", "gan", "loader"])
def test_the_page_stands_alone(name: str) -> None:
    text, parsed = page(name)
    assert len(text) < 2_000_000
    assert not [tag for tag, _ in parsed.tags if tag in ("link", "img", "iframe")]
    assert not [attrs for _, attrs in parsed.tags if attrs.get("src")]
    loaded = re.sub(r'<a href="[^"]*"', "", text)
    assert set(re.findall(r"https?://[^\s\"'<]+", loaded)) <= {"http://www.w3.org/2000/svg"}


def of_a_stranger(change: Callable[[Any], object]) -> None:
    plain = json.loads(gzip.decompress(Path("waits.tpltrace").read_bytes()))
    change(plain)
    Path("sent.tpltrace").write_bytes(gzip.compress(json.dumps(plain).encode()))


@pytest.mark.parametrize(
    "name", ["{}/secret.txt", "{}/secret.py", "link.py", "notes.txt", "../{folder}/secret.py", "a\0.py"]
)
def test_a_trace_of_a_stranger_shows_no_file_of_the_reader(
    run: Shell, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    for secret in (outside / "secret.txt", outside / "secret.py", Path("notes.txt")):
        secret.write_text("a secret\n" * 400, encoding="utf-8")
    Path("link.py").symlink_to(outside / "secret.py")
    of_a_stranger(lambda plain: plain["files"][0].update(path=name.format(outside, folder=outside.name), digests=""))
    assert run(*LINT, "--trace", "sent.tpltrace", "--html", "run.html", "waits.py") == 0
    assert "a secret" not in Path("run.html").read_text(encoding="utf-8")


def test_names_of_a_trace_reach_a_terminal_as_pictures(run: Shell) -> None:
    odd = "\x1b]0;owned\x07\u202e\n::error::x"

    def change(plain: Any) -> None:
        plain["names"] = [each + odd for each in plain["names"]]
        plain["files"][0]["path"] += odd
        plain["about"] = {
            key: value + odd if isinstance(value, str) else value for key, value in plain["about"].items()
        }
        plain["untold"] = [odd]

    of_a_stranger(change)
    run(*LINT, "--trace", "sent.tpltrace", "waits.py")
    assert "owned" in run.out
    assert not [odd_one for odd_one in ("\x1b]", "\x07", "\u202e", "\n::") if odd_one in run.out + run.err]


def test_the_pages_policy_allows_its_own_scripts_alone() -> None:
    import base64
    import hashlib

    text, parsed = page("waits")
    policy = next(attrs["content"] for tag, attrs in parsed.tags if tag == "meta" and attrs.get("http-equiv")) or ""
    for script in re.findall(r"<script>(.*?)</script>", text, re.DOTALL):
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_every_line_of_the_table_is_on_the_page() -> None:
    text, parsed = page("loader")
    anchors = {attrs["id"] for tag, attrs in parsed.tags if tag == "tr" and attrs.get("id")}
    linked = {
        (attrs.get("href") or "")[1:]
        for tag, attrs in parsed.tags
        if tag == "a" and (attrs.get("href") or "").startswith("#f")
    }
    assert linked <= anchors
    assert "running += loss.item()" in text
    assert '<span class="new">+ ' in text, "the fix as a diff"


def test_the_page_shows_what_was_measured_of_the_fixes(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--trace --verify --html`, with measurements made up: what the trace predicts is asked first, and both are shown."""
    expected: dict[str, float] = {}

    def measured(program: Program, findings: Sequence[Finding], _: Any, __: Any, gains: Mapping[str, float]) -> Any:
        expected.update({f"{each.code}:{each.span.start.line}": gains.get(each.fingerprint, 0.0) for each in findings})
        verdict = Verdict(
            tuple(each.fingerprint for each in findings),
            "faster",
            None,
            Ratio(1.21, 1.18, 1.24, 6),
            (13.1, None),
            (10.8, None),
        )
        found = Measurement(program.options.command, [verdict])
        found.by_fix = dict.fromkeys(verdict.change, verdict)
        return found

    monkeypatch.setattr(Program, "with_fixes", measured)
    run(*LINT, "--trace", "waits.tpltrace", "--verify", "--html", "run.html", "waits.py", "--", "python", "waits.py")
    assert [name for name, gain in expected.items() if gain] == ["TPL102:29"]
    assert expected["TPL102:29"] == pytest.approx(0.15, abs=0.02)
    text = Path("run.html").read_text(encoding="utf-8")
    assert "<th scope=col>measured</th>" in text
    assert text.count("faster: 1.21x (1.18 to 1.24), a step 13.1 ms before and 10.8 ms after") == 6, "table and cards"
    assert "trace: pays: 1 wait a step" in text


def test_what_the_program_says_does_not_become_markup() -> None:
    evil = "</script><script>alert(1)</script><b>"
    trace = serial().trace(1.5, {"script": evil, "gpu": evil, "found_by": evil})
    traced.report({0: trace}, [("html", Path("run.html")), ("markdown", Path("run.md"))], Console("never"), None)
    text = Path("run.html").read_text(encoding="utf-8")
    assert "alert(1)</script>" not in text
    assert "<script>alert" not in Path("run.md").read_text(encoding="utf-8")


def test_of_several_ranks_the_slowest_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    traced.report({0: recorded("gan"), 1: recorded("loader")}, [], Console("never"), None)
    said = capsys.readouterr().err
    first, second, _, after, *_ = said.splitlines()
    assert first.startswith("Rank 1 holds up the others: without waiting for others its step takes")
    assert second.startswith("Rank 0 takes")
    assert after.startswith("loader.py")
    traced.report({0: recorded("gan"), 1: recorded("gan")}, [], Console("never"), None)
    assert capsys.readouterr().err.startswith("gan.py")


def test_ranks_that_differ_at_no_line_name_none() -> None:
    traces = {0: serial(waits=[True] * 8).trace(1.5), 1: quick()}
    said = differences.between(traces, Ranks(traces)).said
    assert said[-1].startswith("Rank 1 takes 1.")
    assert "largest part" not in said[-1]


def test_a_rank_is_held_against_others_by_what_it_takes_alone_and_unobserved() -> None:
    """All steps take 1.5 ms, as the quick rank waits for the other one in its communication."""

    def rank(own: float) -> Trace:
        made = Making()
        made.names[2] = "ncclDevKernel_AllReduce"
        for each in range(8):
            made.step(2000.0 * each)
            made.launch(2000.0 * each + own, 2000.0 * each + own + 5, 1985 - own, events=100)
            made.wait(2000.0 * each + own + 10, 1990 - own)
        made.step(16000.0)
        return made.trace(1.5)

    slow, fast = rank(1900.0), rank(900.0)
    ranks = Ranks({0: fast, 1: slow})
    assert ranks.shown == 1
    found = differences.between({0: fast, 1: slow}, ranks)
    assert found.first
    assert found.said == (
        "Rank 1 holds up the others: without waiting for others its step takes 1.42 ms.",
        "Rank 0 takes 1.00 ms less.",
    )


def test_ranks_that_take_as_long_are_told_apart_by_their_lines() -> None:
    """What one rank does at a line of its own, the other waits for in the line where both meet."""

    def rank(own: float, meeting: float) -> Trace:
        lines = (Line(0, 3, 8, own * 8), Line(0, 9, 8, meeting * 8))
        return replace(serial().trace(1.5), files=(File("a.py", ()),), lines=lines)

    traces = {0: rank(400.0, 500.0), 1: rank(0.0, 900.0)}
    found = differences.between(traces, Ranks(traces))
    assert not found.first
    assert found.said[1:] == ("Rank 1 takes as long, but 0.40 ms less at a.py:3, and 0.40 ms more at a.py:9.",)
    traces = {0: rank(0.0, 500.0), 1: rank(0.0, 500.0)}
    same = differences.between(traces, Ranks(traces))
    assert same.said[1:] == ("The others take as long, at the same lines.",)


def test_without_a_gpu_no_rank_is_said_to_hold_up_the_others() -> None:
    """Rank 1 does something else for 2 ms, and rank 0 waits for it in its backward pass: a step under the profiler takes both as long."""

    def rank(own: float, meeting: float, whole: float) -> Trace:
        lines = (Line(0, 3, 8, own * 8), Line(0, 9, 8, meeting * 8))
        empty = replace(quick(), starts=tuple(whole * each for each in range(9)))
        return replace(empty, files=(File("a.py", ()),), lines=lines)

    traces = {0: rank(0.0, 3900.0, 4200.0), 1: rank(2000.0, 1800.0, 3900.0)}
    found = differences.between(traces, Ranks(traces))
    assert not found.first
    assert found.said == (
        "2 ranks were observed; rank 0 is shown: which of them the others wait for does not show without a GPU.",
        "Rank 1 takes as long, but 2.10 ms less at a.py:9, and 2.00 ms more at a.py:3.",
    )


def test_a_line_that_took_nothing_is_not_among_those_of_the_host(capsys: pytest.CaptureFixture[str]) -> None:
    lines = (Line(0, 3, 8, 400.0), Line(0, 9, 0, 1.0), Line(0, 12, 8, 1.0))
    traced.report({0: replace(quick(), files=(File("a.py", ()),), lines=lines)}, [], Console("never"), None)
    said = capsys.readouterr().err
    assert "a.py:3" in said
    assert "a.py:9" not in said
    assert "a.py:12" not in said, "it ran, for less than is shown"


def test_one_rank_alone_is_not_replayed_to_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchperf_lint.trace.ranks.Replay", None)
    found = Ranks({3: serial().trace(1.5)})
    assert (found.shown, found.others) == (3, None)


def test_of_even_ranks_the_one_that_waits_is_shown_and_gains_what_the_others_let_it() -> None:
    """Rank 0 alone writes the log. Without its wait it would take 1 ms, as long as the GPU works; rank 1 takes 1.3 ms."""

    def rank(waits: bool, work: float) -> Trace:
        made = Making()
        for each in range(8):
            at = 1500.0 * each
            made.step(at)
            made.launch(at, at + 5, work)
            if waits:
                made.wait(at + 200, work - 195)
        made.step(12000.0)
        return made.trace(1.5)

    traces = {0: rank(True, 1000.0), 1: rank(False, 1450.0)}
    ranks = Ranks(traces)
    assert ranks.shown == 0
    alone, among = analyse(traces[0]).predicted.everything, analyse(traces[0], ranks.others).predicted.everything
    assert alone.verdict == "pays"
    assert alone.ms > 0.4
    assert among.high < 0.2
    assert among.verdict != "pays"


def quick() -> Trace:
    made = Making()
    for each in range(8):
        made.step(100.0 * each)
    made.step(800.0)
    return made.trace(0.1)


def test_a_busy_gpu_is_the_bound_in_milliseconds_that_stand_in_the_budget() -> None:
    """Under the profiler it is busy for two thirds of a step, without it for all: both are said, and neither denies the other."""
    analysis = analyse(serial(waits=[False] * 8).trace(1.06))
    assert next(budget_lines(analysis)).startswith("under the profiler: GPU busy 66 %")
    assert conclusion(analysis, ()) == (
        "No line waits for the GPU or for a loader. "
        "The GPU is the bound: it works for 1.00 ms of the 1.06 ms that a step takes without the profiler."
    )


@pytest.mark.parametrize("seed", range(60))
def test_no_sentence_denies_a_figure_beside_it(seed: int) -> None:
    """Programs drawn by chance: launches, waits, loaders and talk to other GPUs, timed with and without the profiler."""
    draw = Random(seed)
    analysis = analyse(drawn(draw))
    predicted, budget = analysis.predicted, analysis.budget
    assert budget is not None
    assert budget.whole == pytest.approx(analysis.trace.profiled_ms, rel=1e-6), "the parts are the step that is shown"
    said = conclusion(analysis, rows(analysis, {}))
    gains = predicted.gains.values()
    assert all(
        round(each.low, 6) <= round(each.ms, 6) <= round(each.high, 6) for each in (*gains, predicted.everything)
    )
    assert predicted.everything.ms >= max((each.ms for each in gains), default=0.0)
    assert all(each.after_ms >= 0 for each in gains)
    assert "-" not in said, "nothing takes less than nothing"
    if gains and not predicted.trouble:
        loads = any(analysis.costs[line].loader_spans for line in predicted.gains)
        assert ("loader stall" in said) is loads, "the figure of all lines counts them"
    if "Nothing here pays" in said:
        assert {each.verdict for each in gains} <= {NO_GAIN}
    if "The GPU is the bound" in said:
        assert budget.busy >= 0.9 * predicted.step_ms
    if "launches, are the bound" in said or "both together" in said:
        assert budget.busy < 0.9 * predicted.step_ms
    noted = " ".join(notes(analysis))
    if "stood still" in noted:
        assert f"for {percent(budget.host / budget.whole)} of them" in noted
    if "took no longer" in noted:
        assert analysis.trace.timing is not None
        assert analysis.trace.profiled_ms <= analysis.trace.timing.ms
    if predicted.trouble:
        assert all(gained(each, predicted.step_ms) == "–" for each in gains)


def drawn(draw: Random) -> Trace:
    made = Making()
    made.names.append("ncclDevKernel_AllReduce")
    at, free = 0.0, 0.0
    kinds = draw.choices(
        ["launch", "talk", "wait", "load", "think"], [8, 1, 1, draw.random(), 1], k=draw.randint(5, 40)
    )
    for _ in range(draw.randint(8, 14)):
        made.step(at)
        for kind in kinds:
            at += draw.uniform(3, 20)
            if kind in ("launch", "talk"):
                begin, time = max(at + 5, free), draw.uniform(2, 120)
                made.launch(at, begin, time, events=draw.randint(0, 3))
                if kind == "talk":
                    made.works[-1] = replace(made.works[-1], name=len(made.names) - 1)
                free = begin + time
            elif kind == "wait":
                waited = max(0.0, free - at) + 5
                made.wait(at, waited)
                at += waited
            else:
                time = draw.uniform(50, 1500)
                if kind == "load":
                    made.load(at, time)
                at += time
    made.step(max(at, free) + 10)
    trace = made.trace()
    ms = trace.profiled_ms * draw.uniform(0.6, 1.1)
    return replace(trace, timing=Timing(20, ms, ms * draw.uniform(0.9, 1), ms * draw.uniform(1, 1.1)))


def test_what_observing_cost_is_always_said() -> None:
    """Where launches are the bound, so is why; steps that differ by as much tell nothing of it."""
    trace = recorded("loader")
    assert trace.timing is not None
    said = notes(analyse(trace))[-1]
    assert said.startswith(
        "Profiled steps took 60 % longer than the others, 5 us for each of the 2,347 calls that were recorded in one"
    )
    assert "for 44 % of them the GPU stood still until the host came with new work" in said
    steady = recorded("waits")
    assert notes(analyse(steady))[-1].startswith("Profiled steps took 4.4 % longer than the others. Predictions")
    assert steady.timing is not None
    slow = replace(steady, timing=replace(steady.timing, high=2 * steady.timing.ms))
    assert notes(analyse(slow))[-1].endswith("which differ by as much among themselves.")
    quick = replace(steady, timing=replace(steady.timing, ms=2 * steady.timing.ms))
    assert notes(analyse(quick)) == ["Profiled steps took no longer than the others."]


def test_a_loader_that_is_nearly_as_slow_as_the_steps_is_told_of() -> None:
    trace = serial().trace(1.505)
    assert not any("loader" in each for each in notes(analyse(trace)))
    timing = Timing(20, 1.505, 1.505, 1.505, loading=1.0)
    said = " ".join(notes(analyse(replace(trace, timing=timing))))
    assert "A loader's workers need 1.00 ms of the processor for the batches of a step" in said


@pytest.mark.parametrize("kind", [("wait",), ("load",), ("wait", "load")])
@pytest.mark.parametrize("verdict", [PAYS, NO_GAIN, CANNOT_TELL])
def test_the_closing_sentence_names_what_its_figure_counts(kind: tuple[str, ...], verdict: str) -> None:
    made = Making()
    for at in range(0, 20_000, 1000):
        made.step(at)
        made.launch(at + 10, at + 20, 100)
        if "wait" in kind:
            made.wait(at + 30, 90)
        if "load" in kind:
            made.load(at + 200, 300)
    made.step(20_000)
    analysis = analyse(made.trace(1.0))
    said = conclusion(
        replace(analysis, predicted=replace(analysis.predicted, everything=Gain(0.1, 0.0, 0.2, 0.0, verdict))), ()
    )
    assert bool(re.search(r"\bwaits?\b", said)) is ("wait" in kind)
    assert ("loader stall" in said) is ("load" in kind)
