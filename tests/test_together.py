"""What a rule says of waits and copies in one function is one finding, whoever is left of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reported import finding, span
from shell import Shell, write

from torchperf_lint.model.finding import Confidence, Fix, Safety, Severity, TextEdit
from torchperf_lint.model.together import merged

LOOP = """\
import torch


def train(model, loader, optimizer, criterion, log):
    total = other = third = 0.0
    for x, y in loader:
        out = model(x.cuda(non_blocking=True))
        loss, aux = criterion(out), out.mean()
        loss.backward()
        optimizer.step()
%s
    return total, other, third
"""
READS = ["total += loss.item()", "other += aux.item()", "third += loss.item()"]


@pytest.fixture
def found(run: Shell, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def of(*lines: str, select: str = "TPL101") -> list[dict[str, Any]]:
        write("a.py", LOOP % "\n".join(f"        {line}" for line in lines))
        assert run("--isolated", "--no-cache", "--format", "json", "--select", select, "a.py") in (0, 1)
        findings: list[dict[str, Any]] = json.loads(run.out)["findings"]
        return findings

    return of


def places(findings: list[dict[str, Any]]) -> list[tuple[int, list[int]]]:
    return [(each["start"]["line"], [also["line"] for also in each["also"]]) for each in findings]


def test_reads_in_a_row_are_one_finding(found: Any) -> None:
    assert places(found(*READS)) == [(11, [12, 13])]
    assert places(found(READS[0], 'print("step")', READS[1])) == [(11, [13])]


@pytest.mark.parametrize("between", ["out = out * 2", "model(x)", "log(out.sum())", "for _ in x:\n            pass"])
def test_reads_of_a_function_are_one_finding_whatever_stands_between(found: Any, between: str) -> None:
    (finding,) = found(READS[0], between, READS[1])
    assert len(finding["also"]) == 1


def test_a_head_that_is_suppressed_hands_its_place_on(found: Any) -> None:
    hidden = f"{READS[0]}  # tpl: ignore[TPL101] wanted"
    assert places(found(hidden, READS[1], READS[2])) == [(12, [13])]
    assert places(found(READS[0], f"{READS[1]}  # tpl: ignore[TPL101] wanted", READS[2])) == [(11, [13])]


def test_the_audit_view_names_each_line(found: Any) -> None:
    lines = [line for line, _ in places(found(*READS, select="TPL101,TPL100")) if line > 10]
    assert lines == [11, 12, 13]


def test_the_fix_mends_all(found: Any, run: Shell) -> None:
    (finding,) = found(*READS)
    assert finding["fix"]["title"].endswith("(here and at 2 more)")
    assert {edit["start"]["line"] for edit in finding["fix"]["edits"]} >= {11, 12, 13}
    run("--isolated", "--no-cache", "--select", "TPL101", "--fix", "--unsafe-fixes", "a.py")
    text = Path("a.py").read_text(encoding="utf-8")
    assert ".item()" not in text


def test_a_fix_that_leaves_the_wait_says_so() -> None:
    first, second, third = (finding(span=span(line, 14, line, 25), function=1) for line in (5, 6, 7))
    (whole,) = merged([first, second, third])
    assert whole.fix is not None
    assert whole.fix.title == "read it after the loop (here and at 2 more)"
    (part,) = merged([first, replace(second, fix=None), third])
    assert part.fix is not None
    assert part.fix.title == "read it after the loop; line 6 waits all the same"
    assert part.fix.edits == first.fix.edits if first.fix else ()
    (other,) = merged([replace(first, fix=None), second])
    assert other.fix is not None
    assert other.fix.title == "read it after the loop; line 5 waits all the same"
    (optimizer,) = merged([replace(first, code="TPL605"), replace(second, code="TPL605", fix=None)])
    assert optimizer.fix is not None
    assert optimizer.fix.title == "read it after the loop; line 6 needs a change of its own"
    (none,) = merged([replace(first, fix=None), replace(second, fix=None)])
    assert none.fix is None


def test_one_is_likely_where_any_is() -> None:
    proven, likely = (finding(function=1, confidence=each) for each in Confidence)
    assert [each.confidence for each in merged([proven, likely])] == [Confidence.LIKELY]


def test_other_functions_rules_severities_and_files_stay_apart() -> None:
    one = finding(span=span(5, 14, 5, 25), function=1)
    others = [
        replace(one, function=2),
        replace(one, code="TPL103"),
        replace(one, path="b.py"),
        replace(one, function=None),
        replace(one, severity=Severity.ERROR),
    ]
    assert len(merged([one, *others])) == 6


def test_other_forms_of_a_rule_that_is_not_about_waits_stay_apart() -> None:
    one = finding(span=span(5, 14, 5, 25), function=1, code="TPL612", message="all of `x` is put in order")
    again = replace(one, span=span(6, 14, 6, 25), message="all of `y` is put in order")
    other = replace(one, span=span(7, 14, 7, 25), message="a table is gathered from")
    assert [len(each.also) for each in merged([one, again, other])] == [1, 0]
    waits = [replace(each, code="TPL101") for each in (one, again, other)]
    assert [len(each.also) for each in merged(waits)] == [2]


@pytest.mark.parametrize("read", ["total += loss.item()", "if aux > 3: break"])
def test_waits_right_behind_each_other_are_one_finding_whatever_rules_speak(found: Any, read: str) -> None:
    both = "TPL101,TPL103,TPL106"
    assert places(found("if loss.isnan(): continue", read, select=both)) == [(11, [12])]
    assert places(found("if loss.isnan(): continue  # tpl: ignore[TPL103] wanted", read, read, select=both)) == [
        (12, [13])
    ]


@pytest.mark.parametrize("between", ["out = model(x)", "loss.backward()", "for _ in x:\n            pass"])
def test_with_work_between_them_they_are_two(found: Any, between: str) -> None:
    assert len(found("if loss.isnan(): continue", between, "total += loss.item()", select="TPL101,TPL103")) == 2


def test_one_that_is_worse_or_whose_fix_is_safe_stays_apart() -> None:
    head = finding(span=span(5, 14, 5, 25), function=1, code="TPL103")
    behind = finding(span=span(6, 14, 6, 25), function=1, code="TPL101", behind=("TPL103", head.span))
    last = finding(span=span(7, 14, 7, 25), function=1, code="TPL106", behind=("TPL101", behind.span))
    assert [len(each.also) for each in merged([last, behind, head])] == [2]
    assert [len(each.also) for each in merged([behind, last])] == [1]
    assert len(merged([head, replace(behind, severity=Severity.ERROR)])) == 2
    safe = Fix("read it after the loop", (TextEdit("a.py", behind.span, "x"),), Safety.SAFE)
    assert len(merged([head, replace(behind, fix=safe)])) == 2
    fixes = [Fix(each.code, (TextEdit("a.py", each.span, ""),), Safety.UNSAFE) for each in (head, behind, last)]
    (one,) = merged(replace(each, fix=fix) for each, fix in zip((head, behind, last), fixes, strict=True))
    assert one.fix is not None
    assert one.fix.title == "TPL103; TPL101; TPL106 (here and at 2 more)"


def test_functions_that_end_with_each_other_are_one_finding() -> None:
    one = finding(span=span(5, 14, 5, 25), function=1, behind=("TPL101", span(9, 14, 9, 25)))
    other = finding(span=span(9, 14, 9, 25), function=2, behind=("TPL101", one.span))
    one, other = (replace(each, code="TPL101") for each in (one, other))
    assert [len(each.also) for each in merged([one, other])] == [1]


CALLED = """\
def scored(out: torch.Tensor):
    return out.mean().item()
