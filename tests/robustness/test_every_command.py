"""Every command with every option, in a hostile project: nothing of it runs, nothing is written but what was asked for.

A command or an option that stands in no line here fails `test_each_command_and_option_stands_in_a_line`, so that a new one
is tried, too. What a program of the user's own does, under `trace` and `--verify -- COMMAND`, is the user's: it lies elsewhere.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import click
import fake_lint
import pytest
from light_torch import PROFILED
from test_attacks import SOURCE, tree
from traces import HERE

import torchperf_lint
from torchperf_lint.cli.commands import tool
from torchperf_lint.config import settings_file

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="pipes, devices and limits as Linux has them"),
]

TRAP = "open({!r}, 'w').close()\n"
NOT_TRAPPED = {"torchperf_lint", "__main__", "__init__"}
"""The first is taken from the working folder by `python -m`, as SECURITY.md says; the others are no names of modules."""
PROGRAMS = (
    "git",
    "python",
    "python3",
    "cc",
    "gcc",
    "c++",
    "g++",
    "ninja",
    "nvcc",
    "nvidia-smi",
    "ptxas",
    "ldconfig",
    "sh",
    "uname",
)
SECONDS = 240
"""Of processor time; a run that waits for something gets as long by the clock, three times."""
MEMORY = 24 << 30
"""Of addresses: torch alone takes some."""
OUTPUT = 3_000_000
"""Bytes that a run may say: the project is small."""

PLAIN = """\
import torch

