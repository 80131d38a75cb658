"""A fleet: what a list names, what is written of it, twice the same and once each, and what strangers cannot do to it."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import fake_lint
import pytest
from shell import Shell

from torchperf_lint import lint_paths
from torchperf_lint.disk.write import held
from torchperf_lint.fleet import apart as apart_module
from torchperf_lint.fleet import lint_repository, tables, temporary
from torchperf_lint.fleet import scan as scan_module
from torchperf_lint.fleet.apart import Limits, Lost, Spent, apart
from torchperf_lint.fleet.dataset import cut
from torchperf_lint.fleet.lint_repository import Rules, lint
from torchperf_lint.fleet.scan import LOCK, open_scan
from torchperf_lint.fleet.scan import scan as scan_units
from torchperf_lint.fleet.unit import Unit
from torchperf_lint.fleet.work import UnitJob, perform
from torchperf_lint.model.failure import ConfigError

pytest.importorskip("pyarrow")
import pyarrow as pa
import pyarrow.parquet as pq

PAGES = Path(__file__).parents[1] / "rules_docs"
LOOP = """\
import torch
from torch import nn


def train(model: nn.Module, loader, optimizer):
    model.cuda()
    total = 0.0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
"""
CALLER = """\
import torch
from lib.step import one_step


def train(model: torch.nn.Module, loader, optimizer):
    for x in loader:
        one_step(model.cuda(), x.cuda()).backward()
        optimizer.step()
"""
STEP = """\
import torch


def one_step(model: torch.nn.Module, x: torch.Tensor):
    out = model(x.cuda()).sum()
    print(out.item())
    return out
"""
FILES = {
    "main.py": CALLER,
    "lib/__init__.py": "",
    "lib/step.py": STEP,
    "lib/loop.py": LOOP,
    "plain.py": "x = 1\n",
    "notes.txt": "torch\n",
}
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")


def tool(*arguments: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "torchperf_lint", "fleet", *arguments]
    environment = {**fake_lint.ENVIRONMENT, **more}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=cwd)


@pytest.fixture
def scan(run: Shell, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Scans in this process, and gives what it said."""

    def scanned(*arguments: str, cwd: Path, code: int = 0) -> str:
        monkeypatch.setattr(apart_module, "copies", lambda: True)  # whatever threads the tests run beside
        monkeypatch.chdir(cwd)
        assert run("fleet", "scan", *arguments, "--jobs", "1") == code, run.err
        return run.err

    return scanned


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def table(out: Path, name: str) -> list[dict[str, Any]]:
    found = pa.concat_tables([pq.read_table(path) for path in tables.files(out, name)]).to_pylist()
    return sorted(found, key=lambda row: (row["repository"], row.get("path") or "", row.get("line") or 0))


def of(rows: list[dict[str, Any]], repository: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["repository"] == repository]


def whole(out: Path) -> dict[str, bytes]:
    """All that a scan has written but its timings."""
    found = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.endswith(("timings.parquet", ".lock"))}


def git(folder: Path, *arguments: str) -> None:
    config = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *config, *arguments], cwd=folder, check=True, capture_output=True)


def bare(folder: Path) -> Path:
    """A bare repository whose settings would run programs, if anybody read them."""
    work = put(folder / "work", FILES)
    (work / "link.py").symlink_to(folder / "secret.py")
    git(work, "init", "-q", "-b", "main")
    git(work, "add", ".")
    git(work, "commit", "-qm", "first")
    git(folder, "clone", "-q", "--bare", "work", "repo.git")
    trap = folder / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {folder}/trapped\n")
    trap.chmod(0o755)
    (folder / "repo.git/config").write_text(
        f"[core]\nrepositoryformatversion = 1\nbare = true\nfsmonitor = {trap}\nsshCommand = {trap}\npager = {trap}\n"
        f'[extensions]\npartialClone = origin\n[remote "origin"]\nurl = ext::{trap}\npromisor = true\n'
        f'[alias]\nrev-parse = !{trap}\n[filter "x"]\nsmudge = {trap}\n[protocol "ext"]\nallow = always\n'
    )
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        shutil.copy(trap, folder / "repo.git/hooks" / hook)
    return folder / "repo.git"


