"""What others hand on to be read, traces and scans: whatever stands in them is text in a report, or an error in words."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from shell import Shell
from traces import HERE

from torchperf_lint.cli.main import main
from torchperf_lint.fleet import tables

pytestmark = pytest.mark.slow

EVIL = (
    "</script><script>alert(1)</script><!--<script>|`x`\n\r\x1b[31m\x07\u202e\u2028\"'&<img src=x onerror=1>]]>"
    "\n::error::x ##[group] =cmd|' /C calc'!A1 \ud800"
)
RAW = ("\x1b", "\x07", "\u202e", "\r", "\n::error", "##[group]")
"""What no terminal and no log of a CI service may get."""
SOURCE = """\
import torch


def train(model: torch.nn.Module, loader, optimizer):
    total = 0
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The tool in a folder with the program of a trace."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(HERE / "waits.py", tmp_path)
    return Shell(capsys)


class _Page(HTMLParser):
    """The tags of a page, and what its block of data holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.data = ""
        self._in_data = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._in_data = dict(attrs).get("id") == "data"
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.data += data if self._in_data else ""


# ---- traces


def _deep(levels: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(levels):
        found = [found]
    return found


def _names(plain: Any) -> None:
    plain["names"] = [EVIL + each for each in plain["names"]]


def _paths(plain: Any) -> None:
    for each in plain["files"]:
        each["path"] = EVIL + each["path"]


def _about(plain: Any) -> None:
    plain["about"].update({name: EVIL for name, value in plain["about"].items() if isinstance(value, str)})
    plain["about"][EVIL] = EVIL
    plain["untold"] = [EVIL]
    plain["counters"][EVIL] = 1


def _no_numbers(plain: Any) -> None:
    plain["about"].update(gpu=float("nan"), script=float("inf"), torch=_deep(900), rank=-(10**300), size=10**300)


def _shortest(plain: Any) -> None:
    plain["timing"].update(ms=5e-324, low=0, high=1e14)


def _of_no_length(plain: Any) -> None:
    plain["starts"] = [0.0] * len(plain["starts"])


def _of_profiler(plain: Any) -> None:
    """A trace of torch's profiler instead, with numbers that are none and names that are lists."""
    plain.clear()
    event = {"ph": "X", "cat": "cpu_op", "name": EVIL, "ts": 1, "dur": 2, "tid": float("nan")}
    work = {"cat": "kernel", "args": {"correlation": 3, "stream": EVIL, "External id": float("nan")}}
    wait = {"cat": "cuda_runtime", "name": "cudaStreamSynchronize", "args": {"correlation": 3}}
    odd = [
        event | {"name": _deep(700)},
        event | {"cat": "kernel", "args": {"stream": _deep(700), "correlation": 1e999}},
    ]
    plain.update(traceEvents=[event, event | work, event | wait, *odd], deviceProperties=[{"name": EVIL}])


CHANGES = (_names, _paths, _about, _no_numbers, _shortest, _of_no_length, _of_profiler)


FORMS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")


def _send(change: Callable[[Any], None]) -> str:
    """A trace that somebody sent, in the working folder."""
    plain = json.loads(gzip.decompress((HERE / "waits.tpltrace").read_bytes()))
    change(plain)
    Path("sent.tpltrace").write_text(json.dumps(plain), encoding="utf-8")
    return "sent.tpltrace"


