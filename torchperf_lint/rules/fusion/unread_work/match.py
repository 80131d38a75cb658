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

from torchperf_lint.facts.context import eager_code, loops
from torchperf_lint.facts.idioms import pure_work
from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index import unread as unread_names
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, end_of, last_name, place_of, walk
from torchperf_lint.facts.knowledge import light_operations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.inside import Block
    from torchperf_lint.facts.index.module import Module

_FEW: Final = 2
_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_SIMPLE: Final = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)
"""Statements that hold no other and leave nothing: most are of these."""


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
    if bound is None or facts.module.function_of(node).name == "__init__":
        return None  # what a constructor works out is worked out once
    if eager_code.is_scripted(facts.module.function_of(node)):
        return None  # whoever makes a kernel of it leaves out what nobody reads
    (name, work), module = bound, facts.module
    is_unread = unread_names.is_only_bound(module, name)
    test = None if is_unread else _test_of_reads(module, name)
    if not is_unread and (test is None or not _is_option(facts, test)):
        return None
    if facts.analysis.value(work, module).kind != "tensor" or not _is_work(facts, work):
        return None
    if is_unread:
        return Unread(work, f"nobody reads `{name.id}`, which is worked out here")
    return Unread(work, f"`{name.id}` is read in one branch below alone, and worked out on every way")


def is_small(facts: Facts, node: ast.AST) -> bool:
    """Whether what an assignment works out is a mask, or one or two light operations, and no loop turns around it but one through
    batches."""
    bound = _bound(node)
    if bound is None:
        return False
    (_, work), module = bound, facts.module
    loop = blocks.loop(module, node)
    if isinstance(loop, LOOPS) and not loops.iterates_loader(facts.analysis, module, loop):
        return False
    if facts.analysis.value(work, module).dtype == "bool":
        return True
    calls = [each for each in walk(work) if isinstance(each, ast.Call)]
    if not all(last_name(each.func) in light_operations.NAMES for each in calls):
        return False
    return len(calls) + sum(isinstance(each, (ast.BinOp, ast.Compare)) for each in walk(work)) <= _FEW


def _test_of_reads(module: Module, name: ast.Name) -> ast.expr | None:
    """The condition in one branch of which all stands that reads what is bound, where the other one may go on without it."""
    where = _only_reader(module, name)
    if not isinstance(where, ast.If):
        return None
    branch = _branch(where, _uses(module, (module.function_of(name), name.id)))
    return None if branch is None or _raises_otherwise(module, where, branch) else where.test


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
    if (
        bound is None
        or not isinstance(bound[1], (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare))
        or "locals" in module.calls
    ):
        return False
    name = bound[0].id
    function = module.function_of(bound[0])
    if function.is_module or name in function.scope.outer or name in function.inner_reads or name.startswith("_"):
        return False
    loads = function.scope.loads.get(name, ())
    if loads and not any(isinstance(above, ast.If) for above in module.ancestors(loads[0])):
        return False
    calls = (each for each in walk(bound[1]) if isinstance(each, ast.Call))
    return all(pure_work.by_name(module, each) is not None for each in calls)


def _only_reader(module: Module, name: ast.Name) -> ast.stmt | None:
    """The one statement behind a binding, in its block, that reads what is bound; None where there are others, or none."""
    place = inside.block_of(module, module.statement(name))
    if place is None:
        return None
    block, number = place
    asked = (block, module.function_of(name), name.id)
    reading, binding = _reading(module, asked), _binding(module, asked)
    following = bisect_right(binding, number)
    stop = binding[following] if following < len(binding) else len(block.statements)
    first = bisect_right(reading, number)
    leaving = _leaving(module, block)
    if bisect_left(reading, stop) - first != 1 or bisect_right(leaving, number) != bisect_left(leaving, reading[first]):
        return None  # none is read, or it may leave before it is
    found = block.statements[reading[first]]
    return found if following < len(binding) or not _is_read_outside(module, name, block.statements[-1]) else None


@once
def _reading(module: Module, asked: tuple[Block, Function, str]) -> list[int]:
    """The numbers of the statements of a block that read a name."""
    block, function, name = asked
    starts, uses = _starts(module, block), _uses(module, (function, name))
    read = uses[bisect_left(uses, starts[0]) : bisect_left(uses, end_of(block.statements[-1]))]
    return sorted({bisect_right(starts, each) - 1 for each in read})


