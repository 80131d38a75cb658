"""How much is looked at for one file: what takes more than any program that somebody wrote is given up, and that is told.

Steps are counted and not seconds, so that a file is given up on every machine or on none. Nothing that a file holds may
take the time of its square: this is for what was overlooked.
"""

from __future__ import annotations

from typing import Final

NODES_AT_LEAST: Final = 1_000_000
NODES_A_NODE: Final = 100
NODES_AT_MOST: Final = 10_000_000
"""So many nodes may be walked for the nodes of a file, whatever its length: some five seconds. The most that a file of torch
needs is four for each of its own."""


class GaveUpError(Exception):
    """A file takes more steps than it may."""


def most_walked(nodes: int) -> int:
    """How many nodes may be walked for a file of so many."""
    return min(max(NODES_AT_LEAST, NODES_A_NODE * nodes), NODES_AT_MOST)


class Walked:
    """The nodes of trees that were walked since the process began."""

    def __init__(self) -> None:
        self.nodes = 0


WALKED: Final = Walked()
