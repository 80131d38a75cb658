"""Names that a loop rebuilds from themselves: `x = torch.cat([x, new])`, turn by turn, and does nothing else with.

Knows names, where they are bound and read, and how often loops turn; what is built, the rule says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import loops
from torchperf_lint.facts.context.frequency import COLD, Frequency
from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.guesses import count_names
from torchperf_lint.facts.idioms import in_place_writes, operations
from torchperf_lint.facts.index import blocks, definitions, inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import LOOPS, last_name, walk
from torchperf_lint.rules.memory.concat_in_loop import gathered, light

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

JOINS: Final = ("torch.cat", "torch.hstack", "torch.vstack", "torch.dstack")
FEW: Final = 4
"""So many turns cost too little to speak of."""
REUSING: Final = ("compile", "make_graphed_callables", "CUDAGraph", "cudagraph_mark_step_begin")
"""Signs of callables that may write their result into the same memory at each call."""
SAME_TURNS: Final = ("enumerate", "iter", "reversed", "sorted", "list", "tqdm", "track")


def grown(facts: Facts, binding: ast.AST) -> ast.For | ast.While | None:
    """The outermost loop in which a name is rebuilt from itself by one statement, and not read or bound otherwise."""
    module, function = facts.module, facts.module.function_of(binding)
    if not isinstance(binding, (ast.Name, ast.Attribute)):
        return None
    if isinstance(binding, ast.Name) and (binding.id in function.scope.outer or binding.id in function.inner_reads):
        return None
    statement = _first_turn(module, binding)
    found = None
    around = blocks.loop(module, statement)
    while around is not None:
        uses = _uses(module, around, binding)
        if isinstance(binding, ast.Attribute) and _binds(module, around, binding.value):
            break  # each turn has another object
        if any(not inside.is_inside(module, use, statement) for use in uses):
            break
        found, around = around, blocks.loop(module, around)
    return None if isinstance(found, ast.AsyncFor) else found


def _binds(module: Module, around: ast.AST, owner: ast.expr) -> bool:
    """Whether a loop binds the name whose attribute a statement in it rebuilds."""
    uses = inside.names(module, around).get(owner.id, ()) if isinstance(owner, ast.Name) else ()
    return any(isinstance(each.ctx, ast.Store) for each in uses)


def may_regrow(facts: Facts, call: ast.AST) -> bool:
    """Whether a call in a loop is given a list in which the name, or the attribute, stands that its result rebuilds."""
    if not isinstance(call, ast.Call):
        return False
    if gathered.is_gathered(facts, call):
        return True
    bound = target(facts, call) if blocks.loop(facts.module, call) is not None else None
    given = [*call.args[:1], *(keyword.value for keyword in call.keywords)]
    listed = [part for each in given if isinstance(each, (ast.List, ast.Tuple)) for part in each.elts]
    if bound is None or all(ast.unparse(part) != ast.unparse(bound) for part in listed):
        return False
    return grown(facts, bound) is not None


def is_gathered(facts: Facts, call: ast.AST) -> bool:
    """Whether a method gathers what it is given, call by call, in one tensor."""
    return gathered.is_gathered(facts, call)


def _first_turn(module: Module, binding: ast.Name | ast.Attribute) -> ast.stmt:
    """The statement of a binding; with the `if x is None: x = new` that it is the other branch of."""
    statement = module.statement(binding)
    around = module.parents.get(statement)
    match around:
        case ast.If(test=ast.Compare(left=left, comparators=[ast.Constant(value=None)])):
            if ast.unparse(left) == ast.unparse(binding) and len(around.body) == len(around.orelse) == 1:
                return around
    return statement


def _uses(module: Module, around: ast.AST, binding: ast.Name | ast.Attribute) -> Iterable[ast.AST]:
    """The uses in a loop of a name; or of an attribute, and of the methods of its owner, which may read it as well."""
    if isinstance(binding, ast.Name):
        return inside.names(module, around)[binding.id]
    attributes, calls = _owned(module, around)
    owner = ast.unparse(binding.value)
    return chain(calls.get(owner, ()), attributes.get((owner, binding.attr), ()))


@once
def _owned(_: Module, around: ast.AST) -> tuple[dict[tuple[str, str], list[ast.Attribute]], dict[str, list[ast.Call]]]:
    """The attributes that a loop uses, by owner and name, and the calls of methods, by owner."""
    attributes: dict[tuple[str, str], list[ast.Attribute]] = {}
    calls: dict[str, list[ast.Call]] = {}
    for each in walk(around):
        if isinstance(each, ast.Attribute):
            attributes.setdefault((ast.unparse(each.value), each.attr), []).append(each)
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            calls.setdefault(ast.unparse(each.func.value), []).append(each)
    return attributes, calls


def has_first_turn(facts: Facts, binding: ast.Name) -> bool:
    """Whether the first turn of the loop does something else: `if x is None: x = new`."""
    return _first_turn(facts.module, binding) is not facts.module.statement(binding)


def target(facts: Facts, value: ast.AST) -> ast.Name | ast.Attribute | None:
    """What is bound to a value, be it as one of two choices: `x = new if x is None else torch.cat([x, new])`."""
    module, above, tested = facts.module, facts.module.parents.get(value), None
    match above:
        case ast.IfExp(test=ast.Compare(left=left, comparators=[ast.Constant(value=None)])):
            above, tested = module.parents.get(above), ast.unparse(left)
    match above:
        case ast.Assign(targets=[ast.Name() | ast.Attribute(value=ast.Name()) as bound]):
            return bound if tested in (None, ast.unparse(bound)) else None
    return None


def frequency(facts: Facts, loop: ast.AST) -> Fact[Frequency]:
    """How often the body of a loop runs by itself: whether it takes steps, or runs a model on what it goes through."""
    return loops.of(facts.analysis, facts.module, loop) if isinstance(loop, LOOPS) else COLD


def counts_down(_: Facts, loop: ast.AST) -> bool:
    """Whether a loop goes backwards through a list, of layers or of tasks: `range(len(sizes) - 2, -1, -1)`."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[first, _, _])):
            return any(isinstance(each, ast.Call) and last_name(each.func) == "len" for each in walk(first))
    return False


