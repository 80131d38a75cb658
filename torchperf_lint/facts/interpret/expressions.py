"""Expressions: one small function for each kind of node.

Each takes the run and the node and gives the value; what needs knowledge of torch, of containers or of calls is asked
of the module that has it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join
from torchperf_lint.facts.domain.value import (
    ANY,
    BOOL,
    BOTTOM,
    CPU,
    HOST_OR_UNKNOWN,
    MAYBE,
    NO,
    NONE,
    OBJECT,
    STRING,
    Value,
)
from torchperf_lint.facts.interpret import (
    attributes,
    calls,
    containers,
    cuda_tests,
    devices,
    indexing,
    narrowing,
    operators,
)
from torchperf_lint.facts.interpret.binding import assign

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

_NUMBERS: Final = {bool: "bool", int: "int", float: "float", complex: "complex"}
_WHOLE: Final = ("bool", "int")
SHORT: Final = 40
"""Characters of a string that may be met again."""


def constant(node: ast.Constant) -> Value:
    """The value of a literal."""
    value = node.value
    if value is None:
        return NONE
    kind = _NUMBERS.get(value.__class__)
    if kind is not None:
        return _number(value, kind) if kind in _WHOLE else Value("number", dtype=kind, const=value)
    if isinstance(value, str):
        return _string(value) if len(value) <= SHORT else Value("string", const=value, device=devices.named(value))
    return OBJECT


@lru_cache(4096)
def _number(value: Any, kind: str) -> Value:
    # Not `value: int`: compiled code would make a 1 of True.
    return Value("number", dtype=kind, const=value)


@lru_cache(4096)
def _string(value: str) -> Value:
    return Value("string", const=value, device=devices.named(value))


def _constant(_: Run, node: ast.Constant) -> Value:
    return constant(node)


def _name(run: Run, node: ast.Name) -> Value:
    return run.load(node.id)


def _attribute(run: Run, node: ast.Attribute) -> Value:
    return attributes.attribute(run, run.expr(node.value), node)


def _subscript(run: Run, node: ast.Subscript) -> Value:
    base = run.expr(node.value)
    index = run.expr(node.slice)
    if base.alternatives is not None:
        base = run.values[node.value] = indexing.taken_from(base, index)
    return indexing.read(run, node, base, index)


def _slice(run: Run, node: ast.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            run.expr(part)
    return OBJECT


def _tuple(run: Run, node: ast.Tuple) -> Value:
    return containers.display(run, "tuple", node.elts)


def _list(run: Run, node: ast.List) -> Value:
    return containers.display(run, "list", node.elts)


def _set(run: Run, node: ast.Set) -> Value:
    for element in node.elts:
        run.expr(element)
    return Value("set")


def _dict(run: Run, node: ast.Dict) -> Value:
    return containers.dict_display(run, node)


def _starred(run: Run, node: ast.Starred) -> Value:
    return run.expr(node.value)


def _named(run: Run, node: ast.NamedExpr) -> Value:
    value = run.expr(node.value)
    run.bind(node.target.id, value, node.target)
    return value


def _if_exp(run: Run, node: ast.IfExp) -> Value:
    test = run.expr(node.test)
    before = run.env
    run.env = narrowing.branch(run, before, node.test, test, True)
    body = run.expr(node.body) if run.env is not None else None
    run.env = narrowing.branch(run, before, node.test, test, False)
    orelse = run.expr(node.orelse) if run.env is not None else None
    run.env = before
    if body is None or orelse is None:
        return body or orelse or ANY
    if body.kind == "unknown" and orelse.device == CPU and cuda_tests.asks(test):
        # Ex) config["device"] if torch.cuda.is_available() else "cpu": what else would it be
        return orelse.but(sure=Sure.LIKELY, const=NO, device=MAYBE, where=run.why(node, "CUDA where there is one"))
    found = cuda_tests.chosen(test, body, orelse)
    if found.device == MAYBE and cuda_tests.asks_a_group(run, node.test):
        return found.but(device=HOST_OR_UNKNOWN, where=run.why(node, "where its group of processes has it"))
    return found


def _bool_op(run: Run, node: ast.BoolOp) -> Value:
    """`a and b`: what stands behind `and` is read only where all before it are true."""
    before = run.env
    truth = isinstance(node.op, ast.And)
    result: Value | None = None
    for operand in node.values:
        value = run.expr(operand)
        if operand is not node.values[-1]:
            # A tested operand that is not the result is false, or true: for a tensor that says nothing more.
            run.env = narrowing.branch(run, run.env, operand, value, truth) or (
                before.copy() if before is not None else None
            )
            if not truth and value.none:
                value = value.but(none=False)
        result = value if result is None else cuda_tests.both(node, result, value) if truth else join(result, value)
    run.env = before
    return result or ANY


def _joined(run: Run, node: ast.JoinedStr) -> Value:
    for part in node.values:
        run.expr(part)
    start = node.values[0] if node.values else None
    if isinstance(start, ast.Constant) and isinstance(start.value, str):
        return Value("string", device=devices.named(start.value))  # f"cuda:{rank}"
    return STRING


def _formatted(run: Run, node: ast.FormattedValue) -> Value:
    run.expr(node.value)
    if node.format_spec is not None:
        run.expr(node.format_spec)
    return STRING


def _lambda(run: Run, node: ast.Lambda) -> Value:
    for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
        run.expr(default)
    return Value("function", ref=run.module.functions[node])


def _await(run: Run, node: ast.Await) -> Value:
    return run.expr(node.value)


def _yield(run: Run, node: ast.Yield) -> Value:
    run.yields.append(run.expr(node.value) if node.value is not None else NONE)
    return ANY


def _yield_from(run: Run, node: ast.YieldFrom) -> Value:
    run.yields.append(containers.iterate(run, run.expr(node.value), node.value))
    return ANY


def _comprehension(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    before = run.env
    _generators(run, node.generators)
    item = run.expr(node.elt) if run.env is not None else ANY
    run.env = before
    kind = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "iterator"}[node.__class__]
    return Value(kind, Sure.PROVEN, elem=item)  # type: ignore[arg-type]


def _dict_comprehension(run: Run, node: ast.DictComp) -> Value:
    before = run.env
    _generators(run, node.generators)
    if run.env is None:
        run.env = before
        return Value("dict")
    run.expr(node.key)
    item = run.expr(node.value)
    run.env = before
    return Value("dict", elem=item)


def _generators(run: Run, generators: list[ast.comprehension]) -> None:
    assert run.env is not None
    run.env = run.env.copy()
    for generator in generators:
        iterated = run.expr(generator.iter)
        item = BOTTOM if iterated is BOTTOM else containers.iterate(run, iterated, generator.iter)
        assign(run, generator.target, item)
        for condition in generator.ifs:
            test = run.expr(condition)
            run.env = narrowing.branch(run, run.env, condition, test, True)
            if run.env is None:
                return


def _compare(run: Run, node: ast.Compare) -> Value:
    left = run.expr(node.left)
    result = BOOL
    for op, right_node in zip(node.ops, node.comparators, strict=True):
        right = run.expr(right_node)
        result = operators.compare(run, op, left, right)
        left = right
    return result


def _unary(run: Run, node: ast.UnaryOp) -> Value:
    return operators.unary(run, node, run.expr(node.operand))


def _binary(run: Run, node: ast.BinOp) -> Value:
    return operators.binary(run, node, run.expr(node.left), run.expr(node.right))


def _call(run: Run, node: ast.Call) -> Value:
    return calls.call(run, node)


TABLE: Final[dict[type[ast.AST], Callable[[Run, Any], Value]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.Starred: _starred,
    ast.NamedExpr: _named,
    ast.IfExp: _if_exp,
    ast.BoolOp: _bool_op,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
    ast.Lambda: _lambda,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.Compare: _compare,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Call: _call,
}