@pytest.fixture(scope="module", params=CHANGES, ids=lambda change: change.__name__)
def reports(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All that is written of a trace that somebody sent, by one run; `terminal` is what a terminal gets."""
    folder = tmp_path_factory.mktemp("sent")
    shutil.copy(HERE / "waits.py", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        files = [option for form in FORMS for option in ("--format", f"{form}={form}.out")]
        options = ("--isolated", "--trace", _send(request.param), "--html", "html.out", "--format", "text", *files)
        terminal = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
            assert main((*options, "waits.py")) == 0
        terminal.seek(0)
        said = {form: Path(f"{form}.out").read_bytes().decode() for form in (*FORMS, "html")}
        return {**said, "terminal": terminal.read()}


def _strictly(text: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


class TestOfATrace:
    """A class, so that one process has all of them and writes each set of reports once."""

    def test_a_page_of_a_trace_holds_its_text_as_text(self, reports: dict[str, str]) -> None:
        """The hits: `<!--<script>` in a name made the rest of the page part of its data, and a step of no time a traceback."""
        page = _Page(reports["html"])
        assert page.tags.count("script") == 3
        assert "img" not in page.tags
        assert "<" not in page.data
        assert set(_strictly(page.data)) >= {"names", "calls"}

    @pytest.mark.parametrize("form", ["json", "jsonl", "sarif", "gitlab"])
    def test_json_with_a_trace_is_json(self, reports: dict[str, str], form: str) -> None:
        for part in reports[form].splitlines() if form == "jsonl" else [reports[form]]:
            _strictly(part)

    @pytest.mark.parametrize("form", ["terminal", "text", "concise", "github", "markdown", "junit"])
    def test_texts_with_a_trace_are_texts(self, reports: dict[str, str], form: str) -> None:
        assert not [each for each in RAW if each in reports[form]]
        if form == "markdown":
            assert "<script" not in reports[form]
        if form == "junit":
            ET.fromstring(reports[form])


@pytest.mark.parametrize("form", ["json", "github"])
def test_what_goes_to_a_log_is_text_too(run: Shell, form: str) -> None:
    assert run("--isolated", "--trace", _send(_names), "--format", form, "waits.py") == 0, run.err
    assert not [each for each in RAW if each in run.out + run.err]


@pytest.mark.parametrize(
    "data",
    [
        b'{"traceEvents":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"traceEvents":[{"ph":"X","cat":"kernel","ts":' + b"9" * 5_000 + b',"dur":1}]}',
        b'\xff\xfe{"traceEvents":[]}',
    ],
    ids=["deep", "long", "other bytes"],
)
def test_what_is_no_trace_is_said_to_be(run: Shell, data: bytes) -> None:
    Path("sent.tpltrace").write_bytes(data)
    assert run("--isolated", "--trace", "sent.tpltrace", "waits.py") == 2
    assert "not a trace" in run.err


# ---- scans of a fleet


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scan of repositories whose names, files and messages are markup, formulas and commands."""
    pytest.importorskip("pyarrow")
    from click.testing import CliRunner

    from torchperf_lint.fleet.command import fleet

    home = tmp_path_factory.mktemp("fleet")
    names = ("=1+1", "@x", "-y", "<img src=x onerror=1>", "\x1b[31mred\x07", "\u202eevil", "::error::x", "##[group]x")
    for name in names:
        (home / name).mkdir()
        (home / name / f"{name}=cmd.py").write_text(SOURCE.replace("loss", "'<img>'[0]"), encoding="utf-8")
        (home / name / "a.py").write_text(SOURCE, encoding="utf-8")
    lines = [str(home / name) for name in names] + ["<script>", "=nothing", "\x1b[31mgone"]
    (home / "list.txt").write_text("\n".join(lines), encoding="utf-8")
    done = CliRunner().invoke(
        fleet, ["scan", str(home / "list.txt"), "--out", str(home / "out"), "--isolated", "--jobs", "1"]
    )
    assert done.exit_code == 0, done.output
    return home / "out"


def _shown(run: Shell, *arguments: str) -> Iterator[str]:
    """What a report says, and its page."""
    assert run("fleet", "report", *arguments, "--html", "fleet.html") == 0, run.err
    page = Path("fleet.html").read_text(encoding="utf-8")
    assert not {"script", "img"} & set(_Page(page).tags)
    yield from (run.out + run.err, page)


def test_names_in_a_scan_are_text(run: Shell, scanned: Path) -> None:
    text, page = _shown(run, str(scanned), "--before", str(scanned))
    assert "TPL101" in text
    assert not [each for each in RAW if each in text]
    assert not [each for each in ("\x1b", "\x07", "\u202e") if each in page]


@pytest.mark.parametrize("value", [EVIL.removesuffix("\ud800"), None], ids=["text", "nothing"])
@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("findings", column)
        for column in ("repository", "path", "code", "name", "severity", "message", "fix", "fingerprint", "line")
    ]
    + [("errors", column) for column in ("repository", "path", "kind", "message")]
    + [("files", column) for column in ("repository", "lines", "torch")],
)
def test_a_scan_that_somebody_made_up(run: Shell, scanned: Path, table: str, column: str, value: str | None) -> None:
    """The hits: words of ours, such as a code, went to the terminal and the page as they were; what lacked was a traceback."""
    if value is not None and tables.COLUMNS[table][column] != "string":
        pytest.skip("a column of numbers holds no text")
    _altered(scanned, Path("made"), table, lambda rows: [row | {column: value} for row in rows])
    code = run("fleet", "report", "made", "--before", str(scanned), "--html", "fleet.html")
    said = run.out + run.err
    assert "Traceback" not in said
    assert not [each for each in RAW if each in said]
    if code == 0:
        assert not {"script", "img"} & set(_Page(Path("fleet.html").read_text(encoding="utf-8")).tags)
    else:
        assert (code, "damaged" in run.err) == (2, True)
    assert (code == 2) == (column in tables.WORDS or (value is None and column not in tables.EMPTY_AT_TIMES))


@pytest.mark.parametrize("data", [b"", b"PAR1xxxxPAR1", b"PAR1" + b"\xff" * 64])
def test_a_file_of_a_scan_that_is_none(run: Shell, scanned: Path, data: bytes) -> None:
    shutil.copytree(scanned, "made")
    next(Path("made").glob("units/*/findings.parquet")).write_bytes(data)
    assert run("fleet", "report", "made") == 2
    assert "damaged" in run.err


def _altered(
    scan: Path, copy: Path, table: str, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
) -> None:
    """A copy of a scan with the rows of one table changed."""
    import pyarrow
    import pyarrow.parquet

    shutil.copytree(scan, copy)
    for file in copy.glob(f"units/*/{table}.parquet"):
        found = pyarrow.parquet.read_table(file)
        rows = change(found.to_pylist())
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, found.schema), file)
