"""What is found depends on the program alone: not on the order of branches, definitions, statements, rules or files.

    TORCHPERF_LINT_EXAMPLES=2000 python -m pytest tests/test_order.py      a long run

Programs are drawn, and the fixtures of the rules are taken as they are. `order_packages.py` asks the same of whole packages.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from drawn_arms import branching
from drawn_calls import calling
from drawn_programs import programs
from examples import CONFIG, some
from fixture import Fixture, fixtures
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from order_cases import DIFFERED, REMEMBERED
from permutations import PERMUTATIONS, Permutation, arms, definitions, files, statements, told
from same_settings import SameSettings

from torchperf_lint.config.config import Config
from torchperf_lint.engine import lint_text
from torchperf_lint.model.finding import Finding
from torchperf_lint.rule import Rule, all_rules
from torchperf_lint.run import run_files
from torchperf_lint.run.lint_file import Done, LintFile
from torchperf_lint.syntax.source import Source

pytestmark = pytest.mark.slow

RULES = all_rules()
drawn = settings(some, phases=(Phase.explicit, Phase.reuse, Phase.generate))
"""Without shrinking, which takes minutes."""
every_fixture = pytest.mark.parametrize("fixture", fixtures(), ids=lambda fixture: fixture.name)


def lint(text: str) -> list[Finding]:
    return lint_text.lint(Source(text, "drawn.py"), CONFIG)


@cache
def found_in(text: str) -> list[Finding]:
    """What is found in a program as it is written, which several permutations of it are held against."""
    return lint(text)


def agree(permutation: Permutation, text: str, random: Random) -> None:
    before, after = permutation(text, random)
    if before != after:
        expected, found = told(found_in(before), before), told(lint(after), after)
        assert (expected - found, found - expected) == ({}, {}), f"{before}\n---- permuted\n\n{after}"


# ---- within a program


@drawn
@given(branching(), st.randoms())
def test_branches_may_stand_in_any_order(text: str, random: Random) -> None:
    agree(arms, text, random)


@drawn
@given(calling(), st.randoms())
def test_functions_may_stand_in_any_order(text: str, random: Random) -> None:
    agree(definitions, text, random)


@some
@given(branching(), st.randoms())
def test_what_has_nothing_to_do_with_each_other_may_stand_in_any_order(text: str, random: Random) -> None:
    agree(statements, text, random)


@some
@given(programs(), st.sampled_from(list(PERMUTATIONS.values())), st.randoms())
def test_a_program_that_runs_may_stand_in_any_order(text: str, permutation: Permutation, random: Random) -> None:
    agree(permutation, text, random)


class Backwards(Random):
    """Turns round what it is to shuffle: two branches change places for sure."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        x.reverse()


@pytest.mark.parametrize("name", PERMUTATIONS)
@every_fixture
def test_fixtures_may_stand_in_any_order(fixture: Fixture, name: str) -> None:
    for section in fixture.sections:
        agree(PERMUTATIONS[name], section.text, Backwards())


@pytest.mark.parametrize("name", DIFFERED)
def test_what_once_differed(name: str) -> None:
    before, after = DIFFERED[name]
    assert told(lint(before), before) == told(lint(after), after)


# ---- the rules: about drawn programs; about the fixtures `test_prescreen.py` asks them backwards


def asked_in(rules: Sequence[Rule], ask: Callable[[], list[Finding]]) -> list[Finding]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lint_text, "all_rules", lambda: tuple(rules))
        return ask()


@drawn
@given(st.one_of(calling(), branching()), st.randoms())
def test_rules_may_be_asked_in_any_order(text: str, random: Random) -> None:
    order = [*RULES]
    random.shuffle(order)
    assert asked_in(order, lambda: lint(text)) == lint(text)


@pytest.mark.parametrize("text", REMEMBERED.values(), ids=REMEMBERED)
def test_what_is_unfinished_is_not_remembered(text: str) -> None:
    assert asked_in(RULES[::-1], lambda: lint(text)) == lint(text)


# ---- the files


def one_by_one(paths: Sequence[Path], config: Config) -> dict[str, Done]:
    """What comes of files, linted in this order by one process that knows nothing of other runs."""
    configs = SameSettings(replace(config))
    job = LintFile(configs)
    return {path.name: Done.from_bytes(job(str(path))).shown(configs) for path in paths}


def written(folder: Path, texts: dict[str, str]) -> tuple[list[Path], Config]:
    paths = [folder / name for name in texts]
    for path in paths:
        path.write_text(texts[path.name], encoding="utf-8")
    return paths, replace(CONFIG, root=folder)


@some
@given(st.one_of(calling(), branching()))
def test_files_that_import_each_other_may_be_linted_in_any_order(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths, config = written(Path(folder), files(text))
        alone = {name: done for path in paths for name, done in one_by_one([path], config).items()}
        assert one_by_one(paths, config) == alone
        assert one_by_one(paths[::-1], config) == alone


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], Config, dict[str, Done]]:
    """A project of more than a hundred files, and what comes of each alone."""
    sections = [each for fixture in fixtures() for each in fixture.sections[:1]]
    texts = {f"section_{number}.py": each.text for number, each in enumerate(sections)}
    paths, config = written(tmp_path_factory.mktemp("project"), texts)
    return paths, config, {name: done for path in paths for name, done in one_by_one([path], config).items()}


class TestProject:
    """Told by what comes of each file alone, which one process finds out."""

    def test_files_may_be_linted_in_any_order(self, project: tuple[list[Path], Config, dict[str, Done]]) -> None:
        paths, config, alone = project
        assert sum(len(done.findings) for done in alone.values()) > len(paths) // 2
        for order in (paths[::-1], Random(0).sample(paths, len(paths))):
            assert one_by_one(order, config) == alone

    @pytest.mark.parametrize("jobs", [1, 3])
    def test_any_number_of_processes_and_a_cache_find_the_same(
        self,
        jobs: int,
        project: tuple[list[Path], Config, dict[str, Done]],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        paths, config, alone = project
        monkeypatch.setattr(run_files, "WORTH_A_POOL", 0)
        job = LintFile(SameSettings(replace(config, jobs=jobs, cache=True, cache_dir=tmp_path)))
        expected = [alone[path.name].findings for path in paths]
        assert [done.findings for done in run_files.over([*map(str, paths)], job)] == expected, "cold"
        assert [done.findings for done in run_files.over([*map(str, paths)], job)] == expected, "warm"