torch.manual_seed(0)
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for i in range(60):
    loss = model(torch.ones(4, 8)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    loss.item()
"""
OWN = f"{PROFILED}; {PLAIN}"
INTERFACE = """\
import sys
from pathlib import Path
from torchperf_lint import lint_paths, lint_text
from torchperf_lint.flake8 import Plugin
assert lint_paths(".") and lint_text(Path("a.py").read_text(), "a.py")
assert list(Plugin(None, "a.py", Path("a.py").read_text().splitlines(True)).run())
"""
HOSTILE_GIT = """
[core]
\tfsmonitor = {0}
\thooksPath = {1}
\tsshCommand = {0}
\teditor = {0}
\tpager = {0}
[alias]
\tarchive = !{0}
\tcat-file = !{0}
[filter "x"]
\tsmudge = {0}
\tclean = {0}
[diff]
\texternal = {0}
"""


@dataclass(frozen=True)
class Line:
    """A command line, and what it may do."""

    words: str
    """Separated by blanks; `{own}` is a program of the user's, `{plain}` the same with all of torch, `{scan}` a scan that was
    made, `{trace}` a trace."""
    writes: tuple[str, ...] = ()
    """What it writes, by names in the project; a folder with all that is in it."""
    fixes: bool = False
    """Whether it may change programs of the project."""
    said: bytes = b""
    """The standard input."""
    ends: tuple[int, ...] = (0, 1)
    until: bytes | None = None
    """What it says when it is to be interrupted."""
    lacks: tuple[str, ...] = ()
    """What the project does not have for it."""

    @property
    def command(self) -> str:
        first = self.words.split()[:1]
        return first[0] if first and first[0] in tool.list_commands(click.Context(tool)) else "check"


def _message(method: str, number: int | None = None, **params: Any) -> bytes:
    about = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number is not None else {})
    body = json.dumps(about).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


EDITOR = b"".join(
    (
        _message("initialize", 1, processId=None, rootUri="file:///FOLDER", capabilities={}),
        _message("initialized"),
        _message(
            "textDocument/didOpen",
            textDocument={"uri": "file:///FOLDER/a.py", "languageId": "python", "version": 1, "text": SOURCE},
        ),
        _message(
            "textDocument/hover", 2, textDocument={"uri": "file:///FOLDER/a.py"}, position={"line": 5, "character": 20}
        ),
        _message("shutdown", 3),
        _message("exit"),
    )
)
"""An editor that opens a file of the project and ends; FOLDER is the project."""

MEASURED = "{python} {own}"
CHECK = [
    Line(""),
    Line("check . --no-cache --quiet --jobs 2 --sort impact --color never --fail-level info --confidence likely"),
    Line("--select ALL --extend-select TPL1 --ignore TPL101 --format json --max-per-rule 2 --show-hints"),
    Line("--fix --unsafe-fixes", fixes=True, ends=(0, 1, 2)),
    Line("--add-ignores=why", fixes=True, ends=(0, 1, 2)),
    Line("--diff --unsafe-fixes"),
    Line("--format sarif=r.sarif --format github", writes=("r.sarif",)),
    Line("--output-file r.txt --exit-zero", writes=("r.txt",)),
    Line("--write-baseline w.json", writes=("w.json",)),
    Line("--baseline base.json --statistics"),
    Line("--config named.toml --exclude x --extend-exclude y --no-gitignore --force-exclude"),
    Line("--isolated --show-files"),
    Line("--show-settings"),
    Line("--profile"),
    Line("--debug"),
    Line("--stdin-filename a.py -", said=SOURCE.encode()),
    Line("--cache-dir kept", writes=("kept",)),
    Line("--target-torch 2.0 --target-gpu hopper --assume-compiled --format markdown"),
    Line("--trace {trace} --html page.html --min-gain 1%", writes=("page.html",)),
    Line("--verify --verify-device cpu --verify-timeout 60 --shape batch=2 --host-work 1 a.py"),
    Line("--verify --steps 4 --precision 50% --time 5s --deterministic a.py -- {python} {own}", ends=(0, 1, 2)),
    Line(
        f"--verify --against HEAD --fail-slower 50% --steps 4 --precision 50% --time 5s -- {MEASURED}",
        lacks=(".gitignore",),  # git waits for a pipe of this name until its two minutes are over: `test_git.py`
    ),
    Line("--watch", until=b"Watching", ends=(130,)),
]
OTHERS = [
    Line("reveal a.py:6 --format json"),
    Line("reveal a.py --color always --config named.toml --isolated"),
    Line("rule TPL201 --format markdown"),
    Line("rules --format json"),
    Line("server --isolated --config named.toml", said=EDITOR),
    Line(
        "trace --quiet --color never --steps 5:9 --gpu-price 2 --format json -- {python} {plain}",
        writes=("run.tpltrace",),
        ends=(0,),
    ),
    Line(
        "trace --stop --rank 0 --step {own}:10 --out t.tpltrace --html t.html -- " + MEASURED,
        writes=("t.tpltrace", "t.html"),
        ends=(0, -15, 143),
    ),
    Line(
        "verify TPL402 --shape width=64 --shape depth=2 --verify-device cpu --verify-timeout 8 --host-work 0 --record "
        "--format json",
        writes=("rules_docs",),
    ),
    Line("verify --all --shape nothing=1 --quiet", ends=(2,)),
    Line(
        "fleet scan list.txt --out scanned --jobs 2 --timeout 100 --memory 2000 --config named.toml --quiet",
        writes=("scanned",),
    ),
    Line(
        "fleet scan list.txt --out scanned --engine ray --ray-address local --resume --isolated",
        writes=("scanned",),
        ends=(0, 2),
    ),
    Line("fleet report {scan} --before {scan} --html fleet.html", writes=("fleet.html",)),
]
LINES = [*CHECK, *OTHERS]


def _commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands that do something, with those below a group."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            below = command.get_command(click.Context(command), name)
            assert below is not None
            yield from _commands(below, (*path, name))
    else:
        yield path, command


def _stands(option: click.Option, lines: Sequence[Line]) -> bool:
    words = {word.partition("=")[0] for line in lines for word in line.words.split(" -- ")[0].split()}
    return bool(words & {*option.opts, *option.secondary_opts})


def test_each_command_and_option_stands_in_a_line() -> None:
    missing = []
    for path, command in _commands(tool):
        lines = [
            line for line in LINES
            if line.command == path[0] and (len(path) == 1 or line.words.split()[: len(path)] == list(path))
        ]  # fmt: skip
        missing += [" ".join(path)] * (not lines)
        options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
        missing += [f"{' '.join(path)} {each.opts[0]}" for each in options if not _stands(each, lines)]
    assert not missing, "a hostile project is to be tried with these, too: give them a line"


def test_nothing_else_is_installed() -> None:
    """What the package puts into a Python besides its command is tried by `test_the_interfaces`."""
    about = settings_file.parse(Path(torchperf_lint.__file__).parents[1] / "pyproject.toml")
    assert list(about["project"]["scripts"]) == ["torchperf-lint"]
    assert about["project"]["entry-points"] == {"flake8.extension": {"TPL": "torchperf_lint.flake8:Plugin"}}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, beside it what belongs to somebody else and to the user."""
    home = tmp_path_factory.mktemp("home")
    project, trap = home / "project", TRAP.format(str(home / "PWNED"))
    for folder in (project, home / "other", home / "own", project / "rules_docs", project / ".torchperf_lint_cache"):
        folder.mkdir()
    for path in ("project/a.py", "project/sub.py", "other/victim.py", "own/small.py"):
        (home / path).write_text(SOURCE, encoding="utf-8")
    (home / "own/train.py").write_text(OWN, encoding="utf-8")
    (home / "own/plain.py").write_text(PLAIN, encoding="utf-8")
    (home / "own/interface.py").write_text(INTERFACE, encoding="utf-8")
    installed = {name for name in packages_distributions() if name.isidentifier()}
    for name in {
        *sys.stdlib_module_names,
        *installed,
        "usercustomize",
        "sitecustomize",
        "conftest",
        "setup",
    } - NOT_TRAPPED:
        (project / f"{name}.py").write_text(trap, encoding="utf-8")
    _repository(project, str(home / "PWNED"))
    _odd_things(project, home / "other", trap)  # git would wait for a pipe in the place of `.gitignore`
    (home / "own/scan.txt").write_text(str(home / "own"), encoding="utf-8")
    said = _run(home / "own", ["fleet", "scan", "scan.txt", "--out", "scan"])
    assert said.returncode == 0, said.stderr
    return home


def _odd_things(project: Path, other: Path, trap: str) -> None:
    """Names, links, pipes and settings of which something is wrong."""
    text = SOURCE.replace("scale", "scale\x1b[31m", 0) + "# \x1b[31m\u202e ::error::x\n"
    (project / "esc\x1b[31m\n::error::x.py").write_text(text, encoding="utf-8")
    (project / "bad\n0 findings\n::error::x.py").write_bytes(b"import torch\n\xff")
    (project / "deep.py").write_text(f"import torch\nx = {'(' * 3000}", encoding="utf-8")
    (project / "startup.pth").write_text(f"import os; {trap}", encoding="utf-8")
    (project / "victim_link.py").symlink_to(other / "victim.py")
    (project / "folder_link").symlink_to(other)
    (project / "zero.py").symlink_to("/dev/zero")
    for pipe in ("pipe.py", "pipe.ipynb", ".gitignore", "requirements.txt", "setup.cfg"):
        os.mkfifo(project / pipe)
    slow = "a*" * 30 + "b"
    (project / "pyproject.toml").write_text(
        f'[tool.torchperf-lint]\nextend-exclude = ["{slow}"]\nper-file-ignores = {{"{slow}" = ["ALL"]}}\n',
        encoding="utf-8",
    )
    (project / "named.toml").write_text(f'extend-exclude = ["{slow}"]\n', encoding="utf-8")
    (project / "base.json").write_text('{"version": 1, "findings": []}', encoding="utf-8")
    (project / "list.txt").write_text(".\n", encoding="utf-8")
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": [f"!{trap}", SOURCE]}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "n.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    for name in PROGRAMS:
        (project / name).write_text(f"#!/bin/sh\ntouch {other.parent}/PWNED\n", encoding="utf-8")
        (project / name).chmod(0o755)


def _repository(project: Path, marker: str) -> None:
    """Make it a repository whose settings, hooks and attributes name commands."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "a.py", "sub.py"], [*who, "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=project, check=True, capture_output=True)
    hooks = project / ".git/hooks"
    shutil.rmtree(hooks, ignore_errors=True)
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "trap"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {marker}\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    with (project / ".git/config").open("a", encoding="utf-8") as file:
        file.write(HOSTILE_GIT.format(hooks / "trap", hooks))
    (project / ".git/info/attributes").parent.mkdir(exist_ok=True)
    (project / ".git/info/attributes").write_text("* filter=x diff=x\n", encoding="utf-8")


@pytest.fixture
def home(drawn: Path, tmp_path: Path) -> Path:
    """Everything anew, as each line may change something."""
    found = tmp_path / "home"
    subprocess.run(["cp", "-a", drawn, found], check=True)
    for path in (found / "project").rglob("*"):
        if path.is_symlink() and str(drawn) in os.readlink(path):  # noqa: PTH115
            target = os.readlink(path).replace(str(drawn), str(found))  # noqa: PTH115
            path.unlink()
            path.symlink_to(target)
    return found


def _limited() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _run(folder: Path, words: Sequence[str], line: Line | None = None) -> subprocess.CompletedProcess[bytes]:
    """A run that ends: by itself, or when it is interrupted as its line says."""
    kept = {"XDG_CACHE_HOME": str(folder.parent / "kept"), "HOME": str(folder.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "torchperf_lint", *words],
        cwd=folder, env={**fake_lint.ENVIRONMENT, **kept}, preexec_fn=_limited,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    said = b""
    if line is not None and line.until is not None:
        assert process.stderr is not None
        while line.until not in said and (more := process.stderr.readline()):
            said += more
        process.send_signal(signal.SIGINT)
    asked = b"" if line is None else line.said.replace(b"FOLDER", os.fsencode(folder)[1:])
    try:
        out, err = process.communicate(_with_lengths(asked), timeout=3 * SECONDS)
    finally:
        process.kill()
    return subprocess.CompletedProcess(words, process.returncode, out, said + err)


def _with_lengths(said: bytes) -> bytes:
    """Messages to the language server whose bodies have changed."""
    if not said.startswith(b"Content-Length"):
        return said
    bodies = [part.partition(b"\r\n\r\n")[2] for part in said.split(b"Content-Length")[1:]]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


def _words(line: Line, home: Path) -> list[str]:
    places = {
        "own": home / "own/train.py", "plain": home / "own/plain.py", "scan": home / "own/scan",
        "trace": HERE / "waits.tpltrace", "python": sys.executable,
    }  # fmt: skip
    return [word.format(**places) for word in line.words.split()]


def _unasked(before: dict[str, Any], after: dict[str, Any], line: Line) -> list[str]:
    """What has changed in the project though nobody asked for that."""
    changed = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    may = [name for name in changed if any(f"{name}/".startswith(f"{each}/") for each in line.writes)]
    if line.fixes:
        may += [name for name in changed if name in before and name in after and name.endswith((".py", ".ipynb"))]
    return sorted(set(changed) - set(may))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.words)
def test_a_hostile_project(line: Line, home: Path) -> None:
    project = home / "project"
    for name in line.lacks:
        (project / name).unlink()
    before, around = tree(project), {name: tree(home / name) for name in ("other", "own")}
    said = _run(project, _words(line, home), line)
    assert said.returncode in line.ends, said.stderr[-2000:]
    assert not (home / "PWNED").exists(), "something of the project has run"
    assert {name: tree(home / name) for name in around} == around
    assert _unasked(before, tree(project), line) == []
    assert {path.name for path in home.iterdir()} <= {"project", "other", "own", "kept"}
    told = said.stdout + said.stderr
    assert len(told) < OUTPUT
    assert b"Traceback" not in told
    assert b"please report" not in told
    # what goes into a pipe for another program keeps its bytes: a patch, names of files, messages of the server
    raw = {"--diff", "--show-files", "--color always", "server"}
    if not any(each in line.words for each in raw):
        assert b"\x1b[31m" not in told, "an escape of a name, or of the source"
        lines = told.splitlines()
        assert not [each for each in lines if each.startswith((b"::error::", b"0 findings"))]


MEASURED_HERE, UNMEASURED = "TPL402 --shape width=64 --shape depth=2", "TPL101"
"""The second needs a GPU, and is recorded as not measured in the same file."""
WRITING = [line for line in LINES if line.writes and "--ray-address" not in line.words]


@pytest.mark.parametrize("line", WRITING, ids=lambda line: line.words)
def test_a_link_in_the_place_of_what_is_written(line: Line, home: Path) -> None:
    """Whoever knows the command that will be run may leave a link where its result goes: nothing arrives behind it."""
    for name in line.writes:
        path = home / "project" / name
        if path.is_dir():
            path.rmdir()
        path.symlink_to(home / "other" / ("" if "." not in name else "new.py"))
    before = tree(home / "other")
    said = _run(
        home / "project", _words(replace(line, words=line.words.replace(MEASURED_HERE, UNMEASURED)), home), line
    )
    assert tree(home / "other") == before
    assert not (home / "PWNED").exists()
    assert b"Traceback" not in said.stderr


def test_the_interfaces(home: Path) -> None:
    """What is called from Python: `lint_paths`, `lint_text`, and the plugin of flake8."""
    project = home / "project"
    before = tree(project)
    said = subprocess.run(
        [sys.executable, home / "own/interface.py"], cwd=project, env={**fake_lint.ENVIRONMENT, "HOME": str(home)},
        preexec_fn=_limited, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=3 * SECONDS,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert tree(project) == before
    assert not (home / "PWNED").exists()
