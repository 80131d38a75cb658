"""What is installed: plain Python at once, compiled where that is asked for, and never the one in place of the other."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
ASK = "TORCHPERF_LINT_COMPILE"


def set_up(monkeypatch: pytest.MonkeyPatch, mypycify: Callable[..., list[str]], *commands: str) -> list[str]:
    """What `setup.py` has compiled, with another compiler."""
    setuptools = pytest.importorskip("setuptools")
    asked: dict[str, Any] = {}
    fake = ModuleType("mypyc.build")
    monkeypatch.setattr(fake, "mypycify", mypycify, raising=False)
    monkeypatch.setitem(sys.modules, "mypyc.build", fake)
    monkeypatch.setattr(setuptools, "setup", lambda **given: asked.update(given))
    monkeypatch.setattr(sys, "argv", ["setup.py", *commands])
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py")
    return list(asked["ext_modules"])


def refuse(*_: object, **__: object) -> list[str]:
    raise SystemExit(1)


@pytest.mark.parametrize("said", [None, "0", ""])
def test_a_build_from_source_compiles_nothing(monkeypatch: pytest.MonkeyPatch, said: str | None) -> None:
    monkeypatch.delenv(ASK, raising=False) if said is None else monkeypatch.setenv(ASK, said)
    assert set_up(monkeypatch, refuse, "bdist_wheel") == []


def test_a_wheel_is_compiled_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ASK, "1")
    made = set_up(monkeypatch, lambda given, **_: [each for each in given if each.endswith(".py")], "bdist_wheel")
    assert "torchperf_lint/facts/domain/value.py" in made
    assert set_up(monkeypatch, refuse, "editable_wheel") == []


def test_what_does_not_compile_makes_no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ASK, "1")
    with pytest.raises(SystemExit):
        set_up(monkeypatch, refuse, "bdist_wheel")
    assert "build_ext" not in (ROOT / "setup.py").read_text(encoding="utf-8"), "setuptools itself fails where gcc does"


def test_mypy_is_fetched_only_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    build_meta = pytest.importorskip("setuptools.build_meta")
    monkeypatch.setattr(build_meta, "get_requires_for_build_wheel", lambda _: ["wheel"])
    backend = runpy.run_path(str(ROOT / "release/backend.py"))
    monkeypatch.delenv(ASK, raising=False)
    assert backend["get_requires_for_build_wheel"]() == ["wheel"]
    monkeypatch.setenv(ASK, "1")
    assert backend["get_requires_for_build_wheel"]() == ["wheel", backend["MYPY"]]
    assert backend["build_wheel"] is build_meta.build_wheel
    assert backend["MYPY"] in (ROOT / "tests/constraints.txt").read_text(encoding="utf-8").splitlines()
    assert "mypy" not in re.search(r"requires = \[.*?\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))[0]  # type: ignore[index]
