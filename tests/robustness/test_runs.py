"""Whole runs, as users start them: interrupted, killed, without room on the disk, twice at once, in a hostile folder."""

from __future__ import annotations

import ast
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import copied
import fake_lint
import pytest

pytestmark = pytest.mark.slow

SOURCE = """\
import torch


def step_{0}(model, loader, optimizer):
    for x in loader:
        scale = torch.ones({0} + 1).cuda()
        loss = model(x * scale).sum()
        loss.backward()
        optimizer.step()
        for weight in model.parameters():
            if weight.grad.sum() > {0}:
                print("big")
"""
PADDING = "# " + "-" * 40_000 + "\n"
"""So that a few files are worth several processes."""
FIXED = "device="
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="signals and limits as Linux has them")

Said = subprocess.CompletedProcess[bytes]


def project(folder: Path, files: int = 12, lines: int = 1) -> list[Path]:
    """A folder of files, each of which has something to find and to fix."""
    paths = [folder / f"{'abc'[number % 3]}{number}.py" for number in range(files)]
    for number, path in enumerate(paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SOURCE.format(number) * lines + PADDING, encoding="utf-8")
    return paths


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "torchperf_lint", "--isolated", *arguments]


def tool(folder: Path, *arguments: str, limit: int | None = None, **environment: str) -> Said:
    """Runs the tool in a folder, with at most so many bytes in any file that it writes."""
    if limit is None and not environment and hasattr(os, "fork"):
        return copied.run(folder, ("--isolated", *arguments))

    def before() -> None:
        if limit is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    more = {"preexec_fn": before} if limit is not None else {}
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env={**fake_lint.ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        check=False,
        timeout=120,
        **more,  # type: ignore[call-overload]
    )


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# ---- the same answer, whatever the circumstances


def test_output_does_not_depend_on_circumstances(tmp_path: Path) -> None:
    paths = [path.name for path in project(tmp_path, files=9)]
    shuffled = random.Random(0).sample(paths, len(paths))
    cached = ("--cache-dir", str(tmp_path / "cache"))
    expected = tool(tmp_path, "--no-cache", "--jobs", "1", "--format", "jsonl").stdout
    assert expected.count(b"\n") >= 9
    for number, arguments in enumerate(
        [
            ("--no-cache", "--jobs", "3", *shuffled),
            (*cached, "--jobs", "2"),
            cached,
            (*cached, *shuffled, "."),
        ]
    ):
        said = tool(tmp_path, *arguments, "--format", "jsonl", PYTHONHASHSEED=str(number))
        assert (said.returncode, said.stdout) == (1, expected), arguments
    for form in ("text", "concise", "sarif", "github", "gitlab", "markdown"):
        fresh, kept = (tool(tmp_path, *each, "--format", form).stdout for each in (("--no-cache",), cached))
        assert fresh == kept


def test_fixes_do_not_depend_on_circumstances(tmp_path: Path) -> None:
    made = []
    for number, jobs in enumerate("123"):
        folder = tmp_path / str(number)
        paths = project(folder)
        tool(folder, "--fix", "--jobs", jobs, "--no-cache", PYTHONHASHSEED=str(number))
        made.append([path.read_bytes() for path in paths])
    assert made.count(made[0]) == len(made)
    assert FIXED.encode() in made[0][0]


# ---- interrupted, killed, twice at once


