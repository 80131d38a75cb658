"""What names hold where many paths meet is what they hold where these meet two by two, in any order."""

from __future__ import annotations

from functools import reduce
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
envs = st.dictionaries(st.sampled_from(("x", "y", "self.x", "self.y")), st.sampled_from(VALUES))


@some
@given(envs, st.lists(st.one_of(st.none(), envs), max_size=5), st.randoms(use_true_random=False))
def test_many_paths_meet_as_two_do(before: Env, changes: list[Env | None], random: Any) -> None:
    ends = [None if each is None else {**before, **each} for each in changes]
    for end in ends:
        if end is not None and end and random.random() < 0.3:
            del end[random.choice(sorted(end))]
    expected: Env | None = reduce(merge, ends, None)
    found = merge_all(before, ends)
    assert (found is None) == (expected is None)
    assert {name: value.key() for name, value in (found or {}).items()} == {
        name: value.key() for name, value in (expected or {}).items()
    }
