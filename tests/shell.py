"""Runs the tool in the process of a test and keeps what it said."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchperf_lint.cli.main import main

LINE = "a.py:2:1: TPL101 [*] `a.item()` makes the host wait for the GPU\n"
"""What the linter that does not change says of a file as `write` makes it."""


class Shell:
    """Runs the tool in this process and keeps what it said."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        code = main(arguments)
        self.out, self.err = self.capsys.readouterr()
        return code


def write(path: str, text: str = "import torch\na.item()\n") -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file