def dataset(path: Path, rows: list[tuple[str, str, str]], group: int = 100) -> Path:
    columns = dict(zip(("repository", "path", "content"), zip(*rows, strict=True), strict=True))
    pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), path, row_group_size=group)
    return path


def zipped(path: Path, files: dict[str, str], prefix: str = "") -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(prefix + name, text)
    return path


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one unit of each kind, the list of them, and a scan of it."""
    home = tmp_path_factory.mktemp("fleet")
    put(home / "folder", FILES)
    zipped(home / "wheel-1-py3-none-any.whl", FILES)
    with tarfile.open(home / "sdist-1.tar.gz", "w:gz") as archive:
        archive.add(home / "folder", "sdist-1")
    rows = [("org/a", name, text) for name, text in FILES.items()] + [
        ("org/b", "loop.py", LOOP),
        ("org/b", "../up.py", LOOP),
    ]
    dataset(home / "set.parquet", rows)
    put(home / "bad-settings", {"pyproject.toml": "[tool.torchperf-lint]\nselect = 3\n", "a.py": LOOP})
    put(home / "broken", {"a.py": "import torch\ndef f(:\n", "b.py": LOOP})
    lines = ["# a list", "", "folder", "wheel-1-py3-none-any.whl", "sdist-1.tar.gz", "set.parquet", "nowhere"]
    lines += ["bad-settings", "broken", "folder", "x" * 5000, "nul\0"]
    if shutil.which("git"):
        bare(home)
        lines += ["repo.git@main", "repo.git@nope", "repo.git", "folder@main"]
    (home / "list.txt").write_text("\n".join(lines) + "\n")
    done = tool("scan", "list.txt", "--out", "out", "--jobs", "2", cwd=home)
    assert done.returncode == 0, done.stderr
    return home


def test_a_folder_an_archive_and_a_data_set_give_what_check_gives(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(fleet / "folder")
    found = [(each.path, each.span.start.line, each.code, each.fingerprint) for each in lint_paths(["."], cache=False)]
    assert {path for path, *_ in found} >= {
        "lib/loop.py",
        "lib/step.py",
    }  # the second is hot because another file says so
    rows = table(fleet / "out", "findings")
    for repository, prefix in (
        ("folder", ""),
        ("wheel-1-py3-none-any.whl", ""),
        ("sdist-1.tar.gz", "sdist-1/"),
        ("org/a", ""),
    ):
        here = [(row["path"], row["line"], row["code"], row["fingerprint"]) for row in of(rows, repository)]
        assert [each[:3] for each in here] == [(prefix + path, line, code) for path, line, code, _ in found], repository
        assert prefix or here == found
    assert len(of(rows, "folder")) == len(found)  # it stands in the list twice


@needs_git
def test_git_at_a_revision_runs_nothing_of_the_repository(fleet: Path) -> None:
    rows = table(fleet / "out", "findings")
    assert [row["line"] for row in of(rows, "repo.git")] == [row["line"] for row in of(rows, "folder")]
    assert all(re.fullmatch("[0-9a-f]{40}", row["revision"]) for row in of(rows, "repo.git"))
    assert {row["path"] for row in of(table(fleet / "out", "files"), "repo.git")} == {
        n for n in FILES if n.endswith(".py")
    }
    assert not (fleet / "trapped").exists()


def test_what_cannot_be_linted_is_a_row_and_the_rest_goes_on(fleet: Path) -> None:
    said = {(row["repository"], row["path"], row["kind"]): row["message"] for row in table(fleet / "out", "errors")}
    assert said["nowhere", None, "input"] == "nothing is there"
    assert said["x" * 5000, None, "input"] in (
        "File name too long",
        "nothing is there",
    )  # the latter from Python 3.14 on
    assert ("nul\0", None, "input") in said
    assert said["bad-settings", None, "settings"].startswith("pyproject.toml: `select` must be")
    assert said["org/b", "../up.py", "file"] == "not read: its name leads elsewhere"
    if shutil.which("git"):
        assert said["repo.git@nope", None, "input"] == "the repository has no commit `nope`"
        assert "which revision" in said["repo.git", None, "input"]
        assert "no git repository" in said["folder@main", None, "input"]
    rows = of(table(fleet / "out", "findings"), "broken")
    assert [row["code"] for row in rows if row["path"] == "a.py"] == ["TPL001"]
    assert [row["code"] for row in rows if row["path"] == "b.py"] == ["TPL101"]


def test_files_say_what_findings_are_counted_against(fleet: Path) -> None:
    rows = {row["path"]: row for row in of(table(fleet / "out", "files"), "folder")}
    assert rows["lib/loop.py"]["lines"] == len(LOOP.splitlines())
    assert rows["lib/loop.py"]["bytes"] == len(LOOP)
    assert rows["lib/loop.py"]["findings"] == 1
    assert (rows["plain.py"]["torch"], rows["main.py"]["torch"]) == (False, True)
    assert "notes.txt" not in rows
    assert len({row["content"] for row in rows.values()}) == len(rows)


def test_the_same_bytes_again_and_what_is_missing_is_done(
    fleet: Path, tmp_path: Path, scan: Callable[..., str]
) -> None:
    out, again = fleet / "out", tmp_path / "again"
    shutil.copytree(out, again)
    units = sorted(each.name for each in (again / "units").iterdir() if each.name != tables.EMPTY)
    for name in units[::2]:
        shutil.rmtree(again / "units" / name)
    (again / "drafts" / "half.1").mkdir()
    (again / "drafts" / "half.1" / "findings.parquet").write_bytes(b"PAR1")
    assert "--resume goes on" in scan("list.txt", "--out", str(again), cwd=fleet, code=2)
    assert "differs in `rules`" in scan("list.txt", "--out", str(again), "--resume", "--isolated", cwd=fleet, code=2)
    said = scan("list.txt", "--out", str(again), "--resume", cwd=fleet)
    assert f"{len(units[1::2])} units already there" in said
    assert whole(again) == whole(out)


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path, run: Shell) -> None:
    put(tmp_path, {"out/mine.txt": "", "list.txt": ""})
    assert run("fleet", "scan", str(tmp_path / "list.txt"), "--out", str(tmp_path / "out")) == 2
    assert "not empty" in run.err
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_every_table_is_there_with_its_columns_and_version(fleet: Path) -> None:
    for name, columns in tables.COLUMNS.items():
        empty = pq.read_table(fleet / "out" / "units" / tables.EMPTY / f"{name}.parquet")
        assert empty.num_rows == 0
        assert empty.schema.names == list(columns)
        for path in tables.files(fleet / "out", name):
            found = pq.read_schema(path)
            assert found.equals(tables.schema(name))
            assert found.metadata[b"version"] == str(tables.VERSION).encode()


@pytest.mark.skipif(not PAGES.is_dir(), reason="no checkout")
def test_the_page_describes_every_column() -> None:
    page = (PAGES / "fleet.md").read_text(encoding="utf-8")
    for name, columns in tables.COLUMNS.items():
        section = page.partition(f"### `{name}`")[2].partition("\n#")[0]
        assert re.findall(r"^\| `(\w+)` \| (\w+)", section, re.MULTILINE) == list(columns.items()), name


@pytest.mark.skipif(not PAGES.is_dir(), reason="no checkout")
def test_the_query_of_the_page_gives_the_commonest_findings(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    query = (
        (PAGES / "fleet.md")
        .read_text(encoding="utf-8")
        .partition("<!-- the query -->\n```sql\n")[2]
        .partition("```")[0]
    )
    monkeypatch.chdir(fleet)
    connection = duckdb.connect()
    found = connection.sql(query.replace("'findings/", "'out/")).fetchall()
    rows = table(fleet / "out", "findings")
    assert [(row[0], row[2]) for row in found] == Counter(row["code"] for row in rows).most_common(10)
    assert found[0][3] == len({row["repository"] for row in rows})


def test_settings_of_a_unit_stay_in_it(tmp_path: Path) -> None:
    put(tmp_path, {"pyproject.toml": "[tool.torchperf-lint]\nselect = ['TPL9']\n", "up.py": CALLER})
    unit = put(
        tmp_path / "a/b", {"torchperf-lint.toml": "project-root = '../..'\nfix = true\njobs = 500\n", "loop.py": LOOP}
    )
    found = lint(unit, Rules(), None)
    assert not isinstance(found, int)
    assert [row["code"] for row in found["findings"]] == ["TPL101"]
    assert (unit / "loop.py").read_text() == LOOP
    configs = Rules().configs(unit)
    assert configs.run.root == unit
    isolated = lint(
        put(tmp_path / "c", {"torchperf-lint.toml": "select = []", "loop.py": LOOP}), Rules(isolated=True), None
    )
    assert not isinstance(isolated, int)
    assert isolated["findings"]


def test_slices_add_up_to_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"pkg/m{index}.py": LOOP + f"# {index}\n" for index in range(9)} | {"bad.py": "import torch\n\0"}
    folder = put(tmp_path, files)
    one = lint(folder, Rules(), None)
    assert not isinstance(one, int)
    monkeypatch.setattr(lint_repository, "LARGEST", 1000)
    count = lint(folder, Rules(), None)
    assert isinstance(count, int)
    assert count > 2
    parts = [lint(folder, Rules(), (index, count)) for index in range(count)]
    for name in ("findings", "files", "errors"):
        added = [row for part in parts if not isinstance(part, int) for row in part[name]]
        assert sorted(map(str, added)) == sorted(map(str, one[name]))
    assert len({unit.key for unit in Unit("a", "/a").sliced(count)} | {Unit("a", "/a").key}) == count + 1


def test_a_data_set_is_cut_between_repositories() -> None:
    names = ["a"] * 3 + ["b"] * 2 + ["c"] * 20
    cuts = list(cut(names, 4))
    assert cuts[0] == (0, 5)
    assert cuts[1:] == [(5, 21), (21, 25)]
    assert list(cut([], 4)) == []


def test_a_data_set_in_row_groups_behind_a_url_and_with_other_names(tmp_path: Path, scan: Callable[..., str]) -> None:
    pytest.importorskip("fsspec")
    rows = [(f"org/{index // 2}", f"{index % 2}.py", LOOP) for index in range(10)]
    path = dataset(tmp_path / "set.parquet", rows, group=4)
    pq.write_table(pq.read_table(path).rename_columns(["repo_name", "path", "content"]), path, row_group_size=4)
    scan(f"file://{path}", "--out", "out", cwd=tmp_path)
    found = table(tmp_path / "out", "findings")
    assert sorted((row["repository"], row["path"]) for row in found) == sorted((name, path) for name, path, _ in rows)
    put(tmp_path, {"odd.txt": "odd.parquet\nother.parquet\nnothing://here\n", "odd.parquet": "PAR1"})
    pq.write_table(pa.table({"x": [1]}), tmp_path / "other.parquet")
    scan("odd.txt", "--out", "odd", cwd=tmp_path)
    said = [row["message"][:14] for row in table(tmp_path / "odd", "errors")]
    assert said == ["Protocol not k", "not a Parquet ", "no column `rep"]


def test_names_that_no_file_can_have_cost_their_file_alone(tmp_path: Path, scan: Callable[..., str]) -> None:
    names = {
        "long": "\u5b57" * 150 + ".py",
        "deep": "a/" * 900 + "x.py",
        "far": ("\u5b57" * 60 + "/") * 30 + "x.py",
        "good": "a.py",
    }
    with tarfile.open(tmp_path / "evil.tar", "w") as tar:
        for name in names.values():
            info = tarfile.TarInfo(name)
            info.size = len(LOOP)
            tar.addfile(info, io.BytesIO(LOOP.encode()))
    put(tmp_path, {"list.txt": "evil.tar\n"})
    assert "3 errors" in scan("list.txt", "--out", "out", cwd=tmp_path)
    said = {row["path"]: row["message"] for row in table(tmp_path / "out", "errors")}
    assert said == {
        names["long"]: "not read: no file can have its name here",
        names["deep"]: "not read: it lies too deep",
        names["far"]: "not read: no file can have its name here",
    }
    assert [row["path"] for row in table(tmp_path / "out", "files")] == ["a.py"]


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_a_text_that_is_none_costs_its_own_row_alone(tmp_path: Path, scan: Callable[..., str], kind: str) -> None:
    texts = [LOOP.encode(), b"import torch\n\xff = 1\n", LOOP.encode()]
    paths = [b"a.py", b"b.py", b"\xff.py"]

    def column(values: list[bytes]) -> Any:
        made = pa.array(values, pa.binary() if kind == "string" else pa.large_binary())
        return pa.Array.from_buffers(getattr(pa, kind)(), len(values), made.buffers())

    names = pa.array(["org/a", "org/b", "org/c"])
    pq.write_table(
        pa.table({"repository": names, "path": column(paths), "content": column(texts)}), tmp_path / "d.parquet"
    )
    scan("d.parquet", "--out", "out", cwd=tmp_path)
    files = {row["repository"]: (row["path"], row["findings"]) for row in table(tmp_path / "out", "files")}
    assert files["org/a"][0] == "a.py"
    assert files["org/c"][0] == "\\udcff.py"
    assert files["org/a"][1] == files["org/c"][1] > 0


def test_archives_lead_nowhere(tmp_path: Path, scan: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside.py"
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("../outside.py", LOOP)
        archive.writestr("/outside.py", LOOP)
        archive.writestr("good.py", LOOP)
        archive.writestr("good.py/x.py", LOOP)
        link = zipfile.ZipInfo("link.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, str(outside))
    with tarfile.open(tmp_path / "evil.tar", "w") as tar:
        for name, kind in (
            ("a", tarfile.SYMTYPE),
            ("b.py", tarfile.LNKTYPE),
            ("c.py", tarfile.FIFOTYPE),
            ("d.py", tarfile.CHRTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, str(tmp_path)
            tar.addfile(info)
        for name in ("a/outside.py", "good.py", "../../outside.py"):
            info = tarfile.TarInfo(name)
            info.size = len(LOOP)
            tar.addfile(info, io.BytesIO(LOOP.encode()))
    packed = gzip.compress((tmp_path / "evil.tar").read_bytes())
    (tmp_path / "damaged.tar.gz").write_bytes(packed[: len(packed) // 2])
    zipped(tmp_path / "cut.whl", FILES)
    (tmp_path / "cut.whl").write_bytes((tmp_path / "cut.whl").read_bytes()[:-30])
    put(tmp_path, {"list.txt": "evil.zip\nevil.tar\ndamaged.tar.gz\ncut.whl\n"})
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(temporary.tempfile, "tempdir", str(scratch))
    scan("list.txt", "--out", "out", cwd=tmp_path)
    found = {(row["repository"], row["path"]) for row in table(tmp_path / "out", "files")}
    assert found == {("evil.zip", "good.py"), ("evil.tar", "good.py"), ("evil.tar", "a/outside.py")}
    said = [(row["repository"], row["path"]) for row in table(tmp_path / "out", "errors")]
    assert said == [
        ("cut.whl", None), ("damaged.tar.gz", None), ("evil.tar", "../../outside.py"), ("evil.zip", "../outside.py"),
        ("evil.zip", "/outside.py"), ("evil.zip", "good.py/x.py"),
    ]  # fmt: skip
    assert not outside.exists()
    assert list(scratch.iterdir()) == []


linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux alone")


@linux
@pytest.mark.parametrize("what", ["hangs", "eats", "full", "dies", "raises", "answers"])
def test_what_happens_apart_stays_there(
    what: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(apart_module, "copies", lambda: True)

    def work(name: str, given: dict[str, Any]) -> dict[str, Any]:
        match name:
            case "hangs":
                while True:
                    pass
            case "eats":
                return {"size": len(bytearray(given["memory"]))}
            case "full":
                full = bytearray(150_000_000)
                os.kill(os.getpid(), signal.SIGABRT if full else 0)  # as extensions do that get no more memory
            case "dies":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "raises":
                raise ValueError("no")
        return {"long": "x" * 3_000_000}

    spent = Spent()
    limits = Limits(1.0 if what == "hangs" else 60.0, 160_000_000 if what == "full" else 2_000_000_000)
    answer = apart(work, what, {"memory": 3_000_000_000}, limits, spent)
    expected = {
        "hangs": Lost("time", "given up after 1 seconds"),
        "eats": Lost("memory", "given up at 2,000 MB of memory"),
        "full": Lost("memory", "given up at 160 MB of memory"),
        "dies": Lost("died", "its process was killed by signal 11"),
        "raises": Lost("died", "its process ended with 1"),
        "answers": {"long": "x" * 3_000_000},
    }
    assert answer == expected[what]
    assert spent.memory > 1_000_000


@linux
def test_the_limit_on_memory_is_about_what_a_copy_takes_and_not_about_what_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process with torch and pyarrow in it, or with much else, is copied like any other."""
    monkeypatch.setattr(apart_module, "copies", lambda: True)
    held = bytearray(400_000_000)

    def work(name: str, given: dict[str, Any]) -> dict[str, Any]:
        return {"size": len(bytearray(given["memory"])) + len(held)}

    limits = Limits(60.0, 200_000_000)
    assert apart(work, "takes", {"memory": 150_000_000}, limits, Spent()) == {"size": 550_000_000}
    lost = Lost("memory", "given up at 200 MB of memory")
    assert apart(work, "takes", {"memory": 250_000_000}, limits, Spent()) == lost
    assert apart(work, "takes", {"memory": 190_000_000}, limits, Spent()) == lost  # so near that others may have failed


