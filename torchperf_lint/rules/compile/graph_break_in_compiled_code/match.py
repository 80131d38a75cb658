"""Which nodes of compiled code end the graph, and as what."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import compiled_branches
from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.idioms import torchscript, truth
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.knowledge import graph_breaks as known
from torchperf_lint.facts.knowledge.graph_breaks import Kind

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


@dataclass(frozen=True, slots=True)
class Break:
    """What ends the graph at a node."""

    kind: Kind
    shown: ast.AST
    """What is underlined."""
    value: Value | None
    """The tensor that is asked; None where there is none."""


def ends_graph(facts: Facts, node: ast.AST) -> bool:
    """Whether a node is one that ends a graph, in compiled code."""
    return facts.compiled_at(node).known and at(facts, node) is not None


def at(facts: Facts, node: ast.AST) -> Break | None:
    """What ends the graph at a node; None where nothing is known to."""
    found = _at(facts, node)
    if found is None or _is_captured(facts.module, found.kind) or facts.off_at(node) is not None:
        return None
    return found


def _at(facts: Facts, node: ast.AST) -> Break | None:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return _asks(facts, test)
        case ast.Assert(test=ast.UnaryOp() | ast.BoolOp() as test):
            return _asks(facts, test)  # `assert tensor` alone becomes a part of the graph
        case ast.BoolOp(values=values) if not truth.is_test(facts.module, node):
            return next((found for each in values[:-1] if (found := _asks(facts, each)) is not None), None)
        case ast.UnaryOp(op=ast.Not(), operand=operand) if not truth.is_test(facts.module, node):
            return _asks(facts, operand)
        case ast.comprehension(ifs=conditions):
            return next((found for each in conditions if (found := _asks(facts, each)) is not None), None)
        case ast.Call():
            return _called(facts, node)
        case ast.Subscript(ctx=ast.Load()):
            return _masked(facts, node, node.slice)
        case ast.AugAssign(target=ast.Subscript(slice=index) as target):
            return _masked(facts, target, index)
        case ast.With(items=items):
            return next((found for each in items if (found := _entered(facts, each.context_expr)) is not None), None)
    return None


def _tensor(facts: Facts, node: ast.expr) -> Value | None:
    """What an expression is, where that is a tensor for certain or likely."""
    value = facts.analysis.seen(node, facts.module.function_of(node))
    return (
        value
        if value is not None and value.kind == "tensor" and not value.none and value.alternatives is None
        else None
    )


# ---- tensors that are asked for their truth


def _asks(facts: Facts, test: ast.expr) -> Break | None:
    """The part of a condition that is a tensor whose truth Python needs."""
    for part in truth.asked(test):
        value = _tensor(facts, part)
        if value is not None and compiled_branches.may_be_taken(facts.module, part):
            return Break("branch", part, value)
    return None


# ---- calls


def _called(facts: Facts, node: ast.Call) -> Break | None:
    function = facts.module.function_of(node)
    name = names.dotted(function, node.func)
    match node.func:
        case ast.Name(id=called) if names.scope_of(function, called) is None:
            return _builtin(facts, node, called)
        case ast.Attribute(value=held, attr=attr) if name is None:
            return _method(facts, node, held, attr) or _layer(facts, node)
    if name is None:
        return _layer(facts, node)
    if name in known.FUNCTIONS:
        return Break(known.FUNCTIONS[name], node, None)
    if name in known.SCALARS:
        return Break("random", node, None) if _is_scalar(name, node) else None
    return _of_tensor(facts, node, name)


def _builtin(facts: Facts, node: ast.Call, name: str) -> Break | None:
    if name == "print":
        return Break("print", node, None)
    if name == "open":
        return Break("host", node, None)
    if name in ("any", "all"):
        return _of_several(facts, node)
    if name == "range":
        found = next((value for each in node.args if (value := _tensor(facts, each)) is not None), None)
        return Break("read", node, found) if found is not None else None
    if name == "pow" and len(node.args) == 2 and (value := _tensor(facts, node.args[0])) is not None:
        return Break("power", node, value)
    value = _tensor(facts, node.args[0]) if len(node.args) == 1 and not node.keywords else None
    if value is not None and name in known.NUMBERS:
        return Break("read", node, value)
    return Break("text", node, value) if value is not None and name in ("str", "repr") else None


def _of_several(facts: Facts, node: ast.Call) -> Break | None:
    """`any(t > 0 for t in tensors)` asks one after the other."""
    match node.args:
        case [ast.GeneratorExp(elt=asked) | ast.ListComp(elt=asked)]:
            value = _tensor(facts, asked)
            return Break("branch", node, value) if value is not None else None
    return None


def _method(facts: Facts, node: ast.Call, held: ast.expr, name: str) -> Break | None:
    if name in known.LOGGER_METHODS:
        return Break("log", node, None) if _is_logger(facts.module, node, held) else None
    value = _tensor(facts, held)
    if value is None:
        return None
    if name in known.READ_METHODS and not node.args:
        return Break("read", node, value)
    if name in known.TRUTH_METHODS:
        return Break("read", node, value)
    if name in known.SPARSE_METHODS:
        return Break("sparse", node, value)
    if name == "backward":
        return Break("grad", node, value)
    if name == "requires_grad_" and all(isinstance(each, ast.Constant) and each.value is True for each in node.args):
        return Break("requires", node, value) if not node.keywords else None
    return (
        Break("size", node, value)
        if name in known.SIZES and _has_open_size(facts, node, name, is_method=True)
        else None
    )


def _of_tensor(facts: Facts, node: ast.Call, name: str) -> Break | None:
    """Functions that end the graph where they are given a tensor."""
    home, _, last = name.rpartition(".")
    if home == "torch" and last in known.MAKERS:
        sizes = (value for each in node.args if (value := _tensor(facts, each)) is not None)
        return next((Break("read", node, each) for each in sizes), None)
    value = _tensor(facts, node.args[0]) if node.args else None
    if value is None:
        return None
    if name in known.TRUTH:
        return Break("read", node, value)
    if home == "math" and last in known.MATH:
        return Break("read", node, value)
    if name == "copy.deepcopy":
        return Break("host", node, value)
    if (
        home in ("torch", "torch.nn.functional")
        and last in known.SIZES
        and _has_open_size(facts, node, last, is_method=False)
    ):
        return Break("size", node, value)
    return None


def _has_open_size(facts: Facts, node: ast.Call, name: str, *, is_method: bool) -> bool:
    """Whether the arguments of a call leave the size of its result to the data."""
    given = {each.arg: each.value for each in node.keywords}
    if None in given or any(isinstance(each, ast.Starred) for each in node.args):
        return False
    arguments = node.args if is_method else node.args[1:]
    if name == "where":
        return not is_method and not arguments and not given
    if name == "one_hot":
        return not arguments and "num_classes" not in given
    if name == "repeat_interleave":
        repeats = given.get("repeats", arguments[0] if arguments else None)
        return repeats is not None and "output_size" not in given and _tensor(facts, repeats) is not None
    return True


def _is_scalar(name: str, node: ast.Call) -> bool:
    """Whether a function that draws numbers is asked for one."""
    if any(each.arg in ("size", None) for each in node.keywords) or any(
        isinstance(each, ast.Starred) for each in node.args
    ):
        return False
    return len(node.args) <= known.FIXED.get(name, 0)


def _is_logger(module: Module, node: ast.Call, held: ast.expr) -> bool:
    """Whether something is a logger of Python: a name of the file that is bound to one, or one that is asked for at once."""
    function = module.function_of(node)
    if isinstance(held, ast.Call):
        return names.dotted(function, held.func) in known.LOGGERS
    if not isinstance(held, ast.Name):
        return False
    home = names.scope_of(function, held.id)
    stores = home.scope.stores[held.id] if home is not None else []
    match [module.parents.get(each) for each in stores]:
        case [ast.Assign(value=ast.Call(func=made))]:
            return names.dotted(module.body, made) in known.LOGGERS
    return False


def _layer(facts: Facts, node: ast.Call) -> Break | None:
    value = facts.analysis.value(node.func, facts.module)
    if value.kind == "module" and value.ref in known.RNNS:
        return Break("rnn", node, None)
    if torchscript.MAKERS.isdisjoint(facts.module.names):
        return None
    return (
        Break("script", node, None) if torchscript.made(facts.analysis, facts.module, node.func) is not None else None
    )


# ---- masks and context managers


def _masked(facts: Facts, node: ast.Subscript, index: ast.expr) -> Break | None:
    """`x[mask]` takes as many elements as the mask selects, and `x[:n]` as many as a tensor says."""
    held = facts.analysis.seen(node.value, facts.module.function_of(node))
    is_open = held is None or all(each.kind in ("unknown", "tensor") for each in held.alternatives or (held,))
    value = _tensor(facts, node.value)
    if value is None and not is_open:
        return None
    for part in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(part, ast.Slice) and value is None:
            continue
        if isinstance(part, ast.Slice):
            bounds = (_tensor(facts, each) for each in (part.lower, part.upper, part.step) if each is not None)
            bound = next((each for each in bounds if each is not None), None)
            if bound is not None:
                return Break("read", node, bound)
            continue
        found = _tensor(facts, part)
        if found is not None and found.dtype == "bool" and found.rank != 0:
            return Break("size", node, found)
    return None


def _entered(facts: Facts, node: ast.expr) -> Break | None:
    called = node.func if isinstance(node, ast.Call) else node
    name = names.dotted(facts.module.function_of(node), called)
    return Break("context", node, None) if name in known.CONTEXTS else None


# ---- settings of Dynamo


def _is_captured(module: Module, kind: Kind) -> bool:
    """Whether the file says to Dynamo to keep such things in the graph, or to leave them out of it."""
    if kind == "rnn":
        return "allow_rnn" in module.names
    if kind in ("print", "log"):
        return bool(
            module.names & {"reorderable_logging_functions", "ignore_logger_methods", "ignore_logging_functions"}
        )
    if kind == "grad":
        return "trace_autograd_ops" in module.names
    setting = known.CAPTURED.get(kind)
    return setting is not None and (setting in module.names or setting in module.keywords)


def proof(found: Break) -> tuple[Fact[object], ...]:
    """What shows that a tensor is one."""
    value = found.value
    if value is None:
        return ()
    return (Fact(value, value.sure, (value.why,) if value.why is not None else ()),)
