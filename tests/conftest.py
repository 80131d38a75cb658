"""Options of the tests, and what several of them start from."""

from __future__ import annotations

import compileall
import gc
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import by_rule
import fake_lint
import pytest
import rights
from reported import RULE, project
from shell import Shell

import torchperf_lint
from torchperf_lint.report import hints, sarif

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs behind `&` so, and children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
for each in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):  # `nohup` and `trap` do
    if signal.getsignal(each) is signal.SIG_IGN:
        signal.signal(each, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="write the fixed text of fixtures instead of comparing it")
    parser.addoption(
        "--rule", action="append", default=[], metavar="RULE", help="run what concerns this rule, by its code or name"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.option.rule = [by_rule.code_of(word) for word in config.option.rule]
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        # Hundreds of tests start a process, and each of these would compile all of us anew.
        compileall.compile_dir(Path(torchperf_lint.__file__).parent, quiet=2)
    # Nor would pytest keep what it makes of the asserts of all tests, and of all of Hypothesis: ten seconds in each process.
    sys.dont_write_bytecode = False
    if hasattr(config, "workerinput") or not config.option.numprocesses:  # who hands tests out draws nothing
        _ready_hypothesis()


def _ready_hypothesis() -> None:
    from hypothesis import settings
    from hypothesis.internal.conjecture import providers

    settings.register_profile("any machine", deadline=None)
    settings.load_profile("any machine")
    # It would read all of our source for constants to draw, three seconds in each process, and examples would change with that.
    providers._get_local_constants = lambda: providers._local_constants


def pytest_itemcollected(item: pytest.Item) -> None:
    item.extra_keyword_matches.add(item.name.replace("-", "_"))  # `-k` takes a rule by its name and by that of its file


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.rule:
        chosen = [item for item in items if by_rule.concerns(item, {*config.option.rule})]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen
    items.sort(
        key=lambda item: item.get_closest_marker("slow") is None
    )  # or a process waits for another one's last test


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # all tests and torch stay to the end: each collection would look through them
    gc.set_threshold(
        100_000, 10, 10
    )  # trees are many objects, and none of those of a lint is in a circle: `test_garbage`


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> by_rule.ByRule:
    config.option.loadscopereorder = False
    return by_rule.ByRule(config, log)  # type: ignore[arg-type]


@pytest.fixture(autouse=True, scope="session")
def _surroundings_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A user's cache that is not that of whoever runs the tests, and a working folder in which nobody is looked for who may
    call what a test lints: in this repository that takes a third of a second each time."""
    folder = str(tmp_path_factory.mktemp("cache"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("empty"))
        patch.setenv("XDG_CACHE_HOME", folder)
        patch.setitem(fake_lint.ENVIRONMENT, "XDG_CACHE_HOME", folder)
        yield


@pytest.fixture
def empty_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty working folder, and a linter that does not change."""
    fake_lint.installed(monkeypatch)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def permissions_hold() -> Iterator[None]:
    """Files are as closed as their permissions say, for root too."""
    with rights.of_an_owner() as they_do:
        if not they_do:
            pytest.skip("nothing is closed here")
        yield


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def known_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports know the rule of `reported.py`, whatever rules there are."""
    for report in (sarif, hints):
        monkeypatch.setattr(report, "by_code", lambda: {RULE.code: RULE})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The project of `reported.py`."""
    return project(tmp_path)