def test_where_processes_cannot_be_copied_one_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart_module, "copies", lambda: False)
    monkeypatch.setenv("PYTHONPATH", fake_lint.ENVIRONMENT["PYTHONPATH"])
    put(tmp_path, {"loop.py": LOOP})
    given = {"folder": str(tmp_path), "rules": {"config": None, "isolated": False}, "part": None}
    answer = apart(perform, "lint", given, Limits(60.0, 2_000_000_000), Spent())
    assert isinstance(answer, dict)
    assert [row["code"] for row in answer["findings"]] == ["TPL101"]
    late = apart(perform, "lint", given, Limits(0.01, 2_000_000_000), Spent())
    assert late == Lost("time", "given up after 0.01 seconds")


@linux
def test_what_a_killed_run_has_left_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary.tempfile, "tempdir", str(tmp_path))
    left, others = tmp_path / f"{temporary.PREFIX}left", tmp_path / f"{temporary.PREFIX}others"
    put(left, {temporary.HOLD: "", "unit/a.py": LOOP})
    put(others, {"a.py": LOOP})
    with temporary.folder() as held:
        for each in (left, others, held.parent):
            os.utime(each, (0, 0))
        temporary.sweep()
        assert held.is_dir()
    assert [each.name for each in tmp_path.iterdir()] == [others.name]


