"""What happens once in a step, or for each picture that a model is shown, and so costs no more than one wait.

    for x, y in loader:                    a step loop
        total += loss.item()               once
        for each in parameters:            a loop within the step
            norms += each.norm().item()    often
    class Net(nn.Module):
        def __init__(self):
            self.blocks = nn.ModuleList(Block() for _ in range(12))
        def forward(self, x): ...          once, if one `Net` is made and called
    class Block(nn.Module):
        def forward(self, x): ...          often

What one wait costs is what the host has to do until the next. Where the loader works in the same process that is a batch: it
counts as often; so does one in a loop that copies with `non_blocking=True`. Where it has workers, or there is none, the host has
nothing to do. Where no loader is seen it may have. Where not all are seen who call, or make a thing, nothing is known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.context import callers_elsewhere, constructions, gates, how_often, in_tests, loops
from torchperf_lint.facts.context.callers_elsewhere import Site
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.idioms import datasets, loaders
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, LOOPS, Loop, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

Count = Literal["once", "perhaps", "often", "unknown"]
"""`perhaps`: once, in a loop of which nobody knows whether the host makes its batches meanwhile."""
DEEP: Final = 4
"""So many calls, or things that make others, are followed."""
SHOWN: Final = "one wait a step costs what the host has to do until the next, and nothing shows that this is much"
_TURNS: Final = (
    "a loop that generates",
    "a loop that draws samples",
    "a loop that steps an environment",
    "carried on the GPU",
)
"""How the evidence of a loop begins of which each turn is a part of what a user calls a step."""
_COUNTING: Final = ("range", "trange", "count")


def shown(analysis: Analysis, module: Module, node: ast.AST) -> Evidence | None:
    """The place that runs once a step and that a node stands in, where nothing shows that the host has work to do meanwhile."""
    if count(analysis, node) != "once":
        return None
    place = how_often.place_of(module, node)
    return Evidence(place.node if isinstance(place, Function) else place, SHOWN, module.path)


def count(analysis: Analysis, node: ast.AST, deep: int = DEEP) -> Count:
    """How often in a step a node runs."""
    module = analysis.module
    place = how_often.place_of(module, node)
    if _is_of_each(module, node):
        return "often"
    if isinstance(place, Function):
        return _of_function(analysis, (place, deep))
    assert isinstance(place, LOOPS)
    return _of_loop(analysis, place)


def _is_of_each(module: Module, node: ast.AST) -> bool:
    """Whether a node runs for each item of a comprehension; what that goes through is made once."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ast.stmt):
            return False
        if isinstance(above, COMPREHENSIONS) and below is not above.generators[0]:
            return True
        below = above
    return False


@once
def _of_loop(analysis: Analysis, loop: Loop) -> Count:
    """The same of what stands in a loop; a loop that is no step is one within a step."""
    found = loops.of(analysis, analysis.module, loop)
    if not found.value and any(_does_a_step(analysis, call) for call in _calls_in(loop)):
        return "once"
    if not found.value or any(each.message.startswith(_TURNS) for each in found.because):
        return "often"
    if found.value != Frequency.STEP:
        return "once"
    return "often" if _runs_ahead(loop) else _of_batches(analysis, loop)


def _runs_ahead(loop: Loop) -> bool:
    """Whether a loop copies without waiting: whoever wrote that wants the host to be ahead of the GPU, and one wait undoes it."""
    keywords = (keyword for call in _calls_in(loop) for keyword in call.keywords if keyword.arg == "non_blocking")
    return any(isinstance(each.value, ast.Constant) and each.value.value is True for each in keywords)


def _calls_in(loop: Loop) -> Iterator[ast.Call]:
    return (each for each in walk(loop, into_scopes=False) if isinstance(each, ast.Call))


def _does_a_step(analysis: Analysis, call: ast.Call) -> bool:
    """Whether a call on `self` is one of a method that does the backward pass: `loss = self.update(batch)`."""
    method = analysis.module.function_of(call).method
    if method is None or method.owner is None or not isinstance(call.func, ast.Attribute):
        return False
    called = (
        method.owner.methods.get(call.func.attr)
        if last_name(call.func.value) == next(iter(method.positional), "")
        else None
    )
    return called is not None and loops.step(analysis, analysis.module, called.node, within_loops=False) is not None


