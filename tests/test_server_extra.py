"""The language server where its extra is not installed."""

from __future__ import annotations

import sys

import pytest
from shell import Shell


def test_without_the_extra_the_command_says_how_to_install_it(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("torchperf_lint.server.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    assert run("server") == 2
    assert "pip install 'torchperf-lint[lsp]'" in run.err


def test_help_needs_no_extra(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert run("server", "--help") == 0
    assert "torchperf-lint[lsp]" in run.out