@linux
def test_a_unit_that_takes_too_long_is_a_row(tmp_path: Path, scan: Callable[..., str]) -> None:
    (tmp_path / "repo.git/objects").mkdir(parents=True)
    (tmp_path / "repo.git/refs/heads").mkdir(parents=True)
    (tmp_path / "repo.git/HEAD").write_text("ref: refs/heads/main\n")
    os.mkfifo(tmp_path / "repo.git/refs/heads/main")  # git waits for whoever writes there
    put(tmp_path, {"list.txt": "good\nrepo.git@main\n", "good/loop.py": LOOP})
    start = time.monotonic()
    scan("list.txt", "--out", "out", "--timeout", "2", cwd=tmp_path)
    rows = table(tmp_path / "out", "errors")
    if shutil.which("git"):
        assert [(row["kind"], row["message"]) for row in rows] == [("time", "given up after 2 seconds")]
    assert len(table(tmp_path / "out", "findings")) == 1
    assert time.monotonic() - start < 60


@linux
def test_a_full_disk_stops_the_scan_and_nothing_is_half_there(
    fleet: Path, tmp_path: Path, scan: Callable[..., str]
) -> None:
    """`/dev/full` has no folders, so the limit on the size of files stands in for it: it ends a write in the middle."""
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), -1));"
        "from torchperf_lint.cli.main import main; sys.exit(main(sys.argv[2:]))"
    )
    command = [
        sys.executable,
        "-c",
        script,
        "9000",
        "fleet",
        "scan",
        "list.txt",
        "--out",
        str(tmp_path / "out"),
        "--jobs",
        "1",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=fake_lint.ENVIRONMENT, cwd=fleet)
    assert done.returncode == 2
    assert "stopped: File too large" in done.stderr
    assert list((tmp_path / "out/drafts").iterdir()) == []
    scan("list.txt", "--out", str(tmp_path / "out"), "--resume", cwd=fleet)
    assert whole(tmp_path / "out") == whole(fleet / "out")


