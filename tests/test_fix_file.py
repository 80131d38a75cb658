"""Files fixed: `--fix`, `--diff` and `--add-ignores`, from the command line to the bytes on the disk."""

from __future__ import annotations

import codecs
import io
import json
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import fake_lint
import pytest

from torchperf_lint.cli.main import main
from torchperf_lint.model.finding import Finding
from torchperf_lint.syntax.source import Source

BEFORE = "import torch\na.item()\nb.item()\nx.item()\n"
SAFE = BEFORE.replace("a.item", "a.detach")
UNSAFE = SAFE.replace("b.item", "b.detach")


@pytest.fixture(autouse=True)
def _project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_lint.installed(monkeypatch)
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str = BEFORE) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> io.BytesIO:
    """Feeds the standard input; answers what is written to the standard output."""
    out = io.BytesIO()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out, encoding="utf-8", write_through=True))
    return out


def test_safe_fixes_are_applied_and_the_rest_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    file = write("a.py")
    file.chmod(0o640)
    assert main(["--fix", "--format", "concise"]) == 1
    assert file.read_text(encoding="utf-8") == SAFE
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    out, err = capsys.readouterr()
    assert [line[:11] for line in out.splitlines()] == ["a.py:3:1: T", "a.py:4:1: T"]
    assert "1 fixed, 1 need `--unsafe-fixes`.\n" in err
    assert main(["--fix", "--unsafe-fixes", "--format", "concise"]) == 1
    assert file.read_text(encoding="utf-8") == UNSAFE
    assert "1 fixed.\n" in capsys.readouterr().err
    before = file.stat().st_mtime_ns
    assert main(["--fix", "--unsafe-fixes"]) == 1
    assert file.stat().st_mtime_ns == before


def test_a_file_may_ask_for_fixes_and_the_line_refuse_them() -> None:
    write("torchperf-lint.toml", "fix = true\nunsafe-fixes = true")
    file = write("a.py")
    assert main(["--no-fix"]) == 1
    assert file.read_text(encoding="utf-8") == BEFORE
    assert main(["--no-unsafe-fixes"]) == 1
    assert file.read_text(encoding="utf-8") == SAFE
    assert main([]) == 1
    assert file.read_text(encoding="utf-8") == UNSAFE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (codecs.BOM_UTF8 + b"import torch\r\na.item()\r\n", codecs.BOM_UTF8 + b"import torch\r\na.detach()\r\n"),
        (b"# coding: latin-1\n# torch \xe9\na.item()", b"# coding: latin-1\n# torch \xe9\na.detach()"),
        (b"import torch\ra.item()\r", b"import torch\ra.detach()\r"),
        (b"import torch\n\x0c\na.item()\n", b"import torch\n\x0c\na.detach()\n"),
    ],
)
def test_encoding_newlines_and_byte_order_mark_stay(before: bytes, after: bytes) -> None:
    Path("a.py").write_bytes(before)
    assert main(["--fix"]) == 0
    assert Path("a.py").read_bytes() == after


def test_a_notebook_is_fixed_cell_by_cell(capsys: pytest.CaptureFixture[str]) -> None:
    cells = [
        {"cell_type": "markdown", "source": "a.item()"},
        {"cell_type": "code", "source": ["!ls\n", "import torch\n", "a.item()"], "outputs": ["a.item()"]},
        {"cell_type": "code", "source": "(", "outputs": []},
        {"cell_type": "code", "source": "x = 1\nprint(b.item(), a.item())", "outputs": []},
    ]
    before = json.dumps({"cells": cells, "nbformat": 4, "z": 1.50}, indent=3)
    file = write("nb.ipynb", before)
    assert main(["--fix", "--format", "concise"]) == 1
    fixed = before.replace(", a.item())", ", a.detach())").replace(
        'torch\\n",\n            "a.item', 'torch\\n",\n            "a.detach'
    )
    assert file.read_text(encoding="utf-8") == fixed
    assert (before.count("a.item()"), fixed.count("a.item()")) == (4, 2)
    out, err = capsys.readouterr()
    assert [line.partition(": ")[0] for line in out.splitlines()] == ["nb.ipynb:cell 3:1:1", "nb.ipynb:cell 4:2:7"]
    assert "2 fixed" in err


def test_many_files_in_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchperf_lint.run.run_files.WORTH_A_POOL", 0)
    files = [write(f"f{number}.py") for number in range(20)]
    assert main(["--fix", "--jobs", "3"]) == 1
    assert {file.read_text(encoding="utf-8") for file in files} == {SAFE}
    assert not list(Path().glob(".*.tmp"))


def test_what_the_cache_knows_is_fixed_too_and_what_is_fixed_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    file = write("a.py")
    assert main([]) == 1
    assert main(["--fix"]) == 1
    assert file.read_text(encoding="utf-8") == SAFE

    def never(source: Source) -> list[Finding]:
        raise AssertionError(source.path)

    fake_lint.installed(monkeypatch, never)
    assert main([]) == 1
    assert main(["--fix"]) == 1


