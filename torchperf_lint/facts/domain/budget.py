"""How much is looked at for one file: what takes more than any program that somebody wrote is given up, and that is told.

Steps are counted and not seconds, so that a file is given up on every machine or on none. Nothing that a file holds may
take the time of its square: this is for what was overlooked, and for files that are longer than any that people write.
What stands here, and the limits of `syntax/parse.py` and `syntax/tree.py`, keep a file below ten seconds on a machine with
two cores where nothing is compiled.
"""

from __future__ import annotations

from typing import Final

LARGEST: Final = 500_000
"""Nodes of a file that is looked at. The largest of torch has 110,000."""

NODES_AT_LEAST: Final = 1_000_000
NODES_A_NODE: Final = 100
NODES_AT_MOST: Final = 8_000_000
"""So many nodes may be walked for the nodes of a file, whatever its length: some four seconds. The most that a file of torch
needs is four for each of its own."""
WALKED_FREE: Final = 0.1
"""Such a part of them does not count beside steps of other kinds: more than any file that was met walks."""

STEPS_AT_LEAST: Final = 100_000
STEPS_A_NODE: Final = 60
STEPS_AT_MOST: Final = 1_000_000
"""So many expressions may be evaluated for the nodes of a file: some four seconds where nothing is compiled. The densest
file of transformers needs 9 for each node, the one of torch that takes most 550,000 in all, the short file of Megatron-LM whose
imports take most 85,000."""


class GaveUpError(Exception):
    """A file takes more steps than it may."""


def most_walked(nodes: int) -> int:
    """How many nodes may be walked for a file of so many."""
    return min(max(NODES_AT_LEAST, NODES_A_NODE * nodes), NODES_AT_MOST)


def most_steps(nodes: int) -> int:
    """How many expressions may be evaluated for a file of so many nodes."""
    return min(max(STEPS_AT_LEAST, STEPS_A_NODE * nodes), STEPS_AT_MOST)


class Walked:
    """The nodes of trees that were walked since the process began."""

    def __init__(self) -> None:
        self.nodes = 0


WALKED: Final = Walked()


class Linted:
    """What was linted since the process began, in files that take all that one may take."""

    def __init__(self) -> None:
        self.files = 0.0


LINTED: Final = Linted()