def does_much(facts: Facts, loop: ast.AST) -> bool:
    """Whether each turn of a loop takes a batch of a loader, may run a model, or waits for the GPU: beside that, a copy of some results
    is little."""
    if isinstance(loop, LOOPS) and loops.iterates_loader(facts.analysis, facts.module, loop):
        return True
    return _moves_batches(facts.module, loop) or not light.is_light(facts.analysis, loop) or _waits(facts, loop)


@once
def _moves_batches(_: Module, loop: ast.AST) -> bool:
    """Whether a loop brings what it goes through to a device: `for batch in batches: x, y = batch; x = x.to(device)`."""
    match loop:
        case ast.For(target=target, iter=iterated) if not (
            isinstance(iterated, ast.Call) and last_name(iterated.func) == "range"
        ):
            items = {each.id for each in walk(target) if isinstance(each, ast.Name)}
        case _:
            return False
    for each in loop.body:
        match each:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=name)) if name in items:
                items |= {part.id for part in parts if isinstance(part, ast.Name)}
    moves = (each.func for each in walk(loop) if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute))
    return any(
        each.attr in ("to", "cuda") and isinstance(each.value, ast.Name) and each.value.id in items for each in moves
    )


def counts(facts: Facts, call: ast.AST) -> bool:
    """Whether what is joined are rows of indices that `torch.arange` counts: few numbers, turn by turn."""
    module = facts.module
    for part in [each for each in walk(call) if isinstance(each, ast.expr)]:
        for _ in range(FEW):
            if isinstance(part, ast.Name):
                part = definitions.definition(module, part) or part
            if isinstance(part, ast.BinOp):
                part = part.left
        if isinstance(part, ast.Call) and names.dotted(module.function_of(part), part.func) == "torch.arange":
            return True
    return False


def _waits(facts: Facts, loop: ast.AST) -> bool:
    """Whether each turn of a loop waits for the GPU."""
    inner = (each for each in walk(loop, into_scopes=False) if facts.may_wait_at(each))
    return any(facts.wait_at(each).known for each in inner)


def is_around_steps(facts: Facts, node: ast.AST) -> bool:
    """Whether the loop that a node stands in takes steps in a loop of its own at each turn: a video, or an epoch."""
    found = blocks.loop(facts.module, node)
    return found is not None and loops.holds_steps(facts.analysis, facts.module, found)


def is_changed_after(facts: Facts, part: ast.AST) -> bool:
    """Whether anything in an expression is written in place later: `state.unsqueeze(0)` sees what becomes of `state`."""
    held = (each for each in walk(part) if isinstance(each, ast.Name))
    return any(in_place_writes.are_behind(facts.module, each) for each in held)


def is_of_few(text: str) -> bool:
    """Whether what a loop goes over has but a few parts, by what they are called."""
    return count_names.is_of_few(text)


def is_cut_by_size(facts: Facts, loop: ast.AST) -> bool:
    """Whether a loop goes over chunks of a tensor of which there are the more, the larger it is: `x.chunk(len(x) // most)`."""
    if not isinstance(loop, ast.For):
        return False
    over = loop.iter
    if isinstance(over, ast.Name):
        over = definitions.definition(facts.module, over) or over
    cut = operations.of(facts.module, over)
    if cut is None or cut.name != "chunk" or facts.analysis.value(cut.tensor, facts.module).kind != "tensor":
        return False
    count = cut.given("chunks", 0)
    return count is not None and any(
        isinstance(each, ast.BinOp) and isinstance(each.op, (ast.FloorDiv, ast.Div)) and _reads_size(each.left)
        for each in walk(count)
    )


def _reads_size(node: ast.expr) -> bool:
    """Whether an expression is made of the size of something: `x.shape[0]`, `x.size(0)`, `len(x)`."""
    return any(
        (isinstance(each, ast.Attribute) and each.attr in ("shape", "size"))
        or (isinstance(each, ast.Name) and each.id == "len")
        for each in walk(node)
    )
