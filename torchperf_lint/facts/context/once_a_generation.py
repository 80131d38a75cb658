"""Code that runs once beside a whole generation, whoever calls it, and however often its own name lets it seem to run.

    class Encoder(nn.Module):
        def forward(self, tokens): ...                 for every batch, by its role
    class Pipeline:
        def __init__(self): self.encoder = Encoder()
        def __call__(self, tokens, x):
            context = self.encoder(tokens)             once: here stands who runs it,
            for t in self.scheduler.timesteps:         and beside it are all steps of a sampler
                x = self.scheduler.step(self.model(x, t, context), t, x)

All that is seen to run it must stand so: outside of the steps, and where nothing trains. Where nobody is seen, nothing is shown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    callers_elsewhere,
    constructions,
    generations,
    held_modules,
    in_tests,
    known_callers,
    loops,
    many_times,
)
from torchperf_lint.facts.context.callers_elsewhere import Site
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, Loop, in_body, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 20
"""So many calls, or things that make others, are followed."""
_RUN: Final = ("forward", "__call__")


def shown(analysis: Analysis, node: ast.AST, deep: int = DEEP) -> Evidence | None:
    """The generation beside which a node runs once."""
    module, below = analysis.module, node
    for above in module.ancestors(node):
        if isinstance(above, ClosedNode):
            break
        if isinstance(above, LOOPS) and in_body(below, above):
            if generations.are_steps(module, above):
                return None
            found = generations.outside(module, above, node)
            if found is not None or _may_be_steps(analysis, above):
                return found
        below = above
    function = module.function_of(node)
    if generations.trains(module, function.node):
        return None
    found = generations.outside(module, function.node, node)
    return found or _of_callers(analysis, (function, deep))


def _may_be_steps(analysis: Analysis, loop: Loop) -> bool:
    """Whether the turns of a loop may be the steps of a sampler, or of a training: those over the rows of a tensor, of which none goes
    on from the one before, are none."""
    if many_times.counts_rows(analysis, loop) and not _goes_on(analysis.module, loop):
        return False
    return (loops.of(analysis, analysis.module, loop).value or Frequency.ONCE) >= Frequency.INFERENCE


@once
def _goes_on(_: Module, loop: Loop) -> bool:
    """Whether a turn of a loop makes something of what the turn before has made by the same name: `x = denoise(x, i)`."""
    for each in walk(loop, into_scopes=False):
        if isinstance(each, ast.Assign) and any(isinstance(inner, ast.Call) for inner in walk(each.value)):
            bound = {name.id for target in each.targets for name in walk(target) if isinstance(name, ast.Name)}
            if any(isinstance(name, ast.Name) and name.id in bound for name in walk(each.value)):
                return True
    return False


@once
def _of_callers(analysis: Analysis, asked: tuple[Function, int]) -> Evidence | None:
    """The generation beside which all that is seen to call a function does so."""
    function, deep = asked
    if not deep or function.is_module:
        return None
    return _of_all(_by_caller(analysis, function, deep - 1))


def _by_caller(analysis: Analysis, function: Function, deep: int) -> Iterator[Evidence | None]:
    for other, call in _called_at(analysis, function):
        if other.module.function_of(call) is not function:
            yield shown(other, call, deep)
    if function.owner is not None and function.name in _RUN and analysis.kind_of(function.owner).value == "module":
        yield from _of_class(analysis, function.owner, deep)


def _of_all(found: Iterable[Evidence | None]) -> Evidence | None:
    """What holds of all of some, if there are any."""
    first = None
    for each in found:
        if each is None:
            return None
        first = first or each
    return first


def _called_at(analysis: Analysis, function: Function) -> Iterator[Site]:
    """The calls of a function in sight, tests aside: where it is handed to what makes another of it, that is called at once."""
    for call in analysis.sites(function):
        if not in_tests.is_test(analysis.module.function_of(call)):
            yield analysis, call
    for other, call in callers_elsewhere.calls(analysis, function):
        if not callers_elsewhere.is_handed(analysis, (other, call), function):
            yield other, call
    for other in _around(analysis, function):
        for read in known_callers.reads(other.module, callers_elsewhere.names_of(other, function)):
            wrapped = held_modules.wrapped(other.module, read)
            if wrapped is not None and _is_of(other, read, function):
                yield other, wrapped


def _around(analysis: Analysis, function: Function) -> Iterator[Analysis]:
    """The file of a function, and those that may call it."""
    yield analysis
    neighbours = analysis.around()
    if neighbours is not None and callers_elsewhere.can_be_called(function):
        yield from callers_elsewhere.others(analysis, function, neighbours)


def _is_of(other: Analysis, read: ast.expr, function: Function) -> bool:
    """Whether an expression stands for a function."""
    value = other.value(read, other.module)
    if value.kind == "symbol":
        value = other.resolve(value.ref) or value
    return isinstance(value.ref, Function) and callers_elsewhere.key_of(value.ref) == callers_elsewhere.key_of(function)


def _of_class(analysis: Analysis, owner: Class, deep: int) -> Iterator[Evidence | None]:
    """The generations beside which things of a class run, of each place that makes some."""
    for other in constructions.readers(analysis, owner) if deep else ():
        for read in constructions.reads(other, owner):
            heir = other.module.parents.get(read)
            if isinstance(heir, ast.ClassDef):
                for below in [each for each in other.module.classes.values() if each.node is heir]:
                    yield from _of_class(other, below, deep - 1)
            elif not in_tests.is_test(other.module.function_of(read)):
                yield from (_of_thing(other, each, deep - 1) for each in held_modules.makings(other.module, read))


def _of_thing(analysis: Analysis, made: ast.expr, deep: int) -> Evidence | None:
    """The generation beside which all run a thing who have what an expression makes."""
    module = analysis.module
    maker = module.function_of(made)
    if not deep or maker.is_module:
        return None
    holder = maker.method.owner if maker.method is not None else None
    attr = held_modules.kept_as(module, made)
    runs = list(held_modules.runs(analysis, holder, attr)) if holder is not None and attr is not None else []
    if runs:
        return _of_all(shown(analysis, each, deep) for each in runs)
    if holder is not None and maker.name == "__init__":
        run = next((holder.methods[name] for name in _RUN if name in holder.methods), None)
        return _of_callers(analysis, (run, deep)) if run is not None else None
    called = held_modules.called(module, made)
    if called or not held_modules.gives_back(maker):
        return _of_all(shown(analysis, each, deep) for each in called)
    return _of_all(_of_thing(other, call, deep - 1) for other, call in _called_at(analysis, maker))
