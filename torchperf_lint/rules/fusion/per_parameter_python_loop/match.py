"""Loops that do one small operation for each parameter of a model: all of them can be done at once.

    for e, p in zip(ema.parameters(), model.parameters()):      the items `e` and `p`
        if p.requires_grad:                                     a condition
            e.data.mul_(decay).add_(p.data, alpha=1 - decay)    an update of `e`

A loop is spoken of where all that it does is such updates, or the sum of such norms. Knows syntax and names alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.context import loops
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, last_name, walk
from torchperf_lint.rules.fusion.per_parameter_python_loop import sources

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

Sort = Literal["norm", "gradient", "average", "step", "copy", "weight"]
"""What a loop does: adds up norms of gradients, changes gradients, averages weights, steps them, copies them, changes them."""
BY_NATURE: Final = ("norm", "gradient", "average", "step")
"""What is done at every step of a training, whoever calls it."""

LARGE: Final = (
    "FullyShardedDataParallel", "FullyShardedDataParallelPlugin", "fully_shard", "deepspeed", "DeepSpeedPlugin",
    "gradient_checkpointing", "grad_checkpointing", "gradient_checkpointing_enable", "enable_gradient_checkpointing",
)  # fmt: skip
"""What gives each rank a part of each tensor, or works activations out again to save memory: for models whose steps are long."""
_SORTS: Final = (*BY_NATURE, "copy", "weight")
"""In the order in which a loop that does several is called after them."""

_AS_IT_IS: Final = sources.SAME | {"clone", "squeeze", "unsqueeze", "view", "reshape", "cuda", "cpu"}
_WRITING: Final = frozenset("mul_ add_ sub_ div_ lerp_ copy_ clamp_ clip_ addcmul_ addcdiv_".split())
_NORMS: Final = frozenset(("norm", "vector_norm", "sum"))
_FEW: Final = 4
"""What is done at every so many steps costs a part of that at each."""


@dataclass(frozen=True, slots=True)
class Update:
    """What one statement of a loop does to an item."""

    sort: Sort
    node: ast.expr


def sort_of(facts: Facts, loop: ast.AST) -> Sort | None:
    """What a loop over parameters does for each of them, where it does nothing else."""
    if not isinstance(loop, ast.For) or loop.orelse:
        return None
    items = {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
    found: list[Update] = []
    bound = dict.fromkeys(items, "grad" if sources.are_gradients(facts.module, loop.iter) else "item")
    for statement in _flat(loop.body):
        update = _update(statement, bound)
        if update is not None:
            found.append(update)
        elif not _is_silent(statement, bound):
            return None
    # Asked last, because they walk: most loops do something else, which their first statement shows.
    if not found or not sources.are_parameters(facts.module, loop):
        return None
    if _is_for_a_few(loop) or _has_both(facts.module, loop):
        return None
    return min((each.sort for each in found), key=_SORTS.index)


def may_be_one(facts: Facts, loop: ast.AST) -> bool:
    return sort_of(facts, loop) is not None


def _is_for_a_few(loop: ast.For) -> bool:
    """Whether a loop picks parameters by their names: `if "bias" in name`."""
    tests = (node.test for node in walk(loop) if isinstance(node, ast.If))
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for test in tests for part in walk(test))


def _has_both(module: Module, loop: ast.For) -> bool:
    """Whether the function of a loop has the way for lists as well, and the loop is there for those who lack it."""
    return _has_lists(module, module.function_of(loop))


@once
def _has_lists(_: Module, function: Function) -> bool:
    """Whether a function hands lists of tensors to torch."""
    nodes = walk(function.node, into_scopes=False)
    return any(isinstance(node, ast.Attribute) and node.attr.startswith("_foreach_") for node in nodes)


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, those behind conditions and in contexts too."""
    for each in body:
        match each:
            case ast.If():
                yield from _flat(each.body)
                yield from _flat(each.orelse)
            case ast.With():
                yield from _flat(each.body)
            case _:
                yield each


