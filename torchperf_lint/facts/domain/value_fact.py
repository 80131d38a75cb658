"""What is known of a value, as an answer with its evidence."""

from __future__ import annotations

from torchperf_lint.facts.domain.fact import UNKNOWN, Fact
from torchperf_lint.facts.domain.value import Value


def as_fact(value: Value) -> Fact[Value]:
    """A value with what shows it; a value of unknown kind is no answer."""
    if value.kind == "unknown":
        return Fact(UNKNOWN)
    because = tuple(each for each in (value.why, value.where) if each is not None)
    return Fact(value, value.sure, because)
