"""What a hostile repository may try on whoever lints it: each test is an attack that worked once, or could have.

The attacker writes every file of the repository, its settings, links and names among them, and knows the command that
will be run. What stands outside of it, and what the command line does not name, must be as it was afterwards.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import fake_lint
import pytest

SOURCE = """\
import torch


def step(model, loader, optimizer):
    for x in loader:
        scale = torch.ones(4096, 4096).cuda()
        loss = model(x * scale).sum()
        loss.backward()
        optimizer.step()
"""
FIXED = "device="
ALL_OF_IT = {"encoding": "utf-8"}

Said = subprocess.CompletedProcess[bytes]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The attacker's; beside it lies what is not."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "a.py").write_text(SOURCE, **ALL_OF_IT)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/victim.py").write_text(SOURCE, **ALL_OF_IT)
    return folder


def settings(folder: Path, text: str, name: str = "pyproject.toml") -> Path:
    path = folder / name
    path.write_text(text if name != "pyproject.toml" else f"[tool.torchperf-lint]\n{text}\n", **ALL_OF_IT)
    return path


def tool(folder: Path, *arguments: str, **environment: str) -> Said:
    """A run as the user of a console starts it; one that hangs fails."""
    return subprocess.run(
        [sys.executable, "-m", "torchperf_lint", *arguments],
        cwd=folder,
        env={**fake_lint.ENVIRONMENT, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )


def tree(folder: Path) -> dict[str, bytes | str]:
    """All that lies below a folder: links by where they lead, files by what is in them."""
    return {
        path.relative_to(folder).as_posix(): os.readlink(path) if path.is_symlink() else path.read_bytes()  # noqa: PTH115
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


# ---- settings of the project


@pytest.mark.parametrize(
    ("setting", "cure"),
    [
        ('output-file = ".git/hooks/pre-commit"', "--output-file FILE"),
        ('output-file = "a.py"', "--output-file FILE"),
        ('cache-dir = "data"', "--cache-dir FOLDER"),
        ('write-baseline = "a.py"', "--write-baseline FILE"),
        ('format = "concise=a.py"', "--format concise=FILE"),
        ('format = ["text", "sarif=.venv/lib/z.pth"]', "--format sarif=FILE"),
        ("output-file = 3", "--output-file FILE"),
    ],
)
@pytest.mark.parametrize("name", ["pyproject.toml", "torchperf-lint.toml", "named.toml"])
def test_settings_name_nothing_that_is_written(repository: Path, setting: str, cure: str, name: str) -> None:
    settings(repository, f'format = "concise"\n{setting}' if "format" not in setting else setting, name)
    (repository / ".git/hooks").mkdir(parents=True)
    (repository / "touch PWNED;#.py").write_text(SOURCE, **ALL_OF_IT)
    before = tree(repository.parent)
    said = tool(repository, *(("--config", name) if name == "named.toml" else ()))
    assert (said.returncode, said.stdout) == (2, b"")
    assert cure.encode() in said.stderr
    assert tree(repository.parent) == before


def test_a_report_in_the_place_of_a_start_up_file(repository: Path) -> None:
    """The reproduction: lines of a report begin with names of files, and Python runs such lines of a `.pth`."""
    site = repository / ".venv/lib/python3/site-packages"
    site.mkdir(parents=True)
    (repository / "import os;os.system('touch PWNED')#.py").write_text(SOURCE, **ALL_OF_IT)
    settings(repository, 'format = "concise"\noutput-file = ".venv/lib/python3/site-packages/z.pth"')
    assert tool(repository).returncode == 2
    assert not list(site.iterdir())


# ---- the cache


def test_a_cache_folder_of_somebody_else_keeps_what_it_has(repository: Path) -> None:
    """The reproduction: `data/` held folders that are named like ours, and a lint removed the old ones."""
    theirs = repository / "data" / ("0" * 32)
    theirs.mkdir(parents=True)
    (theirs / "weights.json").write_text("{}", **ALL_OF_IT)
    long_ago = time.time() - 30 * 24 * 3600
    os.utime(theirs, (long_ago, long_ago))
    before = tree(repository)
    assert tool(repository, "--cache-dir", "data").returncode == 1
    after = tree(repository)
    assert {name: after[name] for name in before} == before
    assert not (repository / "data/.gitignore").exists()


def test_a_project_brings_no_cache(repository: Path) -> None:
    before = tree(repository)
    said = tool(repository, "--format", "concise")
    assert said.returncode == 1
    assert tree(repository) == before, "what is kept lies in the user's own folder"
