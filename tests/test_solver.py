"""Answers that stand on one another: what the solver finds is what solving everything at once finds, whoever is asked first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.interpret import solver as solver_module
from torchperf_lint.facts.interpret.solver import Solver, Table

Facts = frozenset[int]
Equation = tuple[Facts, tuple[tuple[int, Facts], ...]]
"""What a key has by itself, and what it takes over from others: of each, what passes."""

some = st.frozensets(st.integers(0, 4), max_size=3)
systems = st.integers(1, 9).flatmap(
    lambda n: st.lists(
        st.tuples(some, st.lists(st.tuples(st.integers(0, n - 1), some), max_size=4).map(tuple)), min_size=n, max_size=n
    )
)


def at_once(system: list[Equation]) -> list[Facts]:
    """The least answers that hold together: all worked out again until nothing changes."""
    values: list[Facts] = [frozenset()] * len(system)
    while True:
        new = [own.union(*(values[other] & passes for other, passes in others)) for own, others in system]
        if new == values:
            return values
        values = new


def changed(old: Facts, new: Facts, _: Iterable[Any]) -> list[None]:
    return [] if old == new else [None]


def asked(system: list[Equation], order: Iterable[int]) -> dict[int, Facts]:
    solver = Solver()

    def compute(_: object, key: int) -> Facts:
        own, others = system[key]
        return own.union(*(solver.find(table, other, None) & passes for other, passes in others))

    table = Table(compute, frozenset(), changed, lambda old, new: old | new)
    return {key: solver.find(table, key, None) for key in order}


@given(systems, st.randoms(use_true_random=False))
def test_the_order_of_questions_changes_nothing(system: list[Equation], random: Any) -> None:
    order = list(range(len(system)))
    random.shuffle(order)
    found = asked(system, order)
    assert [found[key] for key in range(len(system))] == at_once(system)


def test_a_chain_that_is_deeper_than_the_stack() -> None:
    length = 20 * solver_module.DEEPEST
    system: list[Equation] = [(frozenset((7,)), ())]
    system += [(frozenset(), ((key - 1, frozenset((7,))),)) for key in range(1, length)]
    assert asked(system, [length - 1])[length - 1] == {7}


def test_a_circle_that_is_longer_than_the_stack_is_given_up() -> None:
    length = 3 * solver_module.DEEPEST
    system: list[Equation] = [(frozenset(), (((key - 1) % length, frozenset((7,))),)) for key in range(length)]
    with pytest.raises(GaveUpError):
        asked(system, [length - 1])


def test_what_raises_leaves_nothing_half_done() -> None:
    solver, broken = Solver(), [True]

    def compute(_: object, key: int) -> Facts:
        if key == 2 and broken[0]:
            raise ZeroDivisionError
        return frozenset((key,)) | (solver.find(table, key + 1, None) if key < 3 else frozenset())

    table = Table(compute, frozenset(), changed, lambda old, new: old | new)
    with pytest.raises(ZeroDivisionError):
        solver.find(table, 0, None)
    broken.clear()
    broken.append(False)
    assert solver.find(table, 0, None) == {0, 1, 2, 3}
