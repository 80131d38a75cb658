"""The recipe for agents, as its page has it, over twenty programs with planted findings.

`tests/seeded` holds each program as somebody might write it, with the rules that it breaks in comments (`# planted: CODE`), and
beside it a reference without them, written by hand. They are linted as they are, for a GPU, and run on the CPU.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from shell import Shell

from torchperf_lint.docs import checkout
from torchperf_lint.rule import all_rules

torch = pytest.importorskip("torch")

SEEDED = Path(__file__).parent / "seeded"
NAMES = sorted(path.stem for path in SEEDED.glob("*.py") if not path.name.endswith(".reference.py"))
LINT = ("--isolated", "--no-cache", "--format", "json", "--exit-zero")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not checkout.PAGES.is_dir(), reason="no checkout")]


def planted(name: str) -> list[str]:
    """The rules that a program breaks on purpose."""
    text = (SEEDED / f"{name}.py").read_text(encoding="utf-8")
    return [code for codes in re.findall(r"# planted: (.+)", text) for code in codes.split()]


@cache
def recipe() -> str:
    page = (checkout.PAGES / "agents.md").read_text(encoding="utf-8")
    [text] = re.findall(r"<!-- the loop -->\n```python\n(.*?)```", page, re.DOTALL)
    return str(text)


def loop() -> dict[str, Any]:
    """What the page defines."""
    defined: dict[str, Any] = {}
    exec(compile(recipe(), "agents.md", "exec"), defined)
    return defined


def results(path: Path) -> list[Any]:
    """What a program gives on the CPU, as one list of numbers and tensors."""
    text = path.read_text(encoding="utf-8")
    for cuda, cpu in ((".cuda()", ".cpu()"), ('"cuda"', '"cpu"'), ("torch.cuda.synchronize", "torch.cpu.synchronize")):
        text = text.replace(cuda, cpu)
    program: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, str(path), "exec"), program)
    try:
        return flat(program["run"]())
    finally:
        torch.autograd.set_detect_anomaly(False)


def flat(value: Any) -> list[Any]:
    return [each for item in value for each in flat(item)] if isinstance(value, (list, tuple)) else [value]


def alike(one: list[Any], other: list[Any]) -> bool:
    """Whether results are the same but for the order in which floating-point numbers were added."""
    pairs = [(torch.as_tensor(a).double(), torch.as_tensor(b).double()) for a, b in zip(one, other, strict=True)]
    return all(a.shape == b.shape and torch.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in pairs)


@pytest.fixture
def lint(run: Shell) -> Callable[[Path], list[dict[str, Any]]]:
    """What the recipe asks of a process of its own, asked in this one."""

    def lint(path: Path) -> list[dict[str, Any]]:
        assert run(*LINT, str(path)) == 0, run.err
        findings: list[dict[str, Any]] = json.loads(run.out)["findings"]
        return findings

    return lint


def test_there_are_twenty_and_each_rule_that_they_break_has_a_fix() -> None:
    assert len(NAMES) == 20
    fixable = {rule.code for rule in all_rules() if rule.safety is not None}
    assert {code for name in NAMES for code in planted(name)} <= fixable
    assert all(planted(name) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_planted_is_found_and_the_reference_is_clean(
    name: str, lint: Callable[[Path], Any], tmp_path: Path
) -> None:
    for each in ("py", "reference.py"):
        shutil.copyfile(SEEDED / f"{name}.{each}", tmp_path / f"{name}.{each}")
    found: Counter[str] = Counter()
    for each in lint(tmp_path / f"{name}.py"):
        found[each["code"]] += 1 + len(each["also"])
    assert not Counter(planted(name)) - found
    assert set(found) == set(planted(name)), "nothing but what is planted"
    assert lint(tmp_path / f"{name}.reference.py") == []


@pytest.mark.parametrize("name", NAMES)
def test_the_loop_ends_with_none_of_them_and_the_results_of_the_reference(
    name: str, lint: Callable[[Path], Any], tmp_path: Path
) -> None:
    path = tmp_path / f"{name}.py"
    shutil.copyfile(SEEDED / f"{name}.py", path)
    wanted = results(SEEDED / f"{name}.reference.py")
    before = results(path)
    assert alike(before, wanted)
    defined = loop()
    defined["lint"] = lint
    left = defined["improve"](path, lambda: alike(results(path), before))
    assert not {each["code"] for each in left} & set(planted(name)), path.read_text(encoding="utf-8")
    assert alike(results(path), wanted)
    assert path.read_text(encoding="utf-8") != (SEEDED / f"{name}.py").read_text(encoding="utf-8")


def test_a_fix_that_changes_results_is_taken_back_and_not_tried_again(
    tmp_path: Path, lint: Callable[[Path], Any]
) -> None:
    path = tmp_path / "loss_log.py"
    shutil.copyfile(SEEDED / "loss_log.py", path)
    text, asked = path.read_bytes(), []
    defined = loop()
    defined["lint"] = lint
    left = defined["improve"](path, lambda: asked.append(1) is not None)
    assert path.read_bytes() == text
    assert len(asked) == len(left) == 1


def test_the_recipe_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "torchperf-lint"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m torchperf_lint "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.chdir(Path(__file__).parents[1])
    path = tmp_path / "noise.py"
    shutil.copyfile(SEEDED / "noise_on_cpu.py", path)
    assert loop()["improve"](path, lambda: True) == []
    assert path.read_text(encoding="utf-8").count('device="cuda"') == 2


def test_a_finding_carries_what_a_bot_needs(lint: Callable[[Path], Any]) -> None:
    [first] = lint(SEEDED / "amp.py")
    assert first["because"]
    assert first["impact"]["low"] > 1
    assert first["impact"]["setting"]
    assert first["fix"]["safety"] == "unsafe"
    assert first["fix"]["edits"]
    assert first["confidence"] in ("proven", "likely")
    assert first["url"].endswith("TPL307-backward-inside-autocast.md")
