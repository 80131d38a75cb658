"""What a parameter can be: by annotation, callers, uses, default, and the role of its function.

A name alone proves nothing. In this order: what the annotation promises; what the callers in the program pass; what
its uses need it to be (`votes`); its default; and the role of its function: the parameters of `forward` are tensors.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import ANY, BOTTOM, CPU, CUDA, HOST_OR_UNKNOWN, MAYBE, Value
from torchperf_lint.facts.guesses import device_parameters, from_roles, from_uses, value_names, votes
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import callers, comment_types, promises, type_hints

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def parameter(analysis: Analysis, function: Function, name: str) -> Value:
    """What a parameter can hold, whoever calls the function."""
    special = _variadic(analysis, function, name) or _receiver(analysis, function, name)
    if special is not None:
        return special
    default = analysis.default(function, name) if name in function.defaults else None
    promised = _promised(analysis, function, name, default)
    passed = callers.passed(analysis, function, name) if _is_open(function, name, promised) else None
    if passed is not None and passed.kind == "ndarray" and function.parameters[name].annotation is None:
        promised = ANY  # the docstring says one thing, and all who call another
    if promised.kind == "unknown":
        if passed is BOTTOM:
            return BOTTOM
        value = _guessed(analysis, function, name, promised, passed, default)
    else:
        value = callers.agreed(promised, passed) if passed is not None else promised
    value = _setting(name, _single(function, name, value))
    value = value if default is None else _with_default(function, name, value, default)
    said = comment_types.dtype(analysis, function, name) if value.kind == "tensor" and value.dtype is None else None
    value = value if said is None else value.but(dtype=said)
    return device_parameters.thought_of(function, name, value)


def _guessed(
    analysis: Analysis, function: Function, name: str, promised: Value, passed: Value | None, default: Value | None
) -> Value:
    """What a parameter is of which nothing is promised: by its callers, else its uses, else the role of its function."""
    node = function.parameters[name]
    used = from_uses.by_use(function, name, node)
    value = passed if passed is not None and passed.kind not in ("unknown", "none") else used
    if value is passed and value.kind == "tensor" and value.sure is Sure.LIKELY and used.kind == "unknown":
        value = ANY if "string" in votes.everywhere(function, name) else value
    if value.kind == "unknown" and promised.alternatives is not None:
        return promised  # one of several things: a test may tell which
    value = value.but(none=True) if promised.none else value
    is_open = value.kind == "unknown" and node.annotation is None
    return from_roles.by_role(analysis, function, name, default) if is_open else value


def _single(function: Function, name: str, value: Value) -> Value:
    """One tensor, where what may be tensors however nested is used as only one can be."""
    if value.kind != "tensor_tree" or value.items is not None:
        return value
    used = from_uses.by_use(function, name, function.parameters[name])
    return value.but(kind="tensor", ref=None) if used.kind == "tensor" else value


def _setting(name: str, value: Value) -> Value:
    """A table of settings: tensors in it were drawn or given beside the data, on the host as often as not."""
    held = value.elem
    if held is None or held.kind != "tensor" or held.device is not None or not value_names.is_settings(name):
        return value
    return value.but(elem=held.but(device=HOST_OR_UNKNOWN))


def _with_default(function: Function, name: str, value: Value, default: Value) -> Value:
    """What a parameter holds that a call may leave out."""
    if value.kind == "unknown" and value.alternatives is not None:
        return value.but(none=True) if default.kind == "none" else value
    if value.kind == "unknown":
        if function.parameters[name].annotation is not None or "tested" in votes.everywhere(function, name):
            return ANY.but(none=value.none or default.kind == "none" or default.device == CPU)  # several things
        return _of_default(default)
    if value.kind in ("device", "string") and default.device in (CUDA, MAYBE):
        return _on_gpu(value, default)
    is_device = value.kind == "device" or (value.kind == "string" and default.device == CPU)
    if is_device and default.kind in ("device", "string"):
        return value.but(none=True)  # a device by default: most calls leave it out
    return value.but(none=True) if default.kind == "none" else value


def _is_open(function: Function, name: str, value: Value) -> bool:
    """Whether callers can tell more of a parameter: not of a number, nor of what takes several things."""
    if value.kind in ("number", "dtype") or type_hints.is_union(function.parameters[name].annotation):
        return False
    return "tested" not in votes.everywhere(function, name)


def _of_default(default: Value) -> Value:
    """A default alone: other callers pass the like of it, but not the same."""
    if default.kind == "none":
        return ANY.but(none=True)
    if default.device == CPU and default.kind in ("device", "string"):
        return Value(default.kind, Sure.LIKELY, none=True)  # most calls leave it out
    if default.device in (CUDA, MAYBE) and default.kind in ("device", "string"):
        return _on_gpu(Value(default.kind, Sure.LIKELY), default)
    if default.kind in ("number", "string", "tensor", "dtype", "device"):
        return Value(default.kind, Sure.LIKELY, dtype=default.dtype if default.kind == "number" else None)
    return ANY


def _on_gpu(value: Value, default: Value) -> Value:
    """A device that is the GPU where a call names none: others may name the CPU."""
    return value if value.device is not None else value.but(device=MAYBE, where=default.where)


def _variadic(analysis: Analysis, function: Function, name: str) -> Value | None:
    """`*args` and `**kwargs`: never guessed, unless an annotation says what each is."""
    node, arguments = function.parameters[name], getattr(function.node, "args", None)
    if arguments is None or node not in (arguments.vararg, arguments.kwarg):
        return None
    is_kwarg = node is arguments.kwarg
    elem = analysis.annotation(function, node.annotation) if node.annotation is not None else None
    if elem is not None and elem.kind == "unknown":
        elem = None
    if is_kwarg and elem is not None:
        elem = elem.but(sure=Sure.LIKELY)  # settings lie among the tensors
    return Value("dict" if is_kwarg else "tuple", elem=elem)


_OF_CLASS: Final = ("__new__", "__init_subclass__", "__class_getitem__")
"""Methods that are class methods without a decorator."""


def _receiver(analysis: Analysis, function: Function, name: str) -> Value | None:
    """`self` and `cls`."""
    if function.owner is None or function.is_static or not function.positional or function.positional[0] != name:
        return None
    if function.name in _OF_CLASS or any(
        isinstance(d, ast.Name) and d.id == "classmethod" for d in function.decorators
    ):
        return Value("class", ref=function.owner)
    is_autograd = function.positional[0] == "ctx"
    return None if is_autograd else analysis.instance(function.owner)


def _promised(analysis: Analysis, function: Function, name: str, default: Value | None) -> Value:
    """What an annotation, a type comment or the docstring says."""
    node = function.parameters[name]
    if node.annotation is not None:
        return promises.annotated(analysis, function, node, default)
    return comment_types.parameter(analysis, function, node.arg)
