"""The samples of lines as plain data: files with the digests of their lines, functions, and columns of samples.

No text of the program is kept: a line is known by its digest.
"""

from __future__ import annotations

import linecache
from pathlib import Path
from types import CodeType
from typing import Any

from torchperf_lint.disk.read import read_file
from torchperf_lint.trace.digests import digests
from torchperf_lint.trace.recorder.lines import Lines


class _Codes:
    """Numbers for codes and files."""

    def __init__(self, folder: str) -> None:
        self.files: list[str] = []
        self.names: list[str] = []
        self.codes: list[tuple[int, str, int]] = []
        self._known: dict[int, int] = {}
        self._folder = folder

    def number(self, code: CodeType) -> int:
        found = self._known.get(id(code))
        if found is None:
            if code.co_filename not in self.names:
                self.names.append(code.co_filename)
                self.files.append(str(Path(self._folder, code.co_filename)))
            found = self._known[id(code)] = len(self.codes)
            self.codes.append((self.names.index(code.co_filename), code.co_name, code.co_firstlineno))
        return found


def plain_lines(lines: Lines, folder: str) -> dict[str, Any]:
    """Everything that is known of the lines; `folder` is where the program started."""
    codes = _Codes(folder)
    stack = [(codes.number(code), line) for code, line in lines.stack]
    threads = []
    for ident, samples in lines.samples.items():
        times, numbers, where, nodes = [], [], [], []
        before = 0
        for time, number, code, node in samples:
            times.append(time - before)
            before = time
            numbers.append(number)
            where.append(codes.number(code))
            nodes.append(node)
        columns = {"times": times, "lines": numbers, "codes": where, "nodes": nodes}
        threads.append({"thread": lines.native.get(ident, 0), **columns})
    texts = [_lines_of(name, file) for name, file in zip(codes.names, codes.files, strict=True)]
    return {
        "stack": stack,
        "threads": threads,
        "codes": codes.codes,
        "files": [{"path": file, "digests": digests(text)} for file, text in zip(codes.files, texts, strict=True)],
    }


def _lines_of(name: str, file: str) -> list[str]:
    if name in linecache.cache:  # a cell of a notebook, which lies in no file
        return linecache.getlines(name)
    try:
        return read_file(file).decode("utf-8", "replace").splitlines(keepends=True)
    except OSError:
        return []
