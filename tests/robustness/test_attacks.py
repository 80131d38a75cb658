"""What a hostile repository may try on whoever lints it: each test is an attack that worked once, or could have.

The attacker writes every file of the repository, its settings, links and names among them, and knows the command that
will be run. What stands outside of it, and what the command line does not name, must be as it was afterwards.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import copied
import fake_lint
import pytest

from torchperf_lint.files import discover, notebook
from torchperf_lint.run import parallel

pytestmark = pytest.mark.slow

SOURCE = """\
import torch


def step(model, loader, optimizer):
    for x in loader:
        scale = torch.ones(4096, 4096).cuda()
        loss = model(x * scale).sum()
        loss.backward()
        optimizer.step()


step(*parts())
"""
FIXED = "device="
ALL_OF_IT = {"encoding": "utf-8"}

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="pipes, devices and holes in files as Linux has them")

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
    if not environment and hasattr(os, "fork"):
        return copied.run(folder, arguments)
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


# ---- reads that do not end


@LINUX
@pytest.mark.parametrize("what", ["pipe", "endless", "folder"])
@pytest.mark.parametrize(
    ("place", "code"),
    [
        (".gitignore", 1),
        ("sub/.gitignore", 1),
        (".git/info/exclude", 1),
        ("imported.py", 1),
        ("pyproject.toml", 1),
        ("torchperf-lint.toml", 1),
        ("named.toml", 2),
        ("baseline.json", 2),
    ],
)
def test_nothing_waits_for_a_pipe_or_reads_a_device(repository: Path, place: str, code: int, what: str) -> None:
    (repository / ".git/info").mkdir(parents=True)
    (repository / "sub").mkdir()
    (repository / "a.py").write_text("from imported import thing\n" + SOURCE.replace("3", "thing()"), **ALL_OF_IT)
    path = repository / place
    match what:
        case "pipe":
            os.mkfifo(path)
        case "endless":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
    asked = {"named.toml": ("--config", place), "baseline.json": ("--baseline", place)}.get(place, ())
    said = tool(repository, *asked)
    assert said.returncode == code, said.stderr
    assert code == 1 or place.encode() in said.stderr


@LINUX
def test_a_baseline_that_the_project_names_is_a_regular_file_of_it(repository: Path) -> None:
    settings(repository, 'baseline = "b.json"')
    os.mkfifo(repository / "b.json")
    said = tool(repository)
    assert said.returncode == 2
    assert b"b.json: not a regular file" in said.stderr
    (repository / "b.json").unlink()
    (repository / "b.json").symlink_to(repository.parent / "other/victim.py")
    said = tool(repository)
    assert said.returncode == 2
    assert b"inside the folder of the configuration" in said.stderr


@LINUX
def test_a_file_without_end_is_said_and_the_rest_found(repository: Path) -> None:
    with (repository / "huge.py").open("wb") as file:
        file.write(b"import torch\n")
        file.truncate(10**12)  # no byte of which takes a place on the disk
    said = tool(repository, "--format", "concise")
    assert said.returncode == 2
    assert b"huge.py: larger than" in said.stderr
    assert b"a.py:6" in said.stdout


# ---- writes outside of what was given


def linked(repository: Path, name: str = "e.py") -> Path:
    """A link of the repository to a file that is not in it."""
    victim = repository.parent / "other/victim.py"
    (repository / name).symlink_to(victim)
    return victim


@pytest.mark.parametrize("paths", [(".",), (), ("e.py",), ("{}/e.py",), ("{}",), ("folder",), ("folder/victim.py",)])
@pytest.mark.parametrize("said_by", ["line", "file", "ignores"])
def test_a_link_of_the_repository_mends_nothing_outside_of_it(
    repository: Path, paths: tuple[str, ...], said_by: str
) -> None:
    victim = linked(repository)
    (repository / "folder").symlink_to(victim.parent)
    if said_by == "file":
        settings(repository, "fix = true")
    asked = {"line": ["--fix"], "file": [], "ignores": ["--add-ignores"]}[said_by]
    said = tool(repository, *asked, *(path.format(repository) for path in paths))
    assert victim.read_text(**ALL_OF_IT) == SOURCE
    assert b"not fixed: it leads to" in said.stderr
    assert FIXED in (repository / "a.py").read_text(**ALL_OF_IT) or paths not in ((), (".",)) or said_by == "ignores"


def test_what_a_link_leads_to_is_mended_where_it_was_given(repository: Path) -> None:
    victim = linked(repository)
    assert tool(repository.parent, "--fix", "repository", "other").returncode == 0
    assert FIXED in victim.read_text(**ALL_OF_IT)
    assert (repository / "e.py").is_symlink()


def test_settings_that_fix_change_their_own_project_alone(repository: Path) -> None:
    """Two paths are given, and the settings of the first say to fix: the second is another project."""
    settings(repository, "fix = true")
    tool(repository.parent, "repository", "other")
    assert FIXED in (repository / "a.py").read_text(**ALL_OF_IT)
    assert (repository.parent / "other/victim.py").read_text(**ALL_OF_IT) == SOURCE


def test_a_file_with_another_name_is_not_split_from_it(repository: Path) -> None:
    other = repository.parent / "other/linked.py"
    other.hardlink_to(repository / "a.py")
    said = tool(repository, "--fix")
    assert said.returncode == 2
    assert b"it has other names (hard links)" in said.stderr
    assert other.samefile(repository / "a.py")
    assert other.read_text(**ALL_OF_IT) == SOURCE


@pytest.mark.parametrize("asked", [("-o", "r.json"), ("--format", "json=r.json"), ("--write-baseline", "r.json")])
@pytest.mark.parametrize("link", ["r.json", "out", "loose"])
def test_a_link_in_the_place_of_a_report_is_not_followed(repository: Path, asked: tuple[str, ...], link: str) -> None:
    """Who knows the command of a build can leave a link where its report goes."""
    outside = repository.parent / "other"
    match link:
        case "r.json":
            (repository / link).symlink_to(outside / "victim.py")
        case "loose":
            (repository / "r.json").symlink_to(outside / "new.pth")
        case _:
            (repository / link).symlink_to(outside)
            asked = tuple(each.replace("r.json", "out/r.json") for each in asked)
    before = tree(outside)
    said = tool(repository, *asked)
    assert said.returncode == 2
    assert b"is a link; name its target instead" in said.stderr
    assert tree(outside) == before


@LINUX
def test_a_pipe_in_the_place_of_a_report_is_an_error(repository: Path) -> None:
    os.mkfifo(repository / "r.json")
    assert tool(repository, "-o", "r.json").returncode == 2
    assert tool(repository, "-o", "/dev/stdout").stdout.startswith(b"warning[TPL")


def test_a_baseline_takes_the_place_of_a_baseline_alone(repository: Path) -> None:
    before = tree(repository)
    said = tool(repository, "--write-baseline", "a.py")
    assert said.returncode == 2
    assert b"a.py: not written, because this file exists and is not a baseline" in said.stderr
    assert tree(repository) == before
    for text in (b"", None, b'{\n "version": 1,\n "findings": [\n<<<<<<< HEAD\n'):
        if text is not None:
            (repository / "b.json").write_bytes(text)
        assert tool(repository, "--write-baseline", "b.json").returncode == 0
        assert tool(repository, "--baseline", "b.json").returncode == 0


@pytest.mark.parametrize("reason", ["one\ntwo", "one\rtwo", "one\x0ctwo", "one\u2028two", "one\x85two"])
def test_a_reason_of_several_lines_is_no_comment(repository: Path, reason: str) -> None:
    """Found by `projects.py`: its second line became code."""
    before = tree(repository)
    said = tool(repository, f"--add-ignores={reason}")
    assert said.returncode == 2
    assert b"one line of text" in said.stderr
    assert tree(repository) == before


# ---- sizes


def test_settings_do_not_take_all_processes_there_are(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hired = []
    monkeypatch.setattr(parallel._Crew, "hire", lambda crew: bool(hired.append(crew)))
    monkeypatch.setattr(parallel, "cores", lambda: 2)
    list(parallel.together(lambda item: item.encode(), ["x"] * 1000, 1_000_000))
    assert len(hired) == 1, "nobody is hired after the first that is not to be had"
    monkeypatch.setattr(parallel._Crew, "hire", lambda crew: len(hired.append(crew) or hired) > 0)
    list(parallel.together(lambda item: item.encode(), ["x"] * 1000, 1_000_000))
    assert len(hired) == 1 + 2 * parallel.MOST_A_CORE


def test_blanks_in_a_requirement_do_not_make_it_slow(repository: Path) -> None:
    """Half a second for 8,000 blanks, and the square of that."""
    text = f'[project]\ndependencies = ["torch >={" " * 900_000}x"]\n'
    (repository / "pyproject.toml").write_text(text, **ALL_OF_IT)
    assert tool(repository).returncode == 1


def test_blanks_in_a_cell_do_not_make_it_slow() -> None:
    data = b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["x = 1\\n", "%s"]}]}' % (b" " * 1_000_000)
    start = time.process_time()
    assert b'"x = 2\\n"' in notebook.read(data).with_texts({1: "x = 2\n" + " " * 1_000_000})
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "text",
    [
        "compile " + "import " * 120_000,
        ("from a import (\n" * 600 + "a," * 5000 + ")\n") * 30,
        'def f(x):\n    """' + "\n" * 100_000 + 'Tensors"""\n    y = x.cuda()\n    return y.item()\n',
    ],
    ids=["imports on one line", "brackets in brackets", "a docstring of empty lines"],
)
def test_what_a_file_says_is_read_once(repository: Path, text: str) -> None:
    """Each took the square of its length, and so a file of 1 MB hours: the first two wherever they lie in the project."""
    (repository / "b.py").write_text(f"import torch\n{text}", **ALL_OF_IT)
    (repository / "c.py").write_text("def log(x):\n    print(x.cuda().item())\n", **ALL_OF_IT)
    assert tool(repository, "--no-cache", "--select", "ALL").returncode == 1


# ---- names


@LINUX
def test_a_module_of_our_name_in_the_working_folder(repository: Path) -> None:
    """Only the command by its name is safe from it: Python looks for `-m` in the working folder before we run."""
    script = Path(sysconfig.get_path("scripts")) / "torchperf-lint"
    if not script.is_file():
        pytest.skip("not installed with its script")
    (repository / "torchperf_lint.py").write_text(f"open({str(repository / 'PWNED')!r}, 'w')\n", **ALL_OF_IT)
    said = subprocess.run([script], cwd=repository, capture_output=True, check=False, timeout=60)
    assert said.returncode in (0, 1), said.stderr
    assert not (repository / "PWNED").exists()


@pytest.fixture
def deep(repository: Path) -> Iterator[Path]:
    """Folders in each other, further than any path is long; the one who cleans up after tests would not get there."""
    here = os.open(repository, os.O_RDONLY)
    for _ in range(2500):
        os.mkdir("a", dir_fd=here)
        below = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    yield repository
    subprocess.run(["rm", "-rf", repository / "a"], check=True)


@LINUX
def test_folders_in_each_other_as_deep_as_a_path_goes(deep: Path) -> None:
    before = os.times()
    said = tool(deep)
    after = os.times()
    assert (said.returncode, b"a.py" in said.stdout, b"name too long" in said.stderr) == (2, True, True)
    assert after.children_user - before.children_user < 10


STARTED = {
    "workers": "from torchperf_lint.cli.main import main; main(['--no-cache', '--jobs', '2'])",
    "server": """
