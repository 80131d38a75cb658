"""What names hold where paths meet: many at once as two by two, and whatever environments share among each other."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from random import Random
from typing import Any

from examples import some
from hypothesis import given
from hypothesis import strategies as st

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import ANY, CUDA, NONE, Value
from torchperf_lint.facts.interpret.environment import Env, merge, merge_all

VALUES = (
    ANY,
    NONE,
    Value("number", const=1),
    Value("tensor"),
    Value("tensor", Sure.LIKELY, device=CUDA),
    Value("list"),
)
NAMES = ("x", "y", "self.x", "self.y")
held = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VALUES))


def env(own: dict[str, Value], base: dict[str, Value] | None = None) -> Env:
    return Env(lambda _: None, own, base)


def known(of: Env | None, names: Iterable[str] = NAMES) -> dict[str, Any]:
    found = {name: of.get(name) for name in names} if of is not None else {}
    return {name: value.key() for name, value in found.items() if value is not None}


@some
@given(held, held, st.lists(st.one_of(st.none(), held), max_size=5), st.randoms(use_true_random=False))
def test_many_paths_meet_as_two_do(
    own: dict[str, Value], base: dict[str, Value], changes: list[dict[str, Value] | None], random: Any
) -> None:
    before = env(own, base)
    ends: list[Env | None] = []
    for each in changes:
        end = before.copy() if random.random() < 0.8 else env({**base, **own})
        for name, value in (each or {}).items():
            end[name] = value
        if random.random() < 0.3:
            end.drop((random.choice(NAMES),))
        ends.append(end if each is not None else None)
    expected: Env | None = reduce(merge, ends, None)
    found = merge_all(before, ends)
    assert (found is None) == (expected is None)
    assert known(found) == known(expected)


@some
@given(st.integers(0, 2**32))
def test_copies_are_apart_whatever_they_share(seed: int) -> None:
    """Environments and plain dictionaries, to which the same is done; some have more names than are copied at once."""
    random = Random(seed)  # thousands of draws, which Hypothesis would write down one by one
    names = [f"a{i}" for i in range(200)]
    both = [(env({}), dict[str, Value]())]
    for _ in range(60):
        of, plain = random.choice(both)
        for name in random.sample(names, random.choice((1, 5, 60))):
            of[name] = plain[name] = random.choice(VALUES)
        gone = random.sample(names, random.choice((0, 0, 1, 9)))
        of.drop(gone)
        for name in gone:
            plain.pop(name, None)
        both.append((of.copy(), dict(plain)))
    for of, plain in both:
        assert {name: value for name in names if (value := of.get(name)) is not None} == plain
    (a, first), (b, second) = random.choice(both), random.choice(both)
    expected = [(name, first.get(name), second.get(name)) for name in sorted(names)]
    assert a.changes(b) == [each for each in expected if each[1] is not each[2]]
