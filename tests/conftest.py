"""Options of the tests."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs behind `&` so, and children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_itemcollected(item: pytest.Item) -> None:
    item.extra_keyword_matches.add(item.name.replace("-", "_"))  # `-k` takes a rule by its name and by that of its file


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="write the fixed text of fixtures instead of comparing it")