@linux
@pytest.mark.slow
@pytest.mark.parametrize("victim", ["worker", "driver"])
def test_nothing_is_lost_or_doubled_where_a_process_is_killed(victim: str, tmp_path: Path) -> None:
    for index in range(20):
        put(tmp_path / f"r{index}", {f"m{number}.py": LOOP + f"# {index}\n" for number in range(3)})
    put(tmp_path, {"list.txt": "".join(f"r{index}\n" for index in range(20))})
    assert tool("scan", "list.txt", "--out", "clean", cwd=tmp_path).returncode == 0
    command = [sys.executable, "-m", "torchperf_lint", "fleet", "scan", "list.txt", "--out", "out", "--jobs", "2"]
    process = subprocess.Popen(command, env=fake_lint.ENVIRONMENT, cwd=tmp_path, stderr=subprocess.DEVNULL)
    while len(list((tmp_path / "out").glob("units/*"))) < 5:
        time.sleep(0.02)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[0]) if victim == "worker" else process.pid, signal.SIGKILL)
    code = process.wait()
    assert code == (0 if victim == "worker" else -signal.SIGKILL)
    if code:
        assert tool("scan", "list.txt", "--out", "out", "--resume", cwd=tmp_path).returncode == 0
    assert whole(tmp_path / "out") == whole(tmp_path / "clean")


