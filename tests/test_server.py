"""The language server as an editor meets it: it opens, types, fixes, asks, and sends rubbish."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shell import Shell

pytest.importorskip("pytest_lsp", reason="needs pytest-lsp, which the extra `test` installs")

from editor import COMMAND, PATIENCE, Editor, in_editor
from lsprotocol import types

from torchperf_lint import lint_paths
from torchperf_lint.server import hover
from torchperf_lint.server.positions import Positions, changed
from torchperf_lint.syntax.source import Source

PROGRAM = """\
import torch


def train(model: torch.nn.Module, loader, optimizer):
    model.cuda()
    total = 0.0
    for x, y in loader:
        weights = torch.ones(10).cuda()
        loss = (model(x.cuda()) * weights).sum()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
"""
SAFE = 'Make it there: `device="cuda"` (TPL201, safe)'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "train.py").write_text(PROGRAM)
    return tmp_path / "train.py"


pytestmark = pytest.mark.slow


def test_findings_are_marks_with_evidence_severity_and_page(file: Path) -> None:
    async def work() -> None:
        async with Editor(file.parent) as editor:
            found = await editor.open(file)
            assert [(str(each.code), each.severity) for each in found] == [
                ("TPL201", types.DiagnosticSeverity.Information), ("TPL101", types.DiagnosticSeverity.Information),
            ]  # fmt: skip
            [_, wait] = found
            assert wait.source == "torchperf-lint"
            assert wait.code_description is not None
            assert "TPL101-scalar-read-every-step" in wait.code_description.href
            assert (wait.range.start, wait.range.end) == (types.Position(11, 17), types.Position(11, 28))
            assert wait.related_information
            lines = [(each.location.uri, each.location.range.start.line) for each in wait.related_information]
            assert (file.as_uri(), 4) in lines
            assert any("moved to CUDA" in each.message for each in wait.related_information)

    in_editor(work)


def test_an_editor_without_related_information_reads_the_evidence_in_the_message(file: Path) -> None:
    async def work() -> None:
        editor = Editor(file.parent)
        editor.name = "emacs"
        async with editor:
            capabilities = editor.client.capabilities
            assert capabilities is not None
            assert capabilities.text_document is not None
            shown = capabilities.text_document.publish_diagnostics
            assert shown is None or not shown.related_information, "choose another editor"
            [_, wait] = await editor.open(file)
            assert "line 5: moved to CUDA" in wait.message

    in_editor(work)


def test_typing_changes_what_is_found_and_fixes_take_it_away(file: Path) -> None:
    async def work() -> None:
        async with Editor(file.parent) as editor:
            [create, wait] = await editor.open(file)
            editor.type(file, "loss.item()", "loss.detach()")
            assert len(await editor.diagnostics(file)) == 1
            editor.type(file, "loss.detach()", "loss.item()")
            assert len(await editor.diagnostics(file)) == 2
            offered = await editor.actions(file, create.range)
            assert offered[SAFE].is_preferred
            assert {each.kind for each in offered.values()} == {"quickfix", "source.fixAll.torchperf-lint"}
            editor.apply(offered[SAFE].edit)
            assert 'torch.ones(10, device="cuda")' in editor.texts[file.as_uri()]
            assert [each.code for each in await editor.diagnostics(file)] == ["TPL101"]
            offered = await editor.actions(file, wait.range)
            [unsafe] = [
                each for title, each in offered.items() if title.endswith("(TPL101, unsafe: results can differ)")
            ]
            assert not unsafe.is_preferred
            editor.apply(unsafe.edit)
            assert await editor.diagnostics(file) == []

    in_editor(work)


def test_all_safe_fixes_are_those_of_the_command_line(file: Path, run: Shell) -> None:
    async def work() -> None:
        async with Editor(file.parent) as editor:
            [create, _] = await editor.open(file)
            offered = (await editor.actions(file, create.range))["Fix all that is safe to fix"]
            assert offered.edit is None, "it is worked out when it is taken"
            taken = await editor.client.code_action_resolve_async(offered)
            named = await editor.actions(file, create.range, ["source.fixAll"])
            assert [each.edit for each in named.values()] == [taken.edit]
            [change] = (taken.edit and taken.edit.document_changes) or []
            assert len(change.edits) == 1, "not the whole file"  # type: ignore[union-attr]
            editor.apply(taken.edit)
            assert [each.code for each in await editor.diagnostics(file)] == ["TPL101"]
            assert run("--fix", "--quiet", str(file)) == 0, "a hint is left, and fails nothing"
            assert file.read_text() == editor.texts[file.as_uri()]

    in_editor(work)


def test_ignore_here_silences_one_finding(file: Path) -> None:
    async def work() -> None:
        async with Editor(file.parent) as editor:
            [_, wait] = await editor.open(file)
            offered = await editor.actions(file, wait.range)
            editor.apply(offered["Ignore TPL101 (scalar-read-every-step) here"].edit)
            assert "total += loss.item()  # tpl: ignore[TPL101]\n" in editor.texts[file.as_uri()]
            assert [each.code for each in await editor.diagnostics(file)] == ["TPL201"]
            editor.type(file, "total += loss.item()", "total += 1")
            [unused] = [each for each in await editor.diagnostics(file) if each.code == "TPL003"]
            assert list(unused.tags or ()) == [types.DiagnosticTag.Unnecessary]

    in_editor(work)


def test_what_is_only_shown_is_not_offered(file: Path) -> None:
    file.write_text(
        "import torch\n\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return x.cuda()[x.sum().item() :]\n"
    )
    findings = lint_paths([file], select=["ALL"])
    assert not [each for each in findings if each.fix and each.fix.safety.name == "SHOWN" and not each.fix.edits]

    async def work() -> None:
        async with Editor(file.parent) as editor:
            for mark in await editor.open(file):
                offered = await editor.actions(file, mark.range)
                assert all("safe" in title or title.startswith("Ignore") for title in offered)

    in_editor(work)


def test_a_hover_shows_no_picture_that_the_program_names() -> None:
    """An editor would fetch it. Backticks in the code of a stranger must not end ours."""
    said = hover._plain("`d['`b```![a](http://x/y.png)<img src=x>'].item()`: not known, `![a](b)`")
    assert "![" not in said
    assert "<" not in said.replace(r"\<", "")
    assert hover._plain("`![a](b)` is *what*") == r"`![a](b)` is \*what\*"


def test_hover_tells_what_an_expression_is_and_the_page_of_a_code(file: Path) -> None:
    file.write_text(PROGRAM.replace("loss.item()", "loss.item()  # tpl: ignore[TPL101]"))

    async def work() -> None:
        async with Editor(file.parent) as editor:
            await editor.open(file)
            shown = await editor.hover(file, "loss.item")
            assert shown is not None
            for part in (
                "GPU sync (likely): copies the value to the host",
                "runs at every step",
                "line 5: moved to CUDA",
            ):
                assert part in shown
            value = await editor.hover(file, "torch.ones(10).cuda()")
            assert value is not None
            assert "tensor, on the GPU, float32, 1-dim" in value
            page = await editor.hover(file, "ignore[TPL101")
            assert page is not None
            assert page.startswith("# scalar-read-every-step (TPL101)")
            assert await editor.hover(file, "import") is None

    in_editor(work)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_are_those_of_the_editor(file: Path, encoding: str) -> None:
    file.write_text(PROGRAM.replace("total += loss", 'total += len("😀\u2028") + loss'), encoding="utf-8")

    async def work() -> None:
        async with Editor(file.parent, encoding=encoding) as editor:
            found = await editor.open(file)
            wait = found[-1]
            line = '        total += len("😀\u2028") + '
            units = {"utf-8": len(line.encode()), "utf-16": len(line) + 1, "utf-32": len(line)}
            assert wait.range.start == types.Position(11, units[encoding])
            editor.type(file, "loss.item()", "😀loss")
            assert "TPL101" not in [each.code for each in await editor.diagnostics(file)]

    in_editor(work)


def test_a_notebook_is_linted_as_a_whole_cell_by_cell(file: Path) -> None:
    head, body = PROGRAM.split("def train")
    uri = (file.parent / "n.ipynb").as_uri()
    texts = {"a": head, "c": f"%time\ndef train{body}"}

    def name(cell: str) -> str:
        return f"vscode-notebook-cell:{uri.removeprefix('file://')}#{cell}"

    async def work() -> None:
        async with Editor(file.parent) as editor:
            kinds = {
                "a": types.NotebookCellKind.Code,
                "b": types.NotebookCellKind.Markup,
                "c": types.NotebookCellKind.Code,
            }
            cells = [types.NotebookCell(kind, name(cell)) for cell, kind in kinds.items()]
            items = [types.TextDocumentItem(name(cell), "python", 1, text) for cell, text in texts.items()]
            notebook = types.NotebookDocument(uri, "jupyter-notebook", 1, cells)
            editor.versions |= {name("a"): 1, name("c"): 1}
            editor.texts |= {name(cell): text for cell, text in texts.items()}
            editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
            assert await editor.diagnostics(name("a")) == []
            [create, wait] = await editor.diagnostics(name("c"))
            assert create.range.start.line == 5
            assert wait.related_information is not None
            assert {each.location.uri for each in wait.related_information} == {name("c")}
            fix = (await editor.actions(name("c"), create.range))[SAFE]
            [change] = (fix.edit and fix.edit.document_changes) or []
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.uri == name("c")

            def tell(**what: Any) -> None:
                identifier = types.VersionedNotebookDocumentIdentifier(version=2, uri=uri)
                told = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(**what))
                editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(identifier, told))

            whole = types.TextDocumentContentChangeWholeDocument("x = 1\n")
            text = types.VersionedTextDocumentIdentifier(uri=name("c"), version=2)
            editor.versions[name("c")] = 2
            tell(text_content=[types.NotebookDocumentCellContentChanges(text, [whole])])
            assert await editor.diagnostics(name("c")) == []
            whole = types.TextDocumentContentChangeWholeDocument(texts["c"])
            text = types.VersionedTextDocumentIdentifier(uri=name("c"), version=3)
            editor.versions[name("c")] = 3
            tell(text_content=[types.NotebookDocumentCellContentChanges(text, [whole])])
            assert len(await editor.diagnostics(name("c"))) == 2
            assert await editor.actions(uri, create.range) == {}, "a notebook is no text"
            gone = types.NotebookCellArrayChange(start=2, delete_count=1)
            closed = [types.TextDocumentIdentifier(name("c"))]
            tell(structure=types.NotebookDocumentCellChangeStructure(gone, did_close=closed))
            await editor.until(lambda: editor.codes(name("c")) == [])

    in_editor(work)


def test_settings_are_read_again_when_they_change(file: Path) -> None:
    settings = file.parent / "pyproject.toml"

    async def work() -> None:
        async with Editor(file.parent) as editor:
            await editor.open(file)
            await editor.until(lambda: "**/pyproject.toml" in editor.watched)
            settings.write_text('[tool.torchperf-lint]\nignore = ["TPL101"]\n')
            editor.watch(settings)
            await editor.until(lambda: editor.codes(file) == ["TPL201"])
            settings.write_text('[tool.torchperf-lint]\nignroe = ["TPL101"]\n')
            editor.watch(settings)
            await editor.until(lambda: editor.codes(file) == [])
            await editor.until(lambda: bool(editor.client.messages))
            [message] = editor.client.messages
            assert "ignroe" in message.message
            assert str(settings) in message.message
            settings.write_text("")
            editor.save(file)  # as with an editor that watches nothing
            await editor.until(lambda: editor.codes(file) == ["TPL201", "TPL101"])

    in_editor(work)


def test_each_root_has_its_own_settings(tmp_path: Path) -> None:
    files = {}
    for name, ignored in (("one", "TPL101"), ("two", "TPL201")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pyproject.toml").write_text(f'[tool.torchperf-lint]\nignore = ["{ignored}"]\n')
        files[name] = folder / "train.py"
        files[name].write_text(PROGRAM)

    async def work() -> None:
        async with Editor(tmp_path / "one", tmp_path / "two") as editor:
            assert [each.code for each in await editor.open(files["one"])] == ["TPL201"]
            assert [each.code for each in await editor.open(files["two"])] == ["TPL101"]
            editor.type(files["one"], "    return total\n", "    return total  # done\n")
            assert [each.code for each in await editor.diagnostics(files["one"])] == ["TPL201"]

    in_editor(work)


def test_an_open_neighbour_is_seen_as_it_is_typed_and_a_closed_one_as_it_is_saved(file: Path) -> None:
    neighbour = file.parent / "model.py"
    neighbour.write_text('import torch\n\nDEVICE = "cpu"\n\n\ndef made(x):\n    return torch.zeros(9, device=DEVICE)\n')
    file.write_text(
        "import torch\nfrom model import made\n\n\ndef train(model, loader, optimizer):\n    for x in loader:\n"
        "        loss = made(x).sum()\n        loss.backward()\n        optimizer.step()\n        print(loss.item())\n"
    )

    async def work() -> None:
        async with Editor(file.parent) as editor:
            assert await editor.open(file) == []
            await editor.open(neighbour)
            editor.type(neighbour, '"cpu"', '"cuda"')
            await editor.until(lambda: "TPL106" in editor.codes(file))
            editor.close(neighbour)
            await editor.until(lambda: editor.codes(file) == [])
            neighbour.write_text(neighbour.read_text().replace('"cpu"', '"cuda"'))
            editor.watch(neighbour)
            await editor.until(lambda: "TPL106" in editor.codes(file))

    in_editor(work)


def test_what_no_setting_asks_for_is_left_alone(file: Path) -> None:
    for name in ("venv", "src"):
        (file.parent / name).mkdir()
        (file.parent / name / "train.py").write_text(PROGRAM)

    async def work() -> None:
        async with Editor(file.parent) as editor:
            assert len(await editor.open(file.parent / "src/train.py")) == 2
            assert await editor.open(file.parent / "venv/train.py") == []
            assert len(await editor.open("untitled:Untitled-1", PROGRAM)) == 2

    in_editor(work)


def test_of_many_changes_the_last_one_counts_and_few_are_linted(file: Path) -> None:
    async def work() -> None:
        async with Editor(file.parent) as editor:
            await editor.open(file)
            before = editor.times
            for number in range(100):
                editor.type(file, "total = ", f"_{number} = 0\n    total = ")
            found = await editor.diagnostics(file)
            assert found[-1].range.start.line == 111
            assert editor.times - before <= 10

    in_editor(work)


def test_a_question_that_is_taken_back_ends(file: Path) -> None:
    async def work() -> None:
        async with Editor(file.parent) as editor:
            await editor.open(file)
            params = types.HoverParams(types.TextDocumentIdentifier(file.as_uri()), types.Position(11, 20))
            for number in range(20):
                asked = editor.client.protocol.send_request(types.TEXT_DOCUMENT_HOVER, params, msg_id=number)
                editor.client.cancel_request(types.CancelParams(number))
                asked.add_done_callback(lambda future: future.exception())
            assert "GPU sync" in (await editor.hover(file, "loss.item") or "")

    in_editor(work)


RUBBISH = (
    b"Content-Length: 7\r\n\r\n{[}]\r\n\r",
    b"Content-Length: nonsense\r\n\r\n",
    b"\x00\xff\xfe\r\n" * 50,
    b"Content-Length: 2\r\n\r\n[]",
    b"Content-Length: 4\r\n\r\nnull",
    b"Content-Length: 15\r\n\r\n" + b'{"jsonrpc": 20}',
)
WRONG = (
    ("textDocument/didOpen", {"textDocument": {"uri": 5}}),
    ("textDocument/didOpen", {"textDocument": {"uri": "::::", "languageId": "python", "version": 1, "text": "\ud800"}}),
    (
        "textDocument/didChange",
        {"textDocument": {"uri": "file:///nowhere.py", "version": 2}, "contentChanges": [{"text": ""}]},
    ),
    ("textDocument/didClose", {"textDocument": {"uri": "file:///nowhere.py"}}),
    ("notebookDocument/didChange", {"notebookDocument": {"uri": "file:///n.ipynb", "version": 9}, "change": {}}),
    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///a\x00b.py", "type": 1}]}),
    ("no/such/thing", {"a": [1, 2, {"b": None}]}),
    ("$/setTrace", None),
)


def test_a_server_that_is_fed_rubbish_stays_up(file: Path) -> None:
    async def work() -> None:
        async with Editor(file.parent) as editor:
            await editor.open(file)
            assert editor.client._server is not None
            stream = editor.client._server.stdin
            assert stream is not None
            for rubbish in RUBBISH:
                stream.write(rubbish)
            for method, params in WRONG:
                editor.client.protocol._send_data({"jsonrpc": "2.0", "method": method, "params": params})
            for broken in (
                "\x00" * 100,
                "(" * 100_000,
                "x = '" + "\ud800" + "'  # torch",
                "torch\r\r\n\x0c",
                "import torch\n" * 9,
            ):
                name = f"file://{file.parent}/odd{len(broken)}.py"
                await editor.open(name, broken)
            out_of_it = types.Range(types.Position(900, 900), types.Position(1000, 3))
            assert await editor.actions(file, out_of_it) is not None
            editor.type(file, "loss.item()", "1")
            assert [each.code for each in await editor.diagnostics(file)] == ["TPL201"]

    in_editor(work)


@pytest.mark.skipif(sys.platform != "linux", reason="finds the process that lints in /proc")
def test_the_server_outlives_the_process_that_lints(file: Path) -> None:
    async def work() -> None:
        async with Editor(file.parent) as editor:
            await editor.open(file)
            assert editor.client._server is not None
            for child in children(editor.client._server.pid):
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(child, 9)
            for number in range(3):
                editor.type(file, "total = ", f"_{number} = 0\n    total = ")
                await editor.diagnostics(file)
            assert editor.codes(file) == ["TPL201", "TPL101"]

    in_editor(work)


@pytest.mark.skipif(sys.platform != "linux", reason="finds the process that lints in /proc")
def test_nothing_is_left_running_when_the_editor_dies(file: Path) -> None:
    async def work() -> list[int]:
        editor = Editor(file.parent)
        await editor.__aenter__()
        await editor.open(file)
        assert editor.client._server is not None
        below = children(editor.client._server.pid)
        assert below
        os.kill(editor.client._server.pid, 9)
        for _ in range(int(PATIENCE * 10)):
            if not any(runs(each) for each in below):
                return []
            await asyncio.sleep(0.1)
        return below

    assert asyncio.run(work()) == []


def children(pid: int) -> list[int]:
    return [
        int(each) for task in Path(f"/proc/{pid}/task").iterdir() for each in (task / "children").read_text().split()
    ]


def runs(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_a_length_that_nobody_can_mean_is_not_waited_for() -> None:
    said = b"Content-Length: 99999999999999999999999\r\n\r\n{}"
    done = subprocess.run(COMMAND, input=said, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0
    assert b"Overflow" not in done.stderr


@pytest.mark.parametrize("text", ["a\r\nb\rc\nd", "é😀x\n😀😀", "a\x0cb\u2028c\n\n", ""])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_every_place_of_a_text_survives_the_way_to_the_editor(text: str, encoding: str) -> None:
    source = Source(text)
    positions = Positions(source, encoding)
    for offset in range(len(text) + 1):
        place = source.place(offset)
        if place.column <= len(source.line(place.line)) + 1:
            assert positions.place(positions.position(place)) == place
    for start in range(len(text) + 1):
        stretch = types.Range(positions.position(source.place(start)), positions.position(source.place(len(text))))
        change = types.TextDocumentContentChangePartial(range=stretch, text="new")
        if text[start - 1 : start + 1] != "\r\n":
            assert changed(text, change, encoding) == f"{text[:start]}new"


def test_the_garbage_collector_stays_off_where_files_are_linted(tmp_path: Path) -> None:
    """It would look at every outline that is kept, which takes longer than a key may."""
    begin = "from torchperf_lint.server.session import Session; import gc, pathlib"
    said = subprocess.run(
        [sys.executable, "-c", f"{begin}; Session(pathlib.Path('.'), None, True); print(gc.isenabled())"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (said.stdout, said.stderr) == ("False\n", "")
