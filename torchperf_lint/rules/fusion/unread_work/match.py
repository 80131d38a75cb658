"""Tensors that are worked out, and that nobody reads, or that are read in one branch of a condition behind alone.

    counts = torch.bincount(owners)
    if average: out = out / counts              worked out for nothing where `average` is false

Knows syntax, and what works out a tensor and does nothing else.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.index import blocks, inside, names
from torchperf_lint.facts.index import unread as unread_names
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import end_of, last_name, place_of, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.inside import Block
    from torchperf_lint.facts.index.module import Module

_DRAWING: Final = frozenset(
    ("rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "bernoulli", "multinomial", "normal",
     "poisson", "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "gumbel_softmax", "rrelu")
)  # fmt: skip
"""Who leaves these out draws other numbers from then on."""
_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MAKING: Final = frozenset(
    ("empty", "empty_like", "new_empty", "tensor", "as_tensor", "from_numpy", "full", "full_like", "new_full")
)
"""What makes a tensor and works nothing out: a constant is one whether it is written `tensor` or `full`."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A tensor that is worked out for nothing, at least at times."""

    work: ast.expr
    said: str


def candidates(module: Module) -> Iterator[ast.AST]:
    """Assignments of one name whose value calls or computes something."""
    for kind in (ast.Assign, ast.AnnAssign):
        for each in module.by_type.get(kind, ()):
            if _may_be_unread(module, each):
                yield each


def may_be_unread(facts: Facts, node: ast.AST) -> bool:
    return unread(facts, node) is not None


def unread(facts: Facts, node: ast.AST) -> Unread | None:
    """The tensor that an assignment works out for nothing, at least at times."""
    bound = _bound(node) if _may_be_unread(facts.module, node) else None
    if bound is None:
        return None
    name, work = bound
    if facts.analysis.value(work, facts.module).kind != "tensor" or not _is_work(facts, work):
        return None
    if unread_names.is_only_bound(facts.module, name):
        return Unread(work, f"nobody reads `{name.id}`, which is worked out here")
    where = _only_reader(facts.module, name)
    uses = _uses(facts.module, (facts.module.function_of(name), name.id))
    branch = _branch(where, uses) if isinstance(where, ast.If) else None
    if not isinstance(where, ast.If) or branch is None or not _is_option(facts, where.test):
        return None
    if _raises_otherwise(facts.module, where, branch):
        return None
    return Unread(work, f"`{name.id}` is read in one branch below alone, and worked out on every way")


def _bound(node: ast.AST) -> tuple[ast.Name, ast.expr] | None:
    match node:
        case ast.Assign(targets=[ast.Name() as name], value=value):
            return name, value
        case ast.AnnAssign(target=ast.Name() as name, value=ast.expr() as value):
            return name, value
    return None


def _may_be_unread(module: Module, node: ast.AST) -> bool:
    """Whether, by the text alone, what an assignment computes may be read never, or in one branch below."""
    bound = _bound(node)
    if bound is None or not isinstance(bound[1], (ast.Call, ast.BinOp)) or "locals" in module.calls:
        return False
    name = bound[0].id
    function = module.function_of(bound[0])
    if function.is_module or name in function.scope.outer or name in function.inner_reads or name.startswith("_"):
        return False
    loads = function.scope.loads.get(name, ())
    return not loads or any(isinstance(above, ast.If) for above in module.ancestors(loads[0]))


def _only_reader(module: Module, name: ast.Name) -> ast.stmt | None:
    """The one statement behind a binding, in its block, that reads what is bound; None where there are others, or none."""
    place = inside.block_of(module, module.statement(name))
    if place is None:
        return None
    block, number = place
    uses = _uses(module, (module.function_of(name), name.id))
    starts, end = _starts(module, block), end_of(block.statements[-1])
    reading = {bisect_right(starts, place_of(use)) - 1 for use in uses if place_of(use) < end}
    binding = [at for at, _ in block.bound.get(name.id, ()) if at > number and at not in reading]
    stop = next((at for at in binding if _binds(block.statements[at], name.id)), len(starts))
    behind = [at for at in reading if number < at < stop]
    leaving = _leaving(module, block)
    if len(behind) != 1 or bisect_right(leaving, number) != bisect_left(leaving, behind[0]):
        return None  # none is read, or it may leave before it is
    found = block.statements[behind[0]]
    return found if stop < len(starts) or not _is_read_outside(module, name, block.statements[-1], uses) else None


@once
def _starts(_: Module, block: Block) -> list[tuple[int, int]]:
    return [place_of(each) for each in block.statements]


@once
def _leaving(_: Module, block: Block) -> list[int]:
    """The numbers of the statements of a block that may leave it."""
    statements = enumerate(block.statements)
    return [at for at, each in statements if any(isinstance(node, _LEAVING) for node in walk(each, into_scopes=False))]