"""


def test_a_wait_right_behind_a_call_that_ends_with_one_is_one_finding_with_that(run: Shell, tmp_path: Path) -> None:
    text = LOOP % "        other += scored(out)\n        total += loss.item()" + f"\n\n{CALLED}"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    run("--isolated", "--no-cache", "--format", "json", "--select", "TPL101", str(tmp_path / "a.py"))
    assert places(json.loads(run.out)["findings"]) == [(17, [12])]


def test_two_functions_are_two_findings(run: Shell, tmp_path: Any) -> None:
    two = LOOP % f"        {READS[0]}" + (LOOP % f"        {READS[1]}").partition("\n\n\n")[2].replace("train", "again")
    (tmp_path / "a.py").write_text(two, encoding="utf-8")
    run("--isolated", "--no-cache", "--format", "json", "--select", "TPL101", str(tmp_path / "a.py"))
    assert places(json.loads(run.out)["findings"]) == [(11, []), (20, [])]


def test_people_read_which_lines_belong_to_it(found: Any, run: Shell) -> None:
    found(*READS)
    run("--isolated", "--no-cache", "--select", "TPL101", "a.py")
    assert " = with it: lines 12, 13; mend all, for one that stays waits for what was queued all the same\n" in run.out


def test_all_are_silenced_at_once(found: Any, run: Shell) -> None:
    found(*READS)
    run("--isolated", "--no-cache", "--select", "TPL101", "--add-ignores", "a.py")
    assert run("--isolated", "--no-cache", "--select", "TPL101", "a.py") == 0
    assert "[TPL101]" not in run.out


def test_the_audit_view_names_the_waits_in_a_loop_that_another_rule_is_about(run: Shell, tmp_path: Path) -> None:
    text = """\
