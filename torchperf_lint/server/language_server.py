"""What the editor sends, and who answers it.

    text and notebook messages --> documents, follow      settings and files changed --> worker, follow
    codeAction, resolve --> actions                        hover --> hover

A message that is wrong is an error of that message: it is logged, and the server goes on.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from torchperf_lint.config.settings_file import OWN_FILE, PYPROJECT
from torchperf_lint.server import hover
from torchperf_lint.server.actions import FIX_ALL, KINDS, Actions
from torchperf_lint.server.diagnostics import Diagnostics
from torchperf_lint.server.documents import PYTHON, Document, Documents
from torchperf_lint.server.follow import Follower
from torchperf_lint.server.worker import Worker
from torchperf_lint.version import VERSION

SETTINGS: Final = (PYPROJECT, OWN_FILE, ".gitignore")
"""Files that say what is linted, and how."""
WATCHED: Final = ("**/*.py", *(f"**/{name}" for name in SETTINGS))
LONGEST: Final = 100_000_000
"""Bytes of a message; a length that nobody can mean is not waited for."""
_NOTEBOOKS: Final = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithNotebook("*", [types.NotebookCellLanguage(PYTHON)])], save=False
)


class Server:
    """One editor, from its first message to its last."""

    def __init__(self, file: Path | None, *, isolated: bool) -> None:
        self.lsp = LanguageServer("torchperf-lint", VERSION, notebook_document_sync=_NOTEBOOKS)
        self._settings = (file, isolated)
        self._documents = Documents()
        self._worker: Worker
        self._follower: Follower
        self._diagnostics: Diagnostics
        self._actions: Actions
        setattr(self.lsp, "report_server_error", self._log)  # noqa: B010 - not a pop-up: nobody can do anything about it
        own = self.lsp.protocol.fm.builtin_features
        for method in [method for method in own if method.partition("/")[0] in ("textDocument", "notebookDocument")]:
            del own[method]  # keeps texts too, takes U+2028 for the end of a line, and alters the message to fit
        for method, (handler, *options) in self._handlers().items():
            self.lsp.feature(method, *options)(
                partial(handler)
            )  # which marks what it is given, and a method takes no marks

    def serve(self) -> None:
        """Answer until the editor goes."""
        received: Any = Received(sys.stdin.buffer)
        sent = sys.stdout.buffer
        sys.stdout = sys.stderr  # whatever is printed must not get between the messages
        self.lsp.start_io(received, sent)

    def _handlers(self) -> dict[str, tuple[Any, ...]]:
        kinds = types.CodeActionOptions(list(KINDS), resolve_provider=True)
        return {
            types.INITIALIZE: (self._initialize,),
            types.INITIALIZED: (self._initialized,),
            types.SHUTDOWN: (self._shutdown,),
            types.TEXT_DOCUMENT_DID_OPEN: (self._open,),
            types.TEXT_DOCUMENT_DID_CHANGE: (self._change,),
            types.TEXT_DOCUMENT_DID_SAVE: (self._save,),
            types.TEXT_DOCUMENT_DID_CLOSE: (self._close,),
            types.NOTEBOOK_DOCUMENT_DID_OPEN: (self._open_notebook,),
            types.NOTEBOOK_DOCUMENT_DID_CHANGE: (self._change_notebook,),
            types.NOTEBOOK_DOCUMENT_DID_CLOSE: (self._close_notebook,),
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: (self._files_changed,),
            types.TEXT_DOCUMENT_CODE_ACTION: (self._code_actions, kinds),
            types.CODE_ACTION_RESOLVE: (self._resolve,),
            types.TEXT_DOCUMENT_HOVER: (self._hover,),
        }

    # ---- the life of the server

    def _initialize(self, params: types.InitializeParams) -> None:
        folders = [each.uri for each in params.workspace_folders or []]
        first = next((path for uri in [*folders, params.root_uri] if uri and (path := uris.to_fs_path(uri))), None)
        self._documents.folder = Path(first) if first else Path.cwd()
        abilities = params.capabilities
        texts, workspace = abilities.text_document, abilities.workspace
        shown = texts.publish_diagnostics if texts else None
        edits = workspace.workspace_edit if workspace else None
        self._worker = Worker(self._documents.folder, *self._settings)
        self._diagnostics = Diagnostics(self._documents, related=bool(shown and shown.related_information))
        versioned = bool(edits and edits.document_changes)
        self._actions = Actions(self._documents, self._diagnostics, versioned=versioned)
        self._follower = Follower(self._documents, self._worker, self._show, self._complain)

    def _initialized(self, _: types.InitializedParams) -> None:
        encoding: Any = self.lsp.workspace.position_encoding
        self._documents.encoding = getattr(encoding, "value", encoding)
        workspace = self.lsp.client_capabilities.workspace
        watches = workspace.did_change_watched_files if workspace else None
        if watches is not None and watches.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions(list(map(types.FileSystemWatcher, WATCHED)))
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            self.lsp.client_register_capability(
                types.RegistrationParams([types.Registration("watched", method, options)])
            )

    def _shutdown(self, _: None) -> None:
        self._worker.end()

    # ---- what is open

    async def _open(self, params: types.DidOpenTextDocumentParams) -> None:
        await self._opened(self._documents.add(params.text_document))

    async def _change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._typed(self._documents.change(params))

    async def _save(self, _: types.DidSaveTextDocumentParams) -> None:
        await self._maybe_other_settings()

    async def _close(self, params: types.DidCloseTextDocumentParams) -> None:
        await self._closed(params.text_document.uri)

    async def _open_notebook(self, params: types.DidOpenNotebookDocumentParams) -> None:
        await self._opened(self._documents.add_notebook(params))

    async def _change_notebook(self, params: types.DidChangeNotebookDocumentParams) -> None:
        closed = (
            params.change.cells.structure.did_close if params.change.cells and params.change.cells.structure else None
        )
        for cell in closed or []:
            self.lsp.text_document_publish_diagnostics(types.PublishDiagnosticsParams(cell.uri, []))
        self._typed(self._documents.change_notebook(params))

    async def _close_notebook(self, params: types.DidCloseNotebookDocumentParams) -> None:
        await self._closed(params.notebook_document.uri)

    async def _opened(self, document: Document | None) -> None:
        if document is not None:
            await self._maybe_other_settings()
            self._follower.again(document)

    def _typed(self, document: Document | None) -> None:
        if document is not None:
            self._follower.touch(document)

    async def _closed(self, uri: str) -> None:
        document = self._documents.close(uri)
        if document is not None:
            document.linted = None
            self._show(document)
            if await self._worker.close(document.path):
                self._follower.readers_again([document.path])

    async def _maybe_other_settings(self) -> None:
        """For editors that watch no files: look whether the settings of what is open have changed."""
        if await self._worker.reload([each.path for each in self._documents]):
            self._follower.all_again()

    async def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        paths = [Path(path) for each in params.changes if (path := uris.to_fs_path(each.uri))]
        if any(path.name in SETTINGS for path in paths):
            await self._worker.reload([])
            self._follower.all_again()
        modules = [path for path in paths if path.suffix == ".py" and self._documents.at(path) is None]
        if modules:
            await self._worker.disk_changed(modules)
            if all(each.type == types.FileChangeType.Changed for each in params.changes):
                self._follower.readers_again(modules)
            else:
                self._follower.all_again()

    # ---- what is asked

    async def _code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        document = self._documents.get(params.text_document.uri)
        if document is None:
            return []
        only = params.context.only
        actions = self._actions.at(document, params.text_document.uri, params.range, only)
        return [await self._resolve(each) if only and each.kind == FIX_ALL else each for each in actions]

    async def _resolve(self, action: types.CodeAction) -> types.CodeAction:
        document = self._documents.get(str(action.data))
        if document is not None and action.edit is None:
            wanted = document.wanted
            texts = await self._worker.fix(document.path, document.data)
            if document.wanted == wanted:
                action.edit = self._actions.fixed(document, texts)
        return action

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        document = self._documents.get(params.text_document.uri)
        named = document.named(params.text_document.uri) if document is not None else None
        if document is None or named is None:
            return None
        cell, part = named
        positions = self._documents.positions(part)
        place = positions.place(params.position)
        rule = hover.rule_at(positions.source, place)
        if rule is not None:
            return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, hover.page_of(rule)))
        known = await self._worker.known(document.path, document.data, cell, place)
        if known is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, hover.words(known, document.path))
        return types.Hover(content, positions.range(known.expression.span))

    # ---- what is said

    def _show(self, document: Document) -> None:
        for params in self._diagnostics.of(document):
            self.lsp.text_document_publish_diagnostics(params)

    def _complain(self, message: str) -> None:
        self.lsp.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"torchperf-lint: {message}"))

    def _log(self, error: Exception, _: object) -> None:
        self.lsp.window_log_message(types.LogMessageParams(types.MessageType.Error, f"{type(error).__name__}: {error}"))


class Received:
    """The standard input; what claims to be longer than any message is read in part, and found to be none."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readline(self) -> Any:
        return self._stream.readline(LONGEST)

    def read(self, length: int) -> Any:
        return self._stream.read(min(length, LONGEST))
