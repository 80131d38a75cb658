"""`join` of values is the join of a lattice: whatever meets in whatever order, the same holds afterwards.

A value that two paths give must not depend on which path is read first, on where a third one comes in, or on whether one
is read twice, as it is on the way back to the head of a loop. Evidence does not count: `Value.key` leaves it out.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from examples import some
from hypothesis import given, settings
from hypothesis import strategies as st

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join
from torchperf_lint.facts.domain.value import (
    CPU,
    CUDA,
    HOST_OR_UNKNOWN,
    MAYBE,
    NO,
    OTHER,
    PINNED,
    TENSOR_OR_ARRAY,
    Kind,
    Value,
)

DEEP: Final = 9
KINDS: Final = get_args(Kind)
HOLDERS: Final = ("tuple", "list", "set", "dict", "iterator")
DTYPES: Final = ("float32", "float16", "int64", "uint8", "bool", "floating", "integral")

many = settings(some, max_examples=10 * some.max_examples)
"""Values are made fast."""

_sure = st.sampled_from(list(Sure))
_maybe = st.booleans()


def _tensors(kind: str) -> st.SearchStrategy[Value]:
    return st.builds(
        Value,
        st.just(kind),
        _sure,
        device=st.sampled_from((None, CPU, PINNED, CUDA, MAYBE, OTHER, HOST_OR_UNKNOWN)),
        dtype=st.sampled_from((None, *DTYPES)),
        rank=st.sampled_from((None, 0, 1, 2)),
        ref=st.sampled_from((None, TENSOR_OR_ARRAY)),
        none=_maybe,
        grad=st.sampled_from((None, True, False)),
    )


_numbers = st.builds(
    Value,
    st.just("number"),
    _sure,
    dtype=st.sampled_from((None, "int", "float", "bool")),
    const=st.sampled_from((NO, 0, 1, 1.0, True, False)),
    none=_maybe,
)
_strings = st.builds(Value, st.just("string"), _sure, const=st.sampled_from((NO, "", "cuda")), none=_maybe)
_none = st.builds(Value, st.just("none"), _sure, const=st.just(None))
_named = st.builds(
    Value,
    st.sampled_from(("symbol", "function", "class", "instance", "module", "optimizer", "loader")),
    _sure,
    ref=st.sampled_from((None, "torch.nn.Linear", "torch.nn.functional.relu", "Net")),
    device=st.sampled_from((None, CPU, CUDA)),
    none=_maybe,
)
_OLD: Final = (
    "torch.FloatTensor",
    "torch.cuda.FloatTensor",
    "torch.Tensor",
    "torch.LongTensor",
    "torch.cuda.LongTensor",
)
_tensor_classes = st.builds(
    Value, st.just("symbol"), _sure, ref=st.sampled_from(_OLD), device=st.sampled_from((None, MAYBE)), none=_maybe
)
_bare = st.builds(Value, st.sampled_from(KINDS), _sure, none=_maybe)
_leaves = st.one_of(
    _tensors("tensor"),
    _tensors("tensor_tree"),
    _tensors("ndarray"),
    _numbers,
    _strings,
    _none,
    _named,
    _tensor_classes,
    _bare,
)


def _holders(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    items: st.SearchStrategy[Any] = st.lists(inner, max_size=3).map(tuple)
    names = st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
    of_items = st.builds(Value, st.sampled_from(HOLDERS[:-2]), _sure, items=items, none=_maybe)
    of_any = st.builds(Value, st.sampled_from(HOLDERS), _sure, elem=st.none() | inner, none=_maybe)
    of_names = st.builds(Value, st.just("dict"), _sure, items=names, elem=st.none() | inner, none=_maybe)
    return st.one_of(of_items, of_any, of_names)


_depths = (_leaves, _leaves, _holders(_leaves), _holders(st.one_of(_leaves, _holders(_leaves))))
values = st.sampled_from(_depths).flatmap(lambda each: each)


def same(one: Value, other: Value) -> None:
    assert one.key(DEEP) == other.key(DEEP), f"{one!r} is not {other!r}"


@many
@given(values, values)
def test_either_may_come_first(a: Value, b: Value) -> None:
    same(join(a, b), join(b, a))


@many
@given(values, values, values)
def test_any_two_may_meet_first(a: Value, b: Value, c: Value) -> None:
    same(join(join(a, b), c), join(a, join(b, c)))


@many
@given(values)
def test_a_value_that_meets_itself_stays(a: Value) -> None:
    same(join(a, a.but(none=a.none)), a)


@many
@given(values, values)
def test_what_met_already_changes_nothing(a: Value, b: Value) -> None:
    """The join is an upper bound of both: each may meet it once more."""
    both = join(a, b)
    same(join(both, a), both)
    same(join(both, b), both)


@many
@given(values, values)
def test_nothing_is_surer_than_what_it_is_made_of(a: Value, b: Value) -> None:
    assert join(a, b).sure <= min(a.sure, b.sure)


def test_many_kinds_meet() -> None:
    """Or little is compared."""
    seen: set[str] = set()

    @many
    @given(values)
    def look(value: Value) -> None:
        seen.add(value.kind)

    look()
    assert len(seen) > len(KINDS) // 2


def test_a_model_on_one_path_and_what_is_moved_like_a_batch_on_another() -> None:
    """`model = Net()` and `model = load(path)`, which nothing but `model.to(device)` tells of: likely a model."""
    met = join(Value("module"), Value("tensor_tree", Sure.LIKELY))
    assert (met.kind, met.sure) == ("module", Sure.LIKELY)
    assert join(met, Value("unknown", Sure.LIKELY)).kind == "module"
