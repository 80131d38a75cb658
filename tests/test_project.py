"""Which outlines of a project are kept from file to file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from torchperf_lint.facts.project import project
from torchperf_lint.facts.project.project import Project


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project of ten files of some 100 characters each, of whose outlines three are kept."""
    for number in range(10):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): pass\n".ljust(100, "#"))
    monkeypatch.setattr(project, "KEPT", 300)
    return Project(tmp_path)


def test_what_many_files_ask_for_stays(small: Project) -> None:
    shared, _ = small.load(small.root / "m0.py")
    for number in range(1, 10):
        again, _ = small.load(small.root / "m0.py")
        assert again is shared
        small.load(small.root / f"m{number}.py")
        small.tidy(Counter)
    assert sum(len(kept.text) for kept in small._kept.values()) <= 300


def test_what_nobody_asks_for_any_more_goes(small: Project) -> None:
    shared, _ = small.load(small.root / "m0.py")
    for _ in range(20):
        for number in range(1, 10):
            small.load(small.root / f"m{number}.py")
            small.tidy(Counter)
    again, _ = small.load(small.root / "m0.py")
    assert again is not shared


def test_what_others_rest_on_stays(small: Project) -> None:
    below, _ = small.load(small.root / "m0.py")
    assert below is not None
    for number in range(1, 10):
        for _ in range(number):
            small.load(small.root / f"m{number}.py")
        small.tidy(lambda: Counter([below]))
    again, _ = small.load(small.root / "m0.py")
    assert again is below


def test_what_is_dropped_while_a_file_is_linted_is_whole(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "KEPT", 50)
    modules = [small.load(small.root / f"m{number}.py")[0] for number in range(3)]
    assert [module is not None and [*module.body.scope.stores] for module in modules] == [["f0"], ["f1"], ["f2"]]
