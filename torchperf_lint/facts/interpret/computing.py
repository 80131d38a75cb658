"""How the answers of each table are worked out, of which module each speaks, and which two are the same."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.domain.join import join, join_all
from torchperf_lint.facts.domain.value import ANY, BOTTOM, Kind, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret.recorded import NOT_RUN, Call, Recorded
from torchperf_lint.facts.interpret.run import Run
from torchperf_lint.facts.interpret.stand_ins import with_stand_ins
from torchperf_lint.facts.interpret.table import Table

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

INSTANCE: Final[Fact[Kind]] = Fact("instance")


# ---- how each table is filled


def _record(analysis: Analysis, function: Function) -> Recorded:
    run = Run(analysis, function, {}, record=True)
    for name in function.parameters:
        run.bind(name, analysis.parameter(function, name), function.parameters[name])
    analysis.parts.run(run)
    return Recorded(run.values, {name: join_all(tuple(held.values())) for name, held in run.bound.items()})


def _record_class(analysis: Analysis, owner: Class) -> Recorded:
    run = Run(analysis, owner.within, {}, record=True)
    run.is_outside = True
    analysis.parts.run_class(run, owner)
    return Recorded(run.values, {})


def _call(analysis: Analysis, call: Call) -> Value:
    held = {name: with_stand_ins(call.function, name, value) for name, value in call.env.items()}
    run = Run(analysis, call.function, held, record=False)
    run.depth, run.left_module = call.depth, call.left_module
    for name in call.function.parameters:
        if name not in call.env and run.env is not None:
            run.env[name] = analysis.default(call.function, name)
    return analysis.parts.run(run)


def _free(analysis: Analysis, key: tuple[Function, str]) -> Value:
    return analysis.parts.free(analysis, key[0], key[1])


def _parameter(analysis: Analysis, key: tuple[Function, str]) -> Value:
    return analysis.parts.parameter(analysis, key[0], key[1])


def _annotation(analysis: Analysis, key: tuple[Function, ast.expr]) -> Value:
    return analysis.parts.annotation(analysis, key[0], key[1])


def _attribute(analysis: Analysis, key: tuple[Class, str]) -> Value | None:
    return analysis.parts.attribute(analysis, key[0], key[1])


def _alias(analysis: Analysis, key: tuple[Function, str]) -> Value | None:
    return analysis.parts.alias(analysis, key[0], key[1])


def _resolve(analysis: Analysis, name: str) -> Value | None:
    return analysis.parts.resolve(analysis, name)


def _bases(analysis: Analysis, owner: Class) -> tuple[Class, ...]:
    return analysis.parts.bases(analysis, owner)


def _ancestry(analysis: Analysis, owner: Class) -> tuple[Class, ...]:
    return analysis.parts.ancestry(analysis, owner)


def _kind(analysis: Analysis, owner: Class) -> Fact[Kind]:
    return analysis.parts.kind(analysis, owner)


def _sites(analysis: Analysis, function: Function) -> list[ast.Call]:
    return analysis.parts.sites(analysis, function)


def _heirs(analysis: Analysis, module: Module) -> dict[Function, list[Class]]:
    return analysis.parts.heirs(analysis, module)


# ---- what the solver must know of answers


def _values(compute: Callable[[Any, Any], Any], home: Callable[[Any], Module | None], start: Value | None) -> Table:
    return Table(compute, start, _changed_value, _widened_value, home)


def _home(key: Function | Class) -> Module:
    return key.module


def _home_of_first(key: tuple[Any, ...]) -> Module:
    of: Function | Class = key[0]
    return of.module


def _home_of_call(call: Call) -> Module:
    return call.function.module


def _of_itself(module: Module) -> Module:
    return module


def _nowhere(_: str) -> None:
    return None


def _is_same(old: Value | None, new: Value | None) -> bool:
    if old is new or old is None or new is None or old is BOTTOM or new is BOTTOM:
        return old is new
    return old.key() == new.key()


def _changed_value(old: Value | None, new: Value | None, _: Iterable[Any]) -> list[Any]:
    return [] if _is_same(old, new) else [None]


def _changed_parts(old: Recorded, new: Recorded, parts: Iterable[Any]) -> list[Any]:
    return [part for part in parts if old is NOT_RUN or not _is_same(old.part(part), new.part(part))]


def _changed(old: Any, new: Any, _: Iterable[Any]) -> list[Any]:
    return [] if old == new else [None]


def _changed_fact(old: Fact[Any], new: Fact[Any], _: Iterable[Any]) -> list[Any]:
    return [] if old.value == new.value and old.sure is new.sure else [None]


def _widened_value(old: Value | None, new: Value | None) -> Value | None:
    if old is None or new is None:
        return new if old is None else old
    return join(old, new)


def _widened_record(old: Recorded, new: Recorded) -> Recorded:
    values = {node: _widened_value(old.values.get(node), value) or ANY for node, value in new.values.items()}
    bound = {name: _widened_value(old.bound.get(name), value) or ANY for name, value in new.bound.items()}
    return Recorded({**old.values, **values}, {**old.bound, **bound})


def _last(_: Any, new: Any) -> Any:
    return new


# ---- the tables

TOLD: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "call": _call, "free": _free, "annotation": _annotation, "attribute": _attribute, "alias": _alias, "bases": _bases,
    "ancestry": _ancestry, "kind": _kind,
}  # fmt: skip
"""The questions that modules ask of each other, by names under which a cache can keep them; of the others, all of a file counts."""


class Tables:
    """All tables of an interpreter."""

    def __init__(self) -> None:
        self.recorded = Table(_record, NOT_RUN, _changed_parts, _widened_record, _home, has_parts=True)
        self.bodies = Table(_record_class, NOT_RUN, _changed_parts, _widened_record, _home, has_parts=True)
        self.calls = _values(_call, _home_of_call, BOTTOM)
        self.free = _values(_free, _home_of_first, BOTTOM)
        self.parameters = _values(_parameter, _home_of_first, BOTTOM)
        self.annotations = _values(_annotation, _home_of_first, ANY)
        self.attributes = _values(_attribute, _home_of_first, BOTTOM)
        self.aliases = _values(_alias, _home_of_first, None)
        self.resolved = _values(_resolve, _nowhere, None)
        self.bases = Table(_bases, (), _changed, _last, _home)
        self.ancestries = Table(_ancestry, (), _changed, _last, _home)
        self.kinds = Table(_kind, INSTANCE, _changed_fact, _last, _home)
        self.sites = Table(_sites, [], _changed, _last, _home)
        self.heirs = Table(_heirs, {}, _changed, _last, _of_itself)
        every = (
            self.recorded, self.bodies, self.calls, self.free, self.parameters, self.annotations, self.attributes, self.aliases,
            self.resolved, self.bases, self.ancestries, self.kinds, self.sites, self.heirs,
        )  # fmt: skip
        self._by_compute: dict[Callable[[Any, Any], Any], Table] = {each.compute: each for each in every}

    def of(self, compute: Callable[[Any, Any], Any]) -> Table:
        """The table of a question; one about modules that is none of these gets its own when it is first asked."""
        found = self._by_compute.get(compute)
        if found is None:
            found = self._by_compute[compute] = Table(compute, {}, _changed, _last, _of_itself)
        return found
