"""The baseline: what a project has accepted is not reported, and what is gone is said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import fake_lint
import pytest

from torchperf_lint.cli.main import main
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.run import baseline
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "import torch\nx.item()\ny.item()\n"


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_lint.installed(monkeypatch)
    monkeypatch.chdir(tmp_path)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    findings = fake_lint.lint(Source(TEXT, "\udcff.py"))
    baseline.write(tmp_path / "b.json", findings)
    read = baseline.read(tmp_path / "b.json")
    assert read.fingerprints == {finding.fingerprint for finding in findings}
    assert read.gone({findings[0].fingerprint}, {"\udcff.py"}) == [
        entry for entry in read.entries if "y.item" in entry.message
    ]
    assert read.gone((), {"other.py"}) == []


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"version": 1}', b'{"version": 1, "findings": [3]}', b"[" * 100_000, b"\xff"]
)
def test_what_is_no_baseline_is_an_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "b.json").write_bytes(data)
    with pytest.raises(ConfigError, match="not a baseline of this tool"):
        baseline.read(tmp_path / "b.json")


def test_a_baseline_of_another_version_or_none_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text('{"version": 2, "findings": []}', encoding="ascii")
    with pytest.raises(ConfigError, match="version 2"):
        baseline.read(tmp_path / "b.json")
    with pytest.raises(ConfigError, match="--write-baseline"):
        baseline.read(tmp_path / "none.json")


def test_a_project_takes_the_linter_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.py"
    file.write_text(TEXT, encoding="utf-8")
    assert main(["--write-baseline", "b.json"]) == 0
    assert "2 findings accepted in" in capsys.readouterr().err
    assert main(["--baseline", "b.json"]) == 0
    assert capsys.readouterr().out == ""

    file.write_text("# moved\n\n" + TEXT + "z.item()\n", encoding="utf-8")
    assert main(["--baseline", "b.json", "--format", "concise"]) == 1
    assert capsys.readouterr().out == "a.py:6:1: TPL101 `z.item()` makes the host wait for the GPU\n"

    file.write_text("import torch\nx.item()\n", encoding="utf-8")
    assert main(["--baseline", "b.json"]) == 0
    assert "no finding matches this entry any more: a.py: TPL101 `y.item()`" in capsys.readouterr().err

    (tmp_path / "other.py").write_text("import torch\n", encoding="utf-8")
    assert main(["--baseline", "b.json", "other.py"]) == 0
    assert "nothing matches" not in capsys.readouterr().err


def test_the_file_may_name_the_baseline_and_it_is_sorted(tmp_path: Path) -> None:
    (tmp_path / "torchperf-lint.toml").write_text('baseline = "b.json"', encoding="utf-8")
    for name in ("z.py", "a.py"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    assert main(["--write-baseline", "b.json", "--isolated"]) == 0
    rows = json.loads((tmp_path / "b.json").read_bytes())["findings"]
    assert [row["path"] for row in rows] == ["a.py", "a.py", "z.py", "z.py"]
    assert main([]) == 0