@LINUX
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_leaves_whole_files_and_no_process(tmp_path: Path, jobs: str) -> None:
    paths = project(tmp_path, files=30, lines=10)
    old = {path: path.read_bytes() for path in paths}
    process = subprocess.Popen(
        command("--fix", "--no-cache", "--jobs", jobs),
        cwd=tmp_path,
        env=fake_lint.ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while process.poll() is None and not any(path.read_bytes() != old[path] for path in paths):
        time.sleep(0.01)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode in (130, 1), "1: it was done before it could be interrupted"
    assert time.monotonic() - start < 5
    assert b"Traceback" not in errors
    assert names(tmp_path) == {path.name for path in paths}, "a half-written file is left"
    for path in paths:
        text = path.read_text(encoding="utf-8")
        ast.parse(text)
        assert path.read_bytes() == old[path] or text.count(FIXED) == 10, "half mended"
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@LINUX
def test_a_worker_that_is_killed_costs_nothing_the_first_time(tmp_path: Path) -> None:
    paths = project(tmp_path, files=20, lines=5)
    expected = tool(tmp_path, "--no-cache", "--jobs", "1", "--format", "concise").stdout
    process = subprocess.Popen(
        command("--no-cache", "--jobs", "2", "--format", "concise"),
        cwd=tmp_path,
        env=fake_lint.ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    killed = False
    while process.poll() is None and not killed:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
        if len(children) == 2:
            os.kill(int(children[0]), signal.SIGKILL)
            killed = True
        time.sleep(0.005)
    output, errors = process.communicate(timeout=60)
    assert killed
    assert (process.returncode, output) == (1, expected), errors
    assert len(paths) == 20


def test_two_runs_at_once(tmp_path: Path) -> None:
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    expected = [path.name for path in project(alone)]
    paths = project(shared)
    tool(alone, "--fix", "--no-cache")
    both = [
        subprocess.Popen(
            command("--fix", "--jobs", "2"), cwd=shared, env=fake_lint.ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]  # fmt: skip
    said = [process.communicate(timeout=60) for process in both]
    assert {process.returncode for process in both} <= {1, 2}
    assert b"Traceback" not in b"".join(errors for _, errors in said)
    assert [path.read_bytes() for path in paths] == [(alone / name).read_bytes() for name in expected]
    assert names(shared) == set(expected)


# ---- no room, no rights


@LINUX
def test_a_full_disk_leaves_the_original_whole(tmp_path: Path) -> None:
    paths = project(tmp_path, files=4)
    old = [path.read_bytes() for path in paths]
    said = tool(tmp_path, "--fix", "--jobs", "1", "--format", "concise", limit=20_000)
    assert said.returncode == 2
    assert said.stderr.count(b"File too large") == 4
    assert b"Traceback" not in said.stderr
    assert [path.read_bytes() for path in paths] == old
    assert names(tmp_path) == {path.name for path in paths}


@LINUX
def test_no_room_for_the_report(tmp_path: Path) -> None:
    project(tmp_path, files=1)
    said = tool(tmp_path, "--no-cache", "--output-file", "/dev/full")
    assert said.returncode == 2
    assert b"No space left on device" in said.stderr
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        process = subprocess.run(
            command("--no-cache"), cwd=tmp_path, env=fake_lint.ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, check=False
        )  # fmt: skip
    assert (process.returncode, process.stderr.splitlines()[-1]) == (2, b"error: No space left on device")


@LINUX
@pytest.mark.usefixtures("permissions_hold")
def test_a_tree_that_may_not_be_written(tmp_path: Path) -> None:
    (path,) = project(tmp_path, files=1)
    old = path.read_bytes()
    tmp_path.chmod(0o555)
    try:
        said = tool(tmp_path, "--fix", "--format", "concise")
    finally:
        tmp_path.chmod(0o755)
    assert said.returncode == 2
    assert b"Permission denied" in said.stderr
    assert path.read_bytes() == old


def test_a_working_folder_that_has_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m torchperf_lint --isolated"
    gone.mkdir()
    said = subprocess.run(["sh", "-c", script], env=fake_lint.ENVIRONMENT, capture_output=True, check=False)
    assert said.returncode == 2
    assert b"please report" not in said.stderr


# ---- nothing of the linted tree is run


HOSTILE = "from pathlib import Path\nPath({!r}).write_text('run', encoding='ascii')\nimport torch\n"
IMPORTED_BY_US = (
    "torch", "libcst", "click", "json", "ast", "re", "tomllib", "tomli", "sitecustomize", "usercustomize",
    "conftest", "setup", "__init__", "__main__", "tokenize", "numpy", "yaml", "encodings", "torchperf_lint_plugin",
)  # fmt: skip


def test_nothing_of_the_linted_tree_is_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in IMPORTED_BY_US:
        (tree / f"{name}.py").write_text(HOSTILE.format(str(marker)) + SOURCE.format(1), encoding="utf-8")
    (tree / "evil.py").write_text("# coding: torchperf_lint_plugin\nimport torch\n", encoding="ascii")
    (tree / "pyproject.toml").write_text(
        '[tool.torchperf-lint]\nselect = ["TPL2"]\n[tool.torchperf_lint]\nplugins = ["torchperf_lint_plugin"]\n',
        encoding="ascii",
    )
    said = subprocess.run(
        [sys.executable, "-m", "torchperf_lint", "--fix", "--unsafe-fixes", "--format", "concise", "."],
        cwd=tree,
        env=fake_lint.ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    assert not marker.exists()
    assert said.returncode == 1, said.stderr
    assert b"evil.py:1:1: TPL001" in said.stdout
    assert FIXED in (tree / "torch.py").read_text(encoding="utf-8")


def test_nothing_is_written_but_where_it_was_told(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    paths = project(tree, files=2)
    outside = tmp_path / "outside"
    outside.mkdir()
    (tree / "kept").symlink_to(outside)
    for cache in ("kept", "kept/deep"):
        asked = ("--format", "json", "--output-file", "report.json", "--cache-dir", cache)
        assert tool(tree, *asked).returncode == 1
    assert names(outside) == set()
    assert json.loads((tree / "report.json").read_bytes())["version"] == 1
    assert names(tree) == {path.name for path in paths} | {"report.json", "kept"}


# ---- terminals


ESCAPES = SOURCE.replace("scale =", 'x = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e"; scale =').replace(
    "cuda()", "cuda()  # \x1b[31m"
)


@LINUX
@pytest.mark.parametrize(
    "arguments",
    [("--format", form) for form in ("text", "concise", "json", "github", "junit", "markdown")] + [("--diff",)],
)
def test_escapes_of_the_source_never_reach_a_terminal(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    import pty

    (tmp_path / "a\x1b[31m.py").write_text(ESCAPES.format(3), encoding="utf-8")
    master, slave = pty.openpty()
    asked = command("--no-cache", "--quiet", "--color", "never", *arguments)
    process = subprocess.Popen(asked, cwd=tmp_path, env=fake_lint.ENVIRONMENT, stdout=slave, stderr=slave)
    os.close(slave)
    said = b""
    try:
        while part := os.read(master, 65536):
            said += part
    except OSError:
        pass
    finally:
        os.close(master)
    assert process.wait() == 1
    assert b"scale" in said or arguments != ("--diff",)
    assert b"\x1b" not in said
    assert b"\x07" not in said
    assert "\u202e".encode() not in said
    assert "\x9b".encode() not in said
