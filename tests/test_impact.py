"""Severity follows measurement: what a rule is worth is what its table says, and every report says it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO, cast

import pytest
from reported import finding, shown, span
from shell import Shell, write

from torchperf_lint.cli.output import by_impact
from torchperf_lint.config.config import Config
from torchperf_lint.docs import checkout, impacts, measured
from torchperf_lint.docs.impacts import impact_of
from torchperf_lint.model import catalogue
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Finding, Severity
from torchperf_lint.model.impact import IMPACTS, Claim, Faster, Impact, LessMemory, Wrong
from torchperf_lint.model.outcome import Outcome
from torchperf_lint.model.record import from_plain, to_plain
from torchperf_lint.report import ranking, summary
from torchperf_lint.report.console import Console
from torchperf_lint.rule import Rule, all_rules

RECORDS = measured.records(checkout.MEASURED)
ROWS = [row for record in RECORDS for row in record.rows]
every_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)


@every_rule
@pytest.mark.rules
def test_severity_is_what_the_table_says(rule: Rule) -> None:
    """Read off the measurements themselves, not off the file that is made of them."""
    rows = [row for row in ROWS if row["code"] == rule.code]
    match rule.impact:
        case Wrong():
            wanted = Severity.ERROR
        case LessMemory():
            pays = bool(rows) and all(row["peak_before"] >= 1.03 * row["peak_after"] for row in rows)
            wanted = Severity.WARNING if pays else Severity.INFO
        case Faster() as claim:
            gains = [clock for row in rows for clock in claimed(row, claim)]
            least = 1.2 if claim.of else 1.03  # nobody knows how much of a step a part is
            pays = bool(gains) and all(clock["speedup"] >= least and clock["low"] > 1 for clock in gains)
            wanted = Severity.WARNING if pays else Severity.INFO
        case None:
            assert not rows
            wanted = Severity.INFO
    assert rule.severity is catalogue.by_code()[rule.code].severity is wanted


def claimed(row: dict[str, Any], claim: Faster) -> list[dict[str, Any]]:
    if row["same"] is False or any(row["shapes"][name] not in values for name, values in claim.only.items()):
        return []
    works = claim.host_work or (0, 5, 10)
    return [each for each in row["measurements"] if each["clock"] == "host" and each["host_work_ms"] in works]


def test_the_file_is_what_rules_and_measurements_come_to() -> None:
    assert IMPACTS.read_text(encoding="utf-8") == impacts.text(all_rules(), RECORDS)


def row(speedup: float, low: float = 1.02, host_work: float = 0, **more: Any) -> dict[str, Any]:
    clock = {"clock": "host", "host_work_ms": host_work, "speedup": speedup, "low": low}
    peaks = {"peak_before": 300, "peak_after": 100}
    return {"code": "TPL501", "verdict": "", "shapes": {}, "measurements": [clock], **peaks, **more}


def of(claim: Claim | None, *rows: dict[str, Any]) -> Impact | None:
    rule = next(each for each in all_rules() if each.code == "TPL501")
    return impact_of(replace(rule, impact=claim), rows)


def test_what_a_claim_comes_to() -> None:
    assert of(Wrong("it is"), row(2)) == Impact("correctness", None, None, "it is")
    assert of(Faster()) is of(None) is None
    assert of(Faster(), row(2), row(3)) == Impact("step", 2, 3, "for a step")
    assert of(Faster("for a call"), row(2)) == Impact("step", 2, 2, "for a call", part=True)
    assert of(LessMemory("for a step"), row(1)) == Impact("memory", 3, 3, "for a step")
    works = row(1.01), row(1.2, host_work=5), row(1.4, host_work=10)
    assert of(Faster(), *works) == Impact("step", 1.01, 1.4, "where the host has 0 to 10 ms to do")
    assert of(Faster(host_work=(5,)), *works) == Impact("step", 1.2, 1.2, "where the host has 5 ms to do")
    assert of(Faster(host_work=(0,)), *works) == Impact("step", 1.01, 1.01, "where the host has nothing else to do")
    sizes = row(2, shapes={"size": 4}), row(9, shapes={"size": 8}), row(7, verdict="different", shapes={"size": 4})
    assert of(Faster(only={"size": (4,)}), *sizes) == Impact("step", 2, 2, "for a step")


def test_a_claim_that_noise_may_have_made_is_refused() -> None:
    with pytest.raises(ConfigError, match="the interval holds 1"):
        of(Faster(), row(1.05, low=0.99))


def test_what_was_measured_must_be_declared() -> None:
    with pytest.raises(ConfigError, match="TPL501 was measured"):
        of(None, row(2))


@pytest.mark.parametrize(
    ("impact", "severity", "words"),
    [
        (Impact("step", 1.176, 1.352, "with it"), Severity.WARNING, "1.18 to 1.35x with it"),
        (Impact("step", 1.226, 34.271, "with it"), Severity.WARNING, "1.23 to 34x with it"),
        (Impact("memory", 4.0, 4.0, "for a step"), Severity.WARNING, "4.00x less memory for a step"),
        (Impact("step", 1.001, 1.08, "with it"), Severity.INFO, "no gain (1.00 to 1.08x with it)"),
        (Impact("step", 1.1, 1.1, "for it alone", part=True), Severity.INFO, "1.10x for it alone"),
        (Impact("correctness", None, None, "it is wrong"), Severity.ERROR, "it is wrong"),
    ],
)
def test_how_it_is_said(impact: Impact, severity: Severity, words: str, tmp_path: Path) -> None:
    assert (impact.severity, impact.words) == (severity, words)
    one = finding(impact=impact)
    assert f" = {impact.label}: {words}\n" in shown("text", tmp_path, one)
    assert from_plain(json.loads(json.dumps(to_plain(one)))) == one
    assert json.loads(shown("json", tmp_path, one))["findings"][0]["impact"] == {**impact.to_plain(), "traced": None}
    (result,) = json.loads(shown("sarif", tmp_path, one))["runs"][0]["results"]
    assert {**result["properties"]["impact"], "traced": None} == {**impact.to_plain(), "traced": None}


@pytest.mark.parametrize("damage", [{"metric": "luck"}, {"low": None}, {"setting": 3}, {"high": "a"}])
def test_a_damaged_impact_is_none(damage: dict[str, Any]) -> None:
    plain = to_plain(finding(impact=Impact("step", 1.0, 2.0, "with it")))
    plain["impact"] |= damage
    with pytest.raises((TypeError, ValueError)):
        from_plain(plain)


STEP = Impact("step", 1.1, 1.3, "for a step")
PART = Impact("step", 2.0, 1000.0, "for the call alone", part=True)
NONE = Impact("step", 1.0, 1.01, "for a step")
WRONG = Impact("correctness", None, None, "it is wrong")


def at(line: int, impact: Impact | None, **changes: Any) -> Finding:
    severity = impact.severity if impact is not None else Severity.INFO
    made = {"impact": impact, "severity": severity, "span": span(line, 1, line, 2), "because": (), "fix": None}
    return finding(**made | changes)


def test_what_matters_is_first_and_equal_findings_of_a_file_are_one_group() -> None:
    found = [
        at(1, None, message="hint"), at(2, NONE, message="none"), at(3, PART, message="part"), at(4, STEP, path="b.py"),
        at(5, STEP), at(6, STEP, message="other"), at(7, STEP), at(8, WRONG, message="wrong"),
    ]  # fmt: skip
    lines = [[each.span.start.line for each in group] for group in ranking.groups(found)]
    assert lines == [[8], [4], [5, 7], [6], [3], [2], [1]]


def test_a_group_has_one_head_and_its_lines(tmp_path: Path) -> None:
    found = at(5, STEP), at(1, None, message="hint"), at(7, STEP), at(8, STEP)
    assert shown("text", tmp_path, *found, by_impact=True).count("warning[TPL101]") == 1
    assert " = also: lines 7, 8\n" in shown("text", tmp_path, *found, by_impact=True)
    assert shown("text", tmp_path, *found).count("warning[TPL101]") == 3
    told = [line.partition(": ")[0] for line in shown("concise", tmp_path, *found, by_impact=True).splitlines()]
    assert [each.split(":")[1] for each in told] == ["5", "7", "8", "1"]


def test_the_end_of_a_long_report_says_where_to_begin(tmp_path: Path) -> None:
    few = [at(line, STEP, message=str(line)) for line in range(1, 6)]
    assert summary.first(Outcome(tmp_path, few)) == ""
    lines = summary.first(Outcome(tmp_path, [*few, at(9, STEP, message="1"), at(7, WRONG)])).splitlines()
    assert lines[:3] == [
        "Begin with these:",
        "  src/train.py:7: TPL101 scalar-read-every-step, it is wrong",
        "  src/train.py:1 and 1 more place: TPL101 scalar-read-every-step, 1.10 to 1.30x for a step",
    ]
    assert len(lines) == 6


def test_where_nobody_says_the_order_is_that_of_a_terminal(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.py", LOOP)
    assert run("--isolated", "--no-cache", "a.py") == 1
    assert run.out.count("[TPL101]") == 2
    assert run("--isolated", "--no-cache", "--sort", "impact", "a.py") == 1
    assert run.out.count("[TPL101]") == 1
    console = Console(findings_to=cast("TextIO", SimpleNamespace(isatty=lambda: True)))
    assert by_impact(Config(), console, None)
    assert not by_impact(Config(), console, Path("report.txt"))
    assert not by_impact(Config(sort="path"), console, None)


LOOP = """\
import torch


def train(model, data, optimizer):
    total = 0.0
    for x in torch.utils.data.DataLoader(data):
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def tune(model, data, optimizer):
    total = 0.0
    for x in torch.utils.data.DataLoader(data):
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
"""