@once
def _uses(_: Module, asked: tuple[Function, str]) -> list[ast.Name]:
    """Where a function reads a name; `x += 1` reads it too."""
    function, name = asked
    changed = [
        each
        for each in function.scope.stores.get(name, ())
        if isinstance(function.module.parents.get(each), (ast.AugAssign, ast.Delete)) and isinstance(each, ast.Name)
    ]
    return [*function.scope.loads.get(name, ()), *changed]


def _is_read_outside(module: Module, name: ast.Name, last: ast.stmt, uses: list[ast.Name]) -> bool:
    """Whether a name is read behind its block, or further up in a loop around it."""
    loop, end = blocks.loop(module, name), end_of(last)
    start = place_of(loop) if loop is not None else place_of(name)
    return any(end <= place_of(use) or start <= place_of(use) < place_of(name) for use in uses)


def _binds(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=bound)]):
            return bound == name
    return False


def _branch(test: ast.If, uses: list[ast.Name]) -> list[ast.stmt] | None:
    """The branch of a condition that has all reads of a name that stand in it."""
    start, end = place_of(test), end_of(test)
    held = [use for use in uses if start <= place_of(use) < end]
    for branch in (test.body, test.orelse):
        if branch and all(place_of(branch[0]) <= place_of(use) < end_of(branch[-1]) for use in held):
            return branch
    return None


def _raises_otherwise(module: Module, test: ast.If, branch: list[ast.stmt]) -> bool:
    """Whether all that is there beside a branch is an error, so that nothing is saved: it raises, or a name is bound to nothing."""
    other = test.orelse if branch is test.body else test.body
    if any(not isinstance(each, ast.Pass) for each in other):
        return isinstance(other[-1], ast.Raise)
    place = inside.block_of(module, test)
    if place is None:
        return False
    behind = place[0].statements[place[1] + 1 :]
    return bool(behind) and (isinstance(behind[0], ast.Raise) or _binds_alone(module, test, behind))


def _binds_alone(module: Module, test: ast.If, behind: list[ast.stmt]) -> bool:
    """Whether a name that is read behind a condition is bound in it, and nowhere before: `if kind == "a": y = x`, `return y`."""
    function, start, end = module.function_of(test), place_of(test), end_of(test)
    stores = _stores(module, function)
    first, last = bisect_left(stores, (start, "")), bisect_left(stores, (end, ""))
    until = end_of(behind[-1])
    for name in {name for _, name in stores[first:last]} - function.parameters.keys():
        is_read = any(end <= place_of(each) < until for each in function.scope.loads.get(name, ()))
        if is_read and not any(place_of(each) < start for each in function.scope.stores[name]):
            return True
    return False


@once
def _stores(_: Module, function: Function) -> list[tuple[tuple[int, int], str]]:
    """Where a function binds names, in the order of the source, and which."""
    return sorted((place_of(each), name) for name, stores in function.scope.stores.items() for each in stores)


def _is_option(facts: Facts, test: ast.expr) -> bool:
    """Whether a condition asks for something that the host has, and that may well be otherwise: not whether there is anything."""
    if isinstance(test, ast.Constant) or facts.analysis.value(test, facts.module).kind == "tensor":
        return False
    for each in ast.walk(test):
        match each:
            case ast.Attribute(attr="shape" | "ndim") | ast.Call(func=ast.Name(id="len")):
                return False
            case ast.Call(func=ast.Attribute(attr="size" | "numel" | "dim" | "any" | "all")):
                return False
            case ast.Compare(comparators=[ast.Constant(value=0 | 1)]):
                return False
    return True


def _is_work(facts: Facts, work: ast.expr) -> bool:
    """Whether an expression works out a tensor and does nothing else."""
    worked = False
    for node in walk(work):
        match node:
            case ast.Call():
                found = _effect(facts, node)
                if found is None:
                    return False
                worked |= found
            case ast.BinOp() | ast.Compare() if facts.analysis.value(node, facts.module).kind == "tensor":
                worked = True
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Lambda():
                return False
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                return False
    return worked


def _effect(facts: Facts, call: ast.Call) -> bool | None:
    """Whether a call makes a tensor of its own; None where it may do anything else."""
    name = last_name(call.func)
    dotted = names.dotted(facts.module.function_of(call), call.func)
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    if dotted is None and (held is None or facts.analysis.value(held, facts.module).kind not in ("tensor", "size")):
        return None
    if dotted in ("len", "int", "float", "max", "min", "abs", "tuple", "list") or name in ("size", "dim", "numel"):
        return False
    if name in _DRAWING or name.endswith("_") or any(each.arg == "out" for each in call.keywords):
        return None
    effect = knowledge.effect(name if dotted is None else dotted, method=dotted is None)
    if effect is None and dotted is not None and dotted.startswith("torch.") and knowledge.function(dotted) is not None:
        return True
    if effect is None or effect.inplace:
        return None
    return effect.view is False and name not in _MAKING
