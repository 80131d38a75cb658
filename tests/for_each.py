"""One test that asks the same of many things, where each takes less than what pytest takes for a test.

`@for_each(things, name)` calls a check with each of them, and fails with what all of them failed with. Of what belongs to a
rule there is a test for each: `@for_each_section(fixtures)` calls a check with all sections of a fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from fixture import Fixture, Section

T = TypeVar("T")
SectionCheck = Callable[[Fixture, Section], None]


def for_each(things: Iterable[T], name: Callable[[T], str]) -> Callable[[Callable[[T], None]], Callable[[], None]]:
    """Makes one test of a check."""

    def one_test(check: Callable[[T], None]) -> Callable[[], None]:
        def test() -> None:
            _ask(check, things, name)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return one_test


def for_each_section(fixtures: Iterable[Fixture]) -> Callable[[SectionCheck], Callable[[Fixture], None]]:
    """Makes one test of a check for each fixture."""

    def one_test(check: SectionCheck) -> Callable[[Fixture], None]:
        def test(fixture: Fixture) -> None:
            _ask(lambda each: check(fixture, each), fixture.sections, lambda each: f"{fixture.path.name}:{each.first}")

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return pytest.mark.parametrize("fixture", fixtures, ids=lambda fixture: fixture.name)(test)

    return one_test


def _ask(check: Callable[[T], None], things: Iterable[T], name: Callable[[T], str]) -> None:
    wrong = [(name(thing), why) for thing in things if (why := _failure(check, thing)) is not None]
    assert not wrong, "\n".join(f"{each}: {why}" for each, why in wrong)


def _failure(check: Callable[[T], None], thing: T) -> str | None:
    try:
        check(thing)
    except AssertionError as error:
        return str(error)
    return None