def test_a_patch_that_git_takes(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["a.py", "sub dir/b.py", "no newline.py"]
    for name in names:
        write(name, BEFORE if name != "no newline.py" else "import torch\na.item()")
    write("clean.py", "import torch\n")
    assert main(["--diff"]) == 1
    patch, err = capsys.readouterr()
    assert err == "3 would be fixed.\n"
    assert [Path(name).read_text(encoding="utf-8").count("a.item") for name in names] == [1, 1, 1]
    subprocess.run(["git", "apply", "-"], input=patch, text=True, check=True)
    assert Path("sub dir/b.py").read_text(encoding="utf-8") == SAFE
    assert Path("no newline.py").read_text(encoding="utf-8") == "import torch\na.detach()"
    assert main(["--diff"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["--diff", "--unsafe-fixes", "a.py"]) == 1


def test_the_standard_input_fixed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for data in (BEFORE.encode(), codecs.BOM_UTF8 + BEFORE.replace("\n", "\r\n").encode()):
        out = piped(monkeypatch, data)
        assert main(["-", "--fix", "--format", "concise"]) == 1
        assert out.getvalue() == data.replace(b"a.item", b"a.detach")
        assert "<stdin>:3:1: TPL101" in capsys.readouterr().err
    out = piped(monkeypatch, BEFORE.encode())
    assert main(["-", "--diff", "--stdin-filename", "sub/x.py"]) == 1
    assert out.getvalue().startswith(b"--- a/sub/x.py")
    out = piped(monkeypatch, b"(torch")
    assert main(["-", "--fix"]) == 1
    assert out.getvalue() == b"(torch"


def test_the_standard_input_left_out_passes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    out = piped(monkeypatch, BEFORE.encode())
    assert main(["-", "--fix", "--force-exclude", "--stdin-filename", "build/x.py"]) == 0
    assert out.getvalue() == BEFORE.encode()


def test_what_the_baseline_accepts_is_left_alone() -> None:
    file = write("a.py")
    assert main(["--write-baseline", "b.json"]) == 0
    assert main(["--baseline", "b.json", "--fix"]) == 0
    assert file.read_text(encoding="utf-8") == BEFORE


def test_a_file_that_changes_meanwhile_is_not_overwritten(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write("a.py")

    def meddling(source: Source) -> list[Finding]:
        if "detach" in source.text:
            file.write_text("mine\n", encoding="utf-8")
        return fake_lint.lint(source)

    fake_lint.installed(monkeypatch, meddling)
    assert main(["--fix", "--no-cache"]) == 2
    assert file.read_text(encoding="utf-8") == "mine\n"
    assert "it has changed since it was read" in capsys.readouterr().err


@pytest.mark.usefixtures("permissions_hold")
def test_a_file_that_may_not_be_written_is_said_and_still_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.py").chmod(0o400)
    assert main(["--fix", "--format", "concise"]) == 2
    out, err = capsys.readouterr()
    assert "a.py:2:1: TPL101" in out
    assert "error: a.py: it may not be written" in err.splitlines()


def _spoilt(finding: Finding) -> Finding:
    if finding.fix is None:
        return finding
    edits = tuple(replace(edit, content="(") for edit in finding.fix.edits)
    return replace(finding, fix=replace(finding.fix, edits=edits))


def test_a_fix_that_a_guard_refuses_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def spoiling(source: Source) -> list[Finding]:
        return [_spoilt(finding) for finding in fake_lint.lint(source)]

    fake_lint.installed(monkeypatch, spoiling)
    file = write("a.py", "import torch\na.item()\n")
    assert main(["--fix"]) == 1
    assert file.read_text(encoding="utf-8") == "import torch\na.item()\n"
    assert "warning: a.py: a fix of TPL101 is left out: " in capsys.readouterr().err


def test_ignores_are_added_with_and_without_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    file, other = write("a.py"), write("b.py")
    assert main(["--add-ignores", "a.py"]) == 0
    mark = "  # tpl: ignore[TPL101]"
    assert file.read_text(encoding="utf-8") == BEFORE.replace(".item()", f".item(){mark}")
    assert "3 hidden by comments.\n" in capsys.readouterr().err
    assert main(["--add-ignores=for now", "b.py"]) == 0
    assert other.read_text(encoding="utf-8") == BEFORE.replace(".item()", f".item(){mark} for now")
    assert main([]) == 0


def test_ignores_in_a_notebook_and_what_cannot_be_hidden() -> None:
    cells = [{"cell_type": "code", "source": ["import torch\n", "a.item()"]}, {"cell_type": "code", "source": "("}]
    before = json.dumps({"cells": cells, "nbformat": 4})
    file = write("nb.ipynb", before)
    assert main(["--add-ignores"]) == 1
    assert file.read_text(encoding="utf-8") == before.replace("a.item()", "a.item()  # tpl: ignore[TPL101]")


def test_a_link_stays_one_and_its_file_is_fixed() -> None:
    file = write("real/a.py")
    link = Path("link.py")
    link.symlink_to(file)
    assert main(["--fix", "link.py"]) == 1
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == SAFE
