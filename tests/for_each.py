"""One test that asks the same of many things, where each takes less than what pytest takes for a test.

`@for_each(things, name)` calls a check with each of them, and fails with what all of them failed with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def for_each(things: Iterable[T], name: Callable[[T], str]) -> Callable[[Callable[[T], None]], Callable[[], None]]:
    """Makes one test of a check."""

    def one_test(check: Callable[[T], None]) -> Callable[[], None]:
        def test() -> None:
            wrong = [(name(thing), why) for thing in things if (why := _failure(check, thing)) is not None]
            assert not wrong, "\n".join(f"{each}: {why}" for each, why in wrong)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return one_test


def _failure(check: Callable[[T], None], thing: T) -> str | None:
    try:
        check(thing)
    except AssertionError as error:
        return str(error)
    return None