def test_who_goes_on_waits_a_moment_for_the_processes_of_a_killed_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = UnitJob(str(tmp_path), Rules(), Limits(60.0, 2_000_000_000))
    with open_scan(tmp_path, job, resume=False):
        pass
    naps: list[float] = []
    with ExitStack() as other:
        other.enter_context(held(tmp_path / LOCK))

        def nap(seconds: float) -> None:
            naps.append(seconds)
            if len(naps) == 3:
                other.close()

        monkeypatch.setattr(scan_module.time, "sleep", nap)
        with open_scan(tmp_path, job, resume=True):
            assert len(naps) == 3
    monkeypatch.setattr(scan_module, "PATIENCE", 0.0)
    with (
        held(tmp_path / LOCK),
        pytest.raises(ConfigError, match="another scan is writing here"),
        open_scan(tmp_path, job, resume=True),
    ):
        raise AssertionError


def test_what_a_killed_worker_was_writing_is_gone_when_the_scan_ends(tmp_path: Path) -> None:
    """The run above kills a worker at any moment, and so in the middle of a draft but now and then."""
    job = UnitJob(str(tmp_path / "out"), Rules(), Limits(60.0, 2_000_000_000))
    with open_scan(tmp_path / "out", job, resume=False):
        draft = tmp_path / "out/drafts/0.host.1"
        draft.mkdir()
        (draft / "files.parquet").write_bytes(b"PAR1")
    assert list((tmp_path / "out/drafts").iterdir()) == []


