"""What shows that a step comes to a place many times: what is small once a step adds up there.

    for x, y in loader:                    a step
        total += loss.item()               once
        for each in model.parameters():    a turn for each parameter
            norms += each.grad.norm().item()
    class Net(nn.Module):
        def __init__(self):
            self.blocks = nn.ModuleList(Block() for _ in range(12))
    class Block(nn.Module):
        def forward(self, x): ...          a turn for each block

A loop counts where its items are weights, or as many as a tensor has rows or elements: others may have two turns. A function is
come to as often as one of its calls, a layer as often as it is made. Where none of that is seen, nothing is shown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import callers_elsewhere, constructions, gates, in_tests, loops, repeated_layers
from torchperf_lint.facts.context.callers_elsewhere import Site
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.domain.value import NO
from torchperf_lint.facts.guesses import call_names
from torchperf_lint.facts.idioms import datasets, item_work, loaders
from torchperf_lint.facts.index import arms, definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import (
    COMPREHENSIONS,
    LOOPS,
    ClosedNode,
    Loop,
    in_body,
    last_name,
    parts,
    place_of,
    walk,
)
from torchperf_lint.facts.knowledge import data_loading, lightning

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 5
"""So many calls, or things that make others, are followed."""
MANY: Final = 4
"""So many of one layer in a model, each made by a call of its own, are many."""
FEW: Final = 8
"""So many turns of a loop are few."""
_WEIGHTS: Final = frozenset(("parameters", "named_parameters", "buffers", "named_buffers", "state_dict"))
_AROUND: Final = frozenset(("enumerate", "zip", "reversed", "tqdm", "list", "tuple", "iter"))
_SIZES: Final = frozenset(("size", "numel"))
_TURN: Final = "a step comes here once for each turn of this loop"
_LAYERS: Final = "several of these layers are made here, and a step runs each"
_BATCH: Final = "its loader has no workers: the host makes the next batch after the wait, and not beside the GPU's work"


def shown(analysis: Analysis, node: ast.AST, deep: int = DEEP) -> Evidence | None:
    """The loop around a node, or the layers that it is a part of, that a step has many of."""
    module, below = analysis.module, node
    for above in module.ancestors(node):
        if isinstance(above, COMPREHENSIONS) and not _is_first(above, below, node):
            if any(_is_long(analysis, each.iter, each.target) for each in above.generators):
                return Evidence(above, _TURN, module.path)
        elif isinstance(above, LOOPS) and in_body(below, above):
            if _is_step(analysis, above) or loops.holds_steps(analysis, module, above):
                return None
            if isinstance(above, ast.For) and _is_long(analysis, above.iter, above.target):
                return Evidence(above, _TURN, module.path)
        elif isinstance(above, ClosedNode):
            break
        below = above
    return _of_function(analysis, (module.function_of(node), deep))


def batch_after(analysis: Analysis, node: ast.AST) -> Evidence | None:
    """The step loop that a node stands in, where the host makes its batches in the same process, by some work: while it waits for
    the last of a step it makes none."""
    module = analysis.module
    for above in module.ancestors(node):
        if isinstance(above, (*COMPREHENSIONS, *ClosedNode)):
            return None
        if isinstance(above, LOOPS):
            if not isinstance(above, ast.For) or not _is_step(analysis, above):
                return None
            made, _ = loaders.of(analysis, module, above.iter)
            if made is None or made.kind != "loader" or made.ref != data_loading.LOADER:
                return None
            workers = datasets.setting(made, "num_workers")
            has_workers = workers is not None and workers.const != 0
            is_slow = item_work.of(analysis, made) != "light" and not item_work.is_of_tiny_pictures(made)
            is_late = not has_workers and is_slow and _is_behind_backward(above, node)
            return Evidence(above, _BATCH, module.path) if is_late else None
    return None


def _is_behind_backward(loop: ast.For, node: ast.AST) -> bool:
    """Whether the backward pass of a step stands before a node, and none behind it, where the host makes the next batch beside it:
    without one a step is short, and little of it is left when it is waited for."""
    calls = (each for each in walk(loop, into_scopes=False) if isinstance(each, ast.Call))
    passes = [place_of(each) for each in calls if last_name(each.func) in lightning.BACKWARD]
    return bool(passes) and all(each < place_of(node) for each in passes)


def _is_first(made: ast.AST, below: ast.AST, node: ast.AST) -> bool:
    """Whether a node stands in what a comprehension goes through, which is worked out once."""
    first = made.generators[0] if isinstance(made, COMPREHENSIONS) else None
    return first is not None and below is first and any(each is node for each in walk(first.iter))


def _is_step(analysis: Analysis, loop: Loop) -> bool:
    """Whether the turns of a loop are what a user calls steps: a loop that carries a tensor of the GPU, or runs a part of a model for
    each row of one, may stand in what runs once a step."""
    found = loops.of(analysis, analysis.module, loop)
    if not found.value or any(each.message.startswith("carried") for each in found.because):
        return False
    is_part = isinstance(loop, ast.For) and _counted(loop.iter) is not None and not _draws_batches(analysis, loop)
    return not (is_part and found.value is Frequency.INFERENCE)


def _draws_batches(analysis: Analysis, loop: Loop) -> bool:
    """Whether each turn steps an environment, or takes a batch out of a buffer: `buffer.sample(64)`."""
    calls = (each for each in walk(loop, into_scopes=False) if isinstance(each, ast.Call))
    owners = (
        each.func.value
        for each in calls
        if call_names.draws_batch(last_name(each.func)) and isinstance(each.func, ast.Attribute)
    )
    return any(_kind(analysis, each) != "distribution" for each in owners)


# ---- loops


def counts_rows(analysis: Analysis, loop: Loop) -> bool:
    """Whether a loop counts the rows of a tensor."""
    count = _counted(loop.iter) if isinstance(loop, ast.For) else None
    return count is not None and analysis.value(count, analysis.module).const is NO and _is_much(analysis, count)


def _is_long(analysis: Analysis, items: ast.expr, target: ast.expr) -> bool:
    """Whether a loop surely has many turns: one for each weight, or for each row of a tensor. Rows that are taken apart at once
    are sizes, of which there are a few."""
    match items:
        case ast.Call(func=func, args=args) if last_name(func) in _AROUND:
            each_target = parts(target)
            if last_name(func) == "enumerate":
                return bool(args) and _is_long(analysis, args[0], each_target[-1])
            if last_name(func) == "zip" and len(each_target) == len(args):
                return any(_is_long(analysis, *each) for each in zip(args, each_target, strict=True))
            return any(_is_long(analysis, each, target) for each in args)
        case ast.Call() if (count := _counted(items)) is not None:
            return _is_much(analysis, count)
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in _WEIGHTS:
            return True
        case ast.Call(func=ast.Attribute(value=inner, attr="items" | "values")):
            return isinstance(inner, ast.Call) and last_name(inner.func) in _WEIGHTS
    if isinstance(target, (ast.Tuple, ast.List)):
        return False
    if isinstance(items, ast.Name) and isinstance(made := definitions.definition(analysis.module, items), ast.ListComp):
        return any(_is_long(analysis, each.iter, each.target) for each in made.generators if not each.ifs)
    return _kind(analysis, items) == "tensor"


def _counted(items: ast.expr) -> ast.expr | None:
    """The `n` of `range(n)`, `range(1, n)`."""
    match items:
        case ast.Call(func=ast.Name(id="range"), args=[count] | [_, count] | [_, count, _]):
            return count
    return None


def _is_much(analysis: Analysis, count: ast.expr) -> bool:
    """Whether a number is that of the rows of a tensor, or more than a few."""
    known = analysis.value(count, analysis.module)
    if isinstance(known.const, int):
        return known.const > FEW
    if isinstance(count, ast.Name):
        store = definitions.last_above(analysis.module.function_of(count), count)
        statement = analysis.module.statement(store) if store is not None else None
        return isinstance(statement, ast.Assign) and _is_size(analysis, statement.value)
    return _is_size(analysis, count)


def _is_size(analysis: Analysis, node: ast.expr) -> bool:
    """`x.shape[0]`, `x.size(0)`, `x.numel()` of what is given, `len(x)` of a tensor."""
    match node:
        case ast.Subscript(value=ast.Attribute(value=owner, attr="shape")) | ast.Attribute(value=owner, attr="shape"):
            return not isinstance(owner, ast.Call)  # `torch.unique(y).shape[0]` is of classes, a few
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in _SIZES:
            return not isinstance(owner, ast.Call) and _kind(analysis, owner) in ("tensor", "tensor_tree", "unknown")
        case ast.Call(func=ast.Name(id="len"), args=[owner]):
            return _kind(analysis, owner) == "tensor"
        case ast.BinOp(left=left, right=right):
            return _is_size(analysis, left) or _is_size(analysis, right)
    return False


def _kind(analysis: Analysis, node: ast.expr) -> str:
    return str(analysis.value(node, analysis.module).kind)


# ---- functions and layers


@once
def _of_function(analysis: Analysis, asked: tuple[Function, int]) -> Evidence | None:
    """The same of the body of a function."""
    function, deep = asked
    if function.is_module or not deep:
        return None
    sites: Iterator[Site]
    if function.owner is not None and function.is_static and function.name in ("forward", "backward"):
        sites = ((analysis, call) for call in _applications(analysis.module, function.owner))
    elif function.owner is not None and function.name in ("forward", "__call__"):
        return _of_things(analysis, function.owner, deep - 1)
    else:
        sites = _live(analysis, function)
    found = (shown(other, call, deep - 1) for other, call in sites)
    return next((each for each in found if each is not None), None)


def _applications(module: Module, owner: Class) -> Iterator[ast.Call]:
    """The calls that run a `torch.autograd.Function` of the file: `Drop.apply(x)`."""
    for call in module.calls.get("apply", ()):
        match call.func:
            case ast.Attribute(value=ast.Name(id=name)) if name == owner.name:
                yield call


def _live(analysis: Analysis, function: Function) -> Iterator[Site]:
    """The calls of a function, tests and what runs seldom aside; other files are read where they call it."""
    for call in analysis.sites(function):
        if _is_live(analysis.module, call):
            yield analysis, call
    if callers_elsewhere.is_called_elsewhere(analysis, function):
        yield from (each for each in callers_elsewhere.calls(analysis, function) if _is_live(each[0].module, each[1]))


def _is_live(module: Module, call: ast.Call) -> bool:
    return (
        gates.of(module, call) is None
        and not in_tests.is_test(module.function_of(call))
        and not _is_of_first_turn(module, call)
    )


def _is_of_first_turn(module: Module, call: ast.Call) -> bool:
    """Whether a call makes what is kept from then on: `if self.codes is None: self.codes = self.encode(x)`."""
    statement = module.statement(call)
    match statement, module.parents.get(statement):
        case ast.Assign(targets=[kept]), ast.If(test=ast.Compare(left=asked, ops=[ast.Is()])):
            return ast.unparse(kept) == ast.unparse(asked)
    return False


def _of_things(analysis: Analysis, owner: Class, deep: int) -> Evidence | None:
    """The same of what each thing of a class runs once: a model is one thing, its layers are many."""
    made = constructions.everywhere(analysis, owner)
    if made is None:
        handed = repeated_layers.handed(analysis, owner)
        return Evidence(handed[1], _LAYERS, handed[0].module.path) if handed is not None else None
    if not deep:
        return None
    together = [_runs_with(other.module, call) for other, call in made]
    for (other, call), place in zip(made, together, strict=True):
        if repeated_layers.is_repeated(other.module, call) or together.count(place) >= MANY:
            return Evidence(call, _LAYERS, other.module.path)
    found = (_of_maker(other, other.module.function_of(call), deep - 1) for other, call in made)
    return next((each for each in found if each is not None), None)


def _of_maker(analysis: Analysis, maker: Function, deep: int) -> Evidence | None:
    """The same of a thing that a function makes: a part of a layer is as often there as the layer."""
    if maker.owner is not None and maker.name == "__init__":
        return _of_things(analysis, maker.owner, deep)
    if maker.is_module or not deep:
        return None
    sites = analysis.sites(maker)
    together = [_runs_with(analysis.module, call) for call in sites]
    for call, place in zip(sites, together, strict=True):
        if repeated_layers.is_repeated(analysis.module, call) or together.count(place) >= MANY:
            return Evidence(call, _LAYERS, analysis.module.path)
    return None


def _runs_with(module: Module, call: ast.Call) -> tuple[Function, arms.Arm | None]:
    """What a call runs together with: its function, and the arm of it. What two functions make, or two arms, are two models."""
    return module.function_of(call), arms.arm_of(module, call)
