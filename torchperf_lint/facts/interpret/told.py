"""Answers about a module, and what they were asked about, as plain data: what a cache can keep of them.

    make(3)    in a.py, with `def make(n)` in b.py    asked ["call", ["b.py", "make#1"], 3, true, [["n", ["number", 2, ...]]]]
                                                      told, as a digest: what it gives, and what shows that

Two texts of a file that tell the same of all that was asked are as good as each other for who asked. A place counts from where
its function begins, so that it is the same where only others have changed. What has no plain form is not told, and whoever asked
for it stands on all of the file.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from typing import Any, Final

from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import BOTTOM, NO, SEVERAL, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret.computing import TOLD
from torchperf_lint.facts.interpret.recorded import Call
from torchperf_lint.facts.interpret.table import Answer
from torchperf_lint.syntax.digest import digest

_LEVELS: Final = 3
"""So deep do arguments count where calls are compared."""
_NAMED: Final = {compute: name for name, compute in TOLD.items()}
_FIELDS: Final = ("device", "dtype", "rank", "grad")
_PLAIN: Final = (int, str, bool, type(None))
Find = Callable[[str], Module | None]
"""The outline of a file of the project, by its path in it."""


class UntoldError(Exception):
    """Something has no plain form."""


def of(answer: Answer) -> tuple[str, str] | None:
    """What was asked, and a digest of what was told; None where that has no plain form."""
    if answer.told is None:
        try:
            answer.told = (_asked(answer), digest_of(answer))
        except UntoldError:
            answer.told = ("", "")
    return answer.told if answer.told[0] else None


# ---- what was asked


def _asked(answer: Answer) -> str:
    """What an answer is about, as a text."""
    assert answer.about is not None
    compute, key = answer.about
    name = _NAMED.get(compute)
    if name is None:
        raise UntoldError
    return json.dumps([name, *_key(name, key)])


def _key(name: str, key: Any) -> list[Any]:
    if isinstance(key, Call):
        env = [[each, _value(value, _LEVELS, None)] for each, value in key.env.items()]
        return [_record(key.function), key.depth, key.left_module, env]
    if name == "annotation":
        return [_record(key[0]), _annotated(key[0], key[1])]
    return [_record(key[0]), key[1]] if isinstance(key, tuple) else [_record(key)]


def _annotated(function: Function, node: ast.expr) -> str | None:
    """The parameter that an annotation is of; None for what the function returns."""
    if node is function.returns:
        return None
    for name, parameter in function.parameters.items():
        if parameter.annotation is node:
            return name
    raise UntoldError


def question(text: str, find: Find) -> tuple[Any, Any]:
    """How what a text asks is worked out, and the key."""
    name, of, *rest = json.loads(text)
    record = _found(of, find)
    if name == "call":
        depth, left_module, env = rest
        held = {each: _made(value, find) for each, value in env}
        return TOLD[name], Call(record, depth, held, left_module=left_module)
    if name == "annotation":
        node = record.returns if rest[0] is None else record.parameters[rest[0]].annotation
        if node is None:
            raise UntoldError
        return TOLD[name], (record, node)
    return TOLD[name], (record, *rest) if rest else record


# ---- functions and classes


def _record(record: Function | Class) -> list[str]:
    place = record.module.places.get(record)
    if place is None:
        raise UntoldError
    return [record.module.path, place]


def _found(of: list[str], find: Find) -> Any:
    module = find(of[0])
    found = (
        next((each for each, place in module.places.items() if place == of[1]), None) if module is not None else None
    )
    if found is None:
        raise UntoldError
    return found


# ---- values


def _value(value: Value, levels: int, shown: Callable[[Evidence], list[Any]] | None) -> list[Any]:
    """A value as plain data, so deep, with what shows it."""
    if value is BOTTOM:
        raise UntoldError
    more: dict[str, Any] = {name: held for name in _FIELDS if (held := getattr(value, name)) is not None}
    if value.const is not NO:
        more["const"] = _constant(value.const)
    if value.ref is not None:
        more["ref"] = _ref(value.ref)
    if value.none or value.places:
        more |= {"none": value.none, "places": value.places}
    if levels and value.items is not None:
        more["items"] = _items(value.items, levels - 1, shown)
    if levels and value.elem is not None:
        more["elem"] = _value(value.elem, levels - 1, shown)
    if levels and value.alternatives is not None:
        more["alternatives"] = [_value(each, levels - 1, shown) for each in value.alternatives]
    if shown is not None:
        more |= {name: shown(each) for name in ("why", "where") if (each := getattr(value, name)) is not None}
    return [value.kind, int(value.sure), more]


def _items(items: Any, levels: int, shown: Callable[[Evidence], list[Any]] | None) -> list[Any]:
    if isinstance(items, dict):
        return ["dict", *([_constant(name), _value(each, levels, shown)] for name, each in items.items())]
    return ["tuple", *(_value(each, levels, shown) for each in items)]


def _constant(const: Any) -> str:
    is_plain = isinstance(const, _PLAIN) or (isinstance(const, float) and abs(const) < float("inf"))
    if not is_plain and not (isinstance(const, tuple) and all(isinstance(each, _PLAIN) for each in const)):
        raise UntoldError
    return repr(const)


def _ref(ref: Any) -> Any:
    if ref is SEVERAL:
        return 0
    if isinstance(ref, (Function, Class)):
        return _record(ref)
    if isinstance(ref, tuple) and all(isinstance(each, str) for each in ref):
        return {"names": ref}
    if not isinstance(ref, str):
        raise UntoldError
    return ref


def _made(plain: list[Any], find: Find) -> Value:
    """The value that plain data shows, without what shows it."""
    kind, sure, more = plain
    value = Value(kind, Sure(sure))
    for name in (*_FIELDS, "none", "places"):
        if name in more:
            setattr(value, name, more[name])
    if "const" in more:
        value.const = ast.literal_eval(more["const"])
    if "ref" in more:
        value.ref = _made_ref(more["ref"], find)
    if "items" in more:
        sort, *items = more["items"]
        value.items = (
            {ast.literal_eval(name): _made(each, find) for name, each in items}
            if sort == "dict"
            else tuple([_made(each, find) for each in items])
        )
    if "elem" in more:
        value.elem = _made(more["elem"], find)
    if "alternatives" in more:
        value.alternatives = tuple([_made(each, find) for each in more["alternatives"]])
    return value


def _made_ref(ref: Any, find: Find) -> Any:
    if ref == 0:
        return SEVERAL
    if isinstance(ref, list):
        return _found(ref, find)
    return tuple(ref["names"]) if isinstance(ref, dict) else ref


# ---- what was told


def digest_of(answer: Answer) -> str:
    """A digest of what an answer says, and of what shows it."""

    def shown(evidence: Evidence) -> list[Any]:
        return [evidence.message, evidence.path]

    value = answer.value
    plain: Any
    if isinstance(value, Value):
        plain = _value(value, 1_000, shown)
    elif isinstance(value, Fact):
        plain = [value.value, int(value.sure), [shown(each) for each in value.because]]
    elif isinstance(value, tuple):
        plain = [_record(each) for each in value]
    elif value is None:
        plain = None
    else:
        raise UntoldError
    return digest([json.dumps(plain).encode("ascii")])


def steps_of(answer: Answer) -> int:
    """The steps that an answer takes, all the way."""
    seen, todo = {answer}, [answer]
    steps: dict[object, int] = {}
    while todo:
        each = todo.pop()
        steps.update(each.steps)
        new = each.needs - seen
        seen |= new
        todo += new
    return sum(steps.values())
