"""Answers that stand on one another: what the solver finds is what solving everything at once finds, whoever is asked first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.circles import circles
from torchperf_lint.facts.interpret.solver import DEEPEST, Solver
from torchperf_lint.facts.interpret.table import Answer, Table

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


class Nothing:
    """A world without other files."""

    linted = None

    def __init__(self) -> None:
        self.program = Program()

    def module(self, name: str) -> None: ...

    def note(self, name: str) -> None: ...

    def shared(self, table: Table, key: Any) -> tuple[Answer, ...]:
        return ()

    def share(self, table: Table, key: Any, answer: Answer) -> None: ...


def changed(old: Facts, new: Facts, _: Iterable[Any]) -> list[None]:
    return [] if old == new else [None]


def asked(system: list[Equation], order: Iterable[int], deepest: int = DEEPEST) -> dict[int, Facts]:
    solver = Solver(Nothing(), 10**9, deepest)

    def compute(_: object, key: int) -> Facts:
        own, others = system[key]
        return own.union(*(solver.find(table, other, None) & passes for other, passes in others))

    table = Table(compute, frozenset(), changed, lambda old, new: old | new)
    return {key: solver.find(table, key, None) for key in order}


depths = st.sampled_from((1, 2, 3, DEEPEST))


@given(systems, st.randoms(use_true_random=False), depths)
def test_neither_the_order_of_questions_nor_the_depth_of_the_stack_changes_anything(
    system: list[Equation], random: Any, deepest: int
) -> None:
    order = list(range(len(system)))
    random.shuffle(order)
    found = asked(system, order, deepest)
    assert [found[key] for key in range(len(system))] == at_once(system)


NOTHING = frozenset((-1,))
"""Nothing yet: what is made of it is nothing too."""
UNKNOWN = frozenset((-2,))

Needing = tuple[Facts, tuple[tuple[int, Facts], ...], bool]
"""What a key has by itself, what passes of others, and whether it is worth something where only some of them are."""

passing = st.frozensets(st.sampled_from((-2, 0, 1, 2)), max_size=3)
needing = st.integers(1, 9).flatmap(
    lambda n: st.lists(
        st.tuples(some, st.lists(st.tuples(st.integers(0, n - 1), passing), max_size=3).map(tuple), st.booleans()),
        min_size=n,
        max_size=n,
    )
)


def fed(system: list[Needing], order: Iterable[int], deepest: int) -> dict[int, Facts]:
    """The answers of keys that may have nothing but themselves to stand on, as an interpreter asks for them."""
    solver = Solver(Nothing(), 10**9, deepest)

    def read(key: int) -> Facts:
        found: Facts = solver.find(table, key, None)
        frame = table.open.get(key)
        if found is NOTHING and frame is not None and not frame.is_fed:
            solver.starve()
            return NOTHING
        return UNKNOWN if found is NOTHING else found

    def compute(_: object, key: int) -> Facts:
        own, others, is_meeting = system[key]
        known = [found & passes for each, passes in others if (found := read(each)) is not NOTHING]
        if others and (not known if is_meeting else len(known) < len(others)):
            return NOTHING
        return own.union(*known)

    def widen(old: Facts, new: Facts) -> Facts:
        return new if old is NOTHING else old if new is NOTHING else old | new

    table = Table(compute, NOTHING, lambda old, new, _: [] if old == new else [None], widen)
    return {key: solver.find(table, key, None) for key in order}


BESIDE_ITSELF: list[Needing] = [
    (frozenset(), ((0, frozenset()), (1, UNKNOWN)), False),
    (frozenset(), ((0, UNKNOWN), (2, frozenset())), True),
    (frozenset(), (), False),
]
"""A key that stands on itself, and one that would do without it: ANY of the first reached the second, or was gone by then."""


@example(BESIDE_ITSELF, Random(1), 1)
@given(needing, st.randoms(use_true_random=False), depths)
def test_what_stands_on_nothing_is_the_same_at_any_depth(system: list[Needing], random: Random, deepest: int) -> None:
    order = list(range(len(system)))
    expected = fed(system, order, DEEPEST)
    random.shuffle(order)
    assert fed(system, order, deepest) == expected


def test_what_stands_on_nothing_is_the_same_whoever_is_asked_first() -> None:
    found = [fed(BESIDE_ITSELF, order, DEEPEST) for order in permutations(range(3))]
    assert all(each == found[0] for each in found)


def test_a_chain_that_is_deeper_than_the_stack() -> None:
    length = 20 * DEEPEST
    system: list[Equation] = [(frozenset((7,)), ())]
    system += [(frozenset(), ((key - 1, frozenset((7,))),)) for key in range(1, length)]
    assert asked(system, [length - 1])[length - 1] == {7}


def test_a_circle_that_is_longer_than_the_stack() -> None:
    length = 20 * DEEPEST
    system: list[Equation] = [
        (frozenset((7,) if key == 9 else ()), (((key - 1) % length, frozenset((7,))),)) for key in range(length)
    ]
    assert set(asked(system, range(length)).values()) == {frozenset((7,))}


graphs = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=4), min_size=n, max_size=n)
)


@given(graphs)
def test_circles_are_what_leads_to_each_other(graph: list[list[int]]) -> None:
    leads = {node: {node} for node in range(len(graph))}
    for _ in graph:
        leads = {node: found.union(*(leads[after] for after in graph[node])) for node, found in leads.items()}
    found = circles(dict(enumerate(graph)))
    assert sorted(node for circle in found for node in circle) == list(range(len(graph)))
    for index, circle in enumerate(found):
        assert all(leads[node] >= set(circle) for node in circle)
        assert not any(leads[after] & set(circle) for later in found[index + 1 :] for after in later)


def test_what_raises_leaves_nothing_half_done() -> None:
    solver, broken = Solver(Nothing(), 10**9), [True]

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
