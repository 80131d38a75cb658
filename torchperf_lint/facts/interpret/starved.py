"""Which keys of what waits together have nothing to stand on but themselves, and stand on no other that has not."""

from __future__ import annotations

from torchperf_lint.facts.interpret.circles import circles
from torchperf_lint.facts.interpret.table import Frame


def starved(members: list[Frame], *, is_one_circle: bool) -> list[Frame]:
    """The keys of circles that are starved, as if each circle had been met alone, but for those that were fed."""
    if not any(each.is_starved and not each.is_fed for each in members):
        return []
    return [each for each in (members if is_one_circle else _first_starved(members)) if not each.is_fed]


def _first_starved(members: list[Frame]) -> list[Frame]:
    """The keys of those circles that are starved and stand on no other that is: who stands on them may yet be told more."""
    known = {each.number: each for each in members}
    readers = {
        number: [reader.number for read in each.readers.values() for reader in read if reader.number in known]
        for number, each in known.items()
    }
    first: list[Frame] = []
    behind: set[int] = set()
    for circle in circles(readers):
        is_behind = any(number in behind for number in circle)
        is_starved = any(known[number].is_starved and not known[number].is_fed for number in circle)
        if is_starved and not is_behind:
            first += [known[number] for number in circle]
        if is_starved or is_behind:
            behind.update(reader for number in circle for reader in readers[number])
    return first
