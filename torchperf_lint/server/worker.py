"""The process that lints, so that the server answers while a long file is worked on, and lives on if it dies.

One question at a time: what waits for its turn and is cancelled is never begun. The process ends with the server,
however that ends.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchperf_lint.run.start_elsewhere import elsewhere

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchperf_lint.server.session import Known, Linted, Session
    from torchperf_lint.syntax.source import Place


class Died(Exception):  # noqa: N818
    """The process died over a question; the next one gets a new process."""


class Worker:
    """The process, and what it can be asked."""

    def __init__(self, folder: Path, file: Path | None, isolated: bool) -> None:
        self._start = (folder, file, isolated)
        self._turn = asyncio.Lock()
        self._pool = self._made()

    async def lint(self, path: Path, data: bytes) -> Linted:
        found: Linted = await self._ask("lint", path, data)
        return found

    async def fix(self, path: Path, data: bytes) -> dict[int | None, str]:
        fixed: dict[int | None, str] = await self._ask("fix", path, data)
        return fixed

    async def known(self, path: Path, data: bytes, cell: int | None, place: Place) -> Known | None:
        known: Known | None = await self._ask("known", path, data, cell, place)
        return known

    async def close(self, path: Path) -> bool:
        return bool(await self._ask("close", path))

    async def disk_changed(self, paths: Sequence[Path]) -> None:
        await self._ask("disk_changed", paths)

    async def reload(self, paths: Sequence[Path]) -> bool:
        return bool(await self._ask("reload", paths))

    def end(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, question: str, *about: object) -> Any:
        async with self._turn:
            try:
                with elsewhere():  # which starts the process, if there is none
                    answer = asyncio.get_running_loop().run_in_executor(self._pool, _answer, question, *about)
                return await answer
            except BrokenProcessPool:
                self._pool = self._made()
                raise Died from None

    def _made(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        with elsewhere():  # what looks after its locks is a process too
            return ProcessPoolExecutor(1, context, initializer=_begin, initargs=self._start)


# ---- in the process

_session: Session | None = None


def _begin(folder: Path, file: Path | None, isolated: bool) -> None:
    global _session
    from torchperf_lint.server.session import Session

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # whatever is printed must not get between the messages of the server
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _session = Session(folder, file, isolated)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


def _answer(question: str, *about: object) -> Any:
    assert _session is not None
    try:
        return getattr(_session, question)(*about)
    finally:
        _session.tidy()
