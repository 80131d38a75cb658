"""The cache: it never changes an answer, whatever is in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import fake_lint
import pytest

import torchperf_lint
from torchperf_lint import cache
from torchperf_lint.cache import Cache
from torchperf_lint.config import Alignment, Config
from torchperf_lint.finding import Confidence, Finding, Severity
from torchperf_lint.record import from_plain, to_plain
from torchperf_lint.run import over
from torchperf_lint.syntax.source import Source
from torchperf_lint.work import LintFile

TEXT = "import torch\nprint(a.item(), b.item(), c.item(), l.item())\n"
FINDINGS = tuple(fake_lint.lint(Source(TEXT, "a.py")))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(root=tmp_path)


def entries(config: Config) -> list[Path]:
    return sorted(config.cache_folder.glob("*/*.json"))


def test_plain_data_says_all_of_a_finding() -> None:
    for finding in FINDINGS:
        assert from_plain(json.loads(json.dumps(to_plain(finding)))) == finding


def test_what_is_put_is_got_by_path_and_content(config: Config) -> None:
    Cache(config).put("/x/a.py", "1", FINDINGS)
    assert Cache(config).get("/x/a.py", "1") == FINDINGS
    assert Cache(config).get("/x/a.py", "2") is None
    assert Cache(config).get("/x/b.py", "1") is None
    Cache(config).put("/x/a.py", "2", ())
    assert Cache(config).get("/x/a.py", "1") is None
    assert len(entries(config)) == 1
    assert (config.cache_folder / ".gitignore").read_text(encoding="ascii") == "*\n"


def test_names_of_any_bytes(config: Config) -> None:
    Cache(config).put("/x/\udcff.py", "1", FINDINGS)
    assert Cache(config).get("/x/\udcff.py", "1") == FINDINGS


@pytest.mark.parametrize(
    "other",
    [
        {"rules": frozenset({"TPL101"})},
        {"per_file_ignores": (("a", ("TPL101",)),)},
        {"confidence": Confidence.PROVEN},
        {"target_torch": "2.0"},
        {"target_gpu": "hopper"},
        {"hot_functions": ("a.b",)},
        {"sync_allowed": ("a.b",)},
        {"alignment_min_dim": Alignment(1, 1)},
        {"root": Path("/elsewhere"), "cache_dir": "same"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_settings_that_change_findings_change_the_question(config: Config, other: dict[str, object]) -> None:
    config = replace(config, cache_dir=config.cache_folder)
    if other.get("cache_dir"):
        other = {**other, "cache_dir": config.cache_folder}
    Cache(config).put("a.py", "1", FINDINGS)
    assert Cache(replace(config, **other)).get("a.py", "1") is None


def test_settings_that_say_how_to_run_do_not(config: Config) -> None:
    Cache(config).put("a.py", "1", FINDINGS)
    running = replace(config, jobs=7, fail_level=Severity.INFO, format=(("json", None),), exclude=(), fix=True)
    assert Cache(running).get("a.py", "1") == FINDINGS


def test_every_setting_is_one_or_the_other() -> None:
    """A new setting is part of the question until someone says that it is not."""
    assert set(Config.__dataclass_fields__) >= cache._RUNNING


def test_the_question_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from torchperf_lint.cache import Cache; from torchperf_lint.config import Config\n"
        f"c = Config(root=Path({str(tmp_path)!r}), per_file_ignores=(('a', ('TPL001', 'TPL002', 'TPL003')),))\n"
        "print(Cache(c).folder.name)"
    )
    home = str(Path(torchperf_lint.__file__).parent.parent)
    names = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": home, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(names) == 1


def test_another_tool_is_another_question(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(Path(torchperf_lint.__file__).parent / "rules", copy)
    monkeypatch.setattr(cache, "_PACKAGE", copy)
    first = Cache(config).folder
    assert Cache(config).folder == first
    (copy / "new_rule.py").write_text("# a rule", encoding="utf-8")
    assert Cache(config).folder != first


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff\x00",
        b"[]",
        b"null",
        b'"text"',
        b"{",
        b"[" * 100_000,
        b"{}",
        b'{"path": 1, "content": "1", "findings": []}',
        b'{"path": "612e7079", "content": "1", "findings": [{}]}',
        b'{"path": "612e7079", "content": "1", "findings": 3}',
        b'{"path": "612e7079", "content": "1", "findings": [[]]}',
        b'{"path": "612e7079", "content": "1", "findings": ["x"]}',
        b'{"path": "612e7079", "content": "1"}',
        b'{"path": "612e7079", "content": "1", "findings": [' + b"9" * 10_000 + b"]}",
    ],
)
def test_a_damaged_entry_is_none(config: Config, damage: bytes) -> None:
    Cache(config).put("a.py", "1", FINDINGS)
    (entry,) = entries(config)
    entry.write_bytes(damage)
    assert Cache(config).get("a.py", "1") is None
    Cache(config).put("a.py", "1", FINDINGS)
    assert Cache(config).get("a.py", "1") == FINDINGS


@pytest.mark.parametrize("key", ["code", "severity", "start", "fix", "because", "confidence", "cell"])
@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [3], {"line": "x"}])
def test_an_entry_with_a_wrong_value_is_none_or_harmless(config: Config, key: str, value: object) -> None:
    Cache(config).put("a.py", "1", FINDINGS)
    (entry,) = entries(config)
    content = json.loads(entry.read_bytes())
    content["findings"][0][key] = value
    entry.write_text(json.dumps(content), encoding="ascii")
    found = Cache(config).get("a.py", "1")
    assert found is None or all(isinstance(each, Finding) for each in found)


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(config: Config) -> None:
    config.cache_folder.write_text("in the way", encoding="ascii")
    store = Cache(config)
    store.put("a.py", "1", FINDINGS)
    store.put("b.py", "1", FINDINGS)
    assert store.get("a.py", "1") is None
    assert config.cache_folder.read_text(encoding="ascii") == "in the way"


def test_a_link_in_the_place_of_the_cache_is_not_followed(config: Config, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    config.cache_folder.symlink_to(elsewhere)
    Cache(config).put("a.py", "1", FINDINGS)
    assert not list(elsewhere.iterdir())


def test_several_writers_leave_whole_entries(config: Config) -> None:
    def write(number: int) -> None:
        store = Cache(config)
        for _ in range(20):
            store.put("a.py", str(number % 2), FINDINGS * (number + 1))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    (entry,) = entries(config)
    json.loads(entry.read_bytes())


def test_answers_to_old_questions_go(config: Config) -> None:
    for name in ("0" * 32, "1" * 32, "somebody-elses"):
        (config.cache_folder / name).mkdir(parents=True)
    long_ago = time.time() - 30 * 24 * 3600
    for name in ("0" * 32, "somebody-elses"):
        os.utime(config.cache_folder / name, (long_ago, long_ago))
    Cache(config).put("a.py", "1", FINDINGS)
    assert not (config.cache_folder / ("0" * 32)).exists()
    assert (config.cache_folder / ("1" * 32)).exists()
    assert (config.cache_folder / "somebody-elses").exists()


def test_a_run_asks_the_engine_for_what_has_changed_only(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def counting(source: Source) -> list[Finding]:
        asked.append(source.path)
        return fake_lint.lint(source)

    fake_lint.installed(monkeypatch, counting)
    paths = [str(tmp_path / name) for name in ("a.py", "b.py", "no.py")]
    for path in paths[:2]:
        Path(path).write_text(TEXT, encoding="utf-8")
    Path(paths[2]).write_text("x.item()\n", encoding="utf-8")

    first = over(paths, LintFile(config))
    assert sorted(asked) == ["a.py", "b.py"]
    assert [len(done.findings) for done in first] == [4, 4, 0]
    again = over(paths, LintFile(config))
    assert sorted(asked) == ["a.py", "b.py"]
    assert [done.findings for done in again] == [done.findings for done in first]

    Path(paths[1]).write_text(TEXT + "# more\n", encoding="utf-8")
    over(paths, LintFile(config))
    assert sorted(asked) == ["a.py", "b.py", "b.py"]
    over(paths, LintFile(replace(config, cache=False)))
    assert len(asked) == 5
