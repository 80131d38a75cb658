"""What a file can hold takes the linter steps in proportion to its length: each family of programs, to 4,096 repeats.

Steps are counted on short programs, for counting makes them slow; the parabola through three of them tells what the long
ones take. Seconds are measured by `tests/benchmarks/growth.py`, with which function it is that grows.
"""

from __future__ import annotations

import pytest
from families import FAMILIES
from steps import exponent, lint, steps, steps_of

from torchperf_lint.facts.interpret import analysis
from torchperf_lint.facts.interpret.solver import Solver
from torchperf_lint.fixes.patch import diff

pytestmark = pytest.mark.slow

START = 8
"""Repeats of the shortest of the three programs; what nests does so in levels that divide it, or stands in `LATE`."""
STRAIGHT = 0.85
"""With a lower power three programs tell little of long ones: what is made once, or a limit, still bends them. Then, as where
the power is high, the shortest is left out, and one twice as long as the longest joins."""
LATE = {
    **dict.fromkeys(
        (
            "a dictionary", "a dictionary read", "a tuple unpacked", "assignments to one name", "attributes of attributes",
            "calls of calls", "closures", "dictionaries", "items of items", "lists",
            "lists of lists", "methods of methods", "nested branches", "nested classes", "nested comprehensions", "nested lambdas",
            "nested ternaries", "returns", "sums", "walrus",
        ),
        32,
    ),
    "functions that call each other": 24,
    "classes in a chain": 96,
    "elif": 32,
    "functions called alike": 64,
    "functions called differently": 64,
    "a name that is bound anew among many": 64,
}  # fmt: skip
"""Families that come to a limit first: of depth, of how much of a container is known, or of how many calls are told apart."""
END = 4096
LINEAR = 1.15

SHALLOW = 24
DEEP = ("functions in a row", "functions that call each other")
"""Families that leave the stack when they are long. They get a shorter one, to leave it in all three programs and not in the
longest alone."""


@pytest.mark.parametrize("name", FAMILIES)
def test_steps_grow_with_the_length(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = name.removesuffix(", in a step loop")
    if plain in DEEP:
        monkeypatch.setattr(analysis, "Solver", lambda world, limit: Solver(world, limit, SHALLOW))
    family, start = FAMILIES[name], LATE.get(plain, START)
    lint(family(start))  # what is read or made once
    taken = [steps(family(n)) for n in (start, 2 * start, 4 * start)]
    power = exponent(*taken, start=start, end=END)
    if not STRAIGHT <= power <= LINEAR:
        power = exponent(*taken[1:], steps(family(8 * start)), start=2 * start, end=END)
    assert power <= LINEAR


@pytest.mark.parametrize(
    ("power", "expected"),
    [(1.0, 1.0), (2.0, 2.0)],
    ids=["of what grows in proportion", "of what grows with the square"],
)
def test_the_exponent(power: float, expected: float) -> None:
    taken = [round(1000 * n**power) for n in (64, 128, 256)]
    assert exponent(*taken, start=64, end=END) == pytest.approx(expected, abs=0.01)


def test_a_small_square_is_seen() -> None:
    """A square that is a hundredth of the whole in the longest program that is tried is most of it at 4,096."""
    taken = [1000 * n + n * n // 12 for n in (START, 2 * START, 4 * START)]
    assert exponent(*taken, start=START, end=END) > LINEAR


@pytest.mark.parametrize(
    "line", ["def f{i}(x):\n", "if x[{i} // 3]:\n", "def f(x):\n"], ids=["once", "thrice", "often"]
)
def test_a_patch_of_many_changes(line: str) -> None:
    """Lines that stand once, some times and everywhere, between those that change."""

    def taken(n: int) -> int:
        old = "".join(f"{line.format(i=i)}    y = old({i})\n    return x + y\n\n" for i in range(n))
        return steps_of(lambda: diff(old, old.replace("old(", "new("), "a.py"))

    assert exponent(taken(500), taken(1000), taken(2000), start=500, end=16_000) <= LINEAR