@once
def _binding(module: Module, asked: tuple[Block, Function, str]) -> list[int]:
    """The numbers of the statements of a block that bind a name anew and do not read it."""
    block, _, name = asked
    reading = frozenset(_reading(module, asked))
    binding = [at for at, _ in block.bound.get(name, ()) if at not in reading]
    return [at for at in binding if _binds(block.statements[at], name)]


@once
def _starts(_: Module, block: Block) -> list[tuple[int, int]]:
    return [place_of(each) for each in block.statements]


@once
def _leaving(_: Module, block: Block) -> list[int]:
    """The numbers of the statements of a block that may leave it."""
    statements = ((at, each) for at, each in enumerate(block.statements) if not isinstance(each, _SIMPLE))
    return [at for at, each in statements if any(isinstance(node, _LEAVING) for node in walk(each, into_scopes=False))]


@once
def _uses(_: Module, asked: tuple[Function, str]) -> list[tuple[int, int]]:
    """Where a function reads a name, in the order of the source; `x += 1` reads it too."""
    function, name = asked
    changed = [
        each
        for each in function.scope.stores.get(name, ())
        if isinstance(function.module.parents.get(each), (ast.AugAssign, ast.Delete)) and isinstance(each, ast.Name)
    ]
    return sorted(place_of(each) for each in (*function.scope.loads.get(name, ()), *changed))


def _is_read_outside(module: Module, name: ast.Name, last: ast.stmt) -> bool:
    """Whether a name is read behind its block, or further up in a loop around it."""
    uses, loop = _uses(module, (module.function_of(name), name.id)), blocks.loop(module, name)
    if uses and uses[-1] >= end_of(last):
        return True
    return loop is not None and bisect_left(uses, place_of(loop)) != bisect_left(uses, place_of(name))


def _binds(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=bound)]):
            return bound == name
    return False


def _branch(test: ast.If, uses: list[tuple[int, int]]) -> list[ast.stmt] | None:
    """The branch of a condition that has all reads of a name that stand in it."""
    held = _between(uses, place_of(test), end_of(test))
    for branch in (test.body, test.orelse):
        if branch and _between(uses, place_of(branch[0]), end_of(branch[-1])) == held:
            return branch
    return None


def _between(uses: list[tuple[int, int]], start: tuple[int, int], end: tuple[int, int]) -> int:
    """How many uses stand between two places."""
    return bisect_left(uses, end) - bisect_left(uses, start)


def _raises_otherwise(module: Module, test: ast.If, branch: list[ast.stmt]) -> bool:
    """Whether all that is there beside a branch is an error, so that nothing is saved: it raises, or a name is bound to nothing."""
    other = test.orelse if branch is test.body else test.body
    if any(not isinstance(each, ast.Pass) for each in other):
        return isinstance(other[-1], ast.Raise)
    place = inside.block_of(module, test)
    if place is None:
        return False
    block, number = place
    if number + 1 == len(block.statements):
        return False
    return isinstance(block.statements[number + 1], ast.Raise) or _binds_alone(module, test, block.statements[-1])


def _binds_alone(module: Module, test: ast.If, last: ast.stmt) -> bool:
    """Whether a name that is read behind a condition is bound in it, and nowhere before: `if kind == "a": y = x`, `return y`."""
    function, start, end = module.function_of(test), place_of(test), end_of(test)
    stores = _stores(module, function)
    held = stores[bisect_left(stores, (start, "")) : bisect_left(stores, (end, ""))]
    for name in {name for _, name in held} - function.parameters.keys():
        is_read = _between(unread_names.reads(module, (function, name)), end, end_of(last)) > 0
        if is_read and _first_stores(module, function)[name] >= start:
            return True
    return False


@once
def _stores(_: Module, function: Function) -> list[tuple[tuple[int, int], str]]:
    """Where a function binds names, in the order of the source, and which."""
    return sorted((place_of(each), name) for name, stores in function.scope.stores.items() for each in stores)


@once
def _first_stores(module: Module, function: Function) -> dict[str, tuple[int, int]]:
    """Where a function binds each of its names first."""
    return {name: place for place, name in reversed(_stores(module, function))}


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
                found = pure_work.makes_tensor(facts.analysis, facts.module, node)
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