import asyncio
from torchperf_lint.server.worker import Worker
worker = Worker(Path.cwd(), None, False)
print(asyncio.run(worker.lint(Path.cwd() / 'a.py', Path('a.py').read_bytes())))
worker.end()
""",
    "fleet": """
from torchperf_lint.fleet.apart import Limits, _started
print(_started('lint', {'folder': str(Path.cwd()), 'rules': {}, 'part': None}, Limits(60.0, 2_000_000_000)))
""",
}
"""What starts other Pythons where processes are not copied."""


@pytest.mark.parametrize("who", STARTED)
def test_a_module_of_the_working_folder_is_none_of_the_processes_that_are_started(
    repository: Path, tmp_path: Path, who: str
) -> None:
    for index in range(6):
        (repository / f"more{index}.py").write_text(SOURCE + "#\n" * 40_000, **ALL_OF_IT)
    for name in ("multiprocessing", "json", "signal", "struct", "warnings"):
        (repository / f"{name}.py").write_text("from pathlib import Path\nPath('PWNED').touch()\n", **ALL_OF_IT)
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\nfrom torchperf_lint.run import parallel\nparallel.copies = lambda: False\n"
        f"if __name__ == '__main__':\n    exec({STARTED[who]!r})\n",
        **ALL_OF_IT,
    )
    package = str(Path(parallel.__file__).parents[2])
    said = subprocess.run(
        [sys.executable, script], cwd=repository, env={**os.environ, "PYTHONPATH": package}, capture_output=True
    )
    assert b"TPL" in said.stdout, said
    assert not (repository / "PWNED").exists()


@LINUX
def test_projects_drawn_by_chance(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, Path(__file__).with_name("projects.py"), "--projects", "12", "--seconds", "600"],
        env=fake_lint.ENVIRONMENT, capture_output=True, check=False, timeout=600,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout.decode(errors="replace")


# ---- patterns


@pytest.mark.parametrize("place", [".gitignore", "exclude", "per-file-ignores"])
def test_patterns_that_would_be_tried_in_every_way(repository: Path, place: str) -> None:
    (repository / ".git").mkdir()
    (repository / ("a" * 200 + ".py")).write_text(SOURCE, **ALL_OF_IT)
    pattern = "a*" * 20 + "b"
    match place:
        case ".gitignore":
            (repository / place).write_text(f"{pattern}\n/**/{pattern}\n" * 500, **ALL_OF_IT)
        case "exclude":
            settings(repository, f'exclude = ["{pattern}", "**/{pattern}/c"]')
        case _:
            settings(repository, f'per-file-ignores = {{"{pattern}" = ["ALL"], "!**/{pattern}/c*" = ["TPL5"]}}')
    start = time.monotonic()
    assert tool(repository, "--format", "concise").stdout.count(b"TPL201") == 2
    assert time.monotonic() - start < 30


@LINUX
def test_a_patch_is_what_a_fix_does_whatever_files_are_called_and_hold(repository: Path) -> None:
    """Names that are no UTF-8, or look like lines of a patch, files with a mark of the byte order or in Latin-1, on a
    console of ASCII: one of them alone kept `git apply` from taking any of it."""
    names = [
        b"x\n--- a/evil\n+++ b/evil.py\n.py", b"\xff.py", b'q"t\t\\.py', b" lead.py", b"-dash.py", b"@@ -1 +1 @@.py", b"::error ::.py",
        "ü.py".encode(), b"crlf.py", b"mark.py", b"latin.py", b"text.py",
    ]  # fmt: skip
    source = SOURCE.encode()
    contents = {
        b"crlf.py": source.replace(b"\n", b"\r\n"),
        b"mark.py": b"\xef\xbb\xbf" + source.replace(b"\n\n\n", b"\n"),
        b"latin.py": b"# coding: latin-1\n" + source.replace(b":\n        scale", b":  # caf\xe9\n        scale"),
        b"text.py": b"'''\n--- a/a.py\n+++ b/evil.py\n@@ -0,0 +1 @@\n+boo\n'''\n" + source,
    }
    folder = os.fsencode(repository)
    for name in names:
        path = Path(os.fsdecode(folder + b"/" + name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents.get(name, source))
    before = tree(repository)
    patch = tool(repository, "--diff", "--isolated", "--no-cache", PYTHONIOENCODING="ascii", LC_ALL="C").stdout
    assert tree(repository) == before
    tool(repository, "--fix", "--isolated", "--no-cache")
    fixed = tree(repository)
    for name, content in before.items():
        assert isinstance(content, bytes)
        assert fixed[name] != content, name
        (repository / name).write_bytes(content)
    subprocess.run(["git", "apply", "-"], cwd=repository, input=patch, check=True)
    assert tree(repository) == fixed


@pytest.mark.parametrize("joint", ['", "', '",\n   "', '", "", "'])
@pytest.mark.parametrize("letter", ["{}", "\\u00{:02x}", "\\u00{:02X}"])
def test_a_notebook_that_hides_the_word(repository: Path, joint: str, letter: str) -> None:
    """Each letter of `torch` in a text of its own, or escaped: the notebook was taken for one without torch."""
    code = "import torch\nfor x in range(9):\n    y = torch.zeros(3).cuda()\n"
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": ["CODE"]}
    whole = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    word = joint.join(letter.format(each if letter == "{}" else ord(each)) for each in "torch")
    data = whole.replace("CODE", json.dumps(code)[1:-1].replace("torch", word))
    assert "torch" not in data
    (repository / "n.ipynb").write_text(data, **ALL_OF_IT)
    assert b"n.ipynb" in tool(repository, "--select", "ALL", "--format", "concise", "n.ipynb").stdout


def test_many_pieces_of_a_notebook_without_the_word() -> None:
    data = b'{"cells": ["' + b't", "' * 200_000 + b't"' + b" " * 200_000 + b"]}"
    started = time.process_time()
    assert not discover.mentions_torch(data)
    assert not discover.mentions_torch(b'{"' + b'to", "", "' * 200_000 + b'"}')
    assert time.process_time() - started < 1
