"""What callers in other files pass to a function: of what kind it is, and on which device.

    train.py     note(model(batch.cuda()))     `note` is called nowhere else: what it is given is a tensor of the GPU
    data.py      area(boxes)                   in a dataset: the boxes are on the host, so nobody waits for them

That something is passed counts where all callers are known, for who is unknown may pass anything. One caller in sight that
passes what the host has is enough for silence, whatever an annotation says: what is said of the GPU may be of others, but
nobody knows of them. What makes a thing is not asked, nor is `forward`, of which a trial run shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import callers_elsewhere, known_callers, passed_elsewhere
from torchperf_lint.facts.context.passed_elsewhere import TENSORS, Passed
from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.join import any_item, join_all
from torchperf_lint.facts.domain.value import (
    ANY,
    BOTTOM,
    CPU,
    CUDA,
    HOST_OR_UNKNOWN,
    MAYBE,
    NO,
    PINNED,
    Value,
)
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import callers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_PLACES: Final = ("device", "string")
"""Kinds of what names a device."""
_NO_TENSORS: Final = ("number", "string", "ndarray", "dict", "list", "tuple", "set", "size", "module", "instance")
_TOLD: Final = (*TENSORS, *_PLACES, "unknown")
"""Of what is one of these callers can tell more."""


def tells(analysis: Analysis, function: Function, *, of_unknown: bool) -> bool:
    """Whether callers in other files show more of a parameter of a function, or of one that it is in its file called by, than
    is known without them, or of one of which nothing is: where they do not, nothing needs to be run anew."""
    assert analysis.plain is not None
    return any(_tells(analysis, (each, of_unknown)) for each in _with_callers(analysis.plain, function))


@once
def _tells(analysis: Analysis, asked: tuple[Function, bool]) -> bool:
    plain, (function, of_unknown) = analysis.plain, asked
    assert plain is not None
    known = ((name, plain.parameter(function, name)) for name in function.parameters)
    return any(
        told(analysis, function, name, found, plain) is not found
        for name, found in known
        if not of_unknown or found.kind == "unknown"
    )


def may_tell(plain: Analysis, function: Function) -> bool:
    """Whether callers in other files may show what such a parameter is of which nothing is known, by what the index says of
    them; none is read for that."""
    return any(_may_tell(plain, each) for each in _with_callers(plain, function))


def _with_callers(plain: Analysis, function: Function) -> Iterator[Function]:
    """A function, and all that calls it in its file."""
    seen, todo = {function}, [function]
    while todo:
        at = todo.pop()
        yield at
        new = [each for each in callers_elsewhere.callers_in_file(plain, at) if each not in seen]
        seen.update(new)
        todo += new


@once
def _may_tell(plain: Analysis, function: Function) -> bool:
    if not _has_open_parameters(function):
        return False
    found = (plain.parameter(function, name) for name in function.parameters if not _is_receiver(function, name))
    if not any(each.kind == "unknown" for each in found):
        return False
    return callers_elsewhere.is_called_elsewhere(plain, function) and known_callers.may_be_closed(plain, function)


def told(analysis: Analysis, function: Function, name: str, found: Value, own: Analysis | None = None) -> Value:
    """What a parameter can hold, of which something is known, after a look at what callers in other files pass; `own` says what
    those of its own file do."""
    if found.kind not in _TOLD or (found.kind in TENSORS and found.device is not None):
        return found
    if not _has_open_parameters(function) or _is_receiver(function, name):
        return found
    is_unknown = found.kind == "unknown"
    if is_unknown and own is not None and _is_given_unknown(own, function, name):
        return found
    if is_unknown and not _is_closed(analysis, function):
        return found  # no call needs to be looked at
    passed = []
    for site in passed_elsewhere.calls(analysis, function):
        passed.append(passed_elsewhere.passed(analysis, site, function, name))
        if is_unknown and passed[-1].value.kind == "unknown":
            return found  # nor does another one
    if found.kind in TENSORS:
        return _of_tensor(own or analysis, function, name, found, passed)
    if not passed:
        return found
    if not _is_closed(analysis, function):
        return _on_some_host(found, passed)
    return _of_unknown(own or analysis, function, name, found, passed)


def _is_given_unknown(own: Analysis, function: Function, name: str) -> bool:
    """Whether a call in its own file hands a function something of which nothing is known."""
    given = (callers.argument_of(own, function, call, name) for call in own.sites(function))
    return any(each is None or each.kind == "unknown" for each in given)


def _has_open_parameters(function: Function) -> bool:
    """Whether what other files pass tells anything of a function: what a `forward` is handed is known without them."""
    return callers_elsewhere.can_be_called(function) and function.name != "forward"


def _is_receiver(function: Function, name: str) -> bool:
    return function.owner is not None and not function.is_static and function.positional[:1] == (name,)


def _of_tensor(analysis: Analysis, function: Function, name: str, found: Value, passed: list[Passed]) -> Value:
    """A parameter that is a tensor for all that its own file says, of no known device."""
    if not passed:
        return _of_own(analysis, function, name, found)
    for each in [each for each in passed if each.is_hot] or passed:
        if each.value.kind in TENSORS and each.is_on_host:
            return found.but(device=HOST_OR_UNKNOWN, where=_where(each, name, "is on the host"))
    others = [each for each in passed if each.value.kind in _NO_TENSORS]
    if others and found.sure is Sure.LIKELY:
        return ANY.but(none=found.none)  # a guess, and a caller speaks against it
    is_on_gpu = all(each.value.kind in TENSORS and each.value.device in (CUDA, MAYBE) for each in passed)
    if is_on_gpu and _is_closed(analysis, function):
        first = passed[0]
        device = CUDA if all(each.value.device == CUDA for each in passed) else MAYBE
        return found.but(device=device, where=_where(first, name, "is on the GPU"))
    return found


def _of_own(analysis: Analysis, function: Function, name: str, found: Value) -> Value:
    """A parameter of a function that only its own file calls, though nothing in it says so."""
    given = [callers.argument_of(analysis, function, call, name) for call in analysis.sites(function)]
    if not given or any(each is BOTTOM for each in given):
        return found
    is_on_host = all(each is not None and each.kind in TENSORS and each.device in (CPU, PINNED) for each in given)
    return found.but(device=HOST_OR_UNKNOWN) if is_on_host and _is_closed(analysis, function) else found


def _of_unknown(analysis: Analysis, function: Function, name: str, found: Value, passed: list[Passed]) -> Value:
    """A parameter of which its own file says nothing, or that is a device: all callers are known."""
    values = [each.value for each in passed]
    own = [callers.argument_of(analysis, function, call, name) for call in analysis.sites(function)]
    every = [*values, *(ANY if each is None else each for each in own)]
    if any(each is BOTTOM for each in every):
        return BOTTOM
    if any(each.kind == "unknown" for each in every):
        return found
    joined = join_all(tuple(every))
    if joined.kind == "unknown" or (found.kind != "unknown" and joined.kind not in _PLACES):
        return found
    if found.kind in _PLACES:
        device = joined.device
        return found.but(device=device, where=_where(passed[0], name, f"is {device}")) if device else found
    on_host = next((each for each in passed if each.value.kind in TENSORS and _is_doubtful(each)), None)
    device = HOST_OR_UNKNOWN if on_host is not None else joined.device
    what = _AS_WORDS.get(joined.kind, "this")
    shown = on_host or next((each for each in passed if each.value.device == device), passed[0])
    why = _where(shown, name, f"is {what}{_DEVICES.get(device, '')}")
    if joined.kind in _GROWING and joined.items is not None:
        joined = joined.but(items=None, elem=any_item(joined) if joined.items else joined.elem)
    return joined.but(
        sure=Sure.LIKELY, device=device, const=NO, dtype=None, grad=None, none=joined.none or found.none,
        why=why, where=why if device is not None else None,
    )  # fmt: skip


def _is_doubtful(passed: Passed) -> bool:
    """Whether what is passed may be on the host: enough where nothing but what is passed speaks of a tensor."""
    return passed.is_on_host or passed.value.device == HOST_OR_UNKNOWN


_AS_WORDS: Final = {"tensor": "a tensor", "tensor_tree": "a batch of tensors", "module": "a module"}
_DEVICES: Final[dict[str | None, str]] = {
    CUDA: " on the GPU",
    MAYBE: " on the GPU",
    CPU: " on the host",
    HOST_OR_UNKNOWN: " on the host",
}
_GROWING: Final = ("list", "set")
"""What holds more later than it does where it is passed."""


def _on_some_host(found: Value, passed: list[Passed]) -> Value:
    """A device that some caller says is the host's, or something of which not all callers are known."""
    is_cpu = any(each.value.kind in _PLACES and each.value.device == CPU for each in passed)
    return found.but(device=HOST_OR_UNKNOWN) if is_cpu and found.kind in _PLACES else found


def _where(passed: Passed, name: str, what: str) -> Evidence:
    at = passed.at
    return Evidence(at.node, f"`{name}` {what}: {at.message}", at.path)


@once
def _is_closed(analysis: Analysis, function: Function) -> bool:
    """Whether the calls in sight are all that may call a function."""
    return known_callers.is_closed(analysis, function)
