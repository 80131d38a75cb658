"""The cache: it never changes an answer, whatever is in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_lint
import pytest
from same_settings import SameSettings

import torchperf_lint
from torchperf_lint.cli import main as cli_main
from torchperf_lint.config.config import Alignment, Config
from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.model.finding import Confidence, Finding, Severity
from torchperf_lint.model.formats import FORMATS
from torchperf_lint.model.outcome import Outcome
from torchperf_lint.model.record import from_plain, to_plain
from torchperf_lint.report import View, render
from torchperf_lint.report.sources import Sources
from torchperf_lint.run import cache
from torchperf_lint.run.cache import Cache, Caches, digest
from torchperf_lint.run.lint_file import LintFile
from torchperf_lint.run.run_files import over
from torchperf_lint.run.sealed import opened, sealed
from torchperf_lint.syntax.source import Source

TEXT = "import torch\nprint(a.item(), b.item(), c.item(), l.item())\n"
FINDINGS = tuple(fake_lint.lint(Source(TEXT, "a.py")))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(root=tmp_path, cache_dir=tmp_path / "cache")


def answers(config: Config) -> Cache:
    """What answers for all files of these settings."""
    return Caches(SameSettings(config)).of("a.py")


def entries(config: Config) -> list[Path]:
    return sorted(folder(config).glob("*/*.json"))


def folder(config: Config) -> Path:
    assert config.cache_folder is not None
    return config.cache_folder


def test_plain_data_says_all_of_a_finding() -> None:
    for finding in FINDINGS:
        assert from_plain(json.loads(json.dumps(to_plain(finding)))) == finding


def test_what_is_put_is_got_by_path_and_content(config: Config) -> None:
    a, b = (str(config.root / name) for name in ("a.py", "b.py"))
    answers(config).put(a, "1", FINDINGS, Reads())
    assert answers(config).get(a, "1") == FINDINGS
    assert answers(config).get(a, "2") is None
    assert answers(config).get(b, "1") is None
    answers(config).put(a, "2", (), Reads())
    assert answers(config).get(a, "1") is None
    assert len(entries(config)) == 1
    (kept,) = folder(config).iterdir()
    assert (kept / ".gitignore").read_text(encoding="ascii") == "*\n"
    assert (kept / "CACHEDIR.TAG").read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55")


def test_an_answer_holds_while_what_it_stands_on_is_what_it_was(config: Config, tmp_path: Path) -> None:
    path, other, package = str(tmp_path / "a.py"), tmp_path / "\udcffother.py", tmp_path / "package"
    other.write_text("1", encoding="utf-8")
    package.mkdir()
    reads = Reads(
        "a", {"torch"}, {"\udcffother": (str(other), digest([b"1"])), "package": ("", None), "package.deep": ("", None)}
    )
    answers(config).put(path, "1", FINDINGS, reads)
    assert answers(config).get(path, "1") == FINDINGS

    def breaks(file: Path, text: str = "") -> bool:
        before = file.read_bytes() if file.exists() else None
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        broken = answers(config).get(path, "1") is None
        file.unlink() if before is None else file.write_bytes(before)
        assert answers(config).get(path, "1") == FINDINGS or file.parent.name == "torch"
        return broken

    assert breaks(other, "2")
    assert not breaks(other, "1")
    assert breaks(package / "deep.py")
    assert breaks(package / "__init__.py")
    assert not breaks(package / "else.py")
    assert breaks(tmp_path / "__init__.py"), "the file has another name in a package"
    assert not breaks(tmp_path / "unasked.py")
    assert breaks(tmp_path / "torch.py")
    assert breaks(tmp_path / "torch" / "x.py"), "a folder named like an installed package"


WIDTHS = "import torch\n\n\ndef width():\n    return {}\n"
MAIN = """\
import torch
from widths import width


def forward_all(loader, model, optimizer):
    for x, y in loader:
        loss = model(x.cuda(), y).mean()
        loss.backward()
        optimizer.step()
        if width() > 3:
            print(x)
"""


def test_an_edit_of_an_imported_file_asks_the_engine_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine itself: what an imported function returns decides what is found here."""
    monkeypatch.chdir(tmp_path)  # it is all of the project
    widths, main = tmp_path / "widths.py", tmp_path / "main.py"
    main.write_text(MAIN, encoding="utf-8")

    def said(*more: str) -> str:
        cli_main.main([str(main), "--isolated", "--cache-dir", str(tmp_path / "cache"), "--format", "concise", *more])
        return capsys.readouterr().out

    seen = set()
    for returns in ("1", "torch.ones((), device='cuda')", "1", "torch.ones(())"):
        widths.write_text(WIDTHS.format(returns), encoding="utf-8")
        assert said() == said("--no-cache") == said()
        seen.add(said())
    widths.unlink()
    assert said() == said("--no-cache")
    assert len(seen) > 1, "nothing depends on the imported file: the test shows nothing"