def _of_batches(analysis: Analysis, loop: Loop) -> Count:
    """The same of a step loop: `often` where its loader makes the next batch in the same process, which it could while the GPU works."""
    if not isinstance(loop, (ast.For, ast.AsyncFor)):
        return "once"
    made, _ = loaders.of(analysis, analysis.module, loop.iter)
    if made is None or made.kind != "loader":
        return "once" if _counts(loop.iter) else "perhaps"
    workers = datasets.setting(made, "num_workers")
    return "often" if workers is None or workers.const == 0 else "once"


def _counts(items: ast.expr) -> bool:
    """Whether a loop only counts its steps: `tqdm(range(steps))`."""
    return any(isinstance(each, ast.Call) and last_name(each.func) in _COUNTING for each in walk(items))


@once
def _of_function(analysis: Analysis, asked: tuple[Function, int]) -> Count:
    """The same of the body of a function."""
    function, deep = asked
    if function.is_module:
        return "once"
    if not deep:
        return "unknown"
    if function.owner is not None and function.name in ("forward", "__call__"):
        return _of_things(analysis, function.owner, deep - 1)
    sites = [(analysis, call) for call in analysis.sites(function)] + _far(analysis, function)
    return _of_sites(sites, deep - 1)


@once
def _far(analysis: Analysis, function: Function) -> list[Site]:
    is_called = callers_elsewhere.is_called_elsewhere(analysis, function)
    return list(callers_elsewhere.calls(analysis, function)) if is_called else []


def _of_sites(sites: list[Site], deep: int) -> Count:
    """The same of what some calls run, each of which runs it once."""
    live = [
        (other, call)
        for other, call in sites
        if gates.of(other.module, call) is None and not in_tests.is_test(other.module.function_of(call))
    ]
    live = [each for each in live if _is_hot(each)] or live
    places = [how_often.place_of(other.module, call) for other, call in live]
    if len(set(places)) < len(places):
        return "often"
    return _together([count(other, call, deep) for other, call in live])


def _is_hot(site: Site) -> bool:
    """Whether a call is seen to run often: those that are, are why anybody asks."""
    other, call = site
    return bool(how_often.of(other, other.module, call, frozenset()).value)


def _of_things(analysis: Analysis, owner: Class, deep: int) -> Count:
    """The same of what each thing of a class runs once: a model is one thing, its layers are many."""
    made = constructions.everywhere(analysis, owner)
    if not made or not deep:
        return "unknown"
    functions = [other.module.function_of(call) for other, call in made]
    if len(set(functions)) < len(functions) or any(_is_repeated(other.module, call) for other, call in made):
        return "often"
    return _together([_of_maker(other, each, deep - 1) for (other, _), each in zip(made, functions, strict=True)])


def _is_repeated(module: Module, call: ast.Call) -> bool:
    """Whether a call that makes a thing makes several."""
    above = module.ancestors(call)
    return any(isinstance(each, (*LOOPS, *COMPREHENSIONS)) for each in above)


def _of_maker(analysis: Analysis, maker: Function, deep: int) -> Count:
    """The same of a thing that a function makes: a part of a model is as often there as the model."""
    if maker.owner is not None and maker.name == "__init__":
        return _of_things(analysis, maker.owner, deep)
    return "once" if maker.is_module else _together([_of_maker_called(analysis, maker)])


def _of_maker_called(analysis: Analysis, maker: Function) -> Count:
    """The same of what a function makes each time that it is called: `self.up = make_layer(64)`."""
    sites = [(analysis, call) for call in analysis.sites(maker)]
    functions = [other.module.function_of(call) for other, call in sites]
    is_many = len(set(functions)) < len(functions) or any(_is_repeated(other.module, call) for other, call in sites)
    return "often" if is_many else "once"


def _together(counts: list[Count]) -> Count:
    """How often what runs in several ways does."""
    for each in ("often", "perhaps", "unknown"):
        if each in counts:
            return each
    return "once" if counts else "unknown"
