"""The pages are those that the rules, their fixtures and the measurements make; the README says what is so."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from torchperf_lint.config.settings import KINDS, LINE_ONLY
from torchperf_lint.docs import checkout, measured
from torchperf_lint.docs.__main__ import main
from torchperf_lint.docs.example import example
from torchperf_lint.docs.generated_parts import ON_PAGES, filled
from torchperf_lint.model.catalogue import entries
from torchperf_lint.model.failure import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = {
    "clock": "host", "host_work_ms": 0.0, "before_ms": 13.8, "after_ms": 0.54, "speedup": 25.6, "low": 24.0, "high": 27.1,
    "pairs": 60, "before_quartiles_ms": [13.7, 13.9], "after_quartiles_ms": [0.53, 0.55],
}  # fmt: skip


def row(**changes: Any) -> dict[str, Any]:
    made = {
        "date": "2026-11-21", "code": "TPL605", "name": "optimizer-not-fused", "reason": None, "by_hand": False,
        "not_compared": {}, "verdict": "faster", "same": True, "max_difference": 1e-7, "waits_before": 2.0, "waits_after": 0.0,
        "peak_before": 2**30, "peak_after": 2**29, "measurements": [CLOCK], "shapes": {"layers": 100, "width": 512},
        "assumed": [], "torch": "2.13.0",
    }  # fmt: skip
    return made | changes


def shown(*rows: dict[str, Any]) -> str:
    record = measured.Record({"name": "NVIDIA H200", "torch": "2.13.0", "toolkit": "CUDA 13.0"}, rows)
    return measured.shown("TPL605", [record])


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The checkout that is written to: another folder."""
    for name in ("PAGES", "README", "SCHEMAS"):
        path = getattr(checkout, name)
        there = tmp_path / path.relative_to(checkout.ROOT)
        monkeypatch.setattr(checkout, name, there)
    for page in ON_PAGES:
        (tmp_path / page).parent.mkdir(exist_ok=True)
        shutil.copy(checkout.ROOT / page, tmp_path / page)
    monkeypatch.setattr(checkout, "ROOT", tmp_path)
    return tmp_path


def test_no_page_is_stale(capsys: pytest.CaptureFixture[str]) -> None:
    stale = main(["--check"])
    assert not stale, "".join(capsys.readouterr())


