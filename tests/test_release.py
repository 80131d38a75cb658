"""What is installed: plain Python at once, compiled where that is asked for, and never the one in place of the other."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
ASK = "TORCHPERF_LINT_COMPILE"


def set_up(monkeypatch: pytest.MonkeyPatch, mypycify: Callable[..., list[str]], *commands: str) -> list[str]:
    """What `setup.py` has compiled, with another compiler."""
    setuptools = pytest.importorskip("setuptools")
    asked: dict[str, Any] = {}
    fake = ModuleType("mypyc.build")
    monkeypatch.setattr(fake, "mypycify", mypycify, raising=False)
    monkeypatch.setitem(sys.modules, "mypyc.build", fake)
    monkeypatch.setattr(setuptools, "setup", lambda **given: asked.update(given))
    monkeypatch.setattr(sys, "argv", ["setup.py", *commands])
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py")
    return list(asked["ext_modules"])


def refuse(*_: object, **__: object) -> list[str]:
    raise SystemExit(1)


@pytest.mark.parametrize("said", [None, "0", ""])
def test_a_build_from_source_compiles_nothing(monkeypatch: pytest.MonkeyPatch, said: str | None) -> None:
    monkeypatch.delenv(ASK, raising=False) if said is None else monkeypatch.setenv(ASK, said)
    assert set_up(monkeypatch, refuse, "bdist_wheel") == []


def test_a_wheel_is_compiled_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ASK, "1")
    made = set_up(monkeypatch, lambda given, **_: [each for each in given if each.endswith(".py")], "bdist_wheel")
    assert "torchperf_lint/facts/domain/value.py" in made
    assert set_up(monkeypatch, refuse, "editable_wheel") == []


def test_what_does_not_compile_makes_no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ASK, "1")
    with pytest.raises(SystemExit):
        set_up(monkeypatch, refuse, "bdist_wheel")
    assert "build_ext" not in (ROOT / "setup.py").read_text(encoding="utf-8"), "setuptools itself fails where gcc does"


def test_mypy_is_fetched_only_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    build_meta = pytest.importorskip("setuptools.build_meta")
    monkeypatch.setattr(build_meta, "get_requires_for_build_wheel", lambda _: ["wheel"])
    backend = runpy.run_path(str(ROOT / "release/backend.py"))
    monkeypatch.delenv(ASK, raising=False)
    assert backend["get_requires_for_build_wheel"]() == ["wheel"]
    monkeypatch.setenv(ASK, "1")
    assert backend["get_requires_for_build_wheel"]() == ["wheel", backend["MYPY"]]
    assert backend["build_wheel"] is build_meta.build_wheel
    assert backend["MYPY"] in (ROOT / "tests/constraints.txt").read_text(encoding="utf-8").splitlines()
    assert "mypy" not in re.search(r"requires = \[.*?\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))[0]  # type: ignore[index]


# ---- workflows

WORKFLOWS = [
    ROOT / "action.yml",
    *sorted((ROOT / ".github/workflows").glob("*.yml")),
    *sorted((ROOT / "release/mirror/.github/workflows").glob("*.yml")),
]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_workflows_use_is_pinned(path: Path) -> None:
    """A tag can be moved by whoever owns it; a hash cannot."""
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert used
    for each in used:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each), each


@pytest.mark.parametrize("path", WORKFLOWS[1:], ids=lambda path: path.name)
def test_workflows_are_allowed_little_and_run_nobodys_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^permissions:\n  contents: (read|write)$", text, re.MULTILINE)
    commands = re.findall(r"run: (?:\|\n((?:\s{10,}.*\n)+)|(.*))", text)
    assert commands
    assert not [command for command in commands if "${{" in "".join(command)], "give it as a variable of the step"


def test_nothing_is_uploaded_without_every_wheel() -> None:
    release = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    publish = release[release.index("  publish:") :]
    assert "needs: [plain, wheels]" in publish
    assert "id-token: write" in publish
    assert "password" not in release
    wheels = (
        (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.cibuildwheel]")[2].partition("\n[")[0]
    )
    assert 'TORCHPERF_LINT_COMPILE = "1"' in wheels
    assert "assert v.is_compiled()" in wheels
    supported = re.findall(r"Python :: 3\.(\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert re.findall(r'"cp3(\d+)-\*"', wheels) == supported


# ---- what a release says

notes = runpy.run_path(str(ROOT / "release/notes.py"))["notes"] if (ROOT / "release").is_dir() else None
LOG = "# Changelog\n\n## 0.2.0 - 2026-12-01\n\n### Added\n\n- This.\n\n## 0.1.0 - 2026-11-24\n\n- That.\n"


def test_the_notes_of_a_release_are_its_part_of_the_changelog() -> None:
    assert notes("v0.2.0", "0.2.0", LOG) == "### Added\n\n- This.\n"


@pytest.mark.parametrize(
    ("tag", "version", "log", "says"),
    [
        ("v0.2.1", "0.2.0", LOG, "the tag v0.2.1 is not the version"),
        ("v0.2.0", "0.2.0.dev0", LOG, "is not the version"),
        ("v0.3.0", "0.3.0", LOG, "begins with `## 0.2.0 - 2026-12-01`"),
        ("v0.2.0", "0.2.0", LOG.replace(" - 2026-12-01", ""), "YYYY-MM-DD"),
    ],
)
def test_a_release_that_does_not_agree_is_refused(tag: str, version: str, log: str, says: str) -> None:
    with pytest.raises(SystemExit, match=re.escape(says)):
        notes(tag, version, log)


# ---- the mirror for pre-commit


def test_the_mirror_has_the_same_hooks() -> None:
    name = ".pre-commit-hooks.yaml"
    assert (ROOT / "release/mirror" / name).read_bytes() == (ROOT / name).read_bytes()


def test_the_mirror_adds_a_tag_for_each_new_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mirror = runpy.run_path(str(ROOT / "release/mirror/mirror.py"))["mirror"]
    shutil.copy(ROOT / "release/mirror/pyproject.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.com")
    for command in ("init -q", "add .", "commit -q -m first", "tag v0.1.0"):
        subprocess.run(["git", *command.split()], check=True)
    assert mirror(["0.10.0", "0.1.0", "0.9.0", "1.0.0rc1"]) == ["0.9.0", "0.10.0"]
    assert mirror(["0.10.0", "0.9.0"]) == []
    for version in ("0.9.0", "0.10.0"):
        shown = subprocess.run(
            ["git", "show", f"v{version}:pyproject.toml"], check=True, capture_output=True, text=True
        )
        assert f'dependencies = ["torchperf-lint=={version}"]' in shown.stdout


# ---- the action

FAKE = """#!/usr/bin/env bash
if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; exit; fi
printf '%s\\n' "$*" >> "$RUNNER_TEMP/calls"
case "$*" in *" --against "*) echo slower > "$RUNNER_TEMP/torchperf-lint-step.md"; exit "$MEASURED";; esac
case "$*" in *" check "*) touch "$RUNNER_TEMP/torchperf-lint.sarif"; exit "$CODE";; esac
"""


def act(folder: Path, **said: str) -> tuple[int, list[str]]:
    """The exit code of what the action runs, and what it called, with a Python that only notes it."""
    python = folder / "python"
    python.write_text(FAKE, encoding="utf-8")
    python.chmod(0o755)
    given = {
        "VERSION": "",
        "REF": "",
        "ACTION": "/action",
        "PATHS": ".",
        "ARGS": "",
        "FAIL": "true",
        "CODE": "0",
        "VERIFY": "",
        "AGAINST": "origin/main",
        "SLOWER": "3%",
        "TIME": "10m",
        "MEASURED": "0",
    } | said
    places = {"PYTHON": str(python), "RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(folder / "output")}
    places["GITHUB_STEP_SUMMARY"] = str(folder / "summary")
    run = ["bash", str(ROOT / "release/action.sh")]
    done = subprocess.run(run, env=os.environ | given | places, check=False, capture_output=True)
    return done.returncode, (folder / "calls").read_text(encoding="utf-8").splitlines()


@pytest.mark.skipif(os.name == "nt", reason="the fake Python is a script of bash")
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ({"REF": "v1.2.3"}, "torchperf-lint==1.2.3"),
        ({"REF": "v1"}, "/action"),
        ({"REF": "main"}, "/action"),
        ({}, "/action"),
        ({"REF": "v1.2.3", "VERSION": "1.0.0"}, "torchperf-lint==1.0.0"),
    ],
)
def test_the_action_installs_what_it_is_pinned_to(tmp_path: Path, said: dict[str, str], wanted: str) -> None:
    _, (install, *_) = act(tmp_path, **said)
    assert install.endswith(f" {wanted}")


@pytest.mark.skipif(os.name == "nt", reason="the fake Python is a script of bash")
def test_the_action_lints_what_it_is_told_to(tmp_path: Path) -> None:
    _, calls = act(tmp_path, PATHS="src\nmy notebooks\n", ARGS="--select=TPL1\n")
    sarif = tmp_path / "torchperf-lint.sarif"
    called = f"-m torchperf_lint check --format github --format sarif={sarif} --select=TPL1 -- src my notebooks"
    assert calls[-1] == called
    assert (tmp_path / "output").read_text(encoding="utf-8") == f"sarif={sarif}\n"


@pytest.mark.skipif(os.name == "nt", reason="the fake Python is a script of bash")
@pytest.mark.parametrize(
    ("code", "fail", "result"), [("0", "true", 0), ("1", "true", 1), ("1", "false", 0), ("2", "false", 2)]
)
def test_findings_fail_the_job_unless_told_not_to(tmp_path: Path, code: str, fail: str, result: int) -> None:
    assert act(tmp_path, CODE=code, FAIL=fail)[0] == result


@pytest.mark.skipif(os.name == "nt", reason="the fake Python is a script of bash")
@pytest.mark.parametrize(
    ("code", "measured", "fail", "result"),
    [
        ("0", "0", "true", 0),
        ("0", "1", "true", 1),
        ("1", "0", "true", 1),
        ("0", "1", "false", 0),
        ("1", "2", "false", 2),
    ],
)
def test_the_action_measures_a_command(tmp_path: Path, code: str, measured: str, fail: str, result: int) -> None:
    said = {"VERIFY": "python\ntrain.py\n--name\na b\n", "CODE": code, "MEASURED": measured, "FAIL": fail}
    found, calls = act(tmp_path, **said)
    step = tmp_path / "torchperf-lint-step.md"
    assert found == result
    assert calls[-1] == (
        "-m torchperf_lint --verify --against origin/main --fail-slower 3% --time 10m --format text "
        f"--format markdown={step} -- python train.py --name a b"
    )
    assert (tmp_path / "summary").read_text(encoding="utf-8") == "slower\n"


@pytest.mark.skipif(os.name == "nt", reason="the fake Python is a script of bash")
def test_the_action_measures_nothing_unasked(tmp_path: Path) -> None:
    _, calls = act(tmp_path)
    assert not [call for call in calls if "--against" in call]
    assert not (tmp_path / "summary").exists()
