"""The Python interface and the flake8 plugin: the same findings without the streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fake_lint
import pytest
from reported import finding

import torchperf_lint
from torchperf_lint import Finding, Fix, flake8, lint_paths, lint_text
from torchperf_lint.flake8 import Plugin

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "import torch\na.item()\n"


@pytest.fixture(autouse=True)
def _project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_lint.installed(monkeypatch)
    monkeypatch.chdir(tmp_path)


def test_a_text() -> None:
    (found,) = lint_text(TEXT)
    assert isinstance(found, Finding)
    assert isinstance(found.fix, Fix)
    assert (found.path, found.span.start.line, found.code) == ("<text>", 2, "TPL101")
    assert lint_text("a.item()") == []


def test_a_text_is_linted_with_the_settings_that_are_given_alone(tmp_path: Path) -> None:
    (tmp_path / "torchperf-lint.toml").write_text("broken = true", encoding="utf-8")
    assert len(lint_text(TEXT + "l.item()\n", select=["TPL0"], target_torch="2.0")) == 2
    with pytest.raises(ValueError, match="unknown setting `selekt`"):
        lint_text(TEXT, selekt=["TPL1"])
    with pytest.raises(ValueError, match="unknown rule `TPL9z`"):
        lint_text(TEXT, select=["TPL9z"])


def test_the_text_of_a_notebook() -> None:
    text = '{"cells": [{"cell_type": "code", "source": "import torch\\na.item()"}], "nbformat": 4}'
    (found,) = lint_text(text, "nb.ipynb")
    assert (found.cell, found.span.start.line) == (1, 2)


def test_paths(tmp_path: Path) -> None:
    (tmp_path / "torchperf-lint.toml").write_text('extend-exclude = ["skip"]', encoding="utf-8")
    for name in ("a.py", "sub/b.py", "skip/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    assert [found.path for found in lint_paths()] == ["a.py", "sub/b.py"]
    assert [found.path for found in lint_paths([tmp_path / "sub"], extend_exclude=["nothing"])] == ["sub/b.py"]
    with pytest.warns(UserWarning, match=r"none\.py: No such file"):
        assert lint_paths(["none.py"]) == []


def test_its_names() -> None:
    assert set(torchperf_lint.__all__) <= set(dir(torchperf_lint))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        torchperf_lint.nothing  # noqa: B018


def test_the_flake8_plugin(tmp_path: Path) -> None:
    (tmp_path / "torchperf-lint.toml").write_text('per-file-ignores = {"b.py" = ["ALL"]}', encoding="utf-8")
    plugin = Plugin(None, str(tmp_path / "a.py"), TEXT.splitlines(keepends=True))
    assert list(plugin.run()) == [(2, 0, "TPL101 `a.item()` makes the host wait for the GPU", Plugin)]
    assert list(Plugin(None, "a.py", ["a.item()\n"]).run()) == []


def test_flake8_gets_no_escapes_and_a_text_in_whatever_encoding_its_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """flake8 hands over the text; the line that names the encoding of the file still stands in it."""
    seen: list[bytes] = []

    def lint(data: bytes, *_: object) -> list[Finding]:
        seen.append(data)
        return [finding(message="a `\x1b[31m\u202e` waits")]

    monkeypatch.setattr(flake8, "lint_bytes", lint)
    [(*_, said, _)] = Plugin(None, "a.py", ["# coding: latin-1\n", "a = 'é'\n"]).run()
    assert said == "TPL101 a `\u241b[31m\ufffd` waits"
    assert seen == [b"# coding: latin-1\na = '\xe9'\n"]


def test_a_text_that_names_an_encoding_is_a_text_all_the_same() -> None:
    call = 'def f(x: torch.Tensor):\n    return "é", x.item()\n'
    [plain] = lint_text(f"# what\nimport torch\n{call}", select=["TPL100"])
    [named] = lint_text(f"# coding: latin-1\nimport torch\n{call}", select=["TPL100"])
    assert named.span == plain.span
    [amiss] = lint_text(f"# coding: nonsense\nimport torch\n{call}", select=["TPL100"])
    assert amiss.code == "TPL001"