def test_what_is_stale_is_named_and_written(copy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    from torchperf_lint.docs import __main__ as command

    monkeypatch.setattr(command.checkout, "fixtures", dict)
    assert main(["--check"]) == 1
    assert "rules_docs/TPL001-does-not-parse.md is stale" in capsys.readouterr().out
    assert not list((copy / "rules_docs").glob("TPL*"))
    assert main([]) == 0
    assert main(["--check"]) == 0
    assert (copy / "rules_docs/TPL605-optimizer-not-fused.md").is_file()
    left = copy / "rules_docs/TPL999-gone.md"
    left.write_text("gone", encoding="utf-8")
    (copy / "rules_docs/schema/gone.json").write_text("{}", encoding="utf-8")
    capsys.readouterr()
    assert main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "TPL999-gone.md" in said
    assert "schema/gone.json" in said
    assert main([]) == 0
    assert not left.exists()


def test_without_a_checkout_it_says_so(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 2
    assert "in a checkout" in capsys.readouterr().err
    assert not list((copy / "rules_docs").glob("TPL*"))


def test_every_rule_has_a_page_with_its_example() -> None:
    for entry in entries():
        text = (checkout.PAGES / f"{entry.page}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {entry.name} ({entry.code})\n")
        assert entry.summary in text
        assert entry.code in ("TPL002", "TPL004") or f"[{entry.code}]: " in text  # no text shows these


def test_a_build_puts_the_pages_into_the_package(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", minversion="77")  # what pyproject.toml asks for
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(checkout.ROOT / name, tmp_path)
    for name in ("torchperf_lint/cli", "torchperf_lint/version.py"):
        there = tmp_path / name
        there.parent.mkdir(exist_ok=True)
        copied = checkout.ROOT / name
        shutil.copytree(copied, there) if copied.is_dir() else shutil.copy(copied, there)
    (tmp_path / "torchperf_lint/__init__.py").touch()
    build = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", "made"]
    without = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "rules_docs/ holds no pages" in without.stderr
    shutil.copytree(checkout.PAGES, tmp_path / "rules_docs")
    stale = tmp_path / "made/torchperf_lint/pages/TPL999-gone.md"
    stale.parent.mkdir(parents=True)
    stale.touch()
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    made = {path.name: path.read_bytes() for path in stale.parent.iterdir()}
    assert made == {path.name: path.read_bytes() for path in checkout.PAGES.glob("*.md")}


def test_an_example_shows_the_report_and_the_fix() -> None:
    made = example("", "import torch\n\ndef f():\n    return torch.zeros(3).cuda()\n", frozenset({"TPL201"}))
    assert [finding.code for finding in made.findings] == ["TPL201"]
    assert "example.py:4:12 (create-on-cpu-then-move" in made.report
    assert '+    return torch.zeros(3, device="cuda")' in made.patch.splitlines()


def test_a_rule_without_measurements_says_so() -> None:
    assert measured.shown("TPL201", []) == shown(row(code="TPL201")) == "Not measured yet."


def test_measurements_are_a_table_and_a_chart() -> None:
    text = shown(row())
    assert "**NVIDIA H200** (torch 2.13.0, CUDA 13.0; 2026-11-21)" in text
    cells = "| layers 100, width 512 | – | 13.8 ms | 540 µs | 26× (24–27) |  | 2 → 0 | 1 GiB → 512 MiB | faster |"
    assert cells in text.splitlines()
    assert f"before {'█' * measured.WIDTH} 13.8 ms\nafter  ██ 540 µs\n" in text


def test_host_work_makes_a_line_each_and_the_kernels_one_cell() -> None:
    clocks = [CLOCK, {**CLOCK, "host_work_ms": 5.0}, {**CLOCK, "clock": "device"}]
    lines = [line for line in shown(row(measurements=clocks)).splitlines() if line.startswith("| ")][1:]
    assert [line.split(" | ")[1] for line in lines] == ["0 ms", "5 ms"]
    assert [line.split(" | ")[5].strip() for line in lines] == ["13.8 ms → 540 µs", ""]


def test_a_chart_says_what_it_is_of() -> None:
    clocks = [CLOCK, {**CLOCK, "host_work_ms": 10.0}]
    lines = shown(row(measurements=clocks), row(shapes={"layers": 12})).splitlines()
    start = lines.index("```text")
    assert lines[start + 1] == "layers 100, width 512"
    assert [line[:12] for line in lines[start + 2 : start + 6]] == [
        " 0 ms before",
        "      after ",
        "10 ms before",
        "      after ",
    ]


def test_a_verdict_that_another_run_may_turn_over_says_so() -> None:
    close = CLOCK | {"speedup": 1.028, "low": 1.015, "high": 1.05}
    assert "- no gain, but not for certain: " in shown(row(verdict="no gain", measurements=[close]))
    assert "not for certain" not in shown(row()) + shown(row(verdict="different", same=False, measurements=[close]))
    assert "- layers 100, width 512: no gain, but" in shown(row(verdict="no gain", measurements=[close]), row())


def test_what_was_not_measured_or_differs_is_said() -> None:
    failed = shown(row(verdict="not measured: out of memory", measurements=[], same=None, peak_before=None))
    assert "| not measured: out of memory |" in failed
    assert "█" not in failed
    other = shown(row(verdict="different", same=False, reason="gradients differ", max_difference=0.5, by_hand=True))
    assert "- Different: gradients differ (the largest difference of any number is 0.5)." in other
    assert "The program with the cure is written by hand" in other


def test_records_are_read_from_their_folder(tmp_path: Path) -> None:
    plain = {"version": 1, "device": {"name": "A", "torch": "2.13.0"}, "measurements": [row()]}
    (tmp_path / "a.json").write_text(json.dumps(plain), encoding="utf-8")
    (record,) = measured.records(tmp_path)
    assert record.rows[0]["code"] == "TPL605"


# ---- the README, and the pages that it hands on to


def readme() -> str:
    return checkout.README.read_text(encoding="utf-8")


def page(name: str) -> str:
    return (checkout.PAGES / name).read_text(encoding="utf-8")


def test_a_page_without_its_marks_is_an_error() -> None:
    with pytest.raises(ConfigError, match="begin report"):
        filled("nothing", ("report",))


def test_the_readme_is_short() -> None:
    assert len(readme().splitlines()) <= 200


def test_every_rule_and_every_setting_is_listed() -> None:
    assert all(f"({entry.page}.md)" in page("rules.md") for entry in entries())
    assert all((f"| `{name}` |" in page("configure.md")) is (name not in LINE_ONLY) for name in KINDS)


def test_the_checks_run_the_very_command_that_the_readme_gives() -> None:
    found = re.search(r"<!-- the tests -->\n```console\n(.+)\n```", readme())
    assert found is not None
    checks = (checkout.ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert found[1] in checks
    assert found[1].endswith(' -m "not slow"')
    assert ".venv/bin/python -m pytest -n auto -m slow" in checks, "what it leaves out is run as well"


def test_what_the_page_configures_can_be_configured(tmp_path: Path) -> None:
    from torchperf_lint.config.settings_file import read

    (text,) = re.findall(r"```toml\n(.+?)```", page("configure.md"), re.DOTALL)
    path = tmp_path / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    found = read(path)
    assert found is not None
    assert {"ignore", "hot-functions", "target-torch"} <= found.values.keys()


def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.+?)```", page("integrations.md"), re.DOTALL)
    (text,) = [block for block in blocks if block.startswith("from torchperf_lint")]
    monkeypatch.chdir(checkout.ROOT)
    exec(text.replace('"src"', '"rules_docs/example.py"').replace('"TPL1"', '"TPL2"'), {})
    assert "rules_docs/example.py 13 TPL201" in capsys.readouterr().out


def test_links_of_the_readme_lead_somewhere() -> None:
    """All of them are absolute: a package index shows the page too, and has no files beside it."""
    for target in re.findall(r"\]\(([^)#]+)\)", readme()):
        ours = OURS.fullmatch(target)
        assert target.startswith("https://"), target
        assert ours is None or (checkout.ROOT / ours[1]).exists(), target


OURS = re.compile(r"https://(?:github|raw\.githubusercontent)\.com/torchperf-lint/torchperf-lint/(?:blob/)?main/(.+)")
