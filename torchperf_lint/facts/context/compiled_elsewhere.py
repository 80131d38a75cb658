"""What is compiled by what other files say.

    models.py    class Net(nn.Module): ...
    train.py     net = torch.compile(Net())            its `forward` is compiled, and all that this calls

    layers.py    class Block(nn.Module):               with `--assume-compiled`, so is what a `forward` of another file calls
                     def forward(self, x): return scaled(x)
    ops.py       def scaled(x): ...

The files that compile are found by their words (`project/index`), and only those are read that import the linted one, or what
imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import callers_elsewhere, compiled, compiled_calls
from torchperf_lint.facts.context.compiled import Compiled
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import UNKNOWN, Fact, Sure
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.project.index import MORE

if TYPE_CHECKING:
    import ast

    from torchperf_lint.facts.interpret.analysis import Analysis

AWAY: Final = 2
"""So many files from a `forward` that is assumed to be compiled: what a file calls that this one calls."""


def may_be(analysis: Analysis, module: Module) -> bool:
    """Whether another file may compile anything of a file; none is read for that."""
    neighbours = analysis.around()
    return neighbours is not None and neighbours.may_be_compiled(module)


def is_any(analysis: Analysis, module: Module) -> bool:
    """Whether other files are seen to compile anything of a file."""
    return may_be(analysis, module) and bool(_compiled(analysis, module))


def how(analysis: Analysis, module: Module, node: ast.AST, *, assumed: bool) -> Fact[Compiled]:
    """How the code of a node is compiled by what other files say."""
    function = module.function_of(node)
    found = _compiled(analysis, module).get(function)
    if found is None and assumed:
        found = _assumed(analysis, (module, AWAY)).get(function)
    return found if found is not None and compiled.comes_to(module, node) else Fact(UNKNOWN)


@once
def _compiled(analysis: Analysis, module: Module) -> dict[Function, Fact[Compiled]]:
    """What the files that compile something compile of one file."""
    neighbours = analysis.around()
    compilers = neighbours.compilers(module) if neighbours is not None else []
    found: dict[Function, Fact[Compiled]] = {}
    # Who has read the file anew has other functions: they are told by their places.
    here = {_place(each): each for each in reversed(module.functions.values())} if compilers else {}
    for other in compilers:
        for function, fact in _reached_in(other, module.path).items():
            own = function if function.module is module else here.get(_place(function))
            if own is not None:
                compiled.keep(found, own, Fact(fact.value, Sure.LIKELY, fact.because))
    return found


@once
def _assumed(analysis: Analysis, asked: tuple[Module, int]) -> dict[Function, Fact[Compiled]]:
    """What is compiled of one file if every `forward` of others is, so many files away."""
    module, away = asked
    roots = []
    for function in module.functions.values():
        found = _by_callers(analysis, function, away)
        if found is not None:
            roots.append(((function, function.owner), found))
    return compiled.spread(analysis, roots)


def _by_callers(analysis: Analysis, function: Function, away: int) -> Fact[Compiled] | None:
    """How a function is compiled by one of those that call it from other files."""
    for site in callers_elsewhere.candidates(analysis, function, MORE):
        other, call = site
        if not compiled.comes_to(other.module, call):
            continue
        caller = other.module.function_of(call)
        try:
            found = compiled.of_function(other, other.module, caller, assumed=True)
            if found is None and away > 1:
                found = _assumed(other, (other.module, away - 1)).get(caller)
            if found is not None and (callers_elsewhere.is_one(analysis, site, function) or _may_run(site, function)):
                return Fact(found.value, Sure.LIKELY, found.because[:1])
        except GaveUpError:
            continue
    return None


def _may_run(site: callers_elsewhere.Site, function: Function) -> bool:
    """Whether a function is one of several that a call may run."""
    other, call = site
    caller = other.module.function_of(call)
    return any(
        _place(each) == _place(function) and each.module.path == function.module.path
        for each, _ in compiled_calls.by(other, caller, caller.owner, call)
    )


def _reached_in(other: Analysis, path: str) -> dict[Function, Fact[Compiled]]:
    """What another file compiles of one; what takes too long to see is unknown."""
    try:
        return compiled.reached_in(other, (other.module, path))
    except GaveUpError:
        return {}


def _place(function: Function) -> tuple[str, int]:
    return function.qualname, function.line
