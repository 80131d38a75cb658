"""Which document is linted when: soon after one stops typing, the newest text only, and what stands on it after that.

typed, typed, typed    each puts the lint off by a moment, and none is begun for a text that is there no more
linted                 the text may have changed meanwhile: then it is linted again, and nothing is shown of the old
shown                  the open documents that import it are linted next
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from torchperf_lint.server.session import Linted
from torchperf_lint.server.worker import Died

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from torchperf_lint.server.documents import Document, Documents
    from torchperf_lint.server.worker import Worker

PAUSE: Final = 0.02
"""Seconds without a change before a document is linted: what an editor sends at once, or in one stroke, is linted once."""


class Follower:
    """Keeps what is shown of the open documents true."""

    def __init__(
        self, documents: Documents, worker: Worker, show: Callable[[Document], None], complain: Callable[[str], None]
    ) -> None:
        self._documents, self._worker = documents, worker
        self._show, self._complain = show, complain
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._said: set[str] = set()

    def touch(self, document: Document) -> None:
        """A document was typed in."""
        document.touched = time.monotonic()
        self.again(document)

    def again(self, document: Document) -> None:
        """A document, or what it stands on, is not what it was."""
        document.wanted += 1
        task = self._tasks.get(document.uri)
        if task is None or task.done():
            self._tasks[document.uri] = asyncio.create_task(self._follow(document))

    def all_again(self) -> None:
        self._said.clear()
        for document in self._documents:
            self.again(document)

    def readers_again(self, paths: Iterable[Path]) -> None:
        """Some files have changed: lint the open documents that stand on them."""
        changed = {str(path) for path in paths}
        for document in self._documents:
            if document.linted is not None and document.linted.reads & changed:
                self.again(document)

    async def _follow(self, document: Document) -> None:
        """Lint a document until what was found is of what it is."""
        is_news = False
        while document.done != document.wanted and self._is_open(document):
            while (rest := document.touched + PAUSE - time.monotonic()) > 0:
                await asyncio.sleep(rest)
            wanted = document.wanted
            linted = await self._linted(document)
            is_news |= linted.is_news
            if document.wanted == wanted and self._is_open(document):
                document.linted, document.done = linted, wanted
                self._show(document)
        if is_news:
            self.readers_again([document.path])

    async def _linted(self, document: Document) -> Linted:
        try:
            linted = await self._worker.lint(document.path, document.data)
        except Died:
            linted = Linted(failure=f"the process that lints died over {document.path.name}")
        if linted.failure is not None and linted.failure not in self._said:
            self._said.add(linted.failure)
            self._complain(linted.failure)
        return linted

    def _is_open(self, document: Document) -> bool:
        return self._documents.get(document.uri) is document