def test_from_inside_a_package_its_imports_mean_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "widths.py").write_text(WIDTHS.format("torch.ones((), device='cuda')"), encoding="utf-8")
    text = MAIN.replace("from widths", "from package.widths")
    assert text != MAIN
    (package / "main.py").write_text(text, encoding="utf-8")

    def said(file: str) -> list[str]:
        cli_main.main([file, "--isolated", "--no-cache", "--format", "concise"])
        return [line.partition(":")[2] for line in capsys.readouterr().out.splitlines()]

    monkeypatch.chdir(tmp_path)
    from_above = said("package/main.py")
    monkeypatch.chdir(package)
    assert said("main.py") == from_above
    assert any("TPL103" in line for line in from_above), "nothing depends on the imported file"


def test_names_of_any_bytes(config: Config) -> None:
    findings = tuple(replace(finding, path="/x/\udcff.py") for finding in FINDINGS)
    answers(config).put("/x/\udcff.py", "1", findings, Reads())
    assert answers(config).get("/x/\udcff.py", "1") == findings


@pytest.mark.parametrize(
    "other",
    [
        {"rules": frozenset({"TPL101"})},
        {"per_file_ignores": (("a", ("TPL101",)),)},
        {"confidence": Confidence.PROVEN},
        {"target_torch": "2.0"},
        {"target_gpu": "hopper"},
        {"assume_compiled": True},
        {"hot_functions": ("a.b",)},
        {"sync_allowed": ("a.b",)},
        {"alignment_min_dim": Alignment(1, 1)},
        {"root": Path("/elsewhere")},
    ],
    ids=lambda other: next(iter(other)),
)
def test_settings_that_change_findings_change_the_question(config: Config, other: dict[str, object]) -> None:
    answers(config).put("a.py", "1", FINDINGS, Reads())
    assert answers(replace(config, **other)).get("a.py", "1") is None


def test_settings_that_say_how_to_run_do_not(config: Config) -> None:
    answers(config).put("a.py", "1", FINDINGS, Reads())
    running = replace(config, jobs=7, fail_level=Severity.INFO, format=(("json", None),), exclude=(), fix=True)
    assert answers(running).get("a.py", "1") == FINDINGS


def test_every_setting_is_one_or_the_other() -> None:
    """A new setting is part of the question until someone says that it is not."""
    assert set(Config.__dataclass_fields__) >= cache._RUNNING


def test_the_question_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from torchperf_lint.run.cache import Cache; from torchperf_lint.config.config import Config\n"
        f"c = Config(root=Path({str(tmp_path)!r}), per_file_ignores=(('a', ('TPL001', 'TPL002', 'TPL003', 'TPL004')),))\n"
        'print(Cache(c, "", str).folder.name)'
    )
    names = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**fake_lint.ENVIRONMENT, "PYTHONHASHSEED": seed},
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
    first = answers(config).folder
    assert answers(config).folder == first
    (copy / "new_rule.py").write_text("# a rule", encoding="utf-8")
    assert answers(config).folder != first


@pytest.mark.parametrize("damage", [b"", b"\xff\x00", b"[]", b"{}", b"[" * 100_000, b"\n", b"\n{}"])
def test_a_damaged_entry_is_none(config: Config, damage: bytes) -> None:
    answers(config).put("a.py", "1", FINDINGS, Reads())
    (entry,) = entries(config)
    entry.write_bytes(damage)
    assert answers(config).get("a.py", "1") is None
    answers(config).put("a.py", "1", FINDINGS, Reads())
    assert answers(config).get("a.py", "1") == FINDINGS


def test_an_entry_with_one_byte_changed_or_cut_is_none(config: Config) -> None:
    store = answers(config)
    store.put("a.py", "1", FINDINGS, Reads())
    (entry,) = entries(config)
    data = entry.read_bytes()
    for at in range(0, len(data), 7):
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]):
            entry.write_bytes(damaged)
            assert store.get("a.py", "1") is None


WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    "",
    "x",
    "\0",
    "\udcff",
    [],
    [1],
    {},
    {"a": 1},
    [[]],
    {"line": 1},
)