def test_what_an_engine_loses_is_missing_and_not_an_error(tmp_path: Path) -> None:
    put(tmp_path, {"list.txt": "a\nb\n", "a/loop.py": LOOP, "b/loop.py": LOOP})
    job = UnitJob(str(tmp_path / "out"), Rules(), Limits(60.0, 2_000_000_000))

    def engine(job: UnitJob, units: Sequence[Unit]) -> Iterator[tuple[Unit, dict[str, Any]]]:
        yield units[0], {"undone": "a node has gone"}
        yield units[1], json.loads(job(units[1].to_text()))

    with open_scan(tmp_path / "out", job, resume=False):
        outcome = scan_units(
            [Unit("a", str(tmp_path / "a")), Unit("b", str(tmp_path / "b"))], job, engine, lambda *_: None
        )
    assert (outcome.done, outcome.undone) == (1, 1)
    assert outcome.stopped == "1 of the units were lost by the cluster (a node has gone)"
    assert table(tmp_path / "out", "errors") == []
    job.lose(Unit("a", "a"), "its worker died 5 times")
    assert [row["kind"] for row in table(tmp_path / "out", "errors")] == ["died"]


@pytest.mark.slow
def test_ray_gives_the_same_bytes(fleet: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    done = tool(
        "scan", "list.txt", "--out", str(tmp_path / "out"), "--engine", "ray", "--ray-address", "local", cwd=fleet
    )
    assert done.returncode == 0, done.stderr
    assert whole(tmp_path / "out") == whole(fleet / "out")


def test_the_report(fleet: Path, tmp_path: Path, run: Shell) -> None:
    page = tmp_path / "fleet.html"
    assert run("fleet", "report", str(fleet / "out"), "--html", str(page)) == 0
    rows = table(fleet / "out", "findings")
    lines = sum(row["lines"] for row in table(fleet / "out", "files") if row["torch"])
    assert f"{len(rows)} findings, {1000 * len(rows) / lines:.2f} in a thousand of these lines" in run.out
    count = sum(row["code"] == "TPL101" for row in rows)
    assert re.search(rf"TPL101  scalar-read-every-step +info +{count} ", run.out)
    assert "nowhere: input: nothing is there" in run.out
    html = page.read_text()
    assert "TPL101" in html
    assert "prefers-color-scheme: dark" in html
    assert not re.search(r"<(script|img|link|iframe)|src=|@import|url\(", html)
    assert all(link.startswith("https://github.com/") for link in re.findall(r'href="([^"]*)"', html))


def test_the_report_of_what_changed(tmp_path: Path, run: Shell, scan: Callable[..., str]) -> None:
    for name, files in (
        ("old", {"a": {"loop.py": LOOP, "gone.py": LOOP}, "b": {"x.py": LOOP}}),
        ("new", {"a": {"loop.py": f"# moved\n{LOOP}", "new.py": LOOP}, "<i>c</i>": {"x.py": LOOP}}),
    ):
        for repository, texts in files.items():
            put(tmp_path / name / repository, texts)
        put(tmp_path / name, {"list.txt": "\n".join(files)})
        scan("list.txt", "--out", "out", cwd=tmp_path / name)
    page = tmp_path / "page.html"
    assert (
        run("fleet", "report", str(tmp_path / "new/out"), "--before", str(tmp_path / "old/out"), "--html", str(page))
        == 0
    )
    assert (
        "Since the scan before: 1 new, 1 gone, 1 as they were; 1 repository only now; 1 repository only before"
        in run.out
    )
    assert "New:\n  a: new.py:12: TPL101 " in run.out
    assert "Gone:\n  a: gone.py:12: TPL101 " in run.out
    assert "<i>" not in page.read_text()
    assert "&lt;i&gt;c&lt;/i&gt;" in page.read_text()
    assert run("fleet", "report", str(tmp_path)) == 2
    assert "no scan is here" in run.err


def test_without_the_extra_it_says_which(tmp_path: Path) -> None:
    put(tmp_path, {"list.txt": "", "pyarrow/__init__.py": "raise ImportError", "ray.py": ""})
    script = "import sys; sys.modules['pyarrow'] = None; from torchperf_lint.cli.main import main; sys.exit(main(sys.argv[1:]))"
    for command in (["scan", "list.txt", "--out", "out"], ["report", "out"]):
        done = subprocess.run(
            [sys.executable, "-c", script, "fleet", *command],
            capture_output=True, text=True, check=False, env=fake_lint.ENVIRONMENT, cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 2
        assert done.stderr == "error: `fleet` needs pyarrow: pip install 'torchperf-lint[fleet]'\n"


def test_nobody_else_pays_for_it() -> None:
    script = "import sys; from torchperf_lint.cli.main import main; main(['--help']); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=fake_lint.ENVIRONMENT
    )
    assert "torchperf_lint.cli.options" in done.stderr
    assert "pyarrow" not in done.stderr
    assert "torchperf_lint.fleet" not in done.stderr


def test_scan_says_what_all_units_share(fleet: Path) -> None:
    about = json.loads((fleet / "out/scan.json").read_text())
    assert about["schema"] == tables.VERSION
    assert about["limits"] == {"seconds": 600.0, "memory": 2_000_000_000}
