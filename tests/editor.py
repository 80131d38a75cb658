"""An editor for tests of the server: opens, types, waits for what is said of the text as it is, takes what is offered.

Needs pytest-lsp. What is waited for and does not come is an error of the test, never an empty answer.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from torchperf_lint.server.positions import Positions, changed
from torchperf_lint.syntax.source import Source

PATIENCE: Final = 60.0
"""Seconds before what does not come is missed; machines of tests are busy."""
COMMAND: Final = (sys.executable, "-m", "torchperf_lint", "server")


class Editor:
    """One window of an editor."""

    def __init__(self, *roots: Path, name: str = "visual-studio-code", encoding: str = "utf-16") -> None:
        self.roots, self.name, self.encoding = roots, name, encoding
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.said: dict[str, types.PublishDiagnosticsParams] = {}
        self.times = 0
        """How often something was said of a document."""
        self.watched: list[str] = []
        self._news = asyncio.Event()
        features = {
            **DEFAULT_CLIENT_FEATURES,
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: self._heard(),
            types.CLIENT_REGISTER_CAPABILITY: self._registered(),
        }
        self.client = LanguageClient(converter_factory=default_converter)
        register_lsp_features(self.client, features)

    async def __aenter__(self) -> Editor:
        await self.client.start_io(*COMMAND, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        abilities = client_capabilities(self.name)
        assert abilities.workspace is not None
        abilities.general = types.GeneralClientCapabilities(position_encodings=[self.encoding])
        abilities.workspace.did_change_watched_files = types.DidChangeWatchedFilesClientCapabilities(
            dynamic_registration=True
        )
        abilities.notebook_document = types.NotebookDocumentClientCapabilities(
            types.NotebookDocumentSyncClientCapabilities()
        )
        folders = [types.WorkspaceFolder(root.as_uri(), root.name) for root in self.roots]
        params = types.InitializeParams(capabilities=abilities, workspace_folders=folders)
        await asyncio.wait_for(self.client.initialize_session(params), PATIENCE)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.wait_for(self.client.shutdown_session(), PATIENCE)
        await self.client.stop()

    # ---- what the user does

    async def open(self, path: Path | str, text: str | None = None) -> list[types.Diagnostic]:
        """Open a file, or a text under a name; what is said of it."""
        uri = path.as_uri() if isinstance(path, Path) else path
        self.texts[uri] = path.read_text(encoding="utf-8") if isinstance(path, Path) and text is None else text or ""
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, "python", 1, self.texts[uri])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.diagnostics(uri)

    def type(self, path: Path | str, old: str, new: str) -> None:
        """Put a text in the place of another one, as a change of that stretch."""
        uri = path.as_uri() if isinstance(path, Path) else path
        text = self.texts[uri]
        assert text.count(old) == 1
        positions = Positions(Source(text), self.encoding)
        start = text.index(old)
        stretch = types.Range(*(positions.position(Source(text).place(at)) for at in (start, start + len(old))))
        self._change(uri, [types.TextDocumentContentChangePartial(range=stretch, text=new)])

    def apply(self, edit: types.WorkspaceEdit | None) -> None:
        """Take an edit over, as it was meant for this version."""
        assert edit is not None
        assert edit.document_changes
        for each in edit.document_changes:
            assert isinstance(each, types.TextDocumentEdit)
            uri = each.text_document.uri
            assert each.text_document.version == self.versions[uri]
            changes = [types.TextDocumentContentChangePartial(range=one.range, text=one.new_text) for one in each.edits]
            starts = [(change.range.start.line, change.range.start.character) for change in changes]
            order = sorted(range(len(changes)), key=lambda at: starts[at], reverse=True)
            self._change(uri, [changes[at] for at in order])

    def _change(self, uri: str, changes: list[types.TextDocumentContentChangePartial]) -> None:
        for change in changes:
            self.texts[uri] = changed(self.texts[uri], change, self.encoding)
        self.versions[uri] += 1
        named = types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri])
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, changes))

    def save(self, path: Path) -> None:
        path.write_text(self.texts[path.as_uri()], encoding="utf-8")
        named = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(named))

    def close(self, path: Path) -> None:
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(path.as_uri()))
        )

    def watch(self, path: Path, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        """Tell of a file that was written by somebody else."""
        self.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(path.as_uri(), kind)])
        )

    # ---- what the user sees

    async def diagnostics(self, path: Path | str) -> list[types.Diagnostic]:
        """What is said of the text as it is now."""
        uri = path.as_uri() if isinstance(path, Path) else path
        await self.until(lambda: uri in self.said and self.said[uri].version == self.versions[uri])
        return list(self.said[uri].diagnostics)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for what is said to be so."""

        async def wait() -> None:
            while not holds():
                self._news.clear()
                await self._news.wait()

        await asyncio.wait_for(wait(), PATIENCE)

    def codes(self, path: Path | str) -> list[str]:
        uri = path.as_uri() if isinstance(path, Path) else path
        return [str(each.code) for each in self.said[uri].diagnostics]

    async def actions(
        self, path: Path | str, place: types.Range, only: list[str] | None = None
    ) -> dict[str, types.CodeAction]:
        """What is offered at a place, by title."""
        uri = path.as_uri() if isinstance(path, Path) else path
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([], only))
        found = await asyncio.wait_for(self.client.text_document_code_action_async(params), PATIENCE)
        assert found is not None
        assert all(isinstance(each, types.CodeAction) for each in found)
        return {each.title: each for each in found if isinstance(each, types.CodeAction)}

    async def hover(self, path: Path | str, text: str) -> str | None:
        """What is shown when the mouse is on the last letter of a text that stands once in a file."""
        uri = path.as_uri() if isinstance(path, Path) else path
        assert self.texts[uri].count(text) == 1
        source = Source(self.texts[uri])
        at = Positions(source, self.encoding).position(source.place(source.text.index(text) + len(text) - 1))
        params = types.HoverParams(types.TextDocumentIdentifier(uri), at)
        found = await asyncio.wait_for(self.client.text_document_hover_async(params), PATIENCE)
        assert found is None or isinstance(found.contents, types.MarkupContent)
        return found.contents.value if found is not None else None  # type: ignore[union-attr]

    def _heard(self) -> Callable[[types.PublishDiagnosticsParams], None]:
        def heard(params: types.PublishDiagnosticsParams) -> None:
            self.said[params.uri] = params
            self.times += 1
            self._news.set()

        return heard

    def _registered(self) -> Callable[[types.RegistrationParams], None]:
        def registered(params: types.RegistrationParams) -> None:
            for each in params.registrations:
                options: Any = each.register_options
                self.watched += [watcher["globPattern"] for watcher in options["watchers"]]
            self._news.set()

        return registered


def in_editor(work: Callable[[], Awaitable[None]]) -> None:
    """Run what a user does to its end."""

    async def run() -> None:
        await work()

    asyncio.run(run())