def _is_silent(statement: ast.stmt, bound: dict[str, str]) -> bool:
    """Whether a statement does nothing but bind a name, which then stands for an item if it is made of one."""
    match statement:
        case ast.Continue() | ast.Pass() | ast.Assert():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            root = sources.root(value)
            if root in bound:
                bound[name] = "grad" if _of_gradient(value, bound) else bound[root]
            if any(isinstance(node, ast.Call) and last_name(node.func) in _NORMS for node in walk(value)):
                of = [each.id for each in walk(value) if isinstance(each, ast.Name) and each.id in bound]
                bound[name] = "norm" if of and _of_gradient(value, bound) else bound.get(name, "other")
            elif (
                name not in bound
                and sources.root(value) != name
                and any(isinstance(node, ast.Call) for node in walk(value))
            ):
                bound[name] = "other"  # but for one that stays what it was, as in `c = c.to(p.device)`
            return True
        # Ex) e *= decay, before something is added
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Mult()):
            return bound.get(name) == "item"
        case ast.AugAssign(target=ast.Name()) | ast.Assign(targets=[ast.Attribute()]):
            return False
    return False


def _update(statement: ast.stmt, bound: dict[str, str]) -> Update | None:
    """What a statement does to an item; None too where it takes what some other call made of it."""
    update = _known_update(statement, bound)
    if update is None:  # as it is of most statements: they need not be walked
        return None
    is_of_other = any(isinstance(node, ast.Name) and bound.get(node.id) == "other" for node in walk(statement))
    return None if is_of_other else update


def _known_update(statement: ast.stmt, bound: dict[str, str]) -> Update | None:
    match statement:
        # Ex) total += p.grad.norm() ** 2
        case ast.AugAssign(target=ast.Name(), op=ast.Add(), value=value) if _is_norm(value, bound):
            return Update("norm", value)
        # Ex) norms.append(p.grad.norm())
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[value])) if _is_norm(value, bound):
            return Update("norm", value)
        # Ex) e += (1 - decay) * weights[name]
        case ast.AugAssign(target=ast.Name(id=name) as target, op=ast.Add(), value=ast.BinOp() as value) if (
            bound.get(name) == "item"
        ):
            return Update("average", value) if _sort(target, [value], bound) == "average" else None
        # Ex) update_average(e, p)
        case ast.Expr(value=ast.Call(func=ast.Name() | ast.Attribute() as func, args=args)) if function_names.averages(
            last_name(func)
        ):
            items = {sources.root(each) for each in args}
            return Update("average", statement.value) if len(items & bound.keys()) > 1 else None
        # Ex) total.add_(p.grad.norm() ** 2)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=total), attr="add_"), args=[value])) if (
            total not in bound and _is_norm(value, bound)
        ):
            return Update("norm", value)
        # Ex) p.grad /= n; p.data -= lr * p.grad
        case ast.AugAssign(target=target, value=value) if sources.root(target) in bound and isinstance(
            target, ast.Attribute
        ):
            return Update(_sort(target, [value], bound), value)
        # Ex) e.data = decay * e.data + (1 - decay) * p.data
        case ast.Assign(targets=[ast.Attribute(attr="data") as target], value=value) if sources.root(target) in bound:
            return Update(_sort(target, [value], bound), value) if _is_arithmetic(value) else None
        # Ex) e.mul_(decay).add_(p, alpha=1 - decay)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name)) as call) if name in _WRITING:
            written, given = _chain(call)
            return Update(_sort(written, given, bound), call) if sources.root(written) in bound else None
    return None


def _chain(call: ast.Call) -> tuple[ast.expr, list[ast.expr]]:
    """What a chain of calls writes into, and all that the calls are given."""
    given: list[ast.expr] = []
    at: ast.expr = call
    while isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute) and at.func.attr in _WRITING:
        given = [*at.args, *(each.value for each in at.keywords), *given]
        at = at.func.value
    return at, given