import torch


def clip_gradients(model, clip):
    norms = []
    for name, p in model.named_parameters():
        if p.grad is not None:
            param_norm = p.grad.data.norm(2)
            norms.append(param_norm.item())
            clip_coef = clip / (param_norm + 1e-6)
            if clip_coef < 1:
                p.grad.data.mul_(clip_coef)
    return norms
"""
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    run("--isolated", "--no-cache", "--select", "ALL", "--format", "json", str(tmp_path / "a.py"))
    lines = {each["start"]["line"] for each in json.loads(run.out)["findings"] if each["code"].startswith("TPL1")}
    assert {9, 11} <= lines


HINTS = """\
import torch


def masks(n: int):
    a = torch.ones(n, n).cuda()
    b = torch.randn(n, n).cuda()
    return a, b, torch.zeros(n, n).cuda()


def more(n: int):
    return torch.ones(n, n).cuda()
"""


def test_hints_of_one_function_are_one_finding(run: Shell, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def of(text: str, select: str = "TPL201") -> list[dict[str, Any]]:
        write("a.py", text)
        run("--isolated", "--no-cache", "--format", "json", "--select", select, "a.py")
        findings: list[dict[str, Any]] = json.loads(run.out)["findings"]
        return [each for each in findings if each["code"] == "TPL201"]

    assert places(of(HINTS)) == [(5, [7]), (6, []), (11, [])], "random numbers are others: a fix of its own"
    assert [each["fix"]["safety"] for each in of(HINTS)] == ["safe", "unsafe", "safe"]
    assert len(of(HINTS)[0]["fix"]["edits"]) == 2
    hidden = HINTS.replace("torch.ones(n, n).cuda()\n    b", "torch.ones(n, n).cuda()  # tpl: ignore[TPL201]\n    b")
    assert places(of(hidden)) == [(6, []), (7, []), (11, [])], "the next stands for them"
    assert places(of(HINTS, "TPL201,TPL100")) == [(5, []), (6, []), (7, []), (11, [])], "an audit names each"
    run("--isolated", "--no-cache", "a.py")
    assert "--> a.py:5, 6, 7, 11\n" in run.out


def test_fixes_that_write_over_each_other_are_made_one_after_the_other() -> None:
    first = finding(span=span(5, 14, 5, 25), function=1)
    second = replace(first, span=span(6, 1, 6, 2))
    assert first.fix is not None
    edit = first.fix.edits[0]
    wider = replace(edit, span=span(edit.span.start.line - 1, 1, edit.span.end.line, edit.span.end.column))
    (one,) = merged([first, replace(second, fix=replace(first.fix, edits=(wider,)))])
    assert one.fix == first.fix


SELECTED = """\
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        keep = x[:, 0] > 0.5
        x = x[keep]
        {between}
        return x, y[{index}]
"""


@pytest.mark.parametrize(
    ("between", "index", "expected"),
    [
        ("pass", "keep", [(10, [8])]),
        ("x = self.net(x)", "keep", [(8, []), (10, [])]),
        ("pass", "keep > 0", [(8, [10])]),
    ],
)
def test_selections_by_one_mask_are_one_finding_that_tells_the_cure(
    run: Shell, tmp_path: Path, between: str, index: str, expected: list[tuple[int, list[int]]]
) -> None:
    (tmp_path / "a.py").write_text(SELECTED.format(between=between, index=index), encoding="utf-8")
    run("--isolated", "--no-cache", "--format", "json", "--select", "TPL102,TPL613", str(tmp_path / "a.py"))
    assert places(json.loads(run.out)["findings"]) == expected


ACTED = """\
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(8, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.last(torch.relu(self.first(x)))


class Player:
    def __init__(self):
        self.critic = Critic().cuda()

    def act(self, state):
        return self.critic(state.cuda()).cpu().data.numpy().flatten()
"""


def test_a_wait_is_named_beside_gradients_that_nobody_needs(run: Shell, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ACTED, encoding="utf-8")
    run(
        "--isolated",
        "--no-cache",
        "--format",
        "json",
        "--exit-zero",
        "--extend-select",
        "TPL100",
        str(tmp_path / "a.py"),
    )
    told = {(each["code"], each["start"]["line"]) for each in json.loads(run.out)["findings"]}
    assert {("TPL100", 19), ("TPL401", 19)} <= told, told