def leaves(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all that a plain value holds."""
    yield way
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from leaves(each, (*way, key))


def test_an_entry_that_is_forged_is_none_or_a_finding_as_any_other(config: Config) -> None:
    """The seal is no secret: each field is checked for itself, and what passes can be reported in every format."""
    (config.root / "a.py").write_text(TEXT, encoding="utf-8")
    other = config.root / "b.py"
    other.write_text("", encoding="utf-8")
    path = str(config.root / "a.py")
    answers(config).put(path, "1", FINDINGS, Reads("", {"c"}, {"b": (str(other), digest([b""]))}))
    (entry,) = entries(config)
    plain = opened(entry.read_bytes())
    later = answers(config)
    passed = 0
    for way in list(leaves(plain)):
        for wrong in WRONG:
            forged = [json.loads(json.dumps(plain))]
            at = forged
            for key in (0, *way)[:-1]:
                at = at[key]
            at[(0, *way)[-1]] = wrong
            entry.write_bytes(sealed(forged[0]))
            found = later.get(path, "1")
            if found is not None and found != FINDINGS:
                passed += 1
                outcome = Outcome(config.root, sorted(found, key=lambda each: each.order), [], 1, 0.0)
                for name in FORMATS:
                    render(name, outcome, View(Sources(config.root), config.root, color=False))
    assert passed > 100, "it is not all refused: a text may say anything"


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(config: Config) -> None:
    folder(config).write_text("in the way", encoding="ascii")
    store = answers(config)
    store.put("a.py", "1", FINDINGS, Reads())
    store.put("b.py", "1", FINDINGS, Reads())
    assert store.get("a.py", "1") is None
    assert folder(config).read_text(encoding="ascii") == "in the way"


def test_a_link_in_the_place_of_the_cache_is_not_followed(config: Config, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder(config).symlink_to(elsewhere)
    answers(config).put("a.py", "1", FINDINGS, Reads())
    assert not list(elsewhere.iterdir())


def test_several_writers_leave_whole_entries(config: Config) -> None:
    def write(number: int) -> None:
        store = answers(config)
        for _ in range(20):
            store.put("a.py", str(number % 2), FINDINGS * (number + 1), Reads())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert len(entries(config)) == 1
    assert {answers(config).get("a.py", str(number)) is None for number in (0, 1)} == {True, False}


def test_answers_to_old_questions_go_and_nothing_else(config: Config) -> None:
    """What is ours is known by its mark: a name such as we give proves nothing."""
    old, used, mixed = (replace(config, jobs=None, hot_functions=(name,)) for name in ("old", "used", "mixed"))
    for each in (old, used, mixed):
        answers(each).put("a.py", "1", FINDINGS, Reads())
    unmarked, forged = folder(config) / ("0" * 32), folder(config) / ("1" * 32)
    for each in (unmarked, forged):
        each.mkdir()
        (each / f"{'2' * 32}.json").write_text("{}", encoding="ascii")
    (forged / "CACHEDIR.TAG").write_bytes(b"Signature: 8a477f597d28d172789f06886806bc55\n# Of another tool\n")
    theirs = answers(mixed).folder
    assert theirs is not None
    (theirs / "weights.json").write_text("mine", encoding="ascii")
    long_ago = time.time() - 30 * 24 * 3600
    for each in folder(config).iterdir():
        for path in (each, *each.iterdir()):
            os.utime(path, (long_ago, long_ago))
    assert answers(used).get("a.py", "1") == FINDINGS, "who asks uses it, though nothing is written"
    answers(config).put("a.py", "1", FINDINGS, Reads())
    left = {str(path.relative_to(folder(config))) for path in folder(config).glob("*/*.json")}
    assert f"{unmarked.name}/{'2' * 32}.json" in left
    assert f"{forged.name}/{'2' * 32}.json" in left
    assert f"{theirs.name}/weights.json" in left
    assert answers(used).get("a.py", "1") == FINDINGS
    assert not answers(old).folder.exists()  # type: ignore[union-attr]


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

    first = over(paths, LintFile(SameSettings(config)))
    assert sorted(asked) == ["a.py", "b.py"]
    assert [len(done.findings) for done in first] == [4, 4, 0]
    again = over(paths, LintFile(SameSettings(config)))
    assert sorted(asked) == ["a.py", "b.py"]
    assert [done.findings for done in again] == [done.findings for done in first]

    Path(paths[1]).write_text(TEXT + "# more\n", encoding="utf-8")
    over(paths, LintFile(SameSettings(config)))
    assert sorted(asked) == ["a.py", "b.py", "b.py"]
    over(paths, LintFile(SameSettings(replace(config, cache=False))))
    assert len(asked) == 5