def _sort(target: ast.expr, given: list[ast.expr], bound: dict[str, str]) -> Sort:
    if _of_gradient(target, bound):
        return "gradient"
    root, read = sources.root(target), [node for each in given for node in walk(each)]
    if any(_of_gradient(node, bound) for node in read if isinstance(node, (ast.Attribute, ast.Name))):
        return "step"
    others = [node for node in read if isinstance(node, ast.Name) and node.id in bound and node.id != root]
    if not others:
        return "weight"
    match given:
        # Ex) p.data = p.data - lr * g
        case [ast.BinOp(left=left, op=ast.Sub(), right=right)] if sources.root(
            left
        ) == root and root not in ast.unparse(right):
            return "step"
        # A plain copy takes the other as it is; an average weighs it.
        case [plain] if not _is_arithmetic(plain):
            return "copy"
    return "average"


def _is_norm(value: ast.expr, bound: dict[str, str]) -> bool:
    """Whether a value is a norm of a gradient, or made of one."""
    for node in walk(value):
        if isinstance(node, ast.Name) and bound.get(node.id) == "norm":
            return True
        if isinstance(node, ast.Call) and last_name(node.func) in _NORMS and _of_gradient(value, bound):
            return True
    return False


def _of_gradient(node: ast.expr, bound: dict[str, str]) -> bool:
    return any(
        (isinstance(each, ast.Attribute) and each.attr == "grad" and sources.root(each) in bound)
        or (isinstance(each, ast.Name) and bound.get(each.id) == "grad")
        for each in walk(node)
    )


def _is_arithmetic(node: ast.expr) -> bool:
    calls = (each for each in walk(node) if isinstance(each, ast.Call))
    return any(isinstance(each, ast.BinOp) for each in walk(node)) or any(
        last_name(each.func) not in _AS_IT_IS for each in calls
    )


def is_set_up(facts: Facts, loop: ast.AST) -> bool:
    """Whether a loop stands where a model is made, loaded or moved, or at the top level of a file."""
    function = facts.module.function_of(loop)
    name = function.name
    return function.is_module or function_names.is_beside_training(name) or function_names.sets_up(name)


def on_host(facts: Facts, loop: ast.AST) -> bool:
    """Whether any of the items of a loop is known to be on the CPU, but for those that it moves."""
    assert isinstance(loop, ast.For)
    statements = (node for part in loop.body for node in walk(part) if isinstance(node, ast.Assign))
    moved = {
        ast.unparse(each.targets[0])
        for each in statements
        if isinstance(each.value, ast.Call) and last_name(each.value.func) in ("to", "cuda")
    }
    items = (node for node in walk(loop.target) if isinstance(node, ast.Name) and node.id not in moved)
    return any(facts.value_at(each).known and facts.value_at(each).value.on_host for each in items)


def is_of_large_model(facts: Facts, _: ast.AST) -> bool:
    """Whether the file, or one that imports it, names what large models need: steps are long then."""
    around, analysis = facts.analysis.around(), facts.analysis
    return facts.mentions(*LARGE) or (around is not None and any(around.is_said(analysis, each) for each in LARGE))


def is_beside_steps(facts: Facts, loop: ast.AST) -> bool:
    """Whether each turn of the loop around one runs a model in a loop of its own: beside that, one pass over the weights is little."""
    around = blocks.loop(facts.module, loop)
    if around is None:
        return False
    if any(last_name(each.func) == "deepcopy" for each in walk(around) if isinstance(each, ast.Call)):
        return True  # a task of meta-learning: it copies the model, and trains the copy
    called = {each.func.id for each in walk(around) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
    beside = [around, *(each.node for each in facts.module.body.inner if each.name in called)]
    inner = (each for part in beside for each in walk(part, into_scopes=False) if isinstance(each, LOOPS))
    return any(loops.of(facts.analysis, facts.module, each).value for each in inner if each not in (around, loop))


def is_often(facts: Facts, loop: ast.AST) -> bool:
    """Whether a loop behind a gate may run every few steps all the same: `if step % self.delay == 0`, `if step % 2 == 0`."""
    match facts.gate_at(loop):
        case ast.Compare(left=ast.BinOp(op=ast.Mod(), right=every)):
            number = facts.analysis.value(every, facts.module).const
            return not isinstance(number, int) or number <= _FEW
    return False
