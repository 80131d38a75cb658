"""All places where a value may be, as bits: what paths bring together, and the one device that is told of several."""

from __future__ import annotations

from typing import Final

from torchperf_lint.facts.domain.value import CPU, CUDA, HOST_OR_UNKNOWN, MAYBE, OTHER, PINNED, Kind, Value

_BITS: Final[dict[str | None, int]] = {CPU: 1, PINNED: 2, CUDA: 4, MAYBE: 8, OTHER: 16, None: 32, HOST_OR_UNKNOWN: 256}
ELSEWHERE: Final = 32
"""Nobody knows where."""
_TOTAL: Final = 64
"""A number in a tensor of the host, which may be added to a tensor of any device: a total that starts there."""
DIFFERENT: Final = 128
"""No place: the paths brought different things, not one thing that some of them moved."""
CONVERTED: Final = 512
"""On the host, made of what was no tensor: where a tensor is given in its place, that may be anywhere."""
_ON_GPU: Final = 4 | 8
_ON_HOST: Final = 1 | 2 | _TOTAL | CONVERTED


def places_of(value: Value) -> int:
    """All places where a value may be."""
    return value.places or places_of_device(value.kind, value.device, value.rank)


def places_of_device(kind: Kind, device: str | None, rank: int | None) -> int:
    """The places that a device alone says."""
    return _TOTAL if rank == 0 and device == CPU and kind == "tensor" else _BITS[device]


def is_host_or_unknown(value: Value) -> bool:
    """Whether something is on the host on one path, and nobody knows where on another."""
    return value.device == HOST_OR_UNKNOWN or (value.device is None and bool(value.places & CONVERTED))


def weight(value: Value) -> int:
    places = places_of(value)
    return 2 if places & _ON_GPU else 1 if places & ~(ELSEWHERE | DIFFERENT) else 0


def device_shown(places: int, kind: Kind, *, is_one: bool) -> str | None:
    """The one device that is told of several places.

    On CUDA on some path is what a reader wants to hear of; on the others it does no harm. On the host on one path, and
    nobody knows where on another: of a tensor nothing can be said, unless it is one that the first path moved there.
    """
    places &= ~DIFFERENT
    if places & _ON_GPU:
        return CUDA if places == _BITS[CUDA] else MAYBE
    if not places & ~_ON_HOST:
        return PINNED if places == _BITS[PINNED] else CPU
    if places == _BITS[OTHER]:
        return OTHER
    is_mixed = kind == "tensor" and places & (_BITS[CPU] | _BITS[PINNED]) and not is_one
    return HOST_OR_UNKNOWN if is_mixed or places & _BITS[HOST_OR_UNKNOWN] else None
